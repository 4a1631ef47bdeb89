//===- NumberRangeTest.cpp - Ranges hold for what is computed -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of random ranges are computed with in f16 and bf16, in all rounding
// modes and orders of summation, with subnormal numbers kept and flushed: what
// comes out is in the range that was promised.
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Numerics/NumberRange.h"
#include "convoy/Transforms/Numerics/RangeAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::convoy;

namespace {

constexpr APFloat::roundingMode kModes[] = {
    APFloat::rmNearestTiesToEven, APFloat::rmTowardPositive,
    APFloat::rmTowardNegative, APFloat::rmTowardZero};

bool contains(const NumberRange &range, double value) {
  if (!std::isfinite(value))
    return !range.isFinite;
  if (value == 0)
    return range.hasZero();
  return value >= range.low && value <= range.high &&
         std::abs(value) >= range.smallest;
}

/// Arithmetic of a type.
struct Arithmetic {
  FloatType type;
  APFloat::roundingMode mode = APFloat::rmNearestTiesToEven;
  bool flushes = false;

  APFloat make(double value) const {
    APFloat number(value);
    bool losesInfo;
    number.convert(type.getFloatSemantics(), mode, &losesInfo);
    return flush(number);
  }
  APFloat flush(APFloat number) const {
    return flushes && number.isDenormal()
               ? APFloat::getZero(type.getFloatSemantics())
               : number;
  }
  double add(double a, double b) const {
    APFloat sum = make(a);
    sum.add(make(b), mode);
    return flush(sum).convertToDouble();
  }
  double multiply(double a, double b) const {
    APFloat product = make(a);
    product.multiply(make(b), mode);
    return flush(product).convertToDouble();
  }
  double divide(double a, double b) const {
    APFloat quotient = make(a);
    quotient.divide(make(b), mode);
    return flush(quotient).convertToDouble();
  }
};

class NumberRangeTest : public testing::TestWithParam<bool> {
protected:
  FloatType getType() {
    return GetParam() ? FloatType(BFloat16Type::get(&context))
                      : FloatType(Float16Type::get(&context));
  }
  /// Numbers of the type, of all magnitudes up to 2^`exponent`.
  double drawNumber(int exponent) {
    std::uniform_real_distribution<double> logarithm(-26, exponent);
    double value = std::exp2(logarithm(random));
    return Arithmetic{getType()}
        .make(random() % 2 ? value : -value)
        .convertToDouble();
  }
  /// A few numbers, which may be zero.
  std::vector<double> drawNumbers(int exponent) {
    std::vector<double> numbers(1 + random() % 5);
    bool haveOneSign = random() % 2;
    for (double &number : numbers) {
      number = random() % 8 == 0 ? 0 : drawNumber(exponent);
      if (haveOneSign)
        number = std::abs(number);
    }
    return numbers;
  }
  static NumberRange getRange(const std::vector<double> &numbers) {
    NumberRange range = NumberRange::constant(numbers.front());
    for (double number : numbers)
      range = join(range, NumberRange::constant(number));
    return range;
  }

  MLIRContext context;
  std::mt19937_64 random{1};
};

TEST_P(NumberRangeTest, PairsStayInTheirRange) {
  FloatType type = getType();
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<double> first = drawNumbers(15), second = drawNumbers(15);
    NumberRange a = fit(getRange(first), type), b = fit(getRange(second), type);
    NumberRange sum = fit(add(a, b), type), product = fit(multiply(a, b), type),
                quotient = fit(divide(a, b), type);
    for (APFloat::roundingMode mode : kModes)
      for (bool flushes : {false, true}) {
        Arithmetic target{type, mode, flushes};
        for (double x : first)
          for (double y : second) {
            EXPECT_TRUE(contains(sum, target.add(x, y))) << x << " + " << y;
            EXPECT_TRUE(contains(product, target.multiply(x, y)))
                << x << " * " << y;
            EXPECT_TRUE(contains(quotient, target.divide(x, y)))
                << x << " / " << y;
          }
      }
  }
}

