//===- BoundedNumbers.cpp - Floats and their errors -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Interpreter/BoundedNumbers.h"

#include "Rounding.h"

#include "convoy/Support/SumStages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

Rounding::Rounding(FloatType type, const TargetMath &target)
    : flushes(target.arithmetic.flushesSubnormals), isVulkan(target.isVulkan) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  precision = int(APFloat::semanticsPrecision(semantics));
  minExponent = APFloat::semanticsMinExponent(semantics);
  lambda = std::ldexp(1.0, minExponent);
  eta = std::ldexp(1.0, minExponent - precision + 1);
  largest = APFloat::getLargest(semantics).convertToDouble();
  // The reference rounds to double, which counts where the target does, too.
  unit = std::ldexp(1.0, -precision) + std::ldexp(1.0, -53);
  // Narrower floats may be computed in f32.
  overflows = target.arithmetic.roundsToNearest && largest > 1e38;
  if (!target.arithmetic.roundsToNearest) {
    unit *= 2;
    eta *= 2;
  }
}

/// The exponents of the first and the last bit of a finite number other than 0.
/// The first of numbers that are subnormal in double is -1023.
static std::pair<int, int> getBits(double value) {
  constexpr int kDigits = 52, kBias = 1023;
  auto bits = llvm::bit_cast<uint64_t>(value);
  int exponent = int(bits >> kDigits & 0x7ff);
  uint64_t digits = bits & ((uint64_t(1) << kDigits) - 1);
  if (exponent != 0)
    digits |= uint64_t(1) << kDigits;
  int last = std::max(exponent, 1) - kBias - kDigits;
  return {exponent - kBias, last + llvm::countr_zero(digits)};
}

bool Rounding::has(double value) const {
  if (value == 0 || !std::isfinite(value))
    return true;
  if (std::abs(value) > largest)
    return false;
  auto [first, last] = getBits(value);
  return last >= std::max(first, minExponent) - (precision - 1);
}

/// A subnormal number that may have become zero.
static double addFlush(const Rounding &rounding, double value, double error) {
  if (!rounding.flushes || std::abs(value) - error >= rounding.lambda)
    return error;
  return std::max(error, std::min(std::abs(value), error + rounding.lambda));
}

BoundedFloat Rounding::read(const Scalar &operand) const {
  BoundedFloat number(operand);
  if (flushes)
    number.error = addFlush(*this, number.value, number.error);
  return number;
}

BoundedFloat Rounding::round(double value, double error, bool isExact) const {
  if (!std::isfinite(value)) {
    // Of numbers with an error nobody knows whether they overflow.
    return {value, error == 0 && isExact ? 0 : kUnknown};
  }
  if (std::isnan(error))
    return {value, kUnknown};
  // A product that a number is added to may be added before it is rounded.
  if (overflows && std::abs(value) - error > 2 * largest)
    return {std::copysign(std::numeric_limits<double>::infinity(), value), 0};
  if (!(isExact && error == 0 && has(value)))
    error += unit * (std::abs(value) + error) + eta;
  if (flushes)
    error = addFlush(*this, value, error);
  if (std::abs(value) + error > largest)
    error = kUnknown;
  return {value, error};
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Whether a sum of numbers is the sum that double has (TwoSum).
static bool isExactSum(double a, double b, double sum) {
  double rest = sum - a;
  return (a - (sum - rest)) + (b - rest) == 0;
}

/// The error of a factor times the size of the other, where an infinite one
/// stays unknown.
static double getProductError(const BoundedFloat &a, const BoundedFloat &b) {
  if (a.error == 0 && b.error == 0)
    return 0;
  double error = std::abs(a.value) * b.error + std::abs(b.value) * a.error +
                 a.error * b.error;
  return std::isnan(error) ? kUnknown : error;
}

static Algebra::Function getSum(const Rounding &rounding, double sign) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat a = rounding.read(operands[0]), b = rounding.read(operands[1]);
    double sum = a.value + sign * b.value;
    bool isExact =
        !std::isfinite(sum) || isExactSum(a.value, sign * b.value, sum);
    bool overflows =
        !std::isfinite(sum) && std::isfinite(a.value) && std::isfinite(b.value);
    return rounding.round(sum, a.error + b.error, isExact && !overflows);
  };
}

static Algebra::Function getProduct(const Rounding &rounding) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat a = rounding.read(operands[0]), b = rounding.read(operands[1]);
    double product = a.value * b.value;
    bool isFinite = std::isfinite(a.value) && std::isfinite(b.value);
    bool isExact =
        !isFinite ||
        (std::isfinite(product) && std::fma(a.value, b.value, -product) == 0 &&
         (product != 0 || a.value == 0 || b.value == 0));
    return rounding.round(product, getProductError(a, b), isExact);
  };
}

