//===- CallMathFunctions.cpp - Calls of C's mathematical library *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Floats/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CALLMATHFUNCTIONSPASS
#include "convoy/Transforms/Floats/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

namespace {
struct CallMathFunctionsPass final
    : mlir::convoy::impl::CallMathFunctionsPassBase<CallMathFunctionsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkOps()))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    math::populateExpansionPatterns(
        patterns, {math::ClampFOp::getOperationName().split('.').second});
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<math::AcoshOp, math::AsinhOp, math::AtanhOp,
                        math::CbrtOp, math::ClampFOp, math::ErfOp, math::ErfcOp,
                        math::ExpM1Op, math::Log1pOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }

private:
  /// Neither LLVM nor the library has these, and vectors are taken apart.
  LogicalResult checkOps() {
    WalkResult result = getOperation().walk([](Operation *op) {
      if (!isa_and_present<math::MathDialect>(op->getDialect()))
        return WalkResult::advance();
      // Where functions of the library are declared.
      if (!SymbolTable::getNearestSymbolTable(op)) {
        op->emitError("expected an op inside of a module");
        return WalkResult::interrupt();
      }
      auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
      if (vector && !mlir::convoy::canUnroll(vector.getShape())) {
        op->emitError() << "expected a vector of at most "
                        << mlir::convoy::kMostUnrolled << " elements, but got "
                        << vector;
        return WalkResult::interrupt();
      }
      if (!isa<math::FPowIOp, math::IPowIOp, math::IsInfOp, math::IsNormalOp>(
              op))
        return WalkResult::advance();
      op->emitError() << "expected functions that a CPU has, but got '"
                      << op->getName() << "'";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
