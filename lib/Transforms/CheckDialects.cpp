//===- CheckDialects.cpp - Refuse ops of unknown dialects -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Passes.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKDIALECTSPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

namespace {
struct CheckDialectsPass final
    : convoy::impl::CheckDialectsPassBase<CheckDialectsPass> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (op->getDialect())
        return WalkResult::advance();
      op->emitOpError("expected an op of a known dialect");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