static Algebra::Function getQuotient(const Rounding &rounding) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat a = rounding.read(operands[0]), b = rounding.read(operands[1]);
    double quotient = a.value / b.value;
    if (b.error >= std::abs(b.value) && b.error > 0)
      return BoundedFloat(quotient, kUnknown);
    double error = (a.error + std::abs(quotient) * b.error) /
                   (std::abs(b.value) - b.error);
    if (a.error == 0 && b.error == 0)
      error = 0;
    bool isExact =
        !std::isfinite(quotient) || std::fma(quotient, b.value, -a.value) == 0;
    // Vulkan allows 2.5 units in the last place, and asks for nothing where the
    // divisor is subnormal or nearly overflows.
    if (rounding.isVulkan && std::isfinite(quotient)) {
      double size = std::abs(b.value);
      if (size < rounding.lambda || size > rounding.largest / 4)
        return BoundedFloat(quotient, kUnknown);
      error += 5 * rounding.unit * std::abs(quotient);
    }
    return rounding.round(quotient, error, isExact);
  };
}

/// a - b * t, with t = a / b rounded towards zero (C's fmod, which is exact).
/// Vulkan computes just this, with its quotient ("Precision of Individual
/// Operations", OpFRem), so that t may be one less where a / b is whole.
static Algebra::Function getRemainder(const Rounding &rounding) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat a = rounding.read(operands[0]), b = rounding.read(operands[1]);
    double remainder = std::fmod(a.value, b.value);
    if (!rounding.isVulkan && a.error == 0 && b.error == 0)
      return rounding.round(remainder, 0, true);
    double size = std::abs(b.value), quotient = a.value / b.value;
    bool isDefined = !rounding.isVulkan ||
                     (size >= rounding.lambda && size <= rounding.largest / 4);
    if (!isDefined || b.error >= size || !std::isfinite(b.value) ||
        !(std::abs(quotient) <= rounding.largest))
      return BoundedFloat(remainder, kUnknown);
    double unit = rounding.isVulkan ? 5 * rounding.unit : 0;
    double change = (a.error + std::abs(quotient) * b.error) / (size - b.error);
    change += (unit + 0x1p-52) * (std::abs(quotient) + change);
    double low = std::trunc(quotient - change);
    double high = std::trunc(quotient + change);
    double whole = std::max(std::abs(low), std::abs(high));
    double error = a.error + whole * b.error + size * (high - low);
    if (rounding.isVulkan && !(b.error == 0 && rounding.has(whole * size)))
      error += rounding.unit * whole * (size + b.error);
    return rounding.round(remainder, error, true);
  };
}

/// max or min. `ignoresNan`: of a number and NaN the result is the number.
static Algebra::Function getExtremum(const Rounding &rounding, bool isMax,
                                     bool ignoresNan) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat a = rounding.read(operands[0]), b = rounding.read(operands[1]);
    if (std::isnan(a.value) || std::isnan(b.value)) {
      const BoundedFloat &number = std::isnan(a.value) ? b : a;
      const BoundedFloat &other = std::isnan(a.value) ? a : b;
      return ignoresNan ? number : other;
    }
    const BoundedFloat &chosen = (a.value > b.value) == isMax ? a : b;
    const BoundedFloat &other = (a.value > b.value) == isMax ? b : a;
    // The other one counts where it may be the result.
    bool mayBeOther = std::abs(a.value - b.value) <= a.error + b.error;
    double error = chosen.error;
    if (mayBeOther && other.error > 0)
      error = std::max(error, other.error);
    return BoundedFloat(chosen.value, error);
  };
}

//===----------------------------------------------------------------------===//
// Comparisons and choices
//===----------------------------------------------------------------------===//

static bool holds(arith::CmpFPredicate predicate, double a, double b) {
  bool isUnordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !isUnordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !isUnordered;
  case arith::CmpFPredicate::UEQ:
    return isUnordered || a == b;
  case arith::CmpFPredicate::UGT:
    return !(a <= b);
  case arith::CmpFPredicate::UGE:
    return !(a < b);
  case arith::CmpFPredicate::ULT:
    return !(a >= b);
  case arith::CmpFPredicate::ULE:
    return !(a > b);
  case arith::CmpFPredicate::UNE:
    return a != b;
  case arith::CmpFPredicate::UNO:
    return isUnordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  llvm_unreachable("unknown predicate");
}

