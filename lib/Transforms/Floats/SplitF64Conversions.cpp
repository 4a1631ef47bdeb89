//===- SplitF64Conversions.cpp - f64 to 16 bits through f32 -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BitBuilder.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Floats/Passes.h"
#include "convoy/Transforms/Floats/Patterns.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SPLITF64CONVERSIONSPASS
#include "convoy/Transforms/Floats/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

/// The f32 next to the f64 `value` towards zero, its last bit set if it is not
/// exact: rounded again, it gives what `value` itself would give.
/// Source: Boldo and Melquiond, Emulation of FMA and correctly rounded sums.
static Value roundToOdd(BitBuilder &b, Value value) {
  Value nearest = b.create<arith::TruncFOp>(b.f32(), value);
  Value back = b.create<arith::ExtFOp>(value.getType(), nearest);
  Value single = b.create<arith::BitcastOp>(b.i32(), nearest);
  Value isAbove = b.create<arith::CmpFOp>(CmpFPredicate::OGT, back, value);
  Value isBelow = b.create<arith::CmpFOp>(CmpFPredicate::OLT, back, value);
  Value isNegative = b.compare(CmpIPredicate::slt, single, 0);
  Value isTooLarge = b.create<arith::SelectOp>(isNegative, isBelow, isAbove);
  Value towardsZero = b.create<arith::SelectOp>(
      isTooLarge, b.create<arith::SubIOp>(single, b.bits(1)), single);
  Value isInexact = b.create<arith::OrIOp>(isAbove, isBelow);
  Value odd = b.create<arith::OrIOp>(towardsZero, b.bits(1));
  return b.create<arith::BitcastOp>(
      b.f32(), b.create<arith::SelectOp>(isInexact, odd, single));
}

/// Whether `wide` is f64 and `narrow` a float of 16 bits, or vectors of them.
static bool isSplit(Type wide, Type narrow) {
  Type element = getElementTypeOrSelf(narrow);
  return getElementTypeOrSelf(wide).isF64() &&
         (element.isF16() || element.isBF16());
}

namespace {
/// %y = arith.extf %x : f16 to f64 -> f16 to f32, f32 to f64
struct SplitExtF final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isSplit(op.getType(), op.getIn().getType()))
      return rewriter.notifyMatchFailure(op, "not 16 bits to f64");
    BitBuilder b(op.getLoc(), rewriter, op.getType());
    Value single = b.create<arith::ExtFOp>(b.f32(), op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), single);
    return success();
  }
};

/// %y = arith.truncf %x : f64 to f16 -> f64 to f32, round to odd, f32 to f16
struct SplitTruncF final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isSplit(op.getIn().getType(), op.getType()))
      return rewriter.notifyMatchFailure(op, "not f64 to 16 bits");
    BitBuilder b(op.getLoc(), rewriter, op.getType());
    Value single = roundToOdd(b, op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), single);
    return success();
  }
};

struct SplitF64ConversionsPass final
    : mlir::convoy::impl::SplitF64ConversionsPassBase<SplitF64ConversionsPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSplitF64ConversionsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::convoy::populateSplitF64ConversionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SplitExtF, SplitTruncF>(patterns.getContext());
}
