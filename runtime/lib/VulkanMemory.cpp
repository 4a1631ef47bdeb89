//===- VulkanMemory.cpp - Buffers of Vulkan devices -----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanDevice.h"
#include "convoy/Runtime/GuardedBuffer.h"

#include <algorithm>
#include <array>
#include <limits>

using namespace convoy;
using Property = vk::MemoryPropertyFlagBits;

/// What memory must have for the host to read and write it in place.
static constexpr vk::MemoryPropertyFlags MappableProperties =
    Property::eHostVisible | Property::eHostCoherent | Property::eHostCached;

/// The most that is copied at once through a staging buffer, or filled.
static constexpr size_t ChunkSize = size_t(16) << 20;

static constexpr size_t GuardSize = GuardedBuffer::GuardSize;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static bool hasAll(vk::MemoryPropertyFlags flags,
                   vk::MemoryPropertyFlags wanted) {
  return (flags & wanted) == wanted;
}

/// How well memory with `flags` serves; negative: not at all.
static int rate(vk::MemoryPropertyFlags flags, bool isStaging) {
  if (isStaging &&
      !hasAll(flags, Property::eHostVisible | Property::eHostCoherent))
    return -1;
  if (isStaging)
    return hasAll(flags, Property::eHostCached) ? 1 : 0;
  return (hasAll(flags, Property::eDeviceLocal) ? 2 : 0) +
         (hasAll(flags, MappableProperties) ? 1 : 0);
}

/// The type among those that `allowed` has bits for that serves best.
static uint32_t findType(const vk::PhysicalDeviceMemoryProperties &memories,
                         uint32_t allowed, bool isStaging) {
  int best = -1;
  uint32_t found = 0;
  for (uint32_t type = 0; type < memories.memoryTypeCount; ++type) {
    int rating = rate(memories.memoryTypes[type].propertyFlags, isStaging);
    if (!(allowed >> type & 1) || rating <= best)
      continue;
    best = rating;
    found = type;
  }
  if (best < 0)
    throw DeviceFailure(CONVOY_NO_DEVICE,
                        "the Vulkan device has no memory for buffers");
  return found;
}