static FailureOr<Algebra::Function> getComparison(const Rounding &rounding,
                                                  DictionaryAttr attributes) {
  auto number = attributes.getAs<IntegerAttr>("predicate");
  auto predicate =
      number ? arith::symbolizeCmpFPredicate(uint64_t(number.getInt()))
             : std::nullopt;
  if (!predicate)
    return failure();
  return Algebra::Function([=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat a = rounding.read(operands[0]), b = rounding.read(operands[1]);
    double error = a.error + b.error;
    bool isCertain = error == 0 || std::abs(a.value - b.value) > error;
    return {holds(*predicate, a.value, b.value), isCertain ? 0.0 : 1.0};
  });
}

/// Either of two floats: what is between them counts.
static Scalar chooseFloat(ArrayRef<Scalar> operands) {
  BoundedFloat a(operands[1]), b(operands[2]);
  const BoundedFloat &chosen = operands[0].number ? a : b;
  const BoundedFloat &other = operands[0].number ? b : a;
  double error = std::max(chosen.error,
                          std::abs(chosen.value - other.value) + other.error);
  return BoundedFloat(chosen.value, std::isnan(error) ? kUnknown : error);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Larger than the exponent of any bit.
constexpr int kNoBit = 1 << 16;

namespace {
/// S, L and the errors of the terms of each sum: in any order, the sum is off
/// by at most gamma*(S + errors) + errors + L*eta. With `deviations`, gamma and
/// the errors of terms with random signs are less but for a rare chance.
class FloatSums final : public Sums {
public:
  FloatSums(const Rounding &rounding, std::vector<Scalar> inits,
            double deviations = 0)
      : rounding(rounding), deviations(deviations), states(inits.size()) {
    for (auto [state, init] : llvm::zip_equal(states, inits)) {
      BoundedFloat number = rounding.read(init);
      if (number.value != 0 || number.error != 0)
        addTo(state, number);
      state.initError = number.error;
    }
  }

  void add(int64_t place, const Scalar &term) override {
    BoundedFloat number = rounding.read(term);
    states[place].squares += number.error * number.error;
    addTo(states[place], number);
  }

  Scalar get(int64_t place) override {
    const State &state = states[place];
    if (!std::isfinite(state.value)) {
      bool isIEEE = state.hasNonFinite && state.errors == 0;
      return BoundedFloat(state.value, isIEEE ? 0 : kUnknown);
    }
    double lost = state.length * rounding.unit;
    // Multiples of one number, of which there are few; none is flushed.
    bool isExact =
        state.errors == 0 &&
        (!rounding.flushes || state.lastBit >= rounding.minExponent) &&
        state.magnitude <= std::ldexp(1.0, state.lastBit + rounding.precision);
    if (isExact || state.length <= 1)
      return BoundedFloat(state.value, state.errors);
    // docs/Numerics.md: the bound says little from here on.
    if (lost >= 0.125)
      return BoundedFloat(state.value, kUnknown);
    double gamma = ::convoy::getGamma(state.length, rounding.unit);
    double size = state.magnitude + state.errors;
    double tiny = rounding.flushes ? 4 * rounding.lambda : rounding.eta;
    double error =
        getChange(state, gamma) * size + getErrors(state) + state.length * tiny;
    if (size * (1 + gamma) > rounding.largest)
      error = kUnknown;
    return BoundedFloat(state.value, error);
  }

private:
  struct State {
    double value = 0, magnitude = 0, errors = 0;
    /// Of the errors, those of the init, and the squares of those of terms.
    double initError = 0, squares = 0;
    int64_t length = 0;
    /// All terms are multiples of two to this power.
    int lastBit = kNoBit;
    bool hasNonFinite = false;
  };

  /// How far roundings change a term, relative to it.
  double getChange(const State &state, double gamma) const {
    if (deviations == 0)
      return gamma;
    double length = double(state.length), unit = rounding.unit;
    return std::min(gamma, std::expm1(deviations * std::sqrt(length) * unit +
                                      length * unit * unit / (1 - unit)));
  }

  /// What the errors of init and terms add up to.
  double getErrors(const State &state) const {
    if (deviations == 0)
      return state.errors;
    return std::min(state.errors,
                    state.initError + deviations * std::sqrt(state.squares));
  }

  void addTo(State &state, const BoundedFloat &term) {
    state.value += term.value;
    state.magnitude += std::abs(term.value);
    state.errors += term.error;
    state.length += term.value != 0 || term.error != 0;
    if (!std::isfinite(term.value))
      state.hasNonFinite = true;
    else if (term.value != 0)
      state.lastBit = std::min(state.lastBit, getBits(term.value).second);
  }

  Rounding rounding;
  double deviations;
  std::vector<State> states;
};
} // namespace

std::unique_ptr<Sums> BoundedNumbers::startSums(Type type,
                                                std::vector<Scalar> inits) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return std::make_unique<FloatSums>(Rounding(floatType, target),
                                       std::move(inits));
  return Algebra::startSums(type, std::move(inits));
}

