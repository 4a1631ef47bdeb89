//===- MemoryPlan.h - Places of buffers in one memory -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_MEMORYPLAN_H
#define CONVOY_SUPPORT_MEMORYPLAN_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace convoy {

/// A buffer that is in use from one step to another, both included.
struct PlannedBuffer {
  int64_t bytes;
  size_t first, last;
};

/// Where buffers lie.
struct MemoryPlan {
  std::vector<int64_t> offsets; ///< multiples of the alignment, by buffer
  int64_t bytes = 0;            ///< of the whole memory
};

/// Gives each buffer a place, such that those that are in use in one step share
/// no byte. Offsets, and the sum, are multiples of `alignment`. This is "greedy
/// by size for offset calculation" of Pisarchyk and Lee, "Efficient Memory
/// Management for Deep Neural Net Inference" (2020): large buffers choose
/// first, each takes the smallest gap that is free while it is in use.
MemoryPlan planMemory(std::span<const PlannedBuffer> buffers,
                      int64_t alignment);

} // namespace convoy

#endif // CONVOY_SUPPORT_MEMORYPLAN_H
