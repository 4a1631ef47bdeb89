//===- RunKernel.cpp - Runs a kernel between guards -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/RunKernel.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Driver/Memory.h"
#include "convoy/Runtime/Poison.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <span>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

std::optional<ScalarType> mlir::convoy::getScalarType(Type type,
                                                      bool isUnsigned) {
  if (type.isF64())
    return ScalarType::F64;
  if (type.isF32())
    return ScalarType::F32;
  if (type.isF16())
    return ScalarType::F16;
  if (type.isBF16())
    return ScalarType::BF16;
  if (type.isInteger(8))
    return isUnsigned ? ScalarType::U8 : ScalarType::I8;
  if (type.isInteger(16))
    return ScalarType::I16;
  if (type.isInteger(32))
    return ScalarType::I32;
  if (type.isInteger(64))
    return ScalarType::I64;
  return std::nullopt;
}

/// The first result, or null.
static const KernelArgument *findResult(const KernelInterface &kernel) {
  const auto *result =
      llvm::find_if(kernel.arguments, [](const KernelArgument &argument) {
        return argument.isWritten;
      });
  return result == kernel.arguments.end() ? nullptr : result;
}

std::vector<int64_t>
mlir::convoy::getWinogradTile(const KernelInterface &kernel) {
  const KernelArgument *result = findResult(kernel);
  ArrayRef<int64_t> tile;
  if (result)
    tile = getWinogradTile(result->sums);
  return {tile.begin(), tile.end()};
}

bool mlir::convoy::usesWinograd(const KernelInterface &kernel) {
  return llvm::any_of(kernel.arguments, [](const KernelArgument &argument) {
    return !getWinogradTile(argument.sums).empty();
  });
}

std::vector<SumLevel>
mlir::convoy::getSumLevels(const KernelInterface &kernel) {
  std::vector<SumLevel> levels;
  const KernelArgument *result = findResult(kernel);
  if (!result || !result->sums)
    return levels;
  // Numbers of Winograd's matrices for taps are rounded before they are read.
  auto constants = int64_t(getWinogradTile(result->sums).size());
  for (NamedAttribute level : result->sums)
    for (ScalarType type :
         {ScalarType::F64, ScalarType::F32, ScalarType::F16, ScalarType::BF16})
      if (level.getName() == scalarTypeName(type))
        levels.push_back(
            {type, cast<IntegerAttr>(level.getValue()).getInt() + constants});
  return levels;
}

/// The dynamic sizes in the kernel's order.
static std::vector<int64_t> getSizes(const KernelInterface &kernel,
                                     const std::vector<HostArray> &arguments) {
  std::vector<int64_t> sizes;
  for (const KernelSize &size : kernel.getSizes())
    sizes.push_back(arguments[size.argument].shape[size.dim]);
  return sizes;
}

static Status refuseSizes(const KernelInterface &kernel) {
  return {CONVOY_INVALID, "sizes of the arguments of '" + kernel.name +
                              "' contradict each other"};
}

Status KernelRun::findBatch() {
  if (sizes.empty() || !kernel.module.getCompiled().hasLaunches())
    return {};
  batch = sizes.front();
  if (!llvm::all_equal(sizes))
    return refuseSizes(kernel.interface);
  std::optional<int64_t> largest = kernel.interface.largestBatch;
  if (largest && batch > *largest)
    return {CONVOY_INVALID, "'" + kernel.interface.name +
                                "' takes a batch of at most " +
                                std::to_string(*largest) + ", but got " +
                                std::to_string(batch)};
  return {};
}

Status KernelRun::findWorkspaceBytes() {
  std::optional<int64_t> bytes =
      kernel.module.getCompiled().getWorkspaceBytes(kernel.interface, sizes);
  if (!bytes)
    return refuseSizes(kernel.interface);
  workspaceBytes = *bytes + kernel.interface.workspaceBytesOfImage * batch;
  return {};
}