TEST_P(NumberRangeTest, SumsStayInTheirRange) {
  FloatType type = getType();
  int finite = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<double> first = drawNumbers(8), second = drawNumbers(8),
                        inits = drawNumbers(15);
    size_t length = 1 + random() % (GetParam() ? 30 : 200);
    NumberRange term =
        multiply(fit(getRange(first), type), fit(getRange(second), type));
    SumRange bound(double(length), term, fit(getRange(inits), type));
    NumberRange range = bound.fitSum(type);
    finite += range.isFinite;
    Arithmetic target{type, kModes[random() % 4], random() % 2 == 0};
    // Terms may be missing; the init is added anywhere; sums may be trees.
    std::vector<double> partial = {inits[random() % inits.size()]};
    bool isFull = random() % 2;
    for (size_t i = 0; i < length; ++i)
      if (isFull || random() % 4)
        partial.push_back(target.multiply(first[random() % first.size()],
                                          second[random() % second.size()]));
    std::shuffle(partial.begin(), partial.end(), random);
    bool isTree = random() % 2;
    while (partial.size() > 1) {
      size_t last = partial.size() - 1;
      size_t other = isTree ? random() % last : 0;
      partial[other] = target.add(partial[other], partial[last]);
      if (bound.getPeak(type) < NumberRange::allOf(type).high) {
        EXPECT_LE(std::abs(partial[other]), bound.getPeak(type));
      }
      partial.pop_back();
    }
    EXPECT_TRUE(contains(range, partial[0]))
        << partial[0] << " of " << length << " terms in [" << range.low << ", "
        << range.high << "] from " << range.smallest;
  }
  // Something was promised.
  EXPECT_GT(finite, 100);
}

TEST_P(NumberRangeTest, OnlyProvedSumsAreFinite) {
  FloatType type = getType();
  double largest = NumberRange::allOf(type).high;
  NumberRange half = NumberRange::between(0, largest / 2);
  EXPECT_TRUE(
      SumRange(1, half, NumberRange::constant(0)).fitSum(type).isFinite);
  EXPECT_FALSE(
      SumRange(2, half, NumberRange::constant(0)).fitSum(type).isFinite);
  EXPECT_FALSE(SumRange(1, half, half).fitSum(type).isFinite);
}

/// The range of an op on numbers of `ranges`, as getExactRange gives it.
template <typename OpTy>
std::optional<NumberRange> getRangeOf(MLIRContext &context, Type type,
                                      ArrayRef<NumberRange> ranges) {
  context.loadDialect<arith::ArithDialect, math::MathDialect>();
  Location loc = UnknownLoc::get(&context);
  Block block;
  SmallVector<Value> operands;
  for (size_t i = 0; i < ranges.size(); ++i)
    operands.push_back(block.addArgument(type, loc));
  OpBuilder builder(&context);
  builder.setInsertionPointToEnd(&block);
  OperationState state(loc, OpTy::getOperationName(), operands, type);
  return getExactRange(builder.create(state), ranges);
}

TEST_P(NumberRangeTest, FunctionsStayInTheirRange) {
  FloatType type = getType();
  auto check = [&](auto op, int exponent, double (*function)(double)) {
    int known = 0;
    for (int trial = 0; trial < 3000; ++trial) {
      std::vector<double> numbers = drawNumbers(exponent);
      std::optional<NumberRange> exact = getRangeOf<decltype(op)>(
          context, type, {fit(getRange(numbers), type)});
      if (!exact)
        continue;
      NumberRange range = fit(*exact, type);
      known += range.isFinite;
      for (APFloat::roundingMode mode : kModes)
        for (bool flushes : {false, true}) {
          Arithmetic target{type, mode, flushes};
          for (double x : numbers) {
            double value =
                target.make(function(target.make(x).convertToDouble()))
                    .convertToDouble();
            EXPECT_TRUE(contains(range, value))
                << value << " of " << x << " in [" << range.low << ", "
                << range.high << "] from " << range.smallest;
          }
        }
    }
    // Something was promised.
    EXPECT_GT(known, 300);
  };
  check(math::Exp2Op(), 4, [](double x) { return std::exp2(x); });
  check(math::LogOp(), 15, [](double x) { return std::log(x); });
  check(math::RsqrtOp(), 15, [](double x) { return 1 / std::sqrt(x); });
}

INSTANTIATE_TEST_SUITE_P(Types, NumberRangeTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &info) {
                           return info.param ? "BF16" : "F16";
                         });

TEST(NumberRange, Integers) {
  MLIRContext context;
  Builder builder(&context);
  Type i8 = builder.getIntegerType(8);
  NumberRange all = NumberRange::allOf(i8);
  EXPECT_EQ(all.low, -128);
  EXPECT_EQ(all.high, 127);
  EXPECT_FALSE(mayOverflow(all, i8));
  EXPECT_TRUE(mayOverflow(negate(all), i8));
  EXPECT_EQ(multiply(all, all).high, 16384);
  EXPECT_EQ(multiply(all, all).low, -16256);
  // Wraps around: nothing is known of it but its type.
  EXPECT_EQ(fit(add(all, all), i8), all);
}

