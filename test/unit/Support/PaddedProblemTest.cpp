//===- PaddedProblemTest.cpp - Tests of padded convolutions as text -------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/AnyProblem.h"

#include <gtest/gtest.h>

using namespace convoy;

namespace {

std::vector<PaddedProblem> parsePadded(const std::string &line,
                                       const ProblemDefaults &defaults = {}) {
  std::string error;
  auto problems = parsePaddedProblems(line, defaults, error);
  EXPECT_TRUE(problems) << error;
  return problems.value_or(std::vector<PaddedProblem>());
}

Problem parseCausal(const std::string &line) {
  std::string error;
  auto problems = parseCausalProblems(line, {}, error);
  EXPECT_TRUE(problems) << error;
  return problems ? problems->front() : Problem();
}

std::string getError(const std::string &line) {
  std::string error;
  EXPECT_FALSE(parseAnyProblems(line, {}, error)) << line;
  return error;
}

TEST(PaddedProblemTest, ReadsEachMode) {
  for (auto [word, mode] : {std::pair("reflect", PaddingMode::Reflect),
                            std::pair("replicate", PaddingMode::Replicate),
                            std::pair("edge", PaddingMode::Replicate),
                            std::pair("circular", PaddingMode::Circular),
                            std::pair("wrap", PaddingMode::Circular)}) {
    auto problems = parsePadded(std::string("mb3_ic4ih9iw7_oc6kh3kw2ph1pw1 "
                                            "--padding-mode=") +
                                word);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].mode, mode);
    EXPECT_EQ(problems[0].conv.shape.spatial[0].window.padLow, 1);
  }
}

TEST(PaddedProblemTest, HasAProblemForEachDirection) {
  auto problems =
      parsePadded("--padding-mode=wrap --dir=all ic4ih9oc6kh3ph1_n\"style\"");
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[1].conv.direction, Direction::BackwardData);
  EXPECT_EQ(problems[2].name, "style");
  EXPECT_EQ(problems[2].conv.name, "");
}

TEST(PaddedProblemTest, TakesDefaultsOfTheCommandLine) {
  ProblemDefaults defaults;
  defaults.type = ElementType::BF16;
  defaults.batch = 5;
  auto problems = parsePadded("--padding-mode=edge mb1_ic4ih9oc6kh3", defaults);
  EXPECT_EQ(problems[0].conv.type, ElementType::BF16);
  EXPECT_EQ(problems[0].conv.shape.batch, 5);
}

TEST(PaddedProblemTest, IsReadBack) {
  for (const char *line :
       {"--padding-mode=circular --dir=BWD_W --type=f16 --input-layout=nchw "
        "g2mb3_ic8ih9iw7_oc6kh3kw2_sh2ph1_n\"res5\"",
        "--padding-mode=reflect ic4iw9oc6kw3ow5pw-1"}) {
    PaddedProblem problem = parsePadded(line)[0];
    EXPECT_EQ(parsePadded(toString(problem))[0], problem) << toString(problem);
  }
}

TEST(PaddedProblemTest, IsNoProblemOfSamples) {
  EXPECT_EQ(findPaddingMode("--grid-sample --padding-mode=border ic1"), "");
  EXPECT_EQ(findPaddingMode("ic1 --padding-mode=edge"), "--padding-mode=edge");
  EXPECT_EQ(findPaddingMode("ic1"), "");
}

TEST(PaddedProblemTest, PadsCausalConvolutionsInFront) {
  Problem problem = parseCausal("--padding-mode=causal ic3iw13_oc2kw4dw2");
  const SpatialDim &dim = problem.shape.spatial[0];
  EXPECT_EQ(dim.window.padLow, 9);
  EXPECT_EQ(dim.window.padHigh, 0);
  EXPECT_EQ(dim.output, 13);
}

TEST(PaddedProblemTest, TakesStridesOfCausalConvolutions) {
  Problem problem = parseCausal("--padding-mode=causal ic3ih8iw9_oc2kh3kw1sh3");
  EXPECT_EQ(problem.shape.spatial[0].output, 3);
  EXPECT_EQ(problem.shape.spatial[0].window.padLow, 2);
  EXPECT_EQ(problem.shape.spatial[0].window.padHigh, -1);
  EXPECT_EQ(problem.shape.spatial[1].window.padLow, 0);
  EXPECT_EQ(problem.shape.spatial[1].output, 9);
}

TEST(PaddedProblemTest, NamesWhatIsWrong) {
  EXPECT_EQ(getError("--padding-mode=zeros ic1iw3_oc1kw3"),
            "expected reflect, replicate, circular or causal for "
            "'--padding-mode', but got 'zeros'");
  EXPECT_EQ(getError("--padding-mode=causal conv -n 1"),
            "expected a convolution in benchdnn's form for '--padding-mode', "
            "but got a transposed one or MIOpenDriver's form");
  EXPECT_EQ(getError("--padding-mode=causal ic1iw3_oc1kw3pw1"),
            "expected no 'pw' in descriptor 'ic1iw3_oc1kw3pw1' of a causal "
            "convolution, which settles padding and output sizes");
  EXPECT_EQ(getError("--padding-mode=edge mb1_ic1ih0iw3_oc1kh3kw3ph2"),
            "expected elements to pad with for 'ih', but got '0'");
  std::string error;
  EXPECT_FALSE(parseProblems("--padding-mode=edge ic1iw3_oc1kw3", {}, error));
  EXPECT_EQ(error, "expected a convolution, but got '--padding-mode=edge'");
}

} // namespace
