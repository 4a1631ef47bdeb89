//===- RunKernel.cpp - Runs a kernel between guards -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/RunKernel.h"

#include "convoy/Driver/Memory.h"
#include "convoy/Runtime/Poison.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <utility>

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
  if (type.isInteger(32))
    return ScalarType::I32;
  if (type.isInteger(64))
    return ScalarType::I64;
  return std::nullopt;
}

LoadedKernel::LoadedKernel(const CPUModule &module,
                           const KernelInterface &interface)
    : interface(interface), function(module.lookup(interface.name)) {
  if (!interface.workspaceBytes)
    sizeFunction = module.lookup(interface.getSizeFunctionName());
}

/// The dynamic sizes in the kernel's order.
static std::vector<int64_t> getSizes(const KernelInterface &kernel,
                                     const std::vector<HostArray> &arguments) {
  std::vector<int64_t> sizes;
  for (const KernelSize &size : kernel.getSizes())
    sizes.push_back(arguments[size.argument].shape[size.dim]);
  return sizes;
}

/// Calls a function of as many sizes as `sizes` has.
template <size_t... I>
static int64_t callWithSizes(void *function, ArrayRef<int64_t> sizes,
                             std::index_sequence<I...>) {
  constexpr size_t MaxSizes = 24;
  if constexpr (sizeof...(I) < MaxSizes)
    if (sizes.size() > sizeof...(I))
      return callWithSizes(function, sizes,
                           std::make_index_sequence<sizeof...(I) + 1>());
  auto callee =
      reinterpret_cast<int64_t (*)(decltype(int64_t(I))...)>(function);
  return callee(sizes[I]...);
}

/// Bytes of workspace for `arguments`; nothing where sizes contradict.
static std::optional<int64_t>
getWorkspaceBytes(const LoadedKernel &kernel,
                  const std::vector<HostArray> &arguments) {
  if (!kernel.sizeFunction)
    return kernel.interface.workspaceBytes;
  int64_t bytes =
      callWithSizes(kernel.sizeFunction, getSizes(kernel.interface, arguments),
                    std::index_sequence<>());
  if (bytes < 0)
    return std::nullopt;
  return bytes;
}

std::optional<std::string> KernelRun::prepare() {
  std::optional<int64_t> bytes = ::getWorkspaceBytes(kernel, arguments);
  if (!bytes)
    return "sizes of the arguments of '" + kernel.interface.name +
           "' contradict each other";
  workspaceBytes = *bytes;
  if (std::optional<std::string> shortage =
          checkMemory(double(workspaceBytes), "the workspace"))
    return shortage;
  if (Status status = createBuffers(); !status.ok())
    return status.text;
  return std::nullopt;
}

Status KernelRun::createBuffers() {
  const KernelInterface &interface = kernel.interface;
  if (Status status = Device::open("cpu", device); !status.ok())
    return status;
  convoy_function entryPoint = {interface.name.c_str(), kernel.function};
  if (Status status = device.fromFunctions({&entryPoint, 1}, module);
      !status.ok())
    return status;
  if (Status status = module.findKernel(interface.name, entry); !status.ok())
    return status;
  for (auto [argument, array] :
       llvm::zip_equal(interface.arguments, arguments)) {
    Buffer buffer;
    if (Status status = device.createBuffer(
            array.elementCount() * scalarSize(array.type), buffer);
        !status.ok())
      return status;
    if (argument.isWritten) {
      poisonType = array.type;
    } else if (Status status = buffer.write(array.bytes); !status.ok()) {
      return status;
    }
    pointers.push_back(buffer.get());
    buffers.push_back(std::move(buffer));
  }
  sizes = getSizes(interface, arguments);
  return device.createBuffer(workspaceBytes, workspace);
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
  return entry.launch(pointers, workspace.get(), sizes);
}

Status KernelRun::readResults(std::vector<HostArray> &results) {
  for (auto [argument, array, buffer] :
       llvm::zip_equal(kernel.interface.arguments, arguments, buffers)) {
    if (!argument.isWritten)
      continue;
    HostArray &result = results.emplace_back(array.type, array.shape);
    if (Status status = buffer.read(result.bytes); !status.ok())
      return status;
  }
  return {};
}

void KernelRun::findTouchedGuards(std::vector<std::string> &faults) {
  auto check = [&](const Buffer &buffer, const std::string &name) {
    if (Status status = buffer.check(); !status.ok())
      faults.push_back("guard of the " + name + ": " + status.text);
  };
  for (auto [argument, buffer] :
       llvm::zip_equal(kernel.interface.arguments, buffers))
    check(buffer, argument.name);
  check(workspace, "workspace");
}

/// Runs `run` on poisoned results; returns the seconds of the shortest run.
static Status runOnPoison(KernelRun &run, int runs, double &seconds) {
  seconds = std::numeric_limits<double>::infinity();
  for (int number = 0; number < std::max(1, runs); ++number) {
    if (Status status = run.poison(); !status.ok())
      return status;
    auto start = std::chrono::steady_clock::now();
    Status status = run.launch();
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    if (!status.ok())
      return status;
    seconds = std::min(seconds, time.count());
  }
  return {};
}

KernelOutcome mlir::convoy::runKernel(const LoadedKernel &kernel,
                                      const std::vector<HostArray> &arguments,
                                      int runs) {
  KernelOutcome outcome;
  KernelRun run(kernel, arguments);
  if (std::optional<std::string> error = run.prepare()) {
    outcome.error = *error;
    return outcome;
  }
  if (Status status = runOnPoison(run, runs, outcome.seconds); !status.ok())
    outcome.faults.push_back(status.text);
  run.findTouchedGuards(outcome.faults);
  if (Status status = run.readResults(outcome.results); !status.ok())
    outcome.error = status.text;
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
