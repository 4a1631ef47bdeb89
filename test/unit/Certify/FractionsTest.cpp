//===- FractionsTest.cpp - Fractions behind rounded constants -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms/Fractions.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace mlir;
using namespace mlir::convoy::certify;

using llvm::APFloat;

namespace {

/// `top` / `bottom` rounded to numbers as `semantics` has them.
APFloat round(int64_t top, int64_t bottom,
              const llvm::fltSemantics &semantics) {
  APFloat value(semantics), divisor(semantics);
  value.convertFromAPInt(llvm::APInt(64, uint64_t(top)), /*IsSigned=*/true,
                         APFloat::rmNearestTiesToEven);
  divisor.convertFromAPInt(llvm::APInt(64, uint64_t(bottom)),
                           /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  value.divide(divisor, APFloat::rmNearestTiesToEven);
  return value;
}

TEST(FractionsTest, ReadsNumbersAsTheyAre) {
  EXPECT_EQ(*getFraction(APFloat(0.0f)), Fraction(0));
  EXPECT_EQ(*getFraction(APFloat(-0.375f)), Fraction(-3, 8));
  EXPECT_EQ(*getFraction(APFloat(1e10)), Fraction(10'000'000'000));
  EXPECT_EQ(*getFraction(APFloat(0x1p-149f)) * Fraction(int64_t(1) << 60) *
                Fraction(int64_t(1) << 60) * Fraction(int64_t(1) << 29),
            Fraction(1));
  EXPECT_FALSE(getFraction(APFloat::getInf(APFloat::IEEEsingle())));
  EXPECT_FALSE(getFraction(APFloat::getNaN(APFloat::IEEEsingle())));
}

TEST(FractionsTest, FindsEveryFractionOfASmallDenominator) {
  struct Case {
    const llvm::fltSemantics &semantics;
    int64_t most; ///< 2 to the half of its precision
  };
  for (const Case &one :
       {Case{APFloat::IEEEsingle(), 4096}, Case{APFloat::IEEEhalf(), 32},
        Case{APFloat::BFloat(), 16}})
    for (int64_t bottom = 1; bottom <= one.most; bottom += 1 + bottom / 60)
      for (int64_t top = -bottom; top <= bottom; top += 1 + bottom / 25) {
        if (std::gcd(top, bottom) != 1)
          continue;
        APFloat value = round(top, bottom, one.semantics);
        EXPECT_EQ(*getRoundedFraction(value), Fraction(top, bottom))
            << top << '/' << bottom;
      }
}

TEST(FractionsTest, LeavesOtherNumbersAsTheyAre) {
  for (float value : {0.3333f, 0.33333331f, 0.33333337f, 1.0000001f, 1e-30f})
    EXPECT_EQ(*getRoundedFraction(APFloat(value)), *getFraction(APFloat(value)))
        << value;
}

TEST(FractionsTest, MakesNumbersOnlyOfWhatTheyAre) {
  MLIRContext context;
  FloatType f32 = Float32Type::get(&context), f64 = Float64Type::get(&context);
  EXPECT_EQ(makeFloat(Fraction(-3, 8), f32), FloatAttr::get(f32, -0.375));
  EXPECT_FALSE(makeFloat(Fraction(1, 3), f64));
  EXPECT_FALSE(makeFloat(Fraction(16'777'217), f32));
  EXPECT_EQ(makeFloat(Fraction(16'777'217), f64),
            FloatAttr::get(f64, 16'777'217.0));
}

} // namespace
