//===- NarrowFloatTest.cpp - What kernels do with floats of 16 bits -------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions and arithmetic are compiled for a CPU that has instructions for
// them, if this one does, and for one that has none. The runtime's SmallFloat
// says what is right.
//
//===----------------------------------------------------------------------===//

#include "ElementKernel.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ::convoy;
using namespace mlir;

namespace {
struct NarrowFloat {
  const char *cpu;
  ScalarType narrow, wide;

  /// Beyond the largest number: 2^(emax+1).
  double limit() const {
    return std::ldexp(1.0, floatFormat(narrow).maxExponent + 1);
  }
  double next(double value, double towards) const {
    return wide == ScalarType::F64
               ? std::nextafter(value, towards)
               : std::nextafterf(float(value), float(towards));
  }
};

class NarrowFloatTest : public testing::TestWithParam<NarrowFloat> {
protected:
  /// Every number of the narrow type, in order of their bits.
  HostArray allNarrow() const {
    HostArray values(GetParam().narrow, {0x10000});
    for (uint32_t bits = 0; bits < 0x10000; ++bits)
      reinterpret_cast<uint16_t *>(values.data())[bits] = uint16_t(bits);
    return values;
  }
  HostArray run(StringRef body, const std::vector<HostArray> &inputs,
                ScalarType resultType) const {
    return runElementwise(GetParam().cpu, body, inputs, resultType);
  }
};
} // namespace

static std::string getName(ScalarType type) {
  return std::string(scalarTypeName(type));
}

/// Expects the same numbers, zeros with their signs.
static void expectSame(double actual, double expected, double of) {
  if (std::isnan(expected)) {
    ASSERT_TRUE(std::isnan(actual)) << of;
    return;
  }
  ASSERT_EQ(actual, expected) << of;
  ASSERT_EQ(std::signbit(actual), std::signbit(expected)) << of;
}

/// `value` as the type `type` holds it.
static double rounded(ScalarType type, double value) {
  HostArray one(type, {1});
  one.set(0, value);
  return one.at(0);
}

TEST_P(NarrowFloatTest, EveryNumberExtends) {
  const NarrowFloat &types = GetParam();
  HostArray values = allNarrow();
  std::string body = "%r = arith.extf %a : " + getName(types.narrow) + " to " +
                     getName(types.wide);
  HostArray result = run(body, {values}, types.wide);
  for (int64_t i = 0; i < values.elementCount(); ++i)
    expectSame(result.at(i), values.at(i), double(i));
}

/// Each number, the middle between it and the next, and that middle's
/// neighbours in the wide type: a second rounding would lose them.
TEST_P(NarrowFloatTest, NumbersBetweenNeighboursRoundToNearest) {
  const NarrowFloat &types = GetParam();
  double infinity = std::numeric_limits<double>::infinity();
  double nan = std::numeric_limits<double>::quiet_NaN();
  FloatFormat wide = floatFormat(types.wide);
  std::vector<double> numbers = {
      infinity,       nan,      types.limit(),           0x1p-130,
      wide.largest(), 0x1p-149, wide.smallestSubnormal()};
  HostArray values = allNarrow();
  for (int64_t i = 0; values.at(i) < infinity; ++i) {
    double low = values.at(i);
    double high = std::min(values.at(i + 1), types.limit());
    double middle = (low + high) / 2;
    for (double number :
         {low, middle, types.next(middle, 0), types.next(middle, infinity)})
      numbers.push_back(number);
  }
  HostArray inputs(types.wide, {int64_t(2 * numbers.size())});
  for (auto [i, number] : llvm::enumerate(numbers)) {
    inputs.set(int64_t(2 * i), number);
    inputs.set(int64_t(2 * i + 1), -number);
  }
  std::string body = "%r = arith.truncf %a : " + getName(types.wide) + " to " +
                     getName(types.narrow);
  HostArray result = run(body, {inputs}, types.narrow);
  for (int64_t i = 0; i < inputs.elementCount(); ++i)
    expectSame(result.at(i), rounded(types.narrow, inputs.at(i)), inputs.at(i));
}

TEST_P(NarrowFloatTest, SumsAndProductsRoundOnce) {
  const NarrowFloat &types = GetParam();
  HostArray values = allNarrow(), others = allNarrow();
  std::mt19937 random(1);
  std::span<uint16_t> bits(reinterpret_cast<uint16_t *>(others.data()),
                           0x10000);
  std::shuffle(bits.begin(), bits.end(), random);
  for (bool isSum : {true, false}) {
    std::string body =
        std::string(isSum ? "%r = arith.addf" : "%r = arith.mulf") +
        " %a, %b : " + getName(types.narrow);
    HostArray result = run(body, {values, others}, types.narrow);
    for (int64_t i = 0; i < values.elementCount(); ++i) {
      double a = values.at(i), b = others.at(i);
      expectSame(result.at(i), rounded(types.narrow, isSum ? a + b : a * b), a);
    }
  }
}

static std::vector<NarrowFloat> allTypes() {
  std::vector<NarrowFloat> types;
  for (const char *cpu : {"generic", "host"})
    for (ScalarType narrow : {ScalarType::F16, ScalarType::BF16})
      for (ScalarType wide : {ScalarType::F32, ScalarType::F64})
        types.push_back({cpu, narrow, wide});
  return types;
}

INSTANTIATE_TEST_SUITE_P(Types, NarrowFloatTest, testing::ValuesIn(allTypes()),
                         [](const auto &info) {
                           return info.param.cpu +
                                  ("_" + getName(info.param.narrow)) + "_" +
                                  getName(info.param.wide);
                         });
