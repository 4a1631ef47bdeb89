//===- EpilogueTestTest.cpp - Tests of runs through epilogues -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EpilogueTest.h"

#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/IdentityTest.h"
#include "convoy/Driver/Import.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

static Problem parseConv(const std::string &text) {
  std::string error;
  std::optional<std::vector<Problem>> problems = readProblems(text, {}, error);
  EXPECT_TRUE(problems) << error;
  return problems->front();
}

static EpilogueChain makeChain(const Problem &problem) {
  std::string reason;
  std::optional<EpilogueChain> chain = EpilogueChain::create(problem, reason);
  EXPECT_TRUE(chain) << reason;
  return *chain;
}

static IdentityTest::Data planData(const CheckedConv &conv) {
  std::string reason;
  std::optional<IdentityTest> test = planIdentityTest(conv, reason);
  EXPECT_TRUE(test) << reason;
  EXPECT_LE(test->getMissedExponent(), -64);
  return test->data[0];
}

static const char *const Epilogues[] = {
    "--attr-post-ops=relu",
    "--attr-post-ops=relu:0.1",
    "--attr-post-ops=clip:-3:6",
    "--attr-post-ops=linear:-2:3+round",
    "--attr-post-ops=gelu_erf",
    "--attr-post-ops=gelu_tanh+linear:-1:0",
    "--attr-post-ops=swish:1",
    "--attr-post-ops=mish",
    "--attr-post-ops=hardswish",
    "--attr-post-ops=hardsigmoid:0.25:0.5",
    "--attr-post-ops=elu:1",
    "--attr-post-ops=exp",
    "--attr-post-ops=tanh",
    "--attr-post-ops=logistic",
    "--attr-post-ops=soft_relu:-1",
    "--attr-post-ops=add:f32:per_tensor+relu+add:f32:per_oc",
    "--attr-post-ops=sum:0.5+max:f32:per_oc+min:s8:per_tensor",
    "--attr-post-ops=mul:f32:per_oc+sub:f32:per_oc+swish:1",
    "--attr-post-ops=div:f32:per_oc+relu",
    "--type=f16 --attr-post-ops=relu",
    "--type=bf16 --attr-post-ops=add:bf16:per_tensor",
    "--type=f64 --attr-post-ops=gelu_erf",
    "--dt=u8:s8:s8 --attr-scales=src:common:0.05+dst:common:0.1",
    "--dt=u8:s8:u8 --dir=FWD_B "
    "--attr-scales=src:common:0.5+wei:per_oc+dst:per_oc "
    "--attr-zero-points=dst:per_oc",
    "--dt=u8:s8:f32 --attr-scales=wei:common:0.3 --attr-post-ops=tanh",
};

/// Where a number is said to be told from all others, none of many others
/// makes a result that is taken for the right one.
TEST(EpilogueTestTest, NoOtherNumberMakesTheResult) {
  std::mt19937_64 random(7);
  for (const char *text : Epilogues) {
    CheckedConv conv =
        describeProblem(parseConv(std::string(text) + " mb1ic2iw9oc3kw3"));
    EpilogueChain chain = makeChain(*conv.epilogue);
    IdentityTest::Data data = planData(conv);
    unsigned told = 0;
    for (uint64_t draw = 0; draw < 100; ++draw) {
      std::vector<EpilogueChain::Triple> operands;
      for (auto [number, role] : llvm::enumerate(chain.getRoles()))
        operands.emplace_back().fill(
            roundTo(conv.epilogueOperands[number].type,
                    drawEpilogueOperand(conv, role, number, data, draw, 0)));
      double unit = isFloat(conv.numerics.accumulator)
                        ? std::ldexp(1.0, data.unit)
                        : double(data.step * data.step);
      double sum = unit * (double(random() % 201) - 100);
      EpilogueChain::Outcome outcome =
          chain.apply({sum - unit, sum, sum + unit}, operands);
      if (!outcome.tells)
        continue;
      ++told;
      for (int64_t other = -1000; other <= 1000; ++other) {
        double value = unit * double(other);
        EpilogueChain::Outcome wrong =
            chain.apply({value, value, value}, operands);
        EXPECT_TRUE(value == sum || !wrong.isKnown ||
                    wrong.most < outcome.least || wrong.least > outcome.most)
            << text << ": " << sum << " and " << value;
      }
    }
    EXPECT_GT(told, 5u) << text;
  }
}

