//===- BoundedIntegers.cpp - Integers, wrapped as their types ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// What an integer of `width` bits holds of `value`; conditions are 0 and 1.
static int64_t wrap(unsigned width, int64_t value) {
  if (width == 1)
    return value & 1;
  return width >= 64 ? value : llvm::SignExtend64(uint64_t(value), width);
}

static int64_t wrap(Type type, int64_t value) {
  return wrap(getWidth(type), value);
}

/// The bits of `value` as a number without a sign.
static uint64_t getUnsigned(Type type, int64_t value) {
  unsigned width = getWidth(type);
  return width >= 64
             ? uint64_t(value)
             : uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

/// From a float: `toInteger` rounds it, and what is out of range is undefined,
/// or the nearest number where it `saturates`.
static Algebra::Function getFromFloat(Type to, const Rounding &rounding,
                                      double (*toInteger)(double),
                                      bool isUnsigned, bool saturates) {
  unsigned width = getWidth(to);
  double low = isUnsigned ? 0 : -std::ldexp(1.0, int(width) - 1);
  double high = std::ldexp(1.0, int(width) - !isUnsigned);
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat x = rounding.read(operands[0]);
    auto convert = [&](double value) {
      double whole = toInteger(value);
      return saturates ? std::clamp(whole, low, high - 1) : whole;
    };
    double value = convert(x.value);
    double below = convert(x.value - x.error),
           above = convert(x.value + x.error);
    bool isDefined = below >= low && above < high && std::isfinite(x.error) &&
                     !std::isnan(x.value);
    if (!isDefined)
      return {0, kUnknown};
    auto number = isUnsigned ? int64_t(uint64_t(value)) : int64_t(value);
    return {wrap(to, number), std::max(value - below, above - value)};
  };
}

static Algebra::Function getToFloat(Type from, const Rounding &rounding,
                                    bool isUnsigned) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    const Scalar &number = operands[0];
    double value = isUnsigned || from.isInteger(1)
                       ? double(getUnsigned(from, number.number))
                       : double(number.number);
    if (from.isInteger(1) && !isUnsigned)
      value = -value;
    bool isExact = std::abs(value) <= std::ldexp(1.0, 53);
    return rounding.round(value, number.error, isExact);
  };
}

/// The bits of a float as an integer, which are unknown where it has an error,
/// and those of a NaN.
static Algebra::Function getBitsOfFloat(Type to, FloatType from,
                                        const TargetMath &target) {
  Rounding rounding(from, target);
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    BoundedFloat x = rounding.read(operands[0]);
    if (x.error > 0 || std::isnan(x.value) || !rounding.has(x.value))
      return {0, kUnknown};
    APFloat number(x.value);
    bool isInexact = false;
    number.convert(from.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &isInexact);
    return wrap(to, int64_t(number.bitcastToAPInt().getZExtValue()));
  };
}

static Algebra::Function getFloatOfBits(FloatType to, Type from) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    APInt bits(getWidth(from), getUnsigned(from, operands[0].number));
    double value = APFloat(to.getFloatSemantics(), bits).convertToDouble();
    return BoundedFloat(value, operands[0].error > 0 ? kUnknown : 0);
  };
}

FailureOr<Algebra::Function>
mlir::convoy::resolveConversion(StringRef name, Type to, Type from,
                                const TargetMath &target) {
  if (name == "arith.bitcast") {
    if (auto type = dyn_cast<FloatType>(to))
      return getFloatOfBits(type, from);
    return getBitsOfFloat(to, cast<FloatType>(from), target);
  }
  if (auto type = dyn_cast<FloatType>(to)) {
    bool isUnsigned =
        name == "arith.uitofp" || (name == "tosa.cast" && from.isInteger(1));
    if (name != "arith.sitofp" && name != "tosa.cast" && !isUnsigned)
      return failure();
    return getToFloat(from, Rounding(type, target), isUnsigned);
  }
  Rounding rounding(cast<FloatType>(from), target);
  if (name == "arith.fptosi" || name == "arith.fptoui")
    return getFromFloat(to, rounding, std::trunc, name == "arith.fptoui",
                        false);
  if (name == "tosa.cast" && !to.isInteger(1))
    return getFromFloat(to, rounding, std::nearbyint, false, true);
  return failure();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
using Operation2 = std::function<int64_t(int64_t, int64_t)>;

/// What errors of operands become.
enum class Spread {
  Lost,  ///< unknown where an operand has an error
  Sum,   ///< they add
  Worst, ///< the larger counts
};
} // namespace

/// Numbers with an error must not wrap, or nothing is known.
static double getError(unsigned width, int64_t value, double error) {
  if (error == 0)
    return 0;
  bool fits = width >= 64 ||
              std::abs(double(value)) + error < std::ldexp(1.0, int(width) - 1);
  return fits ? error : kUnknown;
}

