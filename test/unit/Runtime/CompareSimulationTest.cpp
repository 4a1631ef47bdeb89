//===- CompareSimulationTest.cpp - Right results are not rejected ---------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Compare.h"

#include "SimulatedSums.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace convoy;

namespace {
class CompareSimulationTest : public testing::TestWithParam<SumTarget> {};
} // namespace

TEST_P(CompareSimulationTest, RightResultsPass) {
  const SumTarget &target = GetParam();
  std::mt19937 random(1);
  double worst = 0;
  for (DataKind kind : {DataKind::Int, DataKind::Uniform, DataKind::Normal,
                        DataKind::Range, DataKind::Cancel, DataKind::Special})
    for (bool init : {false, true}) {
      ConvFixture conv = makeSums(target, 10);
      conv.generate(kind, 100 + static_cast<uint64_t>(kind), init);
      ReferenceResult reference = conv.reference(/*operandSums=*/true);
      for (SumMethod method : allSumMethods()) {
        simulate(conv, SimulatedSum(target, method, random));
        CompareOptions options;
        options.target = target.arithmetic;
        options.exact = kind == DataKind::Int;
        options.drawn = !options.exact;
        CompareReport report =
            compareWithReference(reference, Direction::Forward, conv.numerics(),
                                 conv.index(Operand::Output),
                                 conv.array(Operand::Output).data(), options);
        ASSERT_TRUE(report.passed())
            << dataKindName(kind) << ", order " << method.order << ", fused "
            << method.fused << ", init " << init << ": " << toString(report);
        ASSERT_EQ(report.suspicious, 0) << toString(report);
        worst = std::max(worst, report.worstRatio);
      }
    }
  EXPECT_GT(worst, 0);
  EXPECT_LE(worst, 1);
}

TEST(CompareSimulationTest, TheBoundIsNearlyReached) {
  ConvFixture conv = makeStagnatingSums();
  EXPECT_EQ(conv.array(Operand::Output).at(0), 1);
  CompareReport report = compareWithReference(
      conv.reference(), Direction::Forward, conv.numerics(),
      conv.index(Operand::Output), conv.array(Operand::Output).data());
  EXPECT_TRUE(report.passed());
  EXPECT_GT(report.worstRatio, 0.8);
}

static std::vector<SumTarget> allTargets() {
  constexpr ScalarType F32 = ScalarType::F32, F16 = ScalarType::F16,
                       BF16 = ScalarType::BF16;
  std::vector<SumTarget> targets = {
      {ScalarType::F64, ScalarType::F64, ScalarType::F64, {}, 300}};
  for (TargetArithmetic arithmetic :
       {TargetArithmetic{true, false}, TargetArithmetic{false, false},
        TargetArithmetic{true, true}, TargetArithmetic{false, true}}) {
    targets.push_back({F32, F32, F32, arithmetic, 300});
    targets.push_back({F16, F32, F16, arithmetic, 300});
    targets.push_back({BF16, F32, BF16, arithmetic, 300});
    targets.push_back({F16, F32, F32, arithmetic, 100});
    // One below the refused lengths, the init counted.
    int64_t half = arithmetic.roundsToNearest ? 1 : 2;
    targets.push_back({F16, F16, F16, arithmetic, 256 / half - 2});
    targets.push_back({BF16, BF16, BF16, arithmetic, 32 / half - 2});
  }
  return targets;
}

INSTANTIATE_TEST_SUITE_P(
    Targets, CompareSimulationTest, testing::ValuesIn(allTargets()),
    [](const auto &info) {
      const SumTarget &target = info.param;
      std::string name;
      for (ScalarType type :
           {target.operands, target.accumulator, target.result})
        name += std::string(scalarTypeName(type)) + "_";
      name += target.arithmetic.roundsToNearest ? "Nearest" : "TowardZero";
      return name + (target.arithmetic.flushesSubnormals ? "Flushed" : "");
    });
