//===- CompareSimulationTest.cpp - Right results are not rejected ---------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Compare.h"

#include "ConvFixture.h"
#include "SimulatedArithmetic.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace convoy;

namespace {

/// How a simulated target adds the terms of a sum up.
struct Method {
  enum Order { InOrder, Reversed, Shuffled, Tree, Split } order;
  bool fused;     ///< product and addition are rounded once
  bool initFirst; ///< else the init is added last
};

/// Types and promises of a simulated target, and lengths of its sums.
struct Target {
  ScalarType operands, accumulator, result;
  TargetArithmetic arithmetic;
  int64_t length;
};

/// One factor pair of a sum.
struct Term {
  double left, right;
};

/// Adds up sums as one target with one method would.
class Summer {
public:
  Summer(const Target &target, Method method, std::mt19937 &random)
      : operandArithmetic(target.operands, target.arithmetic),
        resultArithmetic(target.result, target.arithmetic),
        arithmetic(target.accumulator, target.arithmetic),
        sameType(target.accumulator == target.result), method(method),
        random(random) {}

  double sum(std::vector<Term> terms, const double *init) {
    for (Term &term : terms) {
      term.left = operandArithmetic.read(term.left);
      term.right = operandArithmetic.read(term.right);
    }
    if (method.order == Method::Reversed)
      std::reverse(terms.begin(), terms.end());
    if (method.order == Method::Shuffled)
      std::shuffle(terms.begin(), terms.end(), random);
    double start = init ? resultArithmetic.read(*init) : 0.0;
    double total = sumTerms(terms, init && method.initFirst ? start : 0.0);
    if (init && !method.initFirst)
      total = arithmetic.add(total, start);
    return sameType ? total : resultArithmetic.convert(total);
  }

private:
  double sumTerms(const std::vector<Term> &terms, double start) {
    if (method.order == Method::Tree)
      return arithmetic.add(start, sumTree(terms.data(), terms.size()));
    // A split reduction: partial sums of every seventh term.
    size_t parts = method.order == Method::Split ? 7 : 1;
    double total = start;
    for (size_t part = 0; part < parts; ++part) {
      double partial = parts == 1 ? total : 0.0;
      for (size_t i = part; i < terms.size(); i += parts)
        partial = accumulate(partial, terms[i]);
      total = parts == 1 ? partial : arithmetic.add(total, partial);
    }
    return total;
  }

  double sumTree(const Term *terms, size_t count) {
    if (count == 1)
      return arithmetic.multiply(terms->left, terms->right);
    size_t half = count / 2;
    return arithmetic.add(sumTree(terms, half),
                          sumTree(terms + half, count - half));
  }

  double accumulate(double sum, const Term &term) {
    if (method.fused)
      return arithmetic.fusedMultiplyAdd(term.left, term.right, sum);
    return arithmetic.add(sum, arithmetic.multiply(term.left, term.right));
  }

  SimulatedArithmetic operandArithmetic, resultArithmetic, arithmetic;
  bool sameType;
  Method method;
  std::mt19937 &random;
};

class CompareSimulationTest : public testing::TestWithParam<Target> {};

} // namespace

static std::vector<Method> allMethods() {
  std::vector<Method> methods;
  for (Method::Order order : {Method::InOrder, Method::Reversed,
                              Method::Shuffled, Method::Tree, Method::Split})
    for (bool fused : {false, true})
      for (bool initFirst : {false, true})
        methods.push_back({order, fused, initFirst});
  return methods;
}

/// A convolution of `target.length` channels and one position: its results are
/// plain sums.
static ConvFixture makeSums(const Target &target, int64_t count) {
  ConvFixture conv(Direction::Forward,
                   makeShape(2, 1, target.length, count, {makeSpatial(1, 1)}),
                   makeLayouts("nwc", "wfc", "nwf"));
  ConvNumerics numerics;
  numerics.types = {target.operands, target.operands, target.result};
  numerics.accumulator = target.accumulator;
  conv.setNumerics(numerics);
  return conv;
}