std::unique_ptr<Sums> ProbableNumbers::startSumsOf(Operation *op, Type type,
                                                   std::vector<Scalar> inits) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType || !randomSums.contains(op))
    return startSums(type, std::move(inits));
  Rounding rounding(floatType, target);
  // All of 2^40 terms pass but for a chance of 2^-30.
  double deviations = std::sqrt(2 * std::log(0x1p71)) / (1 - rounding.unit);
  return std::make_unique<FloatSums>(rounding, std::move(inits), deviations);
}

//===----------------------------------------------------------------------===//
// Elements and ops
//===----------------------------------------------------------------------===//

Scalar BoundedNumbers::getUndefined(Type type) {
  return isa<FloatType>(type) ? Scalar(BoundedFloat(NAN, kUnknown))
                              : Scalar(0, kUnknown);
}

FailureOr<Scalar> BoundedNumbers::getConstant(TypedAttr value) {
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    if (number.getValue().getBitWidth() > 64)
      return failure();
    return Scalar(number.getType().isInteger(1)
                      ? int64_t(number.getValue().getZExtValue())
                      : number.getValue().getSExtValue());
  }
  if (auto number = dyn_cast<FloatAttr>(value))
    return Scalar(BoundedFloat(number.getValueAsDouble(), 0));
  return failure();
}

Scalar BoundedNumbers::getElement(unsigned argument, int64_t position,
                                  Type type) {
  const ::convoy::HostArray &array = arguments[argument];
  if (isa<FloatType>(type))
    return BoundedFloat(array.at(position), 0);
  int64_t number = ::convoy::loadInteger(array.type, array.data(), position);
  if (type.isIndex())
    return number;
  return type.isInteger(1)
             ? number & 1
             : llvm::SignExtend64(number, type.getIntOrFloatBitWidth());
}

/// A float of another width: exact where it is wider.
static Algebra::Function getConversion(FloatType from, FloatType to,
                                       const TargetMath &target) {
  Rounding rounding(to, target), read(from, target);
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat number = read.read(operands[0]);
    return rounding.round(number.value, number.error, true);
  };
}

FailureOr<Algebra::Function> BoundedNumbers::resolve(StringRef name,
                                                     DictionaryAttr attributes,
                                                     Type type,
                                                     ArrayRef<Type> types) {
  auto operandType =
      types.empty() ? FloatType() : dyn_cast<FloatType>(types.back());
  auto resultType = dyn_cast<FloatType>(type);
  if (name == "arith.select" && resultType)
    return Function(chooseFloat);
  if (!operandType || (!resultType && name != "arith.cmpf")) {
    if (operandType || resultType)
      return resolveConversion(name, type, types.back(), target);
    return resolveIntegerOp(name, attributes, type, types);
  }
  Rounding rounding(operandType, target);
  if (name == "arith.cmpf")
    return getComparison(rounding, attributes);
  if (name == "arith.extf" || name == "arith.truncf" || name == "tosa.cast")
    return getConversion(operandType, resultType, target);
  Function function =
      llvm::StringSwitch<std::function<Function()>>(name)
          .Case("arith.addf", [&] { return getSum(rounding, 1); })
          .Case("arith.subf", [&] { return getSum(rounding, -1); })
          .Case("arith.mulf", [&] { return getProduct(rounding); })
          .Case("arith.divf", [&] { return getQuotient(rounding); })
          .Case("arith.remf", [&] { return getRemainder(rounding); })
          .Case("arith.maximumf",
                [&] { return getExtremum(rounding, true, false); })
          .Case("arith.minimumf",
                [&] { return getExtremum(rounding, false, false); })
          .Case("arith.maxnumf",
                [&] { return getExtremum(rounding, true, true); })
          .Case("arith.minnumf",
                [&] { return getExtremum(rounding, false, true); })
          .Default([&] { return resolveFloatFunction(name, rounding); })();
  if (!function)
    return failure();
  return function;
}
