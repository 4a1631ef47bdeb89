//===- CheckSums.cpp - Integer sums fit their type --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Support/ConvShape.h"
#include "convoy/Transforms/Convolution/Passes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallString.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKSUMSPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Wide enough for any sum of products of 64-bit numbers.
static constexpr unsigned kWidth = 200;

namespace {
/// The least and the greatest value of a factor or a product.
struct Extremes {
  APInt lowest, highest;
};
} // namespace

/// The values of an operand of type `type` less its zero point, which is any
/// value of the type where it is not constant; without one it is null.
static Extremes getFactors(IntegerType type, bool isUnsigned, Value zeroPoint) {
  unsigned bits = type.getWidth();
  APInt lowest = isUnsigned ? APInt::getZero(kWidth)
                            : APInt::getSignedMinValue(bits).sext(kWidth);
  APInt highest = isUnsigned ? APInt::getMaxValue(bits).zext(kWidth)
                             : APInt::getSignedMaxValue(bits).sext(kWidth);
  if (!zeroPoint)
    return {lowest, highest};
  APInt constant;
  if (!matchPattern(zeroPoint, m_ConstantInt(&constant)))
    return {lowest - highest, highest - lowest};
  constant = constant.sext(kWidth);
  return {lowest - constant, highest - constant};
}

static Extremes multiply(const Extremes &a, const Extremes &b) {
  Extremes result{a.lowest * b.lowest, a.lowest * b.lowest};
  for (const APInt &x : {a.lowest, a.highest})
    for (const APInt &y : {b.lowest, b.highest}) {
      APInt product = x * y;
      if (product.slt(result.lowest))
        result.lowest = product;
      if (product.sgt(result.highest))
        result.highest = product;
    }
  return result;
}

/// The fewest products that can leave the range of `type`.
static APInt getFewestTooMany(const Extremes &products, IntegerType type) {
  APInt highest = APInt::getSignedMaxValue(type.getWidth()).sext(kWidth);
  APInt fewest = APInt::getSignedMaxValue(kWidth);
  if (products.highest.sgt(0))
    fewest = highest.sdiv(products.highest) + 1;
  if (products.lowest.slt(0)) {
    APInt below = (highest + 1).sdiv(-products.lowest) + 1;
    fewest = below.slt(fewest) ? below : fewest;
  }
  return fewest;
}

/// Warns if the products that `op` adds can leave the range of its sums.
static void checkSums(ConvolutionOpInterface op) {
  auto sumType = dyn_cast<IntegerType>(op.getAccumulatorType());
  if (!sumType || !op.hasStaticSizes())
    return;
  std::array<bool, 2> isUnsigned = {op.getNumerics().getInputUnsigned(),
                                    op.getNumerics().getFilterUnsigned()};
  std::array<Extremes, 2> factors;
  for (unsigned number : {0, 1}) {
    auto type = cast<IntegerType>(getElementTypeOrSelf(op->getOperand(number)));
    Value zeroPoint =
        op.getZeroPoints().empty() ? Value() : op.getZeroPoints()[number];
    factors[number] = getFactors(type, isUnsigned[number], zeroPoint);
  }
  int64_t length = op.getConvShape().reductionLength(op.getDirection());
  APInt fewest = getFewestTooMany(multiply(factors[0], factors[1]), sumType);
  if (fewest.sgt(APInt(kWidth, length)))
    return;
  SmallString<48> text;
  fewest.toStringSigned(text);
  op.emitWarning() << "adds " << length << " products, and " << sumType
                   << " can wrap from " << text << " on";
}

namespace {
struct CheckSumsPass final
    : mlir::convoy::impl::CheckSumsPassBase<CheckSumsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk(checkSums);
    markAllAnalysesPreserved();
  }
};
} // namespace
