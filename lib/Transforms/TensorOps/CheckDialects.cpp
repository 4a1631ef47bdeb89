//===- CheckDialects.cpp - Refuse ops of unknown dialects -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/TensorOps/Passes.h"
#include "convoy/Transforms/Utils/PadSizes.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKDIALECTSPASS
#include "convoy/Transforms/TensorOps/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// Checks what passes take for granted of `op`, ours and upstream's.
static LogicalResult check(Operation *op) {
  if (!op->getDialect())
    return op->emitOpError("expected an op of a known dialect");
  auto pad = dyn_cast<tensor::PadOp>(op);
  if (pad && !mlir::convoy::hasAllSizes(pad))
    return pad.emitOpError("expected an operand for each dynamic size of "
                           "padding");
  return success();
}

namespace {
struct CheckDialectsPass final
    : mlir::convoy::impl::CheckDialectsPassBase<CheckDialectsPass> {
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
