//===- ExpandF16.cpp - f16 conversions by integer arithmetic ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Passes.h"
#include "convoy/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_EXPANDF16PASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
/// Builds arithmetic on numbers, or on vectors of the shape of `like`.
class BitBuilder {
public:
  BitBuilder(Location loc, OpBuilder &builder, Type like)
      : builder(loc, builder), like(like) {}

  Type type(Type element) const {
    if (auto shaped = dyn_cast<ShapedType>(like))
      return shaped.clone(element);
    return element;
  }
  Type i16() { return type(builder.getI16Type()); }
  Type i32() { return type(builder.getI32Type()); }
  Type f16() { return type(builder.getF16Type()); }
  Type f32() { return type(builder.getF32Type()); }

  Value bits(uint32_t value) {
    return constant(i32(), builder.getI32IntegerAttr(int32_t(value)));
  }
  Value number(float value) {
    return constant(f32(), builder.getF32FloatAttr(value));
  }
  template <typename OpTy, typename... Args>
  Value create(Args &&...args) {
    return OpTy::create(builder, std::forward<Args>(args)...);
  }
  Value compare(CmpIPredicate predicate, Value a, uint32_t b) {
    return create<arith::CmpIOp>(predicate, a, bits(b));
  }

private:
  Value constant(Type type, TypedAttr value) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      value = DenseElementsAttr::get(shaped, Attribute(value));
    return create<arith::ConstantOp>(value);
  }

  ImplicitLocOpBuilder builder;
  Type like;
};
} // namespace

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

namespace {
/// %y = arith.extf %x : f16 to f32 -> bitcasts, shifts, selects
struct ExpandExtF final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isF16())
      return rewriter.notifyMatchFailure(op, "operand is not f16");
    BitBuilder b(op.getLoc(), rewriter, op.getType());
    Value result = extend(b, op.getIn());
    if (op.getType() != b.f32())
      result = b.create<arith::ExtFOp>(op.getType(), result);
    rewriter.replaceOp(op, result);
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
    Type source = getElementTypeOrSelf(op.getIn().getType());
    if (!source.isF32() && !source.isF64())
      return rewriter.notifyMatchFailure(op, "operand is not f32 or f64");
    BitBuilder b(op.getLoc(), rewriter, op.getType());
    Value single = source.isF64() ? roundToOdd(b, op.getIn()) : op.getIn();
    rewriter.replaceOp(op, truncate(b, single));
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
