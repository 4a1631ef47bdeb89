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

namespace convoy {

/// The guard byte at `distance` from the payload. Neighbours differ, so that a
/// guard copied over itself with a shift shows.
static std::byte canary(size_t distance) {
  return static_cast<std::byte>(0xc5 ^ (distance * 0x9d & 0xff));
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
  for (size_t distance = 0; distance < GuardSize; ++distance) {
    *(begin - 1 - distance) = canary(distance);
    *(begin + size + distance) = canary(distance);
  }
  return buffer;
}

std::vector<GuardViolation> GuardedBuffer::check() const {
  using Side = GuardViolation::Side;
  std::vector<GuardViolation> violations;
  for (Side side : {Side::Before, Side::After}) {
    int64_t nearest = 0, changed = 0;
    for (size_t distance = GuardSize; distance-- > 0;) {
      const std::byte *place = side == Side::Before
                                   ? data() - 1 - distance
                                   : data() + payloadSize + distance;
      if (*place == canary(distance))
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
