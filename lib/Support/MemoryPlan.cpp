//===- MemoryPlan.cpp - Places of buffers in one memory ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/MemoryPlan.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

using namespace convoy;

namespace {
/// A buffer that has its place.
struct PlacedBuffer {
  int64_t offset, end;
  size_t first, last;
};
} // namespace

/// The start of the smallest gap of at least `bytes` between those of `placed`,
/// in order of their offsets, that are in use with `buffer`, or the end of the
/// last.
static int64_t findGap(const std::vector<PlacedBuffer> &placed,
                       const PlannedBuffer &buffer, int64_t bytes) {
  std::optional<int64_t> best;
  int64_t smallest = 0, end = 0;
  for (const PlacedBuffer &other : placed) {
    if (other.last < buffer.first || buffer.last < other.first)
      continue;
    int64_t gap = other.offset - end;
    if (gap >= bytes && (!best || gap < smallest)) {
      best = end;
      smallest = gap;
    }
    end = std::max(end, other.end);
  }
  return best.value_or(end);
}

MemoryPlan convoy::planMemory(std::span<const PlannedBuffer> buffers,
                              int64_t alignment) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t number) {
    return buffers[number].bytes;
  });
  MemoryPlan plan;
  plan.offsets.resize(buffers.size());
  std::vector<PlacedBuffer> placed;
  for (size_t number : order) {
    const PlannedBuffer &buffer = buffers[number];
    int64_t bytes = (buffer.bytes + alignment - 1) / alignment * alignment;
    int64_t offset = findGap(placed, buffer, bytes);
    plan.offsets[number] = offset;
    plan.bytes = std::max(plan.bytes, offset + bytes);
    PlacedBuffer place = {offset, offset + bytes, buffer.first, buffer.last};
    placed.insert(
        std::ranges::upper_bound(placed, offset, {}, &PlacedBuffer::offset),
        place);
  }
  return plan;
}