VulkanMemory::VulkanMemory(const VulkanDevice &device, vk::DeviceSize size,
                           bool isStaging)
    : bytes(size) {
  using Usage = vk::BufferUsageFlagBits;
  vk::BufferUsageFlags usage = Usage::eTransferSrc | Usage::eTransferDst;
  if (!isStaging)
    usage |= Usage::eStorageBuffer;
  buffer = {device.get(), vk::BufferCreateInfo({}, size, usage)};
  vk::MemoryRequirements needs = buffer.getMemoryRequirements();
  const vk::PhysicalDeviceMemoryProperties &memories = device.memoryTypes();
  uint32_t type = findType(memories, needs.memoryTypeBits, isStaging);
  if (needs.size >
      memories.memoryHeaps[memories.memoryTypes[type].heapIndex].size)
    throw std::bad_alloc();
  memory = {device.get(), vk::MemoryAllocateInfo(needs.size, type)};
  buffer.bindMemory(*memory, 0);
  bool isMapped = isStaging || (!device.getOptions().staging &&
                                hasAll(memories.memoryTypes[type].propertyFlags,
                                       MappableProperties));
  if (isMapped)
    mapped = static_cast<std::byte *>(memory.mapMemory(0, VK_WHOLE_SIZE));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Memory for a payload of `size` bytes and its guard zones.
static VulkanMemory allocate(const VulkanDevice &device, size_t size) {
  DeviceFailure shortage(CONVOY_INVALID, "there is no memory for a buffer of " +
                                             std::to_string(size) + " bytes");
  // Copies and fills work on whole words.
  constexpr size_t Word = 4;
  if (size > std::numeric_limits<size_t>::max() - 2 * GuardSize - Word)
    throw shortage;
  size_t total = (size + 2 * GuardSize + Word - 1) / Word * Word;
  if (total > device.maxBufferSize())
    throw shortage;
  try {
    return {device, total, /*isStaging=*/false};
  } catch (const std::bad_alloc &) {
    throw shortage;
  } catch (const vk::OutOfDeviceMemoryError &) {
    throw shortage;
  } catch (const vk::OutOfHostMemoryError &) {
    throw shortage;
  }
}

VulkanBuffer::VulkanBuffer(const VulkanDevice &owner, size_t size)
    : owner(owner), child(owner), payloadSize(size),
      memory(allocate(owner, size)) {
  owner.submit([&](vk::raii::CommandBuffer &commands) {
    commands.fillBuffer(memory.getBuffer(), 0, VK_WHOLE_SIZE, 0);
  });
  upload(0, makeGuard(GuardViolation::Side::Before));
  upload(GuardSize + size, makeGuard(GuardViolation::Side::After));
}

void VulkanBuffer::upload(size_t place, std::span<const std::byte> source) {
  if (memory.data()) {
    std::ranges::copy(source, memory.data() + place);
    return;
  }
  auto staging = owner.own<VulkanMemory>(
      owner, std::clamp<size_t>(source.size(), 1, ChunkSize),
      /*isStaging=*/true);
  while (!source.empty()) {
    size_t count = std::min(source.size(), ChunkSize);
    std::ranges::copy(source.first(count), staging->data());
    owner.submit([&](vk::raii::CommandBuffer &commands) {
      commands.copyBuffer(staging->getBuffer(), memory.getBuffer(),
                          vk::BufferCopy(0, place, count));
    });
    place += count;
    source = source.subspan(count);
  }
}

void VulkanBuffer::download(size_t place, std::span<std::byte> target) const {
  if (memory.data()) {
    std::copy_n(memory.data() + place, target.size(), target.begin());
    return;
  }
  auto staging = owner.own<VulkanMemory>(
      owner, std::clamp<size_t>(target.size(), 1, ChunkSize),
      /*isStaging=*/true);
  while (!target.empty()) {
    size_t count = std::min(target.size(), ChunkSize);
    owner.submit([&](vk::raii::CommandBuffer &commands) {
      commands.copyBuffer(memory.getBuffer(), staging->getBuffer(),
                          vk::BufferCopy(place, 0, count));
    });
    std::copy_n(staging->data(), count, target.begin());
    place += count;
    target = target.subspan(count);
  }
}

int VulkanBuffer::write(size_t offset, std::span<const std::byte> source) {
  return owner.guarded([&] { upload(GuardSize + offset, source); });
}

int VulkanBuffer::read(size_t offset, std::span<std::byte> target) const {
  return owner.guarded([&] { download(GuardSize + offset, target); });
}

int VulkanBuffer::fill(std::span<const std::byte> pattern) {
  return owner.guarded([&] {
    std::vector<std::byte> chunk =
        repeat(pattern, std::min(payloadSize, ChunkSize));
    size_t size = chunk.size();
    for (size_t place = 0; place < payloadSize; place += size)
      upload(GuardSize + place,
             std::span(chunk).first(std::min(size, payloadSize - place)));
  });
}

int VulkanBuffer::check() const {
  std::array<std::byte, GuardSize> before, after;
  if (int status = owner.guarded([&] {
        download(0, before);
        download(GuardSize + payloadSize, after);
      }))
    return status;
  return report(findViolations(before, after));
}

vk::DescriptorBufferInfo VulkanBuffer::describe(size_t offset,
                                                size_t size) const {
  vk::DeviceSize begin = GuardSize + offset;
  // Vulkan has no empty ranges.
  vk::DeviceSize range = std::max<vk::DeviceSize>(size, 1);
  // Without robustness drivers may still stop at a descriptor's end, and hide
  // stray accesses from the guard zone; with it they have to.
  if (!owner.getOptions().robust)
    range = std::min<vk::DeviceSize>(memory.size() - begin,
                                     owner.limits().maxStorageBufferRange);
  return {memory.getBuffer(), begin, std::max<vk::DeviceSize>(range, size)};
}
