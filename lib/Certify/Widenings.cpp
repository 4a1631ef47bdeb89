//===- Widenings.cpp - Conversions to wider types ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Widenings.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

bool certify::isWidening(StringRef name) {
  return name == "arith.extf" || name == "arith.extsi" || name == "arith.extui";
}

/// The widening that `first` and then `second` are together, or nothing.
static StringRef combineWidenings(StringRef first, StringRef second) {
  if (first == second)
    return second;
  // What is widened without its sign is not negative.
  return first == "arith.extui" && second == "arith.extsi" ? first
                                                           : StringRef();
}

static bool isWidened(const ExprRef &expr) {
  return expr->kind == Kind::Apply && isWidening(expr->name) &&
         expr->attributes.empty();
}

/// Whether `type` holds all products of what `a` and `b` widen as they are, and
/// `widening` keeps them.
static bool holdsProducts(const ExprRef &a, const ExprRef &b, Type type,
                          StringRef widening) {
  Type first = a->operands[0]->type, second = b->operands[0]->type;
  if (auto wide = dyn_cast<FloatType>(type)) {
    auto fits = [&](const llvm::fltSemantics &x, const llvm::fltSemantics &y) {
      const llvm::fltSemantics &to = wide.getFloatSemantics();
      using APF = llvm::APFloatBase;
      auto getLeast = [](const llvm::fltSemantics &s) {
        return APF::semanticsMinExponent(s) - int(APF::semanticsPrecision(s)) +
               1;
      };
      return APF::semanticsPrecision(x) + APF::semanticsPrecision(y) <=
                 APF::semanticsPrecision(to) &&
             APF::semanticsMaxExponent(x) + APF::semanticsMaxExponent(y) + 1 <=
                 APF::semanticsMaxExponent(to) &&
             getLeast(x) + getLeast(y) >= getLeast(to);
    };
    return fits(cast<FloatType>(first).getFloatSemantics(),
                cast<FloatType>(second).getFloatSemantics());
  }
  unsigned bits =
      first.getIntOrFloatBitWidth() + second.getIntOrFloatBitWidth();
  bool areUnsigned = a->name == "arith.extui" && b->name == "arith.extui";
  if (widening == "arith.extui" && !areUnsigned)
    return false;
  bool needsSign = areUnsigned && widening == "arith.extsi";
  return bits + (needsSign ? 1 : 0) <= type.getIntOrFloatBitWidth();
}

/// Where a number of fewer bits was widened, a constant subtracted from it, and
/// the difference perhaps narrowed to the bits of `narrow`, which hold it as
/// `widening` reads them: the number widened to `type` and subtracted from
/// there. Else null.
static ExprRef widenDifference(StringRef widening, Type type,
                               const ExprRef &narrow) {
  bool isNarrowed = narrow->kind == Kind::Apply &&
                    narrow->name == "arith.trunci" &&
                    narrow->attributes.empty();
  const ExprRef &operand = isNarrowed ? narrow->operands[0] : narrow;
  if (operand->kind != Kind::Apply || operand->name != "arith.subi" ||
      !operand->attributes.empty() || !isWidened(operand->operands[0]) ||
      operand->operands[1]->kind != Kind::Constant)
    return nullptr;
  const ExprRef &widened = operand->operands[0], &number = widened->operands[0];
  auto constant = dyn_cast<IntegerAttr>(operand->operands[1]->constant);
  unsigned bits = narrow->type.getIntOrFloatBitWidth();
  if (!constant || operand->type.getIntOrFloatBitWidth() > 32)
    return nullptr;
  bool isUnsigned = widened->name == "arith.extui";
  int64_t count = int64_t(1) << number->type.getIntOrFloatBitWidth();
  int64_t least = isUnsigned ? 0 : -count / 2;
  int64_t subtracted = constant.getValue().getSExtValue();
  auto isHeld = [&](int64_t value) {
    return widening == "arith.extui" ? llvm::isUIntN(bits, uint64_t(value))
                                     : llvm::isIntN(bits, value);
  };
  if (!isHeld(least - subtracted) || !isHeld(least + count - 1 - subtracted))
    return nullptr;
  auto widen = [&](StringRef name, const ExprRef &value) {
    return makeApply(name, operand->attributes, type, value, nullptr);
  };
  return addZeros(makeApply(operand->name, operand->attributes, type,
                            {widen(widened->name, number),
                             widen("arith.extsi", operand->operands[1])},
                            nullptr),
                  operand->leftOut);
}

ExprRef certify::simplifyWidening(StringRef name, Type type,
                                  const ExprRef &operand) {
  if (isWidened(operand))
    if (StringRef both = combineWidenings(operand->name, name); !both.empty())
      return addZeros(makeApply(both, operand->attributes, type,
                                operand->operands[0], nullptr),
                      operand->leftOut);
  if (name != "arith.extf")
    if (ExprRef difference = widenDifference(name, type, operand))
      return difference;
  bool isProduct =
      operand->kind == Kind::Apply && operand->attributes.empty() &&
      (operand->name == "arith.mulf" || operand->name == "arith.muli") &&
      llvm::all_of(operand->operands, isWidened);
  if (!isProduct || !holdsProducts(operand->operands[0], operand->operands[1],
                                   operand->type, name))
    return nullptr;
  SmallVector<ExprRef> factors =
      llvm::map_to_vector(operand->operands, [&](const ExprRef &factor) {
        return makeApply(factor->name, factor->attributes, type,
                         factor->operands[0], nullptr);
      });
  return addZeros(
      makeApply(operand->name, operand->attributes, type, factors, nullptr),
      operand->leftOut);
}