static Algebra::Function getBinary(Type type, Spread spread,
                                   const Operation2 &compute) {
  unsigned width = getWidth(type);
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    const Scalar &a = operands[0], &b = operands[1];
    int64_t value = wrap(width, compute(a.number, b.number));
    double error = spread == Spread::Sum        ? a.error + b.error
                   : spread == Spread::Worst    ? std::max(a.error, b.error)
                   : a.error > 0 || b.error > 0 ? kUnknown
                                                : 0;
    return {value, getError(width, value, error)};
  };
}

static Algebra::Function getProduct(Type type) {
  unsigned width = getWidth(type);
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    const Scalar &a = operands[0], &b = operands[1];
    int64_t value =
        wrap(width, int64_t(uint64_t(a.number) * uint64_t(b.number)));
    double error = 0;
    if (a.error > 0 || b.error > 0)
      error = std::abs(double(a.number)) * b.error +
              std::abs(double(b.number)) * a.error + a.error * b.error;
    if (std::isnan(error))
      error = kUnknown;
    return {value, getError(width, value, error)};
  };
}

/// Division by 0, and of the smallest number by -1, is undefined.
static Algebra::Function getDivision(Type type, bool isRemainder,
                                     bool isUnsigned) {
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    int64_t a = operands[0].number, b = operands[1].number;
    bool overflows = !isUnsigned && b == -1 && wrap(type, -a) == a && a != 0;
    if (b == 0 || overflows || operands[0].error > 0 || operands[1].error > 0)
      return {0, kUnknown};
    if (isUnsigned) {
      uint64_t x = getUnsigned(type, a), y = getUnsigned(type, b);
      return wrap(type, int64_t(isRemainder ? x % y : x / y));
    }
    return wrap(type, isRemainder ? a % b : a / b);
  };
}

/// A quotient that is rounded down, or up.
static Algebra::Function getRoundedDivision(Type type, bool isUp,
                                            bool isUnsigned) {
  Algebra::Function divide = getDivision(type, false, isUnsigned),
                    remain = getDivision(type, true, isUnsigned);
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    Scalar quotient = divide(operands);
    int64_t rest = remain(operands).number;
    if (quotient.error > 0 || rest == 0)
      return quotient;
    // It is rounded towards zero.
    bool isNegative =
        !isUnsigned && (operands[0].number < 0) != (operands[1].number < 0);
    if (isUp != isNegative)
      quotient.number = wrap(type, quotient.number + (isUp ? 1 : -1));
    return quotient;
  };
}

static Algebra::Function getShift(Type type, StringRef name) {
  unsigned width = getWidth(type);
  bool isLeft = name == "arith.shli", isLogical = name == "arith.shrui";
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    int64_t a = operands[0].number, by = operands[1].number;
    if (by < 0 || by >= int64_t(width) || operands[0].error > 0 ||
        operands[1].error > 0)
      return {0, kUnknown};
    if (isLeft)
      return wrap(type, int64_t(uint64_t(a) << by));
    return wrap(type,
                isLogical ? int64_t(getUnsigned(type, a) >> by) : a >> by);
  };
}

static FailureOr<Algebra::Function> getComparison(DictionaryAttr attributes,
                                                  Type type) {
  auto number = attributes.getAs<IntegerAttr>("predicate");
  auto predicate =
      number ? arith::symbolizeCmpIPredicate(uint64_t(number.getInt()))
             : std::nullopt;
  if (!predicate)
    return failure();
  return Algebra::Function([=, predicate = *predicate](
                               ArrayRef<Scalar> operands) -> Scalar {
    const Scalar &a = operands[0], &b = operands[1];
    unsigned width = getWidth(type);
    APInt x(width, getUnsigned(type, a.number)),
        y(width, getUnsigned(type, b.number));
    double error = a.error + b.error;
    bool isCertain =
        error == 0 || std::abs(double(a.number) - double(b.number)) > error;
    return {arith::applyCmpPredicate(predicate, x, y), isCertain ? 0.0 : 1.0};
  });
}

/// TOSA's apply_scale_32: value * multiplier / 2^shift, rounded half up, or
/// away from zero where `rounding_mode` is DOUBLE_ROUND and the shift is large.
static Algebra::Function getScale(DictionaryAttr attributes) {
  std::string mode;
  llvm::raw_string_ostream os(mode);
  if (Attribute attribute = attributes.get("rounding_mode"))
    attribute.print(os);
  bool isDouble = StringRef(mode).contains("DOUBLE_ROUND");
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    int64_t value = operands[0].number, multiplier = operands[1].number,
            shift = operands[2].number;
    if (shift < 2 || shift > 62 || operands[0].error > 0)
      return {0, kUnknown};
    int64_t round = int64_t(1) << (shift - 1);
    if (isDouble && shift > 31)
      round += value >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
    int64_t scaled = (value * multiplier + round) >> shift;
    return llvm::SignExtend64<32>(uint64_t(scaled));
  };
}

