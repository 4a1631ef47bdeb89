//===- GuardedBuffer.cpp - Memory that notices stray writes ---------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/GuardedBuffer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace convoy {

/// The guard byte at `distance` from the payload. Neighbours differ, so that a
/// guard copied over itself with a shift shows.
static std::byte canary(size_t distance) {
  return static_cast<std::byte>(0xc5 ^ (distance * 0x9d & 0xff));
}

/// The byte of `zone` at `distance` from the payload.
template <typename Byte>
static Byte &at(std::span<Byte> zone, GuardViolation::Side side,
                size_t distance) {
  return side == GuardViolation::Side::Before ? zone[zone.size() - 1 - distance]
                                              : zone[distance];
}

std::vector<std::byte> makeGuard(GuardViolation::Side side) {
  std::vector<std::byte> zone(GuardedBuffer::GuardSize);
  for (size_t distance = 0; distance < zone.size(); ++distance)
    at(std::span(zone), side, distance) = canary(distance);
  return zone;
}

std::vector<GuardViolation> findViolations(std::span<const std::byte> before,
                                           std::span<const std::byte> after) {
  using Side = GuardViolation::Side;
  std::vector<GuardViolation> violations;
  for (auto [side, zone] :
       {std::pair(Side::Before, before), std::pair(Side::After, after)}) {
    int64_t nearest = 0, changed = 0;
    for (size_t distance = zone.size(); distance-- > 0;) {
      if (at(zone, side, distance) == canary(distance))
        continue;
      nearest = static_cast<int64_t>(distance);
      ++changed;
    }
    if (changed)
      violations.push_back(
          {side, side == Side::Before ? -1 - nearest : nearest, changed});
  }
  return violations;
}

std::optional<GuardedBuffer> GuardedBuffer::create(size_t size) {
  if (size > std::numeric_limits<size_t>::max() - 2 * GuardSize)
    return std::nullopt;
  void *storage = ::operator new(size + 2 * GuardSize,
                                 std::align_val_t(Alignment), std::nothrow);
  if (!storage)
    return std::nullopt;
  GuardedBuffer buffer(static_cast<std::byte *>(storage), size);
  std::byte *begin = buffer.data();
  std::memset(begin, 0, size);
  std::ranges::copy(makeGuard(GuardViolation::Side::Before), begin - GuardSize);
  std::ranges::copy(makeGuard(GuardViolation::Side::After), begin + size);
  return buffer;
}

std::vector<GuardViolation> GuardedBuffer::check() const {
  return findViolations({data() - GuardSize, GuardSize},
                        {data() + payloadSize, GuardSize});
}

void GuardedBuffer::Deleter::operator()(std::byte *storage) const {
  ::operator delete(storage, std::align_val_t(Alignment));
}

std::string toString(const GuardViolation &violation) {
  bool before = violation.side == GuardViolation::Side::Before;
  return std::to_string(violation.changedBytes) +
         (violation.changedBytes == 1 ? " byte " : " bytes ") +
         (before ? "before the start" : "after the end") +
         (violation.changedBytes == 1 ? " was" : " were") +
         " overwritten, the nearest at offset " +
         std::to_string(violation.offset);
}

} // namespace convoy