/// Computes every result of `conv` as the target would.
static void simulate(ConvFixture &conv, Summer summer) {
  const ConvShape &shape = conv.problem.shape;
  for (int64_t n = 0; n < shape.batch; ++n)
    for (int64_t f = 0; f < shape.outputChannels; ++f) {
      std::vector<Term> terms;
      for (int64_t c = 0; c < shape.inputChannels; ++c)
        terms.push_back(
            {conv.array(Operand::Input).at(n * shape.inputChannels + c),
             conv.array(Operand::Filter).at(f * shape.inputChannels + c)});
      int64_t place = n * shape.outputChannels + f;
      double init = conv.problem.init
                        ? loadDouble(conv.numerics().type(Operand::Output),
                                     conv.problem.init->data, place)
                        : 0.0;
      conv.array(Operand::Output)
          .set(place, summer.sum(terms, conv.problem.init ? &init : nullptr));
    }
}

TEST_P(CompareSimulationTest, RightResultsPass) {
  const Target &target = GetParam();
  std::mt19937 random(1);
  double worst = 0;
  for (DataKind kind : {DataKind::Int, DataKind::Uniform, DataKind::Normal,
                        DataKind::Range, DataKind::Cancel, DataKind::Special})
    for (bool init : {false, true}) {
      ConvFixture conv = makeSums(target, 10);
      conv.generate(kind, 100 + static_cast<uint64_t>(kind), init);
      ReferenceResult reference = conv.reference(/*operandSums=*/true);
      for (Method method : allMethods()) {
        simulate(conv, Summer(target, method, random));
        CompareOptions options;
        options.target = target.arithmetic;
        options.exact = kind == DataKind::Int;
        CompareReport report =
            compareWithReference(reference, Direction::Forward, conv.numerics(),
                                 conv.index(Operand::Output),
                                 conv.array(Operand::Output).data(), options);
        ASSERT_TRUE(report.passed())
            << dataKindName(kind) << ", order " << method.order << ", fused "
            << method.fused << ", init " << init << ": " << toString(report);
        worst = std::max(worst, report.worstRatio);
      }
    }
  EXPECT_GT(worst, 0);
  EXPECT_LE(worst, 1);
}

/// A sum that loses nearly as much as the bound allows: 1 and then terms that
/// each round away half a unit of the last place.
TEST(CompareSimulationTest, TheBoundIsNearlyReached) {
  Target target{ScalarType::F16, ScalarType::F16, ScalarType::F16, {}, 200};
  ConvFixture conv = makeSums(target, 1);
  for (int64_t i = 0; i < 400; ++i)
    conv.array(Operand::Input).set(i, i % 200 == 0 ? 1 : 0x1p-11);
  for (int64_t i = 0; i < 200; ++i)
    conv.array(Operand::Filter).set(i, 1);
  std::mt19937 random(1);
  simulate(conv, Summer(target, {Method::InOrder, true, true}, random));
  EXPECT_EQ(conv.array(Operand::Output).at(0), 1);
  CompareReport report = compareWithReference(
      conv.reference(), Direction::Forward, conv.numerics(),
      conv.index(Operand::Output), conv.array(Operand::Output).data());
  EXPECT_TRUE(report.passed());
  EXPECT_GT(report.worstRatio, 0.8);
}

static std::vector<Target> allTargets() {
  constexpr ScalarType F32 = ScalarType::F32, F16 = ScalarType::F16,
                       BF16 = ScalarType::BF16;
  std::vector<Target> targets = {
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
      const Target &target = info.param;
      std::string name;
      for (ScalarType type :
           {target.operands, target.accumulator, target.result})
        name += std::string(scalarTypeName(type)) + "_";
      name += target.arithmetic.roundsToNearest ? "Nearest" : "TowardZero";
      return name + (target.arithmetic.flushesSubnormals ? "Flushed" : "");
    });
