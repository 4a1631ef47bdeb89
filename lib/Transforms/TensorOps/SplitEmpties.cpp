//===- SplitEmpties.cpp - Give each op an empty tensor ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/TensorOps/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SPLITEMPTIESPASS
#include "convoy/Transforms/TensorOps/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// What `value` is computed into the place of; null if that is not plain.
static OpOperand *getDestination(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return nullptr;
  if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return op.getTiedOpOperand(result);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(result.getOwner()))
    return loop.getTiedLoopInit(result);
  return nullptr;
}

namespace {
/// What is inserted into an empty tensor, and computed in a slice of that.
struct PlacedPart {
  tensor::InsertSliceOp insert;
  tensor::ExtractSliceOp slice;
  /// The first operand that is computed into the place of the slice, or of a
  /// fill of it.
  OpOperand *first;
};
} // namespace

/// The part that `insert` puts into an empty tensor, if it is of this form.
static std::optional<PlacedPart> findPart(tensor::InsertSliceOp insert) {
  auto isSame = [](OpFoldResult a, OpFoldResult b) { return a == b; };
  for (OpOperand *use = getDestination(insert.getSource()); use;
       use = getDestination(use->get())) {
    Value value = use->get();
    if (auto fill = value.getDefiningOp<linalg::FillOp>())
      value = fill.getOutputs().front();
    auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
    if (slice && slice.getSource() == insert.getDest() &&
        slice.getType() == insert.getSourceType() &&
        slice.isSameAs(insert, isSame))
      return PlacedPart{insert, slice, use};
  }
  return std::nullopt;
}

/// Gives a part an empty tensor, which is returned, a slice and, where there is
/// one, a fill of its own.
static Operation *split(PlacedPart part) {
  Operation *filled = part.first->get().getDefiningOp<linalg::FillOp>();
  OpBuilder builder(filled ? filled : part.slice.getOperation());
  IRMapping own;
  Operation *empty = part.insert.getDest().getDefiningOp();
  Operation *ownEmpty = builder.clone(*empty, own);
  builder.clone(*part.slice, own);
  if (filled)
    builder.clone(*filled, own);
  part.first->set(own.lookup(part.first->get()));
  part.insert.getDestMutable().set(own.lookup(part.insert.getDest()));
  // What no other part is computed in.
  for (Operation *op : {filled, part.slice.getOperation(), empty})
    if (op && op->use_empty())
      op->erase();
  return ownEmpty;
}

namespace {
struct SplitEmptiesPass final
    : mlir::convoy::impl::SplitEmptiesPassBase<SplitEmptiesPass> {
  using Base::Base;

  void runOnOperation() override {
    DenseSet<Operation *> ofParts;
    getOperation()->walk([&](tensor::InsertSliceOp insert) {
      if (!insert.getDest().getDefiningOp<tensor::EmptyOp>())
        return;
      if (std::optional<PlacedPart> part = findPart(insert))
        ofParts.insert(split(*part));
    });
    SmallVector<tensor::EmptyOp> empties;
    getOperation()->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
    for (tensor::EmptyOp empty : empties) {
      if (empty->use_empty() || ofParts.contains(empty))
        continue;
      // The first use keeps it; others may be the same op's.
      for (OpOperand &use :
           llvm::make_early_inc_range(llvm::drop_begin(empty->getUses()))) {
        OpBuilder builder(use.getOwner());
        use.set(builder.clone(*empty)->getResult(0));
      }
    }
  }
};
} // namespace