Status KernelRun::prepare() {
  sizes = getSizes(kernel.interface, arguments);
  if (Status status = findBatch(); !status.ok())
    return status;
  if (Status status = findWorkspaceBytes(); !status.ok())
    return status;
  if (std::optional<std::string> shortage =
          checkMemory(double(workspaceBytes), "the workspace"))
    return {CONVOY_INVALID, *shortage};
  if (Status status = createBuffers(); !status.ok())
    return status;
  return findSteps();
}

/// What every device takes for the offset of a buffer.
static constexpr size_t kCopyAlignment = 256;

/// How far copies of `size` bytes are apart.
static size_t getCopyStride(size_t size) {
  return llvm::alignTo(size, kCopyAlignment);
}

Status KernelRun::createBuffer(size_t size, Buffer &buffer) const {
  return kernel.module.getDevice().createBuffer(
      getCopyStride(size) * (copies - 1) + size, buffer);
}

Status KernelRun::createBuffers() {
  const Device &device = kernel.module.getDevice();
  for (auto [argument, original] :
       llvm::zip_equal(kernel.interface.arguments, arguments)) {
    HostArray packed;
    if (!argument.packer.empty())
      if (Status status = pack(argument, original, packed); !status.ok())
        return status;
    const HostArray &array = argument.packer.empty() ? original : packed;
    size_t size = size_t(array.elementCount() * scalarSize(array.type));
    Buffer buffer;
    if (Status status = createBuffer(size, buffer); !status.ok())
      return status;
    if (argument.isWritten)
      poisonType = array.type;
    for (size_t copy = 0; copy < copies && !argument.isWritten; ++copy)
      if (Status status = buffer.write(array.bytes, copy * getCopyStride(size));
          !status.ok())
        return status;
    buffers.push_back(std::move(buffer));
    bufferBytes.push_back(size);
  }
  for (ElementsAttr constant : kernel.interface.constants) {
    std::vector<char> bytes =
        getConstantBytes(constant).value_or(std::vector<char>());
    Buffer &buffer = constants.emplace_back();
    if (Status status = device.createBuffer(bytes.size(), buffer); !status.ok())
      return status;
    if (Status status = buffer.write(std::as_bytes(std::span(bytes)));
        !status.ok())
      return status;
  }
  return createBuffer(size_t(workspaceBytes), workspace);
}

const Buffer &KernelRun::getBuffer(const KernelBinding &binding) const {
  switch (binding.kind) {
  case KernelBinding::Kind::Argument:
    return buffers[binding.number];
  case KernelBinding::Kind::Constant:
    return constants[binding.number];
  case KernelBinding::Kind::Workspace:
    return workspace;
  }
  llvm_unreachable("unknown kind of binding");
}

size_t KernelRun::getStride(const KernelBinding &binding) const {
  switch (binding.kind) {
  case KernelBinding::Kind::Argument:
    return getCopyStride(bufferBytes[binding.number]);
  case KernelBinding::Kind::Constant:
    return 0;
  case KernelBinding::Kind::Workspace:
    return getCopyStride(size_t(workspaceBytes));
  }
  llvm_unreachable("unknown kind of binding");
}

void KernelRun::fillStep(const KernelLaunch &launch,
                         const std::array<int64_t, 3> &grid, size_t copy,
                         convoy_step &step) {
  std::vector<convoy_buffer *> &operands = pointers.emplace_back();
  std::vector<convoy_range> &parts = ranges.emplace_back();
  for (const KernelBinding &binding : launch.bindings) {
    operands.push_back(getBuffer(binding).get());
    parts.push_back(
        {size_t(binding.offset.at(batch)) + copy * getStride(binding),
         size_t(binding.bytes.at(batch))});
  }
  step.launch.buffers = operands.data();
  step.launch.buffer_count = operands.size();
  step.launch.ranges = parts.data();
  step.launch.sizes = &batch;
  step.launch.size_count = launch.takesBatch ? 1 : 0;
  step.launch.most_groups = launch.getMostGroups(batch);
  for (size_t dim = 0; dim < 3; ++dim) {
    step.launch.grid[dim] = uint32_t(grid[dim]);
    step.launch.block[dim] = uint32_t(launch.workgroup[dim]);
  }
}

