//===- MarkPackedFilters.cpp - Filters that callers pack --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/KernelABI/Passes.h"
#include "convoy/Transforms/Utils/Choices.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_MARKPACKEDFILTERSPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

using ::convoy::Direction;
using ::convoy::Operand;

/// Whether `op` reads a filter.
static bool readsFilter(ConvolutionOpInterface op) {
  return op.getDirection() != Direction::BackwardFilter;
}

/// Whether the result of `op` is a filter if its first operand is: one of
/// another shape, or a known part of it, whose products are summed by
/// themselves.
static bool isOfFilter(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::ExtractSliceOp>(op) &&
         op->getNumOperands() == 1;
}

/// Whether `use` reads a filter as such, or makes another of it.
static bool isFilter(OpOperand &use) {
  if (isOfFilter(use.getOwner()))
    return llvm::all_of(use.getOwner()->getUses(), isFilter);
  auto op = dyn_cast<ConvolutionOpInterface>(use.getOwner());
  return op && readsFilter(op) &&
         op.getOperandFor(Operand::Filter) == use.get() &&
         llvm::count(use.getOwner()->getOperands(), use.get()) == 1;
}

/// Marks the filter of `op`; an error where callers cannot pack it.
static LogicalResult markFilter(ConvolutionOpInterface op) {
  Value filter = op.getOperandFor(Operand::Filter);
  auto refuse = [&](const Twine &reason) {
    return op->emitOpError() << "cannot take its filter packed: " << reason;
  };
  while (isOfFilter(filter.getDefiningOp()))
    filter = filter.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(filter);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  if (!function)
    return refuse("it is no argument of the function");
  if (!llvm::all_of(filter.getUses(), isFilter))
    return refuse("it has other uses");
  if (op.hasZeroPointsPerChannel())
    return refuse("each of its channels has a zero point");
  if (!cast<RankedTensorType>(filter.getType()).hasStaticShape())
    return refuse("it has dynamic sizes");
  function.setArgAttr(argument.getArgNumber(), kPrepackedAttrName,
                      UnitAttr::get(op.getContext()));
  return success();
}

namespace {
struct MarkPackedFiltersPass final
    : mlir::convoy::impl::MarkPackedFiltersPassBase<MarkPackedFiltersPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isPrivate())
      return;
    bool hasFilter = false;
    WalkResult result = function.walk([&](ConvolutionOpInterface op) {
      if (!readsFilter(op))
        return WalkResult::advance();
      hasFilter = true;
      return WalkResult(markFilter(op));
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    if (!hasFilter && !function.isExternal())
      emitRemark(function.getLoc())
          << getWords(Choice::NoFilterPacked) << ": no convolution in '"
          << function.getName() << "' reads one";
  }
};
} // namespace
