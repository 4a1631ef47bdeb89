//===- HipModule.cpp - Code objects and kernels on HIP devices ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HipDevice.h"

#include "convoy/Support/RocmChip.h"

#include <algorithm>
#include <limits>

using namespace convoy;

//===----------------------------------------------------------------------===//
// What devices can run
//===----------------------------------------------------------------------===//

/// What code objects call the arguments that are understood.
static constexpr std::string_view BufferKind = "global_buffer";
static constexpr std::string_view SizeKind = "by_value";

void HipDevice::check(const CodeObject &object) const {
  if (object.chip != chip->name)
    throw DeviceFailure(CONVOY_NO_DEVICE, "the module is for " + object.chip +
                                              ", but the HIP device is '" +
                                              name + "'");
  constexpr int NewVersion = 5, NewHip = 507;
  int version = hip.getVersion();
  if (object.version >= NewVersion && version < NewHip)
    throw DeviceFailure(CONVOY_NO_DEVICE,
                        "the module is a code object of version " +
                            std::to_string(object.version) +
                            ", which HIP loads from 5.7 on, but this is HIP " +
                            std::to_string(version / 100) + "." +
                            std::to_string(version % 100));
}

void HipDevice::check(const CodeObjectKernel &kernel) const {
  bool areBuffers = true;
  for (size_t number = 0; number < kernel.arguments.size(); ++number) {
    const CodeObjectKernel::Argument &argument = kernel.arguments[number];
    if (areBuffers && argument.kind == BufferKind)
      continue;
    areBuffers = false;
    if (argument.kind != SizeKind || argument.bytes != sizeof(int32_t))
      throw DeviceFailure(CONVOY_INVALID,
                          "kernel '" + kernel.name + "' takes " +
                              argument.kind + " of " +
                              std::to_string(argument.bytes) +
                              " bytes as argument " + std::to_string(number) +
                              ", expected buffers, then sizes of 4 bytes");
  }
  uint64_t items = 1;
  for (uint64_t size : kernel.workgroup)
    items *= size;
  checkLimit(name, kernel.name, "work-items in a workgroup", items,
             uint64_t(properties.maxThreadsPerBlock));
  checkLimit(name, kernel.name, "bytes of workgroup memory",
             kernel.workgroupBytes, properties.sharedMemPerBlock);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

HipModule::HipModule(HipDevice &owner, CodeObject read,
                     std::span<const std::byte> image)
    : owner(owner), child(owner), object(std::move(read)) {
  owner.check(object);
  const HipLibrary &hip = owner.get();
  hipModule_t loaded = nullptr;
  hip.check(hip.hipModuleLoadData(&loaded, image.data()), "hipModuleLoadData");
  module = {loaded, hip.hipModuleUnload};
}

int HipModule::findKernel(const std::string &name, convoy_kernel **kernel) {
  auto found = kernels.find(name);
  if (found == kernels.end()) {
    const CodeObjectKernel *described = object.find(name);
    if (!described)
      return fail(CONVOY_INVALID, "the module has no kernel '" + name + "'");
    std::unique_ptr<HipKernel> made;
    if (int status = owner.guarded([&](const HipLibrary &hip) {
          owner.check(*described);
          hipFunction_t function = nullptr;
          hip.check(
              hip.hipModuleGetFunction(&function, module.get(), name.c_str()),
              "hipModuleGetFunction");
          made = std::make_unique<HipKernel>(owner, *described, function);
        }))
      return status;
    found = kernels.emplace(name, std::move(made)).first;
  }
  *kernel = found->second.get();
  return CONVOY_OK;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

HipKernel::HipKernel(HipDevice &owner, const CodeObjectKernel &kernel,
                     hipFunction_t function)
    : owner(owner), kernel(kernel), function(function) {}

void HipKernel::refuse(const std::string &sentence) const {
  throw DeviceFailure(CONVOY_INVALID,
                      "kernel '" + kernel.name + "': " + sentence);
}

uint32_t HipKernel::getItems(const convoy_launch &launch, size_t dim) const {
  return launch.block[dim] ? launch.block[dim]
                           : uint32_t(kernel.workgroup[dim]);
}

size_t HipKernel::countBuffers() const {
  return size_t(std::ranges::count(kernel.arguments, BufferKind,
                                   &CodeObjectKernel::Argument::kind));
}

void HipKernel::check(const convoy_launch &launch) const {
  uint64_t allItems = 1;
  for (size_t dim = 0; dim < 3; ++dim) {
    std::string along = std::string(" in ") + "xyz"[dim] + ", but got ";
    uint64_t fixed = kernel.workgroup[dim], items = getItems(launch, dim);
    if (items == 0 || (fixed && items != fixed))
      refuse("expected " +
             (fixed ? "its own " + std::to_string(fixed) : "some") +
             " work-items" + along + std::to_string(items));
    // HIP counts the work-items of all workgroups in 32 bits.
    uint64_t limit =
        std::min<uint64_t>(uint64_t(owner.getProperties().maxGridSize[dim]),
                           std::numeric_limits<uint32_t>::max() / items);
    if (launch.grid[dim] == 0 || launch.grid[dim] > limit)
      refuse("expected from 1 to " + std::to_string(limit) + " workgroups" +
             along + std::to_string(launch.grid[dim]));
    allItems *= items;
  }
  if (allItems > kernel.workgroupItems)
    refuse("expected at most " + std::to_string(kernel.workgroupItems) +
           " work-items in a workgroup, but got " + std::to_string(allItems));
  if (launch.workgroup_bytes)
    refuse("its workgroup memory is fixed, but a launch asks for " +
           std::to_string(launch.workgroup_bytes) + " bytes");
  size_t buffers = countBuffers(), sizes = kernel.arguments.size() - buffers;
  if (launch.size_count != sizes)
    refuse("expected " + std::to_string(sizes) + " sizes, but got " +
           std::to_string(launch.size_count));
  for (size_t number = 0; number < sizes; ++number)
    if (int64_t size = launch.sizes[number]; size != int32_t(size))
      refuse("expected sizes of 32 bits, but got " + std::to_string(size));
  if (countOperands(launch) != buffers)
    refuse("expected " + std::to_string(buffers) + " buffers, but got " +
           std::to_string(countOperands(launch)));
  // What kernels may take for granted; HIP aligns memory to more.
  constexpr size_t Alignment = 16;
  for (size_t number = 0; number < buffers; ++number)
    if (size_t offset = getOperand(launch, number).offset; offset % Alignment)
      refuse("expected an offset that is a multiple of " +
             std::to_string(Alignment) + " for buffer " +
             std::to_string(number) + ", but got " + std::to_string(offset));
}

void HipKernel::run(const HipLibrary &hip, const convoy_launch &launch) const {
  std::vector<std::byte *> addresses;
  for (size_t number = 0; number < countBuffers(); ++number) {
    BoundBuffer operand = getOperand(launch, number);
    auto *buffer = static_cast<const HipBuffer *>(operand.buffer);
    addresses.push_back(buffer->getAddress() + operand.offset);
  }
  // HIP copies the arguments from where these point to.
  std::vector<void *> arguments;
  for (std::byte *&address : addresses)
    arguments.push_back(&address);
  std::vector<int32_t> sizes(launch.sizes, launch.sizes + launch.size_count);
  for (int32_t &size : sizes)
    arguments.push_back(&size);
  hip.check(hip.hipModuleLaunchKernel(
                function, launch.grid[0], launch.grid[1], launch.grid[2],
                getItems(launch, 0), getItems(launch, 1), getItems(launch, 2),
                /*sharedMemBytes=*/0, owner.getStream(), arguments.data(),
                /*extra=*/nullptr),
            "hipModuleLaunchKernel");
}