Status KernelRun::addLaunches(size_t copy) {
  for (const KernelLaunch &launch : kernel.interface.launches) {
    std::array<int64_t, 3> grid = launch.getGrid(batch);
    if (llvm::is_contained(grid, 0)) // of an empty batch
      continue;
    if (llvm::any_of(grid, [](int64_t count) {
          return count > std::numeric_limits<uint32_t>::max();
        }))
      return {CONVOY_INVALID,
              "kernel '" + launch.kernel + "' has too many workgroups"};
    Kernel found;
    if (Status status = kernel.module.findKernel(launch.kernel, found);
        !status.ok())
      return status;
    steps.push_back({found.get(), convoy_launch()});
    fillStep(launch, grid, copy, steps.back());
  }
  return {};
}

Status KernelRun::findSteps() {
  if (kernel.module.getCompiled().hasLaunches()) {
    for (size_t copy = 0; copy < copies; ++copy)
      if (Status status = addLaunches(copy); !status.ok())
        return status;
    return {};
  }
  Kernel found;
  if (Status status = kernel.module.findKernel(kernel.interface.name, found);
      !status.ok())
    return status;
  steps.push_back({found.get(), convoy_launch()});
  convoy_launch &launch = steps.back().launch;
  std::vector<convoy_buffer *> &operands = pointers.emplace_back();
  for (const Buffer &buffer : buffers)
    operands.push_back(buffer.get());
  launch.buffers = operands.data();
  launch.buffer_count = operands.size();
  launch.workspace = workspace.get();
  launch.sizes = sizes.data();
  launch.size_count = sizes.size();
  return {};
}

Status KernelRun::getArithmetic(TargetArithmetic &arithmetic) const {
  arithmetic = {};
  for (const convoy_step &step : steps) {
    TargetArithmetic promised;
    if (Status status = Kernel(step.kernel).arithmetic(promised); !status.ok())
      return status;
    arithmetic.roundsToNearest &= promised.roundsToNearest;
    arithmetic.flushesSubnormals |= promised.flushesSubnormals;
  }
  // A device may flush by some of its instructions alone.
  for (const KernelArgument &argument : kernel.interface.arguments) {
    arithmetic.roundsToNearest &= !roundsToOdd(argument.sums);
    arithmetic.flushesSubnormals |= flushesSubnormals(argument.sums);
  }
  return {};
}

Status KernelRun::poison() {
  for (auto [argument, array, buffer] :
       llvm::zip_equal(kernel.interface.arguments, arguments, buffers))
    if (argument.isWritten)
      if (Status status = buffer.poison(array.type); !status.ok())
        return status;
  return workspace.poison(poisonType);
}

Status KernelRun::launch() {
  return kernel.module.getDevice().run(
      std::span(steps).first(steps.size() / copies));
}

Status KernelRun::launch(int64_t count, double &seconds) {
  // Each step has a descriptor set of its own in a submission.
  constexpr size_t MostSteps = 1024;
  const Device &device = kernel.module.getDevice();
  size_t stepsOfRun = steps.size() / copies;
  int64_t most =
      int64_t(std::max<size_t>(MostSteps / std::max<size_t>(stepsOfRun, 1), 1));
  seconds = 0;
  for (int64_t done = 0; done < count; done += most) {
    std::vector<convoy_step> together;
    for (int64_t run = done; run < std::min(done + most, count); ++run) {
      llvm::append_range(together, std::span(steps).subspan(
                                       nextCopy * stepsOfRun, stepsOfRun));
      nextCopy = (nextCopy + 1) % copies;
    }
    if (Status status = device.run(together); !status.ok())
      return status;
    double some = 0;
    if (Status status = device.seconds(some); !status.ok())
      return status;
    seconds += some;
  }
  return {};
}

