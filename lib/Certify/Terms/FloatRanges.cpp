//===- FloatRanges.cpp - What floating point lies between -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatRanges.h"
#include "FloatBits.h"
#include "Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

static constexpr double Infinity = std::numeric_limits<double>::infinity();

namespace {
/// The numbers from `least` to `most`, infinities included.
struct FloatRange {
  double least, most;

  bool isFinite() const { return std::isfinite(least) && std::isfinite(most); }
};

/// Finds ranges; of what may be no number there is none.
class FloatRanges {
public:
  std::optional<FloatRange> get(const ExprRef &expr) {
    auto [it, isNew] = found.try_emplace(expr.get());
    if (!isNew)
      return it->second;
    std::optional<FloatRange> range = getAnew(*expr);
    return found[expr.get()] = range;
  }

private:
  std::optional<FloatRange> getAnew(const Expr &expr);
  std::optional<FloatRange> getOfChoice(const Expr &choice);
  std::optional<FloatRange> getOfOperands(const Expr &expr);

  DenseMap<const Expr *, std::optional<FloatRange>> found;
};
} // namespace

static FloatRange join(const FloatRange &a, const FloatRange &b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

/// Exact results of `range` once they are rounded to `type`.
static FloatRange round(const FloatRange &range, Type type) {
  // More than any type of 16 bits or more is off by.
  constexpr double Slack = 0x1p-6;
  double slack =
      Slack * std::max({std::abs(range.least), std::abs(range.most), Slack});
  double largest =
      APFloat::getLargest(cast<FloatType>(type).getFloatSemantics())
          .convertToDouble();
  FloatRange rounded = {range.least - slack, range.most + slack};
  return {rounded.least < -largest ? -Infinity : rounded.least,
          rounded.most > largest ? Infinity : rounded.most};
}

std::optional<FloatRange> FloatRanges::getOfChoice(const Expr &choice) {
  std::optional<FloatRange> first = get(choice.operands[1]);
  if (!first)
    return std::nullopt;
  if (asksForNone(*choice.operands[0], choice.operands[2]))
    return FloatRange{-Infinity, Infinity};
  std::optional<FloatRange> second = get(choice.operands[2]);
  return second ? std::optional(join(*first, *second)) : std::nullopt;
}

std::optional<FloatRange> FloatRanges::getOfOperands(const Expr &expr) {
  SmallVector<FloatRange> operands;
  for (const ExprRef &operand : expr.operands) {
    std::optional<FloatRange> range = get(operand);
    if (!range)
      return std::nullopt;
    operands.push_back(*range);
  }
  FloatRange range = operands.front();
  if (isExtremum(expr.name)) {
    bool isMaximum = StringRef(expr.name).starts_with("arith.max");
    for (const FloatRange &other : operands)
      range = isMaximum ? FloatRange{std::max(range.least, other.least),
                                     std::max(range.most, other.most)}
                        : FloatRange{std::min(range.least, other.least),
                                     std::min(range.most, other.most)};
    return range;
  }
  if (expr.name == "arith.extf")
    return range;
  if (!llvm::all_of(operands, [](const FloatRange &operand) {
        return operand.isFinite();
      }))
    return std::nullopt;
  if (expr.name == "math.floor" || expr.name == "math.ceil" ||
      expr.name == "math.roundeven" || expr.name == "math.trunc")
    return FloatRange{range.least - 1, range.most + 1};
  if (operands.size() != 2)
    return std::nullopt;
  FloatRange other = operands.back();
  if (expr.name == "arith.addf")
    return round({range.least + other.least, range.most + other.most},
                 expr.type);
  if (expr.name == "arith.subf")
    return round({range.least - other.most, range.most - other.least},
                 expr.type);
  if (expr.name != "arith.mulf")
    return std::nullopt;
  double corners[] = {range.least * other.least, range.least * other.most,
                      range.most * other.least, range.most * other.most};
  return round({*llvm::min_element(corners), *llvm::max_element(corners)},
               expr.type);
}

std::optional<FloatRange> FloatRanges::getAnew(const Expr &expr) {
  if (auto value = dyn_cast_or_null<FloatAttr>(expr.constant)) {
    double number = value.getValueAsDouble();
    if (expr.kind != Kind::Constant || std::isnan(number))
      return std::nullopt;
    return FloatRange{number, number};
  }
  bool isSmall = expr.type.isF16() || expr.type.isBF16() || expr.type.isF32();
  if (expr.kind != Kind::Apply || !isSmall)
    return std::nullopt;
  if (expr.name == "arith.select")
    return getOfChoice(expr);
  if (expr.name == "arith.sitofp" && expr.type.isF32() &&
      expr.operands[0]->type.getIntOrFloatBitWidth() <= 32)
    return FloatRange{-0x1p31, 0x1p31};
  bool isOfFloats = llvm::all_of(expr.operands, [](const ExprRef &operand) {
    return isa<FloatType>(operand->type);
  });
  return isOfFloats ? getOfOperands(expr) : std::nullopt;
}

bool certify::isOfNumbers(const ExprRef &place) {
  FloatRanges ranges;
  return !contains(place, [&](const Expr &part) {
    if (part.kind != Kind::Apply)
      return false;
    bool isCut = part.name == "arith.fptosi";
    if (!isCut && (!isExtremum(part.name) || !isa<FloatType>(part.type)))
      return part.name == "arith.fptoui";
    return llvm::any_of(part.operands, [&](const ExprRef &operand) {
      std::optional<FloatRange> range = ranges.get(operand);
      if (!range || !isCut)
        return !range;
      double end = std::ldexp(1.0, part.type.getIntOrFloatBitWidth() - 1);
      return range->least < -end || range->most >= end;
    });
  });
}
