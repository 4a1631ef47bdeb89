//===- PairProducts.cpp - Sums of two products of words ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/PairProducts.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::convoy;

/// Bits of a half.
static constexpr int64_t kHalfBits = 16;

static Value createShift(OpBuilder &builder, Location loc) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                      kHalfBits);
}

Value mlir::convoy::createPair(OpBuilder &builder, Location loc,
                               ValueRange halves) {
  Type word = builder.getI32Type();
  Value low = arith::ExtUIOp::create(builder, loc, word, halves[0]);
  if (halves.size() == 1)
    return low;
  Value high = arith::ExtUIOp::create(builder, loc, word, halves[1]);
  high = arith::ShLIOp::create(builder, loc, high, createShift(builder, loc));
  return arith::OrIOp::create(builder, loc, low, high);
}

/// The low half of `word`, as it is multiplied.
static Value createLow(OpBuilder &builder, Location loc, Value word) {
  Value half =
      arith::TruncIOp::create(builder, loc, builder.getI16Type(), word);
  return arith::ExtSIOp::create(builder, loc, builder.getI32Type(), half);
}

static Value createHigh(OpBuilder &builder, Location loc, Value word) {
  return arith::ShRSIOp::create(builder, loc, word, createShift(builder, loc));
}

Value mlir::convoy::createPairSum(OpBuilder &builder, Location loc, Value a,
                                  Value b, Value sum) {
  Value low = arith::MulIOp::create(builder, loc, createLow(builder, loc, a),
                                    createLow(builder, loc, b));
  Value high = arith::MulIOp::create(builder, loc, createHigh(builder, loc, a),
                                     createHigh(builder, loc, b));
  Value product = arith::AddIOp::create(builder, loc, low, high);
  return arith::AddIOp::create(builder, loc, sum, product);
}

/// The word whose low half `value` is; null where it is none.
static Value matchLow(Value value) {
  auto extended = value.getDefiningOp<arith::ExtSIOp>();
  auto half = extended ? extended.getIn().getDefiningOp<arith::TruncIOp>()
                       : arith::TruncIOp();
  bool isHalf =
      half && getElementTypeOrSelf(half.getType()).isInteger(kHalfBits);
  return isHalf && half.getIn().getType() == value.getType() ? half.getIn()
                                                             : Value();
}

static Value matchHigh(Value value) {
  auto shift = value.getDefiningOp<arith::ShRSIOp>();
  APInt bits;
  return shift && matchPattern(shift.getRhs(), m_ConstantInt(&bits)) &&
                 bits == kHalfBits
             ? shift.getLhs()
             : Value();
}

std::optional<PairProduct> mlir::convoy::matchPairProduct(arith::AddIOp add) {
  auto low = add.getLhs().getDefiningOp<arith::MulIOp>(),
       high = add.getRhs().getDefiningOp<arith::MulIOp>();
  if (!low || !high || !getElementTypeOrSelf(add.getType()).isInteger(32))
    return std::nullopt;
  PairProduct product = {matchLow(low.getLhs()), matchLow(low.getRhs())};
  if (!product.a || !product.b || matchHigh(high.getLhs()) != product.a ||
      matchHigh(high.getRhs()) != product.b)
    return std::nullopt;
  return product;
}
