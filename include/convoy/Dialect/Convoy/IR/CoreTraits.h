//===- CoreTraits.h - What cost models ask of a core ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_CONVOY_IR_CORETRAITS_H
#define CONVOY_DIALECT_CONVOY_IR_CORETRAITS_H

#include "llvm/ADT/Hashing.h"

#include <cstdint>

namespace mlir::convoy {

/// What the cost models ask of a CPU's core besides its vector registers and
/// its first two caches, with the numbers that most cores have.
struct CoreTraits {
  /// Of a line of the caches, and of a page.
  int64_t lineBytes = 64, pageBytes = 4096;
  /// Addresses that lie so many bytes apart share a set of the first cache.
  int64_t criticalStride = 4096;
  /// Pages that the first level of the TLB translates.
  int64_t tlbEntries = 64;
  /// A core's part of the last cache; 0 is eight times the second.
  int64_t lastLevelBytes = 0;
  /// Rows that are read in turn and prefetched all the same.
  int64_t prefetchStreams = 16;
  /// Multiply-adds of vectors that start in a cycle, and as many loads.
  int64_t vectorUnits = 2;
  /// Cycles from a multiply-add to the next that adds to its sum.
  int64_t fmaLatency = 4;
  /// The smallest vectors that are read and written under a mask as fast as
  /// without: AVX-512 has masks.
  int64_t maskedBytes = 64;
  /// Vectors any element of which an instruction multiplies with a vector, as
  /// ARM's do; 0 where an element must fill a vector of its own.
  int64_t indexedBytes = 0;

  /// Cycles that a multiply-add or a load of a vector takes, among others.
  double getVectorOpCycles() const { return 1.0 / double(vectorUnits); }

  bool operator==(const CoreTraits &) const = default;
};

inline llvm::hash_code hash_value(const CoreTraits &core) {
  return llvm::hash_combine(
      core.lineBytes, core.pageBytes, core.criticalStride, core.tlbEntries,
      core.lastLevelBytes, core.prefetchStreams, core.vectorUnits,
      core.fmaLatency, core.maskedBytes, core.indexedBytes);
}

} // namespace mlir::convoy

#endif // CONVOY_DIALECT_CONVOY_IR_CORETRAITS_H
