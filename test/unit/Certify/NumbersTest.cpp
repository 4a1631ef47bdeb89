//===- NumbersTest.cpp - Numbers and how rounding moves them ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms/Numbers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::convoy::certify;

namespace {

class NumbersTest : public testing::Test {
protected:
  std::optional<Number> apply(StringRef name, Type type,
                              ArrayRef<Number> numbers) {
    // Not simplified.
    Expr expr{};
    expr.kind = Expr::Kind::Apply;
    expr.type = type;
    expr.name = name;
    expr.attributes = DictionaryAttr::get(&context);
    expr.operands.assign(numbers.size(),
                         makeConstant(builder.getZeroAttr(type)));
    return applyToNumbers(expr, numbers);
  }

  static Number constant(float value) {
    return *Real::get(llvm::APFloat(value));
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  Builder builder{&context};
};

// What f32 computes lies where its number says.
TEST_F(NumbersTest, HoldWhatIsRounded) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> draw(-4, 4);
  Type f32 = builder.getF32Type();
  for (int round = 0; round < 20'000; ++round) {
    float exact = draw(random);
    Number number = constant(exact);
    for (int step = 0; step < 6; ++step) {
      float other = draw(random);
      std::optional<Number> next;
      switch (random() % 4) {
      case 0:
        exact = exact + other;
        next = apply("arith.addf", f32, {number, constant(other)});
        break;
      case 1:
        exact = exact - other;
        next = apply("arith.subf", f32, {number, constant(other)});
        break;
      case 2:
        exact = exact * other;
        next = apply("arith.mulf", f32, {number, constant(other)});
        break;
      case 3:
        exact = exact / other;
        next = apply("arith.divf", f32, {number, constant(other)});
        break;
      }
      ASSERT_TRUE(next);
      number = *next;
      Real real = std::get<Real>(number);
      EXPECT_LE(std::abs(real.value - double(exact)), real.slack)
          << "round " << round << ", step " << step;
    }
  }
}

TEST_F(NumbersTest, OfWholeNumbersAreExact) {
  Type f16 = builder.getF16Type();
  Number two = Real{2}, three = Real{3};
  EXPECT_TRUE(areApart(*apply("arith.mulf", f16, {two, three}), Real{5}));
  EXPECT_FALSE(areApart(*apply("arith.mulf", f16, {two, three}), Real{6}));
  EXPECT_EQ(std::get<Real>(*apply("arith.divf", f16, {Real{6}, two})).slack, 0);
  EXPECT_GT(std::get<Real>(*apply("arith.divf", f16, {two, three})).slack, 0);
}

TEST_F(NumbersTest, EndWhereNothingIsKnown) {
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type();
  Number half = constant(0.5F);
  EXPECT_FALSE(apply("arith.mulf", f16, {half, Real{1e6}}));
  EXPECT_FALSE(apply("arith.divf", f32, {Real{1}, Real{0}}));
  // A divisor that rounding may make zero.
  Number tenth = constant(0.1F);
  Number rest = *apply("arith.subf", f32, {tenth, tenth});
  EXPECT_FALSE(apply("arith.divf", f32, {Real{1}, rest}));
  // More than double holds.
  EXPECT_FALSE(apply("arith.mulf", f32, {Real{1e12}, Real{1e12}}));
  Number infinity = Real{std::numeric_limits<double>::infinity()};
  EXPECT_FALSE(apply("arith.addf", f32, {Real{1}, infinity}));
  EXPECT_FALSE(apply("math.exp", f32, {Real{1}}));
}

TEST_F(NumbersTest, AreChosenBetweenInfinities) {
  Type f32 = builder.getF32Type();
  Number lowest = Real{-std::numeric_limits<double>::infinity()};
  EXPECT_FALSE(areApart(*chooseNumber("arith.maximumf", f32, lowest, Real{-3}),
                        Real{-3}));
  EXPECT_TRUE(areApart(lowest, Real{0}));
  EXPECT_FALSE(areApart(lowest, lowest));
}

} // namespace
