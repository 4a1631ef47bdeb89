//===- ExpandMathFunctions.cpp - Functions that SPIR-V lacks ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Floats/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_EXPANDMATHFUNCTIONSPASS
#include "convoy/Transforms/Floats/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// math.trunc -> ceil where it is negative, else floor; exact, and a zero keeps
/// its sign.
static LogicalResult expandTrunc(math::TruncOp op, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value operand = op.getOperand();
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(operand.getType()));
  Value isNegative = arith::CmpFOp::create(
      rewriter, loc, arith::CmpFPredicate::OLT, operand, zero);
  Value up = math::CeilOp::create(rewriter, loc, operand);
  Value down = math::FloorOp::create(rewriter, loc, operand);
  rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNegative, up, down);
  return success();
}

/// Whether SPIR-V has the function, or has others that it is made of.
static bool isInSPIRV(Operation *op) {
  if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
          math::CountLeadingZerosOp, math::FloorOp, math::FmaOp,
          math::IsFiniteOp, math::IsInfOp, math::IsNaNOp, math::RoundEvenOp,
          math::RoundOp, math::RsqrtOp, math::SqrtOp>(op))
    return true;
  return isa<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
             math::AtanOp, math::AtanhOp, math::CosOp, math::CoshOp,
             math::Exp2Op, math::ExpM1Op, math::ExpOp, math::Log10Op,
             math::Log1pOp, math::Log2Op, math::LogOp, math::PowFOp,
             math::SinOp, math::SinhOp, math::TanOp, math::TanhOp>(op) &&
         !getElementTypeOrSelf(op->getResult(0)).isF64();
}

namespace {
struct ExpandMathFunctionsPass final
    : mlir::convoy::impl::ExpandMathFunctionsPassBase<ExpandMathFunctionsPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(expandTrunc);
    math::populateExpansionPatterns(
        patterns, {math::ClampFOp::getOperationName().split('.').second});
    populatePolynomialApproximateErfPattern(patterns);
    populatePolynomialApproximateErfcPattern(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (!isa_and_present<math::MathDialect>(op->getDialect()) ||
          isInSPIRV(op))
        return WalkResult::advance();
      op->emitError() << "expected functions that SPIR-V has, but got '"
                      << op->getName() << "' of "
                      << getElementTypeOrSelf(op->getResult(0));
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
