//===- WorkspaceSlots.cpp - Buffers that take turns -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkspaceSlots.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"

using namespace mlir;
using namespace mlir::convoy;

int64_t mlir::convoy::getSlotBytes(MemRefType type) {
  int64_t bytes = getElementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    bytes *= ShapedType::isDynamic(size) ? 1 : size;
  return bytes;
}

namespace {
/// The ops of the function's block between which a buffer is in use.
struct Lifetime {
  memref::AllocOp buffer;
  Operation *first, *last;
};
} // namespace

static Lifetime getLifetime(memref::AllocOp buffer,
                            const BufferViewFlowAnalysis &views) {
  Block *block = buffer->getBlock();
  Lifetime lifetime{buffer, nullptr, nullptr};
  for (Value view : views.resolve(buffer.getResult()))
    for (Operation *user : view.getUsers()) {
      Operation *op = block->findAncestorOpInBlock(*user);
      if (!lifetime.first || op->isBeforeInBlock(lifetime.first))
        lifetime.first = op;
      if (!lifetime.last || lifetime.last->isBeforeInBlock(op))
        lifetime.last = op;
    }
  if (!lifetime.first)
    lifetime.first = lifetime.last = buffer;
  return lifetime;
}

/// How badly `buffer` fills the place of `other`: first those of which only one
/// has a size that is known, then those of different sizes.
static std::pair<bool, int64_t> getMisfit(memref::AllocOp buffer,
                                          memref::AllocOp other) {
  MemRefType type = buffer.getType(), otherType = other.getType();
  return {type.hasStaticShape() != otherType.hasStaticShape(),
          std::abs(getSlotBytes(type) - getSlotBytes(otherType))};
}

SmallVector<WorkspaceSlot>
mlir::convoy::assignSlots(func::FuncOp function,
                          ArrayRef<memref::AllocOp> allocations) {
  BufferViewFlowAnalysis views(function);
  SmallVector<Lifetime> lifetimes =
      llvm::map_to_vector(allocations, [&](memref::AllocOp buffer) {
        return getLifetime(buffer, views);
      });
  llvm::stable_sort(lifetimes, [](const Lifetime &a, const Lifetime &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  SmallVector<WorkspaceSlot> slots;
  SmallVector<Operation *> lastUses;
  for (const Lifetime &lifetime : lifetimes) {
    std::optional<size_t> best;
    for (size_t slot = 0; slot < slots.size(); ++slot)
      if (lastUses[slot]->isBeforeInBlock(lifetime.first) &&
          (!best || getMisfit(lifetime.buffer, slots[slot].back()) <
                        getMisfit(lifetime.buffer, slots[*best].back())))
        best = slot;
    if (!best) {
      best = slots.size();
      slots.emplace_back();
      lastUses.push_back(nullptr);
    }
    slots[*best].push_back(lifetime.buffer);
    lastUses[*best] = lifetime.last;
  }
  return slots;
}