/// What `function` gives of all pairs of `width` bits is in the range of
/// `OpTy`. Pairs for which it gives nothing have no meaning.
template <typename OpTy, typename Function>
void checkIntegers(Function function, int fewestKnown = 300) {
  MLIRContext context;
  constexpr int Bits = 6;
  Type type = Builder(&context).getIntegerType(Bits);
  std::mt19937_64 random(1);
  int known = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    int a = int(random() % 64) - 32, b = int(random() % 64) - 32,
        c = int(random() % 64) - 32, d = int(random() % 64) - 32;
    if (trial % 2) // shifts are small
      std::tie(c, d) = std::pair(c & 7, d & 7);
    auto [a0, a1] = std::minmax(a, b);
    auto [b0, b1] = std::minmax(c, d);
    std::optional<NumberRange> exact = getRangeOf<OpTy>(
        context, type,
        {NumberRange::between(a0, a1), NumberRange::between(b0, b1)});
    if (!exact)
      continue;
    NumberRange range = fit(*exact, type);
    known += range.isNarrowerThan(type);
    for (int x = a0; x <= a1; ++x)
      for (int y = b0; y <= b1; ++y) {
        std::optional<APInt> value =
            function(APInt(Bits, x, true), APInt(Bits, y, true));
        ASSERT_TRUE(value) << x << ", " << y;
        EXPECT_TRUE(contains(range, double(value->getSExtValue())))
            << value->getSExtValue() << " of " << x << ", " << y << " in ["
            << range.low << ", " << range.high << "]";
      }
  }
  // Something was promised.
  EXPECT_GT(known, fewestKnown);
}

TEST(NumberRange, ShiftsAndQuotients) {
  using Result = std::optional<APInt>;
  checkIntegers<arith::ShRSIOp>([](const APInt &x, const APInt &y) {
    return y.ult(x.getBitWidth()) ? Result(x.ashr(y)) : Result();
  });
  checkIntegers<arith::ShRUIOp>([](const APInt &x, const APInt &y) {
    return y.ult(x.getBitWidth()) ? Result(x.lshr(y)) : Result();
  });
  checkIntegers<arith::DivSIOp>([](const APInt &x, const APInt &y) {
    return y.isZero() ? Result() : Result(x.sdiv(y));
  });
}

TEST(NumberRange, BitsWithoutASign) {
  using Result = std::optional<APInt>;
  checkIntegers<arith::AndIOp>(
      [](const APInt &x, const APInt &y) { return Result(x & y); });
  // Most leave the type.
  checkIntegers<arith::ShLIOp>(
      [](const APInt &x, const APInt &y) {
        return y.ult(x.getBitWidth()) ? Result(x.shl(y)) : Result();
      },
      /*fewestKnown=*/50);
  checkIntegers<arith::MinUIOp>([](const APInt &x, const APInt &y) {
    return Result(llvm::APIntOps::umin(x, y));
  });
  checkIntegers<arith::MaxUIOp>([](const APInt &x, const APInt &y) {
    return Result(llvm::APIntOps::umax(x, y));
  });
}

TEST(NumberRange, BoundsOfIntegersAreReached) {
  MLIRContext context;
  Type i64 = Builder(&context).getI64Type();
  auto getRange = [&](auto op, double low, double high, double other) {
    return *getRangeOf<decltype(op)>(
        context, i64,
        {NumberRange::between(low, high), NumberRange::constant(other)});
  };
  EXPECT_EQ(getRange(arith::ShRSIOp(), -5, 9, 1).low, -3);
  EXPECT_EQ(getRange(arith::ShRSIOp(), -5, 9, 1).high, 4);
  EXPECT_EQ(getRange(arith::DivSIOp(), -7, 9, 2).low, -3);
  EXPECT_EQ(getRange(arith::DivSIOp(), -7, 9, 2).high, 4);
  EXPECT_EQ(getRange(arith::DivSIOp(), 7, 7, 7), NumberRange::constant(1));
  EXPECT_EQ(getRange(arith::DivSIOp(), 1, 3, 4), NumberRange::constant(0));
}

TEST(NumberRange, IntersectionsAreNotEmpty) {
  NumberRange low = NumberRange::between(-2, -1),
              high = NumberRange::between(1, 2);
  EXPECT_EQ(intersect(low, high), low);
  EXPECT_EQ(intersect(NumberRange::between(-3, 1.5), high),
            NumberRange::between(1, 1.5));
}

} // namespace
