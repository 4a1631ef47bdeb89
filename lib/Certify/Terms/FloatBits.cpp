//===- FloatBits.cpp - Conversions of floats done on bits -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The upper half of a float's bits is a number of bf16. Half of its last place,
// less one where that is even, is added before the lower half is cut off:
//
//   select(x != x, NaN, trunci((bits(x) + 0x7fff + (bits(x) >> 16 & 1)) >> 16))
//
// A carry goes on into the exponent, up to that of an infinity, as it should.
//
//===----------------------------------------------------------------------===//

#include "FloatBits.h"
#include "ZeroSigns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

static bool isInteger(const ExprRef &expr, int64_t value) {
  auto integer = expr->kind == Kind::Constant
                     ? dyn_cast<IntegerAttr>(expr->constant)
                     : IntegerAttr();
  return integer && integer.getValue() == value;
}

static bool hasPredicate(const Expr &compare, int64_t predicate) {
  auto own = compare.attributes.getAs<IntegerAttr>("predicate");
  return own && own.getInt() == predicate;
}

bool certify::asksForNone(const Expr &condition, const ExprRef &value) {
  if (condition.kind != Kind::Apply)
    return false;
  if (condition.name == "arith.cmpf")
    return (hasPredicate(condition, int64_t(arith::CmpFPredicate::UNO)) ||
            hasPredicate(condition, int64_t(arith::CmpFPredicate::UNE))) &&
           areSame(condition.operands[0], value) &&
           areSame(condition.operands[1], value);
  // The bits of an f32 without its sign are above those of infinity.
  if (condition.name != "arith.cmpi" || !value->type.isF32() ||
      !hasPredicate(condition, int64_t(arith::CmpIPredicate::ugt)) ||
      !isInteger(condition.operands[1], 0x7f800000))
    return false;
  const ExprRef &magnitude = condition.operands[0];
  if (!isApply(magnitude, "arith.andi"))
    return false;
  for (unsigned number : {0, 1})
    if (isInteger(magnitude->operands[number], 0x7fffffff) &&
        isApply(magnitude->operands[1 - number], "arith.bitcast") &&
        areSame(magnitude->operands[1 - number]->operands[0], value))
      return true;
  return false;
}

/// The operand of the op `name` whose other operand is the integer `value`, or
/// null.
static ExprRef matchOperand(StringRef name, const ExprRef &expr,
                            uint64_t value) {
  if (!isApply(expr, name))
    return nullptr;
  for (unsigned number : {0, 1})
    if (isInteger(expr->operands[1 - number], value) &&
        (number == 0 || name == "arith.andi"))
      return expr->operands[number];
  return nullptr;
}

/// The number that `expr` is the bits of, or null.
static ExprRef matchBits(const ExprRef &expr) {
  bool isOfBits = isApply(expr, "arith.bitcast") && expr->type.isInteger(32) &&
                  expr->operands[0]->type.isF32();
  return isOfBits ? hideZeros(expr->operands[0]) : nullptr;
}

/// The number whose last place in bf16 is `expr`, 0 or 1, or null.
static ExprRef matchLastPlace(const ExprRef &expr) {
  ExprRef upper = matchOperand("arith.andi", expr, 1);
  ExprRef bits = upper ? matchOperand("arith.shrui", upper, 16) : nullptr;
  return bits ? matchBits(bits) : nullptr;
}

/// The number to whose bits `expr` adds what rounds them, or null.
static ExprRef matchBiased(const ExprRef &expr) {
  if (expr->kind != Kind::Sum || expr->families.size() != 3)
    return nullptr;
  ExprRef ofBits, ofPlace;
  bool hasHalf = false;
  for (const Family &family : expr->families) {
    if (!family.instance.empty() || !family.domain.isUniverse())
      return nullptr;
    if (ExprRef number = matchBits(family.term))
      ofBits = number;
    else if (ExprRef number = matchLastPlace(family.term))
      ofPlace = number;
    else
      hasHalf |= isInteger(family.term, 0x7fff);
  }
  bool isWhole = hasHalf && ofBits && ofPlace && areSame(ofBits, ofPlace);
  return isWhole ? ofBits : nullptr;
}

static bool isNaN(const ExprRef &bits, const llvm::fltSemantics &semantics) {
  auto constant = bits->kind == Kind::Constant
                      ? dyn_cast<IntegerAttr>(bits->constant)
                      : IntegerAttr();
  return constant && APFloat(semantics, constant.getValue()).isNaN();
}

ExprRef certify::matchRoundedBF16(const ExprRef &bits) {
  if (!isApply(bits, "arith.select") ||
      !isNaN(bits->operands[1], APFloat::BFloat()) ||
      !isApply(bits->operands[2], "arith.trunci"))
    return nullptr;
  ExprRef biased =
      matchOperand("arith.shrui", bits->operands[2]->operands[0], 16);
  ExprRef rounded = biased ? matchBiased(biased) : nullptr;
  return rounded && asksForNone(*bits->operands[0], rounded) ? rounded
                                                             : nullptr;
}
