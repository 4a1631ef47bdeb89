//===- SharedSums.h - Sums that work-items add up together ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_SHAREDSUMS_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_SHAREDSUMS_H

#include "KernelBuilder.h"

namespace mlir::convoy {

/// The work-items of a workgroup of `items`, of which each `sharers` next to
/// each other add up the same sums, every one some of the terms. The last,
/// `idle` of them, add up what those before them do, for nobody.
class SharedSums {
public:
  SharedSums(KernelBuilder &kernel, int64_t items, int64_t sharers,
             int64_t idle);

  /// The work-item.
  Value getItem() { return item; }
  /// The number of the sums that the work-item has a share of.
  Value getNumber() { return number; }
  /// Its number among their sharers.
  Value getSharer() { return sharer; }

  /// Emits `emit`, which has values of `types`, for the first sharer, and zeros
  /// for the others.
  SmallVector<Value> emitInits(TypeRange types,
                               function_ref<SmallVector<Value>()> emit);
  /// Adds up the vectors `sums` of all sharers in the memory of the workgroup.
  /// The first has the result.
  SmallVector<Value> emitTotals(SmallVector<Value> sums);
  /// Emits what the first sharer does with its sums, unless it is idle.
  void emitForOwner(function_ref<void()> emit);

private:
  /// Whether the work-item is one of so many first sharers.
  Value emitIsBelow(int64_t bound);
  /// Emits the stores of the sharers from number `half` to twice that.
  void emitGift(Value buffer, int64_t half, const SmallVector<Value> &sums);
  /// Where the vector number `vector` of the work-item `item` lies.
  Value emitAddress(Value item, int64_t vector);

  KernelBuilder &kernel;
  int64_t items, sharers, idle;
  Value item, number, sharer;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_SHAREDSUMS_H
