//===- CheckDialects.cpp - Refuse ops of unknown dialects -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKDIALECTSPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// Checks that `op` has an operand for each of the sizes that it says to be
/// dynamic, along its low `side` or the other.
static LogicalResult checkSizes(tensor::PadOp op, StringRef side,
                                ArrayRef<int64_t> sizes, size_t operands) {
  size_t dynamic = llvm::count_if(sizes, ShapedType::isDynamic);
  if (int64_t(sizes.size()) == op.getSourceType().getRank() &&
      dynamic == operands)
    return success();
  return op.emitOpError() << "expected " << dynamic << " dynamic sizes of "
                          << side << " padding, but got " << operands;
}

/// Checks what passes take for granted of `op`, ours and upstream's.
static LogicalResult check(Operation *op) {
  if (!op->getDialect())
    return op->emitOpError("expected an op of a known dialect");
  auto pad = dyn_cast<tensor::PadOp>(op);
  if (!pad)
    return success();
  if (failed(checkSizes(pad, "low", pad.getStaticLow(), pad.getLow().size())))
    return failure();
  return checkSizes(pad, "high", pad.getStaticHigh(), pad.getHigh().size());
}

namespace {
struct CheckDialectsPass final
    : convoy::impl::CheckDialectsPassBase<CheckDialectsPass> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      return failed(check(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
