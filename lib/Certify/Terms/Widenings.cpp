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

namespace {
/// A number of fewer bits that was widened, less a constant.
struct ConstantDifference {
  ExprRef widened, constant;
  int64_t least, greatest; ///< of what the difference may be
};
} // namespace

static std::optional<ConstantDifference> matchDifference(const ExprRef &expr) {
  if (!isApply(expr, "arith.subi") || !isWidened(expr->operands[0]) ||
      expr->operands[1]->kind != Kind::Constant)
    return std::nullopt;
  const ExprRef &widened = expr->operands[0];
  auto constant = dyn_cast<IntegerAttr>(expr->operands[1]->constant);
  if (!constant || expr->type.getIntOrFloatBitWidth() > 32)
    return std::nullopt;
  int64_t count = int64_t(1)
                  << widened->operands[0]->type.getIntOrFloatBitWidth();
  int64_t least = (widened->name == "arith.extui" ? 0 : -count / 2) -
                  constant.getValue().getSExtValue();
  return ConstantDifference{widened, expr->operands[1], least,
                            least + count - 1};
}

/// Where a difference, perhaps narrowed to the bits of `narrow`, is what
/// `widening` reads in them: the same of the number widened to `type`. Else
/// null.
static ExprRef widenDifference(StringRef widening, Type type,
                               const ExprRef &narrow) {
  const ExprRef &operand =
      isApply(narrow, "arith.trunci") ? narrow->operands[0] : narrow;
  std::optional<ConstantDifference> difference = matchDifference(operand);
  if (!difference)
    return nullptr;
  unsigned bits = narrow->type.getIntOrFloatBitWidth();
  bool isHeld =
      widening == "arith.extui"
          ? difference->least >= 0 && llvm::isUIntN(bits, difference->greatest)
          : llvm::isIntN(bits, difference->least) &&
                llvm::isIntN(bits, difference->greatest);
  if (!isHeld)
    return nullptr;
  const ExprRef &widened = difference->widened;
  auto widen = [&](StringRef name, const ExprRef &value) {
    return value->type == type
               ? value
               : makeApply(name, operand->attributes, type, value, nullptr);
  };
  return addZeros(makeApply(operand->name, operand->attributes, type,
                            {widen(widened->name, widened->operands[0]),
                             widen("arith.extsi", difference->constant)},
                            nullptr),
                  operand->leftOut);
}

std::optional<unsigned> certify::getUnsignedBits(const ExprRef &expr) {
  std::optional<ConstantDifference> difference = matchDifference(expr);
  if (!difference || difference->least < 0)
    return std::nullopt;
  return llvm::bit_width(uint64_t(difference->greatest));
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
