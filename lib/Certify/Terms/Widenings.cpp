//===- Widenings.cpp - Conversions to wider types ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Widenings.h"

#include "mlir/IR/BuiltinTypes.h"
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
/// The least and the greatest number that a value may be.
struct Limits {
  int64_t least, greatest;
};

/// A number of fewer bits that was widened, less a constant or another such.
struct Difference {
  ExprRef widened, subtrahend;
  Limits limits; ///< of what the difference may be
};
} // namespace

/// Whether `expr` is widened from at most 32 bits.
static bool isWidenedFromFew(const ExprRef &expr) {
  return isWidened(expr) &&
         expr->operands[0]->type.getIntOrFloatBitWidth() <= 32;
}

/// The limits of what `widened` has been widened from, at most 32 bits.
static Limits getLimits(const ExprRef &widened) {
  int64_t count = int64_t(1)
                  << widened->operands[0]->type.getIntOrFloatBitWidth();
  if (widened->name == "arith.extui")
    return {0, count - 1};
  return {-count / 2, count / 2 - 1};
}

static std::optional<Difference> matchDifference(const ExprRef &expr) {
  if (!isApply(expr, "arith.subi") || !isWidenedFromFew(expr->operands[0]) ||
      expr->type.getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  const ExprRef &widened = expr->operands[0], &subtrahend = expr->operands[1];
  Limits limits = getLimits(widened), less;
  if (isWidenedFromFew(subtrahend)) {
    less = getLimits(subtrahend);
  } else {
    auto constant = subtrahend->kind == Kind::Constant
                        ? dyn_cast<IntegerAttr>(subtrahend->constant)
                        : IntegerAttr();
    if (!constant || !constant.getValue().isSignedIntN(32))
      return std::nullopt;
    less.least = less.greatest = constant.getValue().getSExtValue();
  }
  return Difference{
      widened,
      subtrahend,
      {limits.least - less.greatest, limits.greatest - less.least}};
}

/// Where a difference, perhaps narrowed to the bits of `narrow`, is what
/// `widening` reads in them: the same of the number widened to `type`. Else
/// null.
static ExprRef widenDifference(StringRef widening, Type type,
                               const ExprRef &narrow) {
  const ExprRef &operand =
      isApply(narrow, "arith.trunci") ? narrow->operands[0] : narrow;
  std::optional<Difference> difference = matchDifference(operand);
  if (!difference)
    return nullptr;
  unsigned bits = narrow->type.getIntOrFloatBitWidth();
  auto [least, greatest] = difference->limits;
  bool isHeld = widening == "arith.extui"
                    ? least >= 0 && llvm::isUIntN(bits, greatest)
                    : llvm::isIntN(bits, least) && llvm::isIntN(bits, greatest);
  if (!isHeld)
    return nullptr;
  auto widen = [&](const ExprRef &value) {
    // What is held in fewer bits is a difference to a constant that `type` has.
    if (value->kind == Kind::Constant) {
      const APInt &number = cast<IntegerAttr>(value->constant).getValue();
      return makeConstant(IntegerAttr::get(
          type, number.sextOrTrunc(type.getIntOrFloatBitWidth())));
    }
    const ExprRef &number = value->operands[0];
    return number->type == type ? number
                                : makeApply(value->name, operand->attributes,
                                            type, number, nullptr);
  };
  return addZeros(
      makeApply(operand->name, operand->attributes, type,
                {widen(difference->widened), widen(difference->subtrahend)},
                nullptr),
      operand->leftOut);
}

std::optional<unsigned> certify::getUnsignedBits(const ExprRef &expr) {
  std::optional<Difference> difference = matchDifference(expr);
  if (!difference || difference->limits.least < 0)
    return std::nullopt;
  return llvm::bit_width(uint64_t(difference->limits.greatest));
}

/// Whether `narrow` are the low bits of an element of a constant of `type`, all
/// of whose elements `widening` makes of these again.
static bool isOfConstant(StringRef widening, Type type, const ExprRef &narrow) {
  if (!isApply(narrow, "arith.trunci"))
    return false;
  const ExprRef &read = narrow->operands[0];
  if (read->kind != Kind::Read || read->type != type)
    return false;
  auto elements = dyn_cast_if_present<DenseIntElementsAttr>(read->constant);
  unsigned bits = narrow->type.getIntOrFloatBitWidth();
  return elements &&
         llvm::all_of(elements.getValues<APInt>(), [&](const APInt &element) {
           return widening == "arith.extui" ? element.isIntN(bits)
                                            : element.isSignedIntN(bits);
         });
}

ExprRef certify::simplifyWidening(StringRef name, Type type,
                                  const ExprRef &operand) {
  if (name != "arith.extf" && isOfConstant(name, type, operand))
    return addZeros(operand->operands[0], operand->leftOut);
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
