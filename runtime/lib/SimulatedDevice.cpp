//===- SimulatedDevice.cpp - A GPU that the host simulates ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedDevice.h"

#include "HostBuffer.h"
#include "LaunchPieces.h"
#include "SimulatedGroup.h"

#include "convoy/Runtime/SimulatedKernel.h"

#include <algorithm>
#include <chrono>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

using LayoutFunction = int64_t (*)(int64_t);

/// The matrix operation whose numbers `tell` tells from `first` on.
static MatrixOperation readOperation(LayoutFunction tell, int64_t first) {
  static constexpr ScalarType Elements[] = {ScalarType::F32, ScalarType::F16,
                                            ScalarType::BF16, ScalarType::I8};
  using Family = MatrixInstruction::Family;
  static constexpr Family Families[] = {Family::MFMA, Family::WMMA,
                                        Family::Cooperative};
  auto number = [&](convoy_simulated_operation place) {
    return static_cast<uint32_t>(tell(first + place));
  };
  return {.family = Families[number(CONVOY_SIMULATED_FAMILY)],
          .m = number(CONVOY_SIMULATED_M),
          .n = number(CONVOY_SIMULATED_N),
          .k = number(CONVOY_SIMULATED_K),
          .element = Elements[number(CONVOY_SIMULATED_ELEMENT)],
          .factorRegisters = number(CONVOY_SIMULATED_FACTOR_REGISTERS),
          .sumRegisters = number(CONVOY_SIMULATED_SUM_REGISTERS),
          .unsignedA = number(CONVOY_SIMULATED_UNSIGNED_A) != 0,
          .unsignedB = number(CONVOY_SIMULATED_UNSIGNED_B) != 0,
          .pairwise = number(CONVOY_SIMULATED_PAIRWISE) != 0};
}

/// Reads the layout that `function` tells.
static SimulatedLayout readLayout(void *function) {
  auto tell = reinterpret_cast<LayoutFunction>(function);
  SimulatedLayout layout;
  layout.isChecked = tell(CONVOY_SIMULATED_CHECKED) != 0;
  for (int dim = 0; dim < 3; ++dim)
    layout.size[dim] =
        static_cast<uint32_t>(tell(CONVOY_SIMULATED_SIZE_X + dim));
  layout.sizes = static_cast<size_t>(tell(CONVOY_SIMULATED_SIZES));
  int64_t place = CONVOY_SIMULATED_FIRST_BUFFER;
  auto readBuffers = [&](std::vector<SimulatedLayout::Buffer> &buffers,
                         int64_t count) {
    for (int64_t number = 0; number < count; ++number, place += 2)
      buffers.push_back({static_cast<size_t>(tell(place)),
                         static_cast<size_t>(tell(place + 1))});
  };
  readBuffers(layout.buffers, tell(CONVOY_SIMULATED_BUFFERS));
  readBuffers(layout.workgroupBuffers,
              tell(CONVOY_SIMULATED_WORKGROUP_BUFFERS));
  int64_t operations = tell(place++);
  for (int64_t number = 0; number < operations; ++number) {
    layout.operations.push_back(readOperation(tell, place));
    place += CONVOY_SIMULATED_OPERATION_NUMBERS;
  }
  return layout;
}

void SimulatedModule::addKernel(SimulatedDevice &owner, const std::string &name,
                                void *function, void *layout) {
  kernels[name] = std::make_unique<SimulatedKernel>(owner, name, function,
                                                    readLayout(layout));
}