Status KernelRun::readResults(std::vector<HostArray> &results, size_t copy) {
  for (auto [argument, array, buffer] :
       llvm::zip_equal(kernel.interface.arguments, arguments, buffers)) {
    if (!argument.isWritten)
      continue;
    HostArray &result = results.emplace_back(array.type, array.shape);
    size_t offset = copy * getCopyStride(result.bytes.size());
    if (Status status = buffer.read(result.bytes, offset); !status.ok())
      return status;
  }
  return {};
}

void KernelRun::findTouchedGuards(std::vector<std::string> &faults) {
  for (const std::string &fault : packingFaults)
    faults.push_back("packing: " + fault);
  auto check = [&](const Buffer &buffer, const std::string &name) {
    if (Status status = buffer.check(); !status.ok())
      faults.push_back("guard of the " + name + ": " + status.text);
  };
  for (auto [argument, buffer] :
       llvm::zip_equal(kernel.interface.arguments, buffers))
    check(buffer, argument.name);
  for (const Buffer &buffer : constants)
    check(buffer, "constant");
  check(workspace, "workspace");
}

/// Runs `run` on poisoned results and registers; returns the seconds of the
/// shortest run.
static Status runOnPoison(KernelRun &run, int runs, double &seconds) {
  PoisonedRegisters registers;
  seconds = std::numeric_limits<double>::infinity();
  for (int number = 0; number < std::max(1, runs); ++number) {
    if (Status status = run.poison(); !status.ok())
      return status;
    if (Status status = run.launch(); !status.ok())
      return status;
    double time = 0;
    if (Status status = run.getSeconds(time); !status.ok())
      return status;
    seconds = std::min(seconds, time);
  }
  return {};
}

/// Runs `run`; what is wrong with what it does is added to `outcome`.
static Status runBetweenGuards(KernelRun &run, int runs,
                               KernelOutcome &outcome) {
  if (Status status = run.prepare(); !status.ok())
    return status;
  if (Status status = run.getArithmetic(outcome.arithmetic); !status.ok())
    return status;
  Status ran = runOnPoison(run, runs, outcome.seconds);
  if (!ran.ok() && ran.code != CONVOY_WRONG)
    return ran;
  if (!ran.ok())
    outcome.faults.push_back(ran.text);
  run.findTouchedGuards(outcome.faults);
  return run.readResults(outcome.results);
}

Status KernelRun::pack(const KernelArgument &argument,
                       const HostArray &original, HostArray &packed) {
  LoadedKernel packer{kernel.module,
                      kernel.module.getCompiled().getKernel(argument.packer)};
  auto flat = cast<RankedTensorType>(argument.type);
  // Elements may become wider ones as they are packed.
  ScalarType type = *getScalarType(flat.getElementType());
  if (scalarSize(type) == scalarSize(original.type))
    type = original.type;
  std::vector<HostArray> operands = {original,
                                     HostArray(type, flat.getShape().vec())};
  KernelRun run(packer, operands);
  KernelOutcome outcome;
  if (Status status = runBetweenGuards(run, /*runs=*/1, outcome); !status.ok())
    return status;
  llvm::append_range(packingFaults, outcome.faults);
  packed = std::move(outcome.results.front());
  return {};
}

KernelOutcome mlir::convoy::runKernel(const LoadedKernel &kernel,
                                      const std::vector<HostArray> &arguments,
                                      int runs) {
  KernelOutcome outcome;
  KernelRun run(kernel, arguments);
  if (Status status = runBetweenGuards(run, runs, outcome); !status.ok()) {
    outcome.error = status.text;
    outcome.errorCode = ExitCode(status.code);
  }
  return outcome;
}

void mlir::convoy::findUnwritten(KernelOutcome &outcome) {
  for (auto [number, result] : llvm::enumerate(outcome.results)) {
    if (!isFloat(result.type))
      continue;
    std::vector<int64_t> found =
        findPoison(result.type, std::span(result.bytes), 1);
    if (!found.empty())
      outcome.faults.push_back("element " + std::to_string(found[0]) +
                               " of result " + std::to_string(number) +
                               " was not written");
  }
}
