//===- HipMemory.cpp - Buffers of HIP devices -----------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HipDevice.h"

#include <algorithm>
#include <array>
#include <limits>

using namespace convoy;

static constexpr size_t GuardSize = GuardedBuffer::GuardSize;

/// The most that is filled from the host.
static constexpr size_t ChunkSize = size_t(1) << 20;

/// Memory for a payload of `size` bytes and its guard zones.
static HipOwner<void> allocate(const HipLibrary &hip, size_t size) {
  void *memory = nullptr;
  hipError_t error = hipErrorOutOfMemory;
  if (size <= std::numeric_limits<size_t>::max() - 2 * GuardSize)
    error = hip.hipMalloc(&memory, size + 2 * GuardSize);
  if (error == hipErrorOutOfMemory)
    throw DeviceFailure(CONVOY_INVALID, "there is no memory for a buffer of " +
                                            std::to_string(size) + " bytes");
  hip.check(error, "hipMalloc");
  return {memory, hip.hipFree};
}

HipBuffer::HipBuffer(const HipDevice &owner, size_t size)
    : owner(owner), child(owner), payloadSize(size),
      memory(allocate(owner.get(), size)) {
  const HipLibrary &hip = owner.get();
  if (size > 0)
    hip.check(hip.hipMemsetAsync(getAddress(), 0, size, owner.getStream()),
              "hipMemsetAsync");
  std::vector<std::byte> before = makeGuard(GuardViolation::Side::Before);
  std::vector<std::byte> after = makeGuard(GuardViolation::Side::After);
  copy(hip, getPlace(0), before.data(), GuardSize, hipMemcpyHostToDevice);
  copy(hip, getPlace(GuardSize + size), after.data(), GuardSize,
       hipMemcpyHostToDevice);
  owner.wait();
}

void HipBuffer::copy(const HipLibrary &hip, void *target, const void *source,
                     size_t size, hipMemcpyKind kind) const {
  if (size > 0)
    hip.check(hip.hipMemcpyAsync(target, source, size, kind, owner.getStream()),
              "hipMemcpyAsync");
}

int HipBuffer::write(size_t offset, std::span<const std::byte> source) {
  return owner.guarded([&](const HipLibrary &hip) {
    copy(hip, getAddress() + offset, source.data(), source.size(),
         hipMemcpyHostToDevice);
    owner.wait();
  });
}

int HipBuffer::read(size_t offset, std::span<std::byte> target) const {
  return owner.guarded([&](const HipLibrary &hip) {
    copy(hip, target.data(), getAddress() + offset, target.size(),
         hipMemcpyDeviceToHost);
    owner.wait();
  });
}

int HipBuffer::fill(std::span<const std::byte> pattern) {
  return owner.guarded([&](const HipLibrary &hip) {
    std::vector<std::byte> chunk = repeat(pattern, ChunkSize);
    size_t filled = std::min(payloadSize, chunk.size());
    copy(hip, getAddress(), chunk.data(), filled, hipMemcpyHostToDevice);
    // What is filled holds whole copies of the pattern.
    for (size_t size = 0; filled < payloadSize; filled += size) {
      size = std::min(filled, payloadSize - filled);
      copy(hip, getAddress() + filled, getAddress(), size,
           hipMemcpyDeviceToDevice);
    }
    owner.wait();
  });
}

int HipBuffer::check() const {
  std::array<std::byte, GuardSize> before, after;
  if (int status = owner.guarded([&](const HipLibrary &hip) {
        copy(hip, before.data(), getPlace(0), GuardSize, hipMemcpyDeviceToHost);
        copy(hip, after.data(), getPlace(GuardSize + payloadSize), GuardSize,
             hipMemcpyDeviceToHost);
        owner.wait();
      }))
    return status;
  return report(findViolations(before, after));
}
