//===- ApproximateFunctions.cpp - Compute functions by vectors --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorFunctions.h"

#include "convoy/Transforms/Floats/Passes.h"
#include "convoy/Transforms/Floats/Patterns.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_APPROXIMATEFUNCTIONSPASS
#include "convoy/Transforms/Floats/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// `OpTy` of f32 -> arithmetic; a number is a vector of one.
template <typename OpTy, Value (VectorFunctions::*build)(Value)>
struct ApproximateFunction final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    if (!getElementTypeOrSelf(x.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "is no function of f32");
    auto type = dyn_cast<VectorType>(x.getType());
    if (isa<ShapedType>(x.getType()) && (!type || type.getRank() == 0))
      return rewriter.notifyMatchFailure(op, "is of neither a number nor a row "
                                             "of numbers");
    Location loc = op.getLoc();
    auto row = type ? type : VectorType::get({1}, x.getType());
    if (!type)
      x = vector::BroadcastOp::create(rewriter, loc, row, x);
    Value y = (VectorFunctions(loc, rewriter, row).*build)(x);
    if (!type)
      y = vector::ExtractOp::create(rewriter, loc, y, int64_t(0));
    rewriter.replaceOp(op, y);
    return success();
  }
};

struct ApproximateFunctionsPass final
    : mlir::convoy::impl::ApproximateFunctionsPassBase<
          ApproximateFunctionsPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateApproximateFunctionsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::convoy::populateApproximateFunctionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ApproximateFunction<math::ExpOp, &VectorFunctions::exp>,
               ApproximateFunction<math::Exp2Op, &VectorFunctions::exp2>,
               ApproximateFunction<math::ExpM1Op, &VectorFunctions::expm1>,
               ApproximateFunction<math::LogOp, &VectorFunctions::log>,
               ApproximateFunction<math::Log1pOp, &VectorFunctions::log1p>,
               ApproximateFunction<math::TanhOp, &VectorFunctions::tanh>,
               ApproximateFunction<math::ErfOp, &VectorFunctions::erf>>(
      patterns.getContext());
}