/// The results agree with an interpreter's, which has nothing in common with
/// them.
TEST(EpilogueTestTest, MakesWhatTheEpilogueIs) {
  for (const char *text : Epilogues) {
    CheckedConv conv = describeProblem(
        parseConv(std::string(text) + " mb2ic2ih5iw4oc3kh3kw2"));
    EpilogueChain chain = makeChain(*conv.epilogue);
    IdentityTest::Data data = planData(conv);
    std::vector<HostArray> arguments = generateArguments(conv, {});
    drawIdentityArguments(conv, data, 3, arguments);
    ReferenceResult reference = computeReferenceOf(conv, arguments, 1);
    std::string error;
    HostArray expected = computeEpilogueOf(conv, arguments, reference, error);
    ASSERT_EQ(error, "") << text;
    const OperandIndex &lies =
        conv.indices[size_t(directionRoles(conv.direction).result)];
    double unit = isFloat(conv.numerics.accumulator)
                      ? std::ldexp(1.0, data.unit)
                      : double(data.step * data.step);
    int64_t element = 0;
    unsigned known = 0;
    ::convoy::forEachIndex(lies.sizes, [&](const LogicalIndex &index) {
      double sum = reference.integer.empty()
                       ? reference.value[element]
                       : double(reference.integer[element]);
      ++element;
      std::vector<EpilogueChain::Triple> operands;
      for (const CheckedOperand &operand : conv.epilogueOperands)
        operands.emplace_back().fill(
            arguments[operand.argument].at(operand.index.offset(index)));
      EpilogueChain::Outcome outcome =
          chain.apply({sum - unit, sum, sum + unit}, operands);
      known += outcome.isKnown;
      double value =
          roundTo(conv.numerics.type(directionRoles(conv.direction).result),
                  expected.at(lies.offset(index)));
      EXPECT_TRUE(!outcome.isKnown ||
                  (value >= outcome.least && value <= outcome.most))
          << text << ": " << sum << " makes " << value;
    });
    EXPECT_GT(known, 5u) << text;
  }
}

TEST(EpilogueTestTest, RefusesWhatGoesUpAndDown) {
  auto getReason = [](const std::string &words) {
    std::string reason;
    EXPECT_FALSE(planIdentityTest(
        describeProblem(parseConv(words + " mb1ic2iw9oc3kw3")), reason));
    return reason;
  };
  const std::string start = "runs on integers say nothing of ";
  for (std::string name : {"abs", "square"})
    EXPECT_EQ(getReason("--attr-post-ops=relu+" + name),
              start + "an epilogue with '" + name +
                  "', which makes the same of a number and its negative");
  for (std::string name : {"log", "sqrt"})
    EXPECT_EQ(getReason("--attr-post-ops=" + name),
              start + "an epilogue with '" + name +
                  "', which makes no number of some");
  for (std::string step : {"relu:-1", "swish:-1", "elu:-1", "hardswish:-1:0"})
    EXPECT_EQ(getReason("--attr-post-ops=" + step),
              start + "an epilogue with '" + step.substr(0, step.find(':')) +
                  "' with a factor below zero");
  EXPECT_EQ(getReason("--attr-post-ops=clip:0:0"),
            start + "sums of 6 products of which this epilogue tells too few "
                    "from others");
}

/// No smaller than the sum of binomial probabilities, and not much greater.
TEST(EpilogueTestTest, BoundIsNearTheBinomialOne) {
  for (unsigned runs : {1u, 3u, 10u, 40u, 200u})
    for (double missed : {0.01, 0.25, 2.0 / 3})
      for (unsigned least = 0; least <= runs; ++least) {
        double sum = 0;
        for (unsigned count = least; count <= runs; ++count)
          sum += std::exp(std::lgamma(runs + 1.0) - std::lgamma(count + 1.0) -
                          std::lgamma(runs - count + 1.0) +
                          count * std::log(missed) +
                          (runs - count) * std::log1p(-missed));
        double bound = getTailExponent(runs, missed, least);
        EXPECT_GE(bound, std::log2(sum) - 1e-9);
        if (sum > 0)
          EXPECT_LE(bound, std::log2(sum) + std::log2(runs) + 3);
      }
  EXPECT_NEAR(getTailExponent(3, 0.25, 3), -6, 1e-9);
  EXPECT_EQ(getTailExponent(0, 0.25, 0), 0);
}

/// Of kernels that leave out one product of three before a ReLU, fewer are
/// missed than the bound says.
TEST(EpilogueTestTest, FewSumsAreMissed) {
  constexpr int Tries = 20000, Runs = 6, Least = 2;
  CheckedConv conv =
      describeProblem(parseConv("--attr-post-ops=relu mb1ic3iw1oc1kw1"));
  EpilogueChain chain = makeChain(*conv.epilogue);
  std::vector<HostArray> arguments = generateArguments(conv, {});
  IdentityTest::Data data = {2};
  int missed = 0;
  for (int attempt = 0; attempt < Tries; ++attempt) {
    int told = 0, agreed = 0;
    for (int run = 0; run < Runs; ++run) {
      drawIdentityArguments(conv, data, attempt * Runs + run, arguments);
      auto getProduct = [&](int64_t i) {
        return arguments[0].at(i) * arguments[1].at(i);
      };
      double wrong = getProduct(0) + getProduct(1);
      double sum = wrong + getProduct(2);
      EpilogueChain::Outcome outcome = chain.apply({sum - 1, sum, sum + 1}, {});
      told += outcome.tells;
      agreed += std::max(wrong, 0.0) == outcome.least;
    }
    missed += told >= Least && agreed == Runs;
  }
  EXPECT_GT(missed, 0);
  EXPECT_LT(std::log2(double(missed) / Tries),
            getTailExponent(Runs, 2.0 / 5, Least));
}
