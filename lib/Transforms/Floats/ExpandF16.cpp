//===- ExpandF16.cpp - f16 conversions by integer arithmetic ----*- C++ -*-===//
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
#define GEN_PASS_DEF_EXPANDF16PASS
#include "convoy/Transforms/Floats/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using arith::CmpIPredicate;

/// The f32 with the value of the f16 `value`. A subnormal is a small integer
/// times 2^-24; elsewhere exponents differ by 112, or by 224 where they mean
/// infinity and NaN, which keeps its payload.
static Value extend(BitBuilder &b, Value value) {
  Value half = b.create<arith::ExtUIOp>(
      b.i32(), b.create<arith::BitcastOp>(b.i16(), value));
  Value sign = b.create<arith::ShLIOp>(
      b.create<arith::AndIOp>(half, b.bits(0x8000)), b.bits(16));
  Value magnitude = b.create<arith::AndIOp>(half, b.bits(0x7fff));
  Value shifted = b.create<arith::ShLIOp>(magnitude, b.bits(13));
  Value normal = b.create<arith::AddIOp>(shifted, b.bits(112u << 23));
  Value special = b.create<arith::AddIOp>(shifted, b.bits(224u << 23));
  Value scaled = b.create<arith::MulFOp>(
      b.create<arith::SIToFPOp>(b.f32(), magnitude), b.number(0x1p-24f));
  Value subnormal = b.create<arith::BitcastOp>(b.i32(), scaled);
  Value isSpecial = b.compare(CmpIPredicate::uge, magnitude, 0x7c00);
  Value isSubnormal = b.compare(CmpIPredicate::ult, magnitude, 0x0400);
  Value result = b.create<arith::SelectOp>(isSpecial, special, normal);
  result = b.create<arith::SelectOp>(isSubnormal, subnormal, result);
  return b.create<arith::BitcastOp>(b.f32(),
                                    b.create<arith::OrIOp>(result, sign));
}

/// The f16 nearest to the f32 `value`, ties to even. Adding 1/2 to a number
/// below 2^-14 rounds it to a multiple of 2^-24, the smallest subnormal; larger
/// numbers are rounded by a carry, which may reach infinity.
static Value truncate(BitBuilder &b, Value value) {
  Value single = b.create<arith::BitcastOp>(b.i32(), value);
  Value sign = b.create<arith::ShRUIOp>(
      b.create<arith::AndIOp>(single, b.bits(0x80000000)), b.bits(16));
  Value magnitude = b.create<arith::AndIOp>(single, b.bits(0x7fffffff));

  Value isOdd = b.create<arith::AndIOp>(
      b.create<arith::ShRUIOp>(magnitude, b.bits(13)), b.bits(1));
  Value carry = b.create<arith::AddIOp>(isOdd, b.bits(0xfff - (112u << 23)));
  Value normal = b.create<arith::ShRUIOp>(
      b.create<arith::AddIOp>(magnitude, carry), b.bits(13));

  Value aligned = b.create<arith::AddFOp>(
      b.create<arith::BitcastOp>(b.f32(), magnitude), b.number(0.5f));
  Value subnormal = b.create<arith::SubIOp>(
      b.create<arith::BitcastOp>(b.i32(), aligned), b.bits(126u << 23));

  // A NaN keeps the leading bits of its payload and becomes quiet.
  Value payload = b.create<arith::AndIOp>(
      b.create<arith::ShRUIOp>(magnitude, b.bits(13)), b.bits(0x03ff));
  Value nan = b.create<arith::OrIOp>(payload, b.bits(0x7e00));
  Value isNaN = b.compare(CmpIPredicate::ugt, magnitude, 255u << 23);
  Value special = b.create<arith::SelectOp>(isNaN, nan, b.bits(0x7c00));

  Value isSubnormal = b.compare(CmpIPredicate::ult, magnitude, 113u << 23);
  Value isSpecial = b.compare(CmpIPredicate::uge, magnitude, 143u << 23);
  Value result = b.create<arith::SelectOp>(isSubnormal, subnormal, normal);
  result = b.create<arith::SelectOp>(isSpecial, special, result);
  result = b.create<arith::OrIOp>(result, sign);
  return b.create<arith::BitcastOp>(b.f16(),
                                    b.create<arith::TruncIOp>(b.i16(), result));
}

namespace {
/// %y = arith.extf %x : f16 to f32 -> bitcasts, shifts, selects
struct ExpandExtF final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isF16())
      return rewriter.notifyMatchFailure(op, "operand is not f16");
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "result is not f32");
    BitBuilder b(op.getLoc(), rewriter, op.getType());
    rewriter.replaceOp(op, extend(b, op.getIn()));
    return success();
  }
};

/// %y = arith.truncf %x : f32 to f16 -> bitcasts, shifts, selects
struct ExpandTruncF final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF16())
      return rewriter.notifyMatchFailure(op, "result is not f16");
    if (!getElementTypeOrSelf(op.getIn().getType()).isF32())
      return rewriter.notifyMatchFailure(op, "operand is not f32");
    BitBuilder b(op.getLoc(), rewriter, op.getType());
    rewriter.replaceOp(op, truncate(b, op.getIn()));
    return success();
  }
};

struct ExpandF16Pass final
    : mlir::convoy::impl::ExpandF16PassBase<ExpandF16Pass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateExpandF16Patterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::convoy::populateExpandF16Patterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExtF, ExpandTruncF>(patterns.getContext());
}
