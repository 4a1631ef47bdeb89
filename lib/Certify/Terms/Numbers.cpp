//===- Numbers.cpp - What scalar ops make of numbers ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using llvm::APFloat;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// How many bits `type` has: an index is taken to have 64.
static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// `value` as an integer of `type` with a sign.
static int64_t wrap(int64_t value, Type type) {
  unsigned width = getWidth(type);
  return width >= 64 ? value : llvm::SignExtend64(uint64_t(value), width);
}

/// `value` as its bits are without a sign, ordered as they are; it fits `type`.
static uint64_t dropSign(int64_t value, Type type) {
  return uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(getWidth(type));
}

/// What the shift `apply` makes of `value`; nothing where more bits are shifted
/// than there are.
static std::optional<int64_t> shift(const Expr &apply, int64_t value,
                                    int64_t bits) {
  if (bits < 0 || bits >= int64_t(getWidth(apply.type)))
    return std::nullopt;
  if (apply.name == "arith.shli")
    return int64_t(uint64_t(value) << bits);
  if (apply.name == "arith.shrui")
    return int64_t(dropSign(value, apply.type) >> bits);
  return value >> bits;
}

/// What an op on two integers makes of them, before it is cut to its type.
static std::optional<int64_t> applyToIntegers(const Expr &apply, int64_t a,
                                              int64_t b) {
  int64_t result = 0;
  StringRef name = apply.name;
  if (name == "arith.addi"   ? llvm::AddOverflow(a, b, result)
      : name == "arith.subi" ? llvm::SubOverflow(a, b, result)
      : name == "arith.muli" ? llvm::MulOverflow(a, b, result)
                             : false)
    return std::nullopt;
  if (name == "arith.addi" || name == "arith.subi" || name == "arith.muli")
    return result;
  if (name.starts_with("arith.sh"))
    return shift(apply, a, b);
  return llvm::StringSwitch<std::optional<int64_t>>(name)
      .Case("arith.andi", a & b)
      .Case("arith.ori", a | b)
      .Case("arith.xori", a ^ b)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// The largest whole number up to which all are numbers of `double`.
static constexpr double MostExact = double(int64_t(1) << 53);

/// `value`, which was computed of numbers that rounding moves it by `slack`, as
/// a number of `type`: where it is whole, a real number of any size. Nothing
/// where another overflows, or `double` has no room.
static std::optional<Number> round(double value, double slack, Type type) {
  bool isWhole = value == std::trunc(value);
  if (isWhole && slack == 0)
    return std::abs(value) <= MostExact ? std::optional<Number>(Real{value})
                                        : std::nullopt;
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  unsigned precision = APFloat::semanticsPrecision(semantics);
  if (precision > std::numeric_limits<double>::digits ||
      !(std::abs(value) + slack <=
        APFloat::getLargest(semantics).convertToDouble()))
    return std::nullopt;
  // Two roundings, as numbers are that are narrowed twice, and subnormals that
  // are flushed to zero.
  double smallest = APFloat::getSmallestNormalized(semantics).convertToDouble();
  slack += std::ldexp(std::abs(value) + slack, 1 - int(precision)) + smallest;
  return Real{value, slack};
}

std::optional<Real> Real::get(const APFloat &constant) {
  if (APFloat::semanticsPrecision(constant.getSemantics()) >
          std::numeric_limits<double>::digits ||
      constant.isNaN())
    return std::nullopt;
  double value = constant.convertToDouble();
  if (constant.isInfinity() || value == std::trunc(value))
    return Real{value};
  // The number may be rounded.
  return Real{value,
              std::ldexp(std::abs(value), 1 - int(APFloat::semanticsPrecision(
                                                  constant.getSemantics())))};
}

/// The quotient of `a` and `b`, if `b` cannot be zero.
static std::optional<Number> divide(Real a, Real b, Type type) {
  if (std::abs(b.value) <= 2 * b.slack)
    return std::nullopt;
  double quotient = a.value / b.value;
  double slack =
      2 * (a.slack + std::abs(quotient) * b.slack) / std::abs(b.value);
  bool isWhole = slack == 0 && std::fmod(a.value, b.value) == 0;
  // What is not whole is rounded to `double`, too.
  double rounding = std::ldexp(std::abs(quotient), -52);
  return round(quotient, isWhole ? 0 : slack + rounding, type);
}

static std::optional<Number> applyToReals(StringRef name, Type type,
                                          ArrayRef<Real> operands) {
  if (llvm::any_of(operands,
                   [](Real operand) { return std::isinf(operand.value); }))
    return std::nullopt;
  Real a = operands[0];
  if (name == "arith.negf")
    return Real{-a.value, a.slack};
  if (name == "arith.extf" || name == "arith.truncf")
    return round(a.value, a.slack, type);
  if (operands.size() != 2)
    return std::nullopt;
  Real b = operands[1];
  if (name == "arith.addf")
    return round(a.value + b.value, a.slack + b.slack, type);
  if (name == "arith.subf")
    return round(a.value - b.value, a.slack + b.slack, type);
  if (name == "arith.mulf")
    return round(a.value * b.value,
                 std::abs(a.value) * b.slack + std::abs(b.value) * a.slack +
                     a.slack * b.slack,
                 type);
  if (name == "arith.divf")
    return divide(a, b, type);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static bool areApart(Real a, Real b) {
  return a.value != b.value &&
         !(std::abs(a.value - b.value) <= a.slack + b.slack);
}

bool certify::areApart(const Number &a, const Number &b) {
  if (auto *integer = std::get_if<int64_t>(&a))
    return *integer != std::get<int64_t>(b);
  return ::areApart(std::get<Real>(a), std::get<Real>(b));
}

/// Whether `a` and `b` are in that order, which is one of MLIR's predicates
/// without what they say of signs and of what is no number.
template <typename T>
static std::optional<bool> holds(StringRef order, T a, T b) {
  return llvm::StringSwitch<std::optional<bool>>(order)
      .Case("eq", a == b)
      .Case("ne", a != b)
      .Case("lt", a < b)
      .Case("le", a <= b)
      .Case("gt", a > b)
      .Case("ge", a >= b)
      .Default(std::nullopt);
}

/// What a comparison says.
static std::optional<bool> compare(const Expr &apply,
                                   ArrayRef<Number> operands) {
  auto predicate = apply.attributes.getAs<IntegerAttr>("predicate");
  Type type = apply.operands[0]->type;
  if (!predicate || apply.attributes.size() != 1)
    return std::nullopt;
  if (apply.name == "arith.cmpf") {
    Real a = std::get<Real>(operands[0]), b = std::get<Real>(operands[1]);
    if (!::areApart(a, b) && a.slack + b.slack != 0)
      return std::nullopt;
    // Ordered or not is the same of numbers.
    StringRef order = arith::stringifyCmpFPredicate(
        static_cast<arith::CmpFPredicate>(predicate.getInt()));
    return holds(order.drop_front(), a.value, b.value);
  }
  int64_t a = std::get<int64_t>(operands[0]);
  int64_t b = std::get<int64_t>(operands[1]);
  StringRef order = arith::stringifyCmpIPredicate(
      static_cast<arith::CmpIPredicate>(predicate.getInt()));
  if (order.consume_front("u"))
    return holds(order, dropSign(a, type), dropSign(b, type));
  // `eq` and `ne` have no sign to ask for.
  if (order.size() == 3)
    order.consume_front("s");
  return holds(order, a, b);
}

std::optional<Number> certify::chooseNumber(StringRef name, Type type,
                                            const Number &a, const Number &b) {
  bool isMaximum = name.contains("max");
  if (isa<FloatType>(type)) {
    Real first = std::get<Real>(a), second = std::get<Real>(b);
    double slack = std::max(first.slack, second.slack);
    return (first.value > second.value) == isMaximum
               ? Real{first.value, slack}
               : Real{second.value, slack};
  }
  if (getWidth(type) > 64)
    return std::nullopt;
  int64_t first = std::get<int64_t>(a), second = std::get<int64_t>(b);
  bool isLess = name.ends_with("ui")
                    ? dropSign(first, type) < dropSign(second, type)
                    : first < second;
  return isLess == isMaximum ? second : first;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::string certify::toString(const Number &number) {
  if (auto *integer = std::get_if<int64_t>(&number))
    return std::to_string(*integer);
  double value = std::get<Real>(number).value;
  if (value == std::trunc(value) && std::abs(value) <= MostExact)
    return std::to_string(int64_t(value));
  llvm::SmallString<24> text;
  APFloat(value).toString(text);
  return text.str().str();
}

Number certify::makeNumber(int64_t value, Type type) {
  if (isa<FloatType>(type))
    return Real{double(value)};
  return wrap(value, type);
}

std::optional<Number> certify::addNumbers(Type type, const Number &a,
                                          const Number &b) {
  if (isa<FloatType>(type))
    return applyToReals("arith.addf", type,
                        {std::get<Real>(a), std::get<Real>(b)});
  int64_t sum = 0;
  if (llvm::AddOverflow(std::get<int64_t>(a), std::get<int64_t>(b), sum))
    return std::nullopt;
  return wrap(sum, type);
}

/// What casts an integer of `from`, as a number of `to`.
static std::optional<Number> castInteger(StringRef name, int64_t value,
                                         Type from, Type to) {
  bool isUnsigned = name == "arith.extui" || name == "arith.uitofp";
  if (!isUnsigned && name != "arith.extsi" && name != "arith.sitofp" &&
      name != "arith.trunci")
    return std::nullopt;
  if (isUnsigned && getWidth(from) >= 64)
    return std::nullopt;
  int64_t number = isUnsigned ? int64_t(dropSign(value, from)) : value;
  if (isa<FloatType>(to))
    return round(double(number), /*slack=*/0, to);
  return wrap(number, to);
}

std::optional<Number> certify::applyToNumbers(const Expr &apply,
                                              ArrayRef<Number> operands) {
  StringRef name = apply.name;
  bool areNarrow = llvm::all_of(apply.operands, [](const ExprRef &operand) {
    return getWidth(operand->type) <= 64;
  });
  if (!areNarrow || getWidth(apply.type) > 64)
    return std::nullopt;
  if (name == "arith.cmpi" || name == "arith.cmpf") {
    std::optional<bool> holds = compare(apply, operands);
    return holds ? std::optional<Number>(*holds ? -1 : 0) : std::nullopt;
  }
  if (!apply.attributes.empty())
    return std::nullopt;
  if (name == "arith.select")
    return std::get<int64_t>(operands[0]) != 0 ? operands[1] : operands[2];
  if (isExtremum(apply)) {
    std::optional<Number> result = operands.front();
    for (const Number &operand : operands.drop_front())
      if (result)
        result = chooseNumber(name, apply.type, *result, operand);
    return result;
  }
  auto *integer = std::get_if<int64_t>(&operands[0]);
  if (!integer)
    return applyToReals(name, apply.type,
                        llvm::map_to_vector(operands, [](const Number &real) {
                          return std::get<Real>(real);
                        }));
  if (operands.size() == 1)
    return castInteger(name, *integer, apply.operands[0]->type, apply.type);
  std::optional<int64_t> result;
  if (operands.size() == 2)
    result = applyToIntegers(apply, *integer, std::get<int64_t>(operands[1]));
  return result ? std::optional<Number>(wrap(*result, apply.type))
                : std::nullopt;
}