/// Widenings and narrowings.
static Algebra::Function getCast(StringRef name, Type to, Type from) {
  bool isUnsigned = name == "arith.extui" || name == "arith.index_castui" ||
                    (name == "tosa.cast" && from.isInteger(1));
  bool isKnown = isUnsigned || name == "arith.extsi" ||
                 name == "arith.trunci" || name == "arith.index_cast" ||
                 name == "tosa.cast";
  if (!isKnown)
    return nullptr;
  bool isTest = name == "tosa.cast" && to.isInteger(1);
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    const Scalar &x = operands[0];
    int64_t number = isUnsigned          ? int64_t(getUnsigned(from, x.number))
                     : from.isInteger(1) ? -x.number
                                         : x.number;
    if (isTest)
      return {number != 0, x.error > 0 ? 1.0 : 0.0};
    return {wrap(to, number), getError(getWidth(to), number, x.error)};
  };
}

static Algebra::Function resolveBinary(StringRef name, Type type) {
  using Number = int64_t;
  Operation2 least = [](Number a, Number b) { return std::min(a, b); };
  Operation2 most = [](Number a, Number b) { return std::max(a, b); };
  auto asUnsigned = [type](bool isMax) -> Operation2 {
    return [=](Number a, Number b) {
      bool isLess = getUnsigned(type, a) < getUnsigned(type, b);
      return isLess == isMax ? b : a;
    };
  };
  auto make = [&](Spread spread, const Operation2 &compute) {
    return getBinary(type, spread, compute);
  };
  return llvm::StringSwitch<std::function<Algebra::Function()>>(name)
      .Case("arith.addi",
            [&] {
              return make(Spread::Sum, [](Number a, Number b) {
                return Number(uint64_t(a) + uint64_t(b));
              });
            })
      .Case("arith.subi",
            [&] {
              return make(Spread::Sum, [](Number a, Number b) {
                return Number(uint64_t(a) - uint64_t(b));
              });
            })
      .Case("arith.muli", [&] { return getProduct(type); })
      .Case("arith.minsi", [&] { return make(Spread::Worst, least); })
      .Case("arith.maxsi", [&] { return make(Spread::Worst, most); })
      .Case("arith.minui",
            [&] { return make(Spread::Lost, asUnsigned(false)); })
      .Case("arith.maxui", [&] { return make(Spread::Lost, asUnsigned(true)); })
      .Case("arith.andi",
            [&] { return make(Spread::Lost, std::bit_and<Number>()); })
      .Case("arith.ori",
            [&] { return make(Spread::Lost, std::bit_or<Number>()); })
      .Case("arith.xori",
            [&] { return make(Spread::Lost, std::bit_xor<Number>()); })
      .Case("arith.divsi", [&] { return getDivision(type, false, false); })
      .Case("arith.divui", [&] { return getDivision(type, false, true); })
      .Case("arith.floordivsi",
            [&] { return getRoundedDivision(type, false, false); })
      .Case("arith.ceildivsi",
            [&] { return getRoundedDivision(type, true, false); })
      .Case("arith.ceildivui",
            [&] { return getRoundedDivision(type, true, true); })
      .Case("arith.remsi", [&] { return getDivision(type, true, false); })
      .Case("arith.remui", [&] { return getDivision(type, true, true); })
      .Cases({"arith.shli", "arith.shrsi", "arith.shrui"},
             [&] { return getShift(type, name); })
      .Default([] { return Algebra::Function(); })();
}

FailureOr<Algebra::Function>
mlir::convoy::resolveIntegerOp(StringRef name, DictionaryAttr attributes,
                               Type type, ArrayRef<Type> types) {
  if (types.empty() || getWidth(type) > 64 || getWidth(types.back()) > 64)
    return failure();
  if (name == "arith.cmpi")
    return getComparison(attributes, types.back());
  if (name == "tosa.apply_scale")
    return getScale(attributes);
  Algebra::Function function;
  if (name == "arith.select")
    function = [](ArrayRef<Scalar> operands) -> Scalar {
      const Scalar &chosen = operands[operands[0].number ? 1 : 2];
      const Scalar &other = operands[operands[0].number ? 2 : 1];
      double apart = std::abs(double(chosen.number) - double(other.number));
      return {chosen.number, std::max(chosen.error, apart + other.error)};
    };
  else if (name == "math.absi")
    function = [type](ArrayRef<Scalar> operands) -> Scalar {
      return {wrap(type, std::abs(operands[0].number)), operands[0].error};
    };
  else
    function = types.size() == 1 ? getCast(name, type, types[0])
                                 : resolveBinary(name, type);
  if (!function)
    return failure();
  return function;
}
