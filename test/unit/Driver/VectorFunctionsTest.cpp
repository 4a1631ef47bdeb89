//===- VectorFunctionsTest.cpp - How far off functions of kernels are -----===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of f32 are compiled for a CPU with fused multiply-adds, if this one
// has them, and for one without, and compared with C's library in double, over
// all exponents of both signs. docs/Numerics.md has the errors allowed here.
//
//===----------------------------------------------------------------------===//

#include "ElementKernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace ::convoy;

namespace {
struct Function {
  const char *cpu, *name;
  double (*exact)(double);
  double units; ///< in the last place of the exact result
};

class VectorFunctionsTest : public testing::TestWithParam<Function> {
protected:
  HostArray run(const HostArray &numbers) const {
    return runElementwise(GetParam().cpu,
                          std::string("%r = math.") + GetParam().name +
                              " %a : f32",
                          {numbers}, ScalarType::F32);
  }
};
} // namespace

static HostArray toArray(llvm::ArrayRef<float> numbers) {
  HostArray array(ScalarType::F32, {int64_t(numbers.size())});
  llvm::copy(numbers, reinterpret_cast<float *>(array.data()));
  return array;
}

/// A unit in the last place of a float next to `value`.
static double getUnit(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent, -125) - 24);
}

/// All exponents in both signs, each with the lowest and the highest mantissas
/// and some between; with most from 2^-12 to 2^7, where functions bend.
static std::vector<float> drawNumbers() {
  std::mt19937 random(1);
  std::vector<float> numbers;
  for (uint32_t exponent = 0; exponent < 255; ++exponent) {
    bool bends = exponent >= 115 && exponent < 134;
    for (uint32_t step = 0; step < (bends ? 20000 : 500); ++step)
      for (uint32_t mantissa :
           {step < 100 ? step : uint32_t(random() & 0x7fffff), 0x7fffff - step})
        for (uint32_t sign : {0u, 1u << 31})
          numbers.push_back(
              llvm::bit_cast<float>(sign | exponent << 23 | mantissa));
  }
  return numbers;
}

TEST_P(VectorFunctionsTest, IsAsExactAsDocumented) {
  std::vector<float> numbers = drawNumbers();
  HostArray results = run(toArray(numbers));
  double worst = 0;
  float where = 0;
  for (auto [i, number] : llvm::enumerate(numbers)) {
    double exact = GetParam().exact(number), result = results.at(int64_t(i));
    if (std::isnan(exact)) {
      ASSERT_TRUE(std::isnan(result)) << number;
      continue;
    }
    // Overflow, or a pole.
    if (std::isinf(float(exact)) || std::isinf(result)) {
      ASSERT_EQ(result, float(exact)) << number;
      continue;
    }
    double error = std::abs(result - exact) / getUnit(exact);
    if (error > worst) {
      worst = error;
      where = number;
    }
  }
  EXPECT_LE(worst, GetParam().units) << "at " << where;
  RecordProperty("worst", std::to_string(worst));
}

TEST_P(VectorFunctionsTest, SpecialNumbersAreAsInC) {
  constexpr float Infinity = std::numeric_limits<float>::infinity();
  constexpr float NaN = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> numbers = {0.0f, -0.0f, Infinity, -Infinity,
                                NaN,  -NaN,  1.0f,     -1.0f};
  HostArray results = run(toArray(numbers));
  for (auto [i, number] : llvm::enumerate(numbers)) {
    double exact = GetParam().exact(number), result = results.at(int64_t(i));
    EXPECT_EQ(std::isnan(result), std::isnan(exact)) << number;
    if ((std::isfinite(number) && number != 0) || std::isnan(exact))
      continue;
    EXPECT_EQ(result, exact) << number;
    EXPECT_EQ(std::signbit(result), std::signbit(exact)) << number;
  }
}

static std::vector<Function> allFunctions() {
  std::vector<Function> functions;
  for (const char *cpu : {"generic", "host"})
    for (const Function &function : {Function{cpu, "exp", std::exp, 2},
                                     {cpu, "exp2", std::exp2, 2},
                                     {cpu, "expm1", std::expm1, 2},
                                     {cpu, "log", std::log, 2},
                                     {cpu, "log1p", std::log1p, 2},
                                     {cpu, "tanh", std::tanh, 8},
                                     {cpu, "erf", std::erf, 8}})
      functions.push_back(function);
  return functions;
}

INSTANTIATE_TEST_SUITE_P(Functions, VectorFunctionsTest,
                         testing::ValuesIn(allFunctions()),
                         [](const auto &info) {
                           return std::string(info.param.cpu) + "_" +
                                  info.param.name;
                         });
