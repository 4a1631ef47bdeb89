//===- ZeroSigns.cpp - Ops that tell 0 from -0 ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions are equal as numbers: 0 and -0 are one. Below an op that makes
// different numbers of them, each place that may change the sign of a zero is
// an op of its own, so that only values of the same bits are equal there.
//
//===----------------------------------------------------------------------===//

#include "ZeroSigns.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

/// The operand and 0, which is never -0.
static constexpr StringLiteral kPlusZero = "plus zero";
/// The operand, which is -0.
static constexpr StringLiteral kMinusZero = "minus zero";
/// The operand, whose sign is not known where it is zero.
static constexpr StringLiteral kOfUnknownSign = "zero of unknown sign";

/// Whether the scalar op `name` makes the same number of 0 and -0 as operand
/// `operand`, where it makes one at all.
static bool takesZerosForOne(StringRef name, unsigned operand) {
  static const llvm::StringSet<> all = {
      "arith.addf",    "arith.subf",     "arith.mulf",     "arith.negf",
      "arith.remf",    "arith.extf",     "arith.truncf",   "arith.cmpf",
      "arith.select",  "arith.maximumf", "arith.minimumf", "arith.maxnumf",
      "arith.minnumf", "arith.fptosi",   "arith.fptoui",   "math.absf",
      "math.ceil",     "math.floor",     "math.round",     "math.roundeven",
      "math.trunc",    "math.exp",       "math.exp2",      "math.expm1",
      "math.erf",      "math.erfc",      "math.sin",       "math.cos",
      "math.tan",      "math.sinh",      "math.cosh",      "math.tanh",
      "math.asin",     "math.acos",      "math.atan",      "math.asinh",
      "math.acosh",    "math.atanh",     "math.sqrt",      "math.cbrt",
      "math.log",      "math.log2",      "math.log10",     "math.log1p",
      "math.fma",      "math.isfinite",  "math.isinf",     "math.isnan",
      "math.isnormal", kPlusZero,        kMinusZero,       kOfUnknownSign,
      kMultiple};
  return all.contains(name) || (name == "arith.divf" && operand == 0);
}

/// Whether the scalar op `name` never makes -0, so that its result has the same
/// bits for operands that are the same numbers.
static bool neverMakesMinusZero(StringRef name) {
  static const llvm::StringSet<> never = {
      "arith.sitofp", "arith.uitofp", "math.absf", "math.cos",
      "math.cosh",    "math.exp",     "math.exp2", kPlusZero};
  return never.contains(name);
}

static bool isMinusZero(const Expr &expr) {
  auto value = expr.kind == Kind::Constant ? dyn_cast<FloatAttr>(expr.constant)
                                           : FloatAttr();
  return value && value.getValue().isNegZero();
}

bool certify::isNeverMinusZero(const ExprRef &expr) {
  switch (expr->kind) {
  case Kind::Constant:
    return !isMinusZero(*expr);
  case Kind::Apply:
    return neverMakesMinusZero(expr->name);
  case Kind::Sum:
    // Only a sum of nothing but -0 is -0.
    return llvm::any_of(expr->families, [](const Family &family) {
      return family.instance.empty() && family.domain.isUniverse() &&
             isNeverMinusZero(family.term);
    });
  case Kind::Undefined:
  case Kind::Read:
  case Kind::Number:
  case Kind::Gather:
  case Kind::Extremum:
    return false;
  }
  llvm_unreachable("unknown kind of expression");
}

static ExprRef wrap(StringRef name, const ExprRef &expr) {
  return makeApply(name, expr->type, expr, nullptr);
}

ExprRef certify::showZeros(const ExprRef &expr) {
  if (!isa<FloatType>(expr->type) || isOfUnknownSign(*expr) ||
      expr->name == kMinusZero)
    return expr;
  if (isMinusZero(*expr))
    return wrap(kMinusZero, expr);
  if (isNeverMinusZero(expr))
    return expr;
  bool isNothing = expr->kind == Kind::Sum && expr->families.empty();
  if (expr->leftOut.zero == LeftOut::Zero::Positive)
    return isNothing
               ? makeConstant(
                     Builder(expr->type.getContext()).getZeroAttr(expr->type))
               : wrap(kPlusZero, expr);
  if (isNothing || expr->kind == Kind::Extremum ||
      expr->leftOut.zero == LeftOut::Zero::Unknown ||
      (expr->common && !expr->common->hasSameZeros))
    return wrap(kOfUnknownSign, expr);
  if (expr->kind == Kind::Apply)
    return makeApply(expr->name, expr->attributes, expr->type,
                     llvm::map_to_vector(expr->operands,
                                         [](const ExprRef &operand) {
                                           return showZeros(operand);
                                         }),
                     nullptr);
  if (expr->kind != Kind::Sum)
    return expr;
  Families families = expr->families;
  for (Family &family : families)
    family.term = showZeros(family.term);
  return makeSum(expr->type, families);
}

SmallVector<ExprRef> certify::showZeros(StringRef name,
                                        ArrayRef<ExprRef> operands) {
  SmallVector<ExprRef> shown(operands);
  for (auto [number, operand] : llvm::enumerate(shown))
    if (!takesZerosForOne(name, number))
      operand = showZeros(operand);
  return shown;
}

ExprRef certify::hideZeros(const ExprRef &expr) {
  if (expr->kind == Kind::Sum && !expr->families.empty()) {
    Families families = expr->families;
    for (Family &family : families)
      family.term = hideZeros(family.term);
    return addZeros(makeSum(expr->type, families), expr->leftOut);
  }
  if (expr->kind != Kind::Apply)
    return expr;
  if (llvm::is_contained({kPlusZero, kMinusZero, kOfUnknownSign}, expr->name))
    return expr->operands[0];
  SmallVector<ExprRef> operands = expr->operands;
  for (auto [number, operand] : llvm::enumerate(operands))
    if (takesZerosForOne(expr->name, number))
      operand = hideZeros(operand);
  return remake(expr, operands);
}

bool certify::isOfUnknownSign(const Expr &expr) {
  return expr.kind == Kind::Apply && expr.name == kOfUnknownSign;
}

bool certify::dependsOnZeros(const ExprRef &expr) {
  return contains(expr, [](const Expr &part) {
    return isOfUnknownSign(part) || part.name == kPlusZero;
  });
}