int SimulatedModule::findKernel(const std::string &name,
                                convoy_kernel **kernel) {
  auto found = kernels.find(name);
  if (found == kernels.end())
    return fail(CONVOY_INVALID, "the module has no kernel '" + name + "'");
  if (int status = found->second->check())
    return status;
  *kernel = found->second.get();
  return CONVOY_OK;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

SimulatedKernel::SimulatedKernel(SimulatedDevice &owner, std::string name,
                                 void *function, SimulatedLayout itsLayout)
    : owner(owner), name(std::move(name)), function(function),
      layout(std::move(itsLayout)) {
  const SimulatedMachine &machine = owner.getMachine();
  for (const MatrixOperation &operation : layout.operations)
    if (const MatrixInstruction *instruction = findInstruction(operation))
      units.emplace_back(operation, *instruction, machine.name, machine.wave);
}

convoy_arithmetic SimulatedKernel::arithmetic() const {
  convoy_arithmetic promises = owner.arithmetic();
  for (const MatrixUnit &unit : units)
    if (unit.flushesSubnormals())
      promises.flushes_subnormals = 1;
  return promises;
}

int SimulatedKernel::refuse(const std::string &sentence) const {
  return fail(CONVOY_INVALID, "kernel '" + name + "': " + sentence);
}

/// Whether `limits` offer the shape of `operation`.
static bool offers(const VulkanLimits &limits,
                   const MatrixOperation &operation) {
  if (operation.element == ScalarType::F16)
    return limits.matrix16x16x16F16;
  if (operation.element == ScalarType::BF16)
    return limits.matrix16x16x16BF16;
  return operation.k == 32 ? limits.matrix16x16x32I8 : limits.matrix16x16x16I8;
}

const MatrixInstruction *
SimulatedKernel::findInstruction(const MatrixOperation &operation) const {
  const SimulatedMachine &machine = owner.getMachine();
  if (!machine.profile)
    return findMatrixInstruction(operation, machine.name);
  if (!offers(machine.profile->limits, operation))
    return nullptr;
  return findMatrixInstruction(operation,
                               "subgroups of " + std::to_string(machine.wave));
}

int SimulatedKernel::checkOperation(const MatrixOperation &operation) const {
  const SimulatedMachine &machine = owner.getMachine();
  std::string on = " on " + machine.name;
  const MatrixInstruction *instruction = findInstruction(operation);
  if (!instruction)
    return refuse("there is no " + operation.getName() + on);
  auto expected = [&](std::string_view what, uint32_t count, uint32_t given) {
    return refuse("expected " + std::to_string(count) +
                  " registers of a work-item for " + std::string(what) +
                  " of " + operation.getName() + on + ", but got " +
                  std::to_string(given));
  };
  if (operation.factorRegisters != instruction->countFactorRegisters())
    return expected("A", instruction->countFactorRegisters(),
                    operation.factorRegisters);
  if (operation.sumRegisters != instruction->countSumRegisters())
    return expected("C", instruction->countSumRegisters(),
                    operation.sumRegisters);
  if (uint64_t items = layout.countItems(); items % machine.wave)
    return refuse("expected whole waves of " + std::to_string(machine.wave) +
                  " work-items for " + operation.getName() + on + ", but got " +
                  std::to_string(items));
  return CONVOY_OK;
}

int SimulatedKernel::check() const {
  const SimulatedMachine &machine = owner.getMachine();
  std::string on = " on " + machine.name + ", but got ";
  uint64_t items = layout.countItems();
  if (items == 0 || items > machine.workgroupItems)
    return refuse("expected from 1 to " +
                  std::to_string(machine.workgroupItems) +
                  " work-items in a group" + on + std::to_string(items));
  for (int dim = 0; dim < 3; ++dim)
    if (layout.size[dim] > machine.workgroupSize[dim])
      return refuse("expected from 1 to " +
                    std::to_string(machine.workgroupSize[dim]) +
                    " work-items in " + "xyz"[dim] + on +
                    std::to_string(layout.size[dim]));
  uint64_t bytes = 0;
  for (const SimulatedLayout::Buffer &buffer : layout.workgroupBuffers)
    bytes += buffer.bytes();
  if (bytes > machine.workgroupBytes)
    return refuse("expected at most " + std::to_string(machine.workgroupBytes) +
                  " bytes of workgroup memory" + on + std::to_string(bytes));
  size_t buffers = layout.buffers.size() + layout.workgroupBuffers.size();
  if (buffers > SimulatedLaunch::MaxBuffers)
    return refuse("expected at most " +
                  std::to_string(SimulatedLaunch::MaxBuffers) +
                  " buffers, but got " + std::to_string(buffers));
  if (layout.sizes > SimulatedLaunch::MaxSizes)
    return refuse("expected at most " +
                  std::to_string(SimulatedLaunch::MaxSizes) +
                  " size, but got " + std::to_string(layout.sizes));
  for (const MatrixOperation &operation : layout.operations)
    if (int status = checkOperation(operation))
      return status;
  return CONVOY_OK;
}

int SimulatedKernel::check(const convoy_launch &launch) const {
  constexpr uint64_t MaxGroups = ~uint32_t(0) - 1;
  const SimulatedMachine &machine = owner.getMachine();
  uint64_t groups = 1;
  for (int dim = 0; dim < 3; ++dim) {
    uint64_t most = std::min<uint64_t>(MaxGroups, machine.workgroupCount[dim]);
    if (launch.grid[dim] == 0 ||
        launch.grid[dim] > std::min(most, MaxGroups / groups))
      return refuse("expected from 1 to " + std::to_string(most) +
                    " workgroups, but got " + std::to_string(launch.grid[dim]) +
                    " in " + "xyz"[dim]);
    groups *= launch.grid[dim];
    if (launch.block[dim] != 0 && launch.block[dim] != layout.size[dim])
      return refuse("expected its own " + std::to_string(layout.size[dim]) +
                    " work-items in " + "xyz"[dim] + ", but got " +
                    std::to_string(launch.block[dim]));
  }
  if (launch.workgroup_bytes)
    return refuse("its workgroup memory is fixed, but a launch asks for " +
                  std::to_string(launch.workgroup_bytes) + " bytes");
  if (launch.size_count != layout.sizes)
    return refuse("expected " + std::to_string(layout.sizes) +
                  " sizes, but got " + std::to_string(launch.size_count));
  if (countOperands(launch) != layout.buffers.size())
    return refuse("expected " + std::to_string(layout.buffers.size()) +
                  " buffers, but got " + std::to_string(countOperands(launch)));
  for (size_t number = 0; number < layout.buffers.size(); ++number) {
    SimulatedLayout::Buffer buffer = getBuffer(launch, number);
    BoundBuffer operand = getOperand(launch, number);
    std::string place = " for buffer " + std::to_string(number);
    if (operand.size < buffer.bytes())
      return refuse("expected " + std::to_string(buffer.bytes()) + " bytes" +
                    place + ", but got " + std::to_string(operand.size));
    uint64_t unit =
        std::max<uint64_t>(buffer.elementBytes, machine.offsetBytes);
    if (operand.offset % unit)
      return refuse("expected an offset that is a multiple of " +
                    std::to_string(unit) + place + ", but got " +
                    std::to_string(operand.offset));
  }
  return CONVOY_OK;
}

SimulatedLayout::Buffer SimulatedKernel::getBuffer(const convoy_launch &launch,
                                                   size_t number) const {
  SimulatedLayout::Buffer buffer = layout.buffers[number];
  if (buffer.elements == SimulatedLayout::Buffer::Dynamic)
    buffer.elements = getOperand(launch, number).size / buffer.elementBytes;
  return buffer;
}

int SimulatedKernel::run(const convoy_launch &launch) const {
  SimulatedFaults faults;
  SimulatedLaunch simulated = {
      .function = function,
      .layout = layout,
      .sizes = {launch.sizes, launch.sizes + launch.size_count},
      .grid = {launch.grid[0], launch.grid[1], launch.grid[2]},
      .mostGroups =
          getFewerGroups(launch.most_groups, owner.getMachine().mostGroups),
      .waveSize = owner.getMachine().wave,
      .units = units,
      .faults = faults};
  for (size_t number = 0; number < layout.buffers.size(); ++number) {
    BoundBuffer operand = getOperand(launch, number);
    auto *memory = static_cast<HostBuffer *>(operand.buffer);
    SimulatedLayout::Buffer &buffer = simulated.layout.buffers[number];
    buffer = getBuffer(launch, number);
    simulated.buffers.push_back(
        {memory->data() + operand.offset, buffer.elements});
  }
  try {
    runGroups(simulated);
  } catch (const std::bad_alloc &) {
    return refuse("there is no memory to execute it");
  }
  if (faults.empty())
    return CONVOY_OK;
  return fail(CONVOY_WRONG,
              faults.describe(name, simulated.layout, simulated.grid));
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

int SimulatedDevice::createBuffer(size_t size, convoy_buffer **buffer) {
  return HostBuffer::create(this, size, buffer);
}

int SimulatedDevice::loadFile(const std::string &, convoy_module **) {
  return fail(CONVOY_INVALID,
              "the device " + std::string(machine.device) + " loads no files");
}

int SimulatedDevice::loadImage(std::span<const std::byte>, convoy_module **) {
  return fail(CONVOY_INVALID,
              "the device " + std::string(machine.device) + " loads no images");
}

int SimulatedDevice::fromFunctions(std::span<const convoy_function> functions,
                                   convoy_module **module) {
  constexpr std::string_view Suffix = ".layout";
  std::map<std::string, void *> addresses;
  for (const convoy_function &function : functions)
    addresses[function.name] = function.address;
  auto result = std::make_unique<SimulatedModule>();
  for (const auto &[name, address] : addresses) {
    if (std::string_view(name).ends_with(Suffix))
      continue;
    auto layout = addresses.find(name + std::string(Suffix));
    if (layout == addresses.end())
      return fail(CONVOY_INVALID,
                  "kernel '" + name + "' has no function for its layout");
    result->addKernel(*this, name, address, layout->second);
  }
  *module = result.release();
  return CONVOY_OK;
}

int SimulatedDevice::run(std::span<const convoy_step> steps) {
  for (const convoy_step &step : steps)
    if (int status =
            static_cast<SimulatedKernel *>(step.kernel)->check(step.launch))
      return status;
  auto start = std::chrono::steady_clock::now();
  for (const convoy_step &step : steps)
    if (int status =
            static_cast<SimulatedKernel *>(step.kernel)->run(step.launch))
      return status;
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  lastSeconds = time.count();
  return CONVOY_OK;
}

int convoy::openSimulatedDevice(std::string_view choice,
                                convoy_device **device) {
  const RocmChip *chip = getRocmChip(choice.empty() ? "gfx942" : choice);
  if (!chip)
    return fail(CONVOY_NO_DEVICE,
                "there is no device 'rocm-sim:" + std::string(choice) +
                    "', expected one of: " + std::string(getRocmChipNames()));
  constexpr uint32_t Any = ~uint32_t(0);
  auto items = static_cast<uint32_t>(chip->workgroupItems);
  *device = new SimulatedDevice(
      {.device = "rocm-sim",
       .name = std::string(chip->name),
       .wave = static_cast<uint32_t>(chip->wave),
       .workgroupBytes = static_cast<uint64_t>(chip->workgroupBytes),
       .workgroupItems = items,
       .workgroupSize = {items, items, items},
       .workgroupCount = {Any, Any, Any},
       .offsetBytes = 1,
       .chip = chip});
  return CONVOY_OK;
}

/// `limits`, which are positive, as far as kernels can ask for so much.
static Index3 toIndex(const std::array<int64_t, 3> &limits) {
  constexpr int64_t Most = ~uint32_t(0);
  Index3 index;
  for (int dim = 0; dim < 3; ++dim)
    index[dim] = static_cast<uint32_t>(std::min(limits[dim], Most));
  return index;
}

int convoy::openSimulatedVulkanDevice(std::string_view choice,
                                      convoy_device **device) {
  std::optional<VulkanProfile> profile =
      getVulkanProfile(choice.empty() ? "nvidia" : choice);
  if (!profile)
    return fail(CONVOY_NO_DEVICE,
                "there is no device 'vulkan-sim:" + std::string(choice) +
                    "', expected one of: " + expectVulkanProfile(choice));
  std::string error;
  std::optional<uint32_t> mostGroups = readMostGroups(error);
  if (!mostGroups)
    return fail(CONVOY_INVALID, error);
  // The largest that devices may have as minStorageBufferOffsetAlignment.
  constexpr uint64_t OffsetBytes = 256;
  const VulkanLimits &limits = profile->limits;
  *device = new SimulatedDevice(
      {.device = "vulkan-sim",
       .name = profile->name,
       .wave = static_cast<uint32_t>(limits.subgroup),
       .workgroupBytes = static_cast<uint64_t>(limits.workgroupBytes),
       .workgroupItems = static_cast<uint64_t>(limits.workgroupItems),
       .workgroupSize = toIndex(limits.workgroupSize),
       .workgroupCount = toIndex(limits.workgroupCount),
       .offsetBytes = OffsetBytes,
       .mostGroups = *mostGroups,
       .profile = *profile});
  return CONVOY_OK;
}
