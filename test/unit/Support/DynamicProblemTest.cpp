//===- DynamicProblemTest.cpp - Tests of problems of any size -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Problem.h"

#include <gtest/gtest.h>

using namespace convoy;

/// The one problem of `line`.
static Problem parseSized(std::string_view line,
                          const ProblemDefaults &defaults = {}) {
  std::string error;
  auto problems = parseProblems(line, defaults, error);
  EXPECT_TRUE(problems) << error;
  return problems ? problems->front() : Problem();
}

TEST(DynamicProblemTest, ReadsDynamicDimensions) {
  Problem problem = parseSized("--dynamic=whn mb1_ic2ih5_oc3_kh3");
  EXPECT_EQ(problem.dynamic, "nhw");
  EXPECT_TRUE(problem.isDynamic(Operand::Input, 'h'));
  EXPECT_TRUE(problem.isDynamic(Operand::Output, 'n'));
  EXPECT_FALSE(problem.isDynamic(Operand::Filter, 'h'));
  EXPECT_FALSE(problem.isDynamic(Operand::Input, 'c'));
  EXPECT_EQ(toString(problem),
            "--dir=FWD_D --type=f32 --dynamic=nhw --input-layout=nhwc "
            "--filter-layout=hwcf --output-layout=nhwf "
            "mb1_ic2ih5iw5_oc3oh3ow3_kh3kw3_ph0pw0");
  ProblemDefaults defaults;
  defaults.dynamic = "n";
  EXPECT_EQ(parseSized("mb1_ic2iw5_oc3_kw3", defaults).dynamic, "n");
  EXPECT_EQ(parseSized("--dynamic= mb1_ic2iw5_oc3_kw3", defaults).dynamic, "");
}

/// What a kernel of `line` solves on `sizes`, or why it does not.
static std::string sized(std::string_view line,
                         const std::vector<int64_t> &sizes) {
  std::string error;
  std::optional<Problem> run = withSizes(parseSized(line), sizes, error);
  if (!run)
    return error;
  std::string text;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    for (int64_t size : run->shape.shape(operand, run->layouts[operand]))
      text += std::to_string(size) + " ";
    text += "| ";
  }
  return text;
}

TEST(DynamicProblemTest, TakesDynamicSizes) {
  EXPECT_EQ(sized("--dynamic=ncfw mb1_ic2iw5_oc3_kw3_sw2", {4, 7, 8, 10}),
            "4 10 7 | 3 7 8 | 4 4 8 | ");
  EXPECT_EQ(sized("--dynamic=ng --input-layout=ngwc --filter-layout=gwcf "
                  "--output-layout=ngwf g2mb1_ic4iw5_oc6_kw3",
                  {0, 5}),
            "0 5 5 2 | 5 3 2 3 | 0 5 3 3 | ");
  // An output without positions may be computed where it is not below zero.
  EXPECT_EQ(sized("--dynamic=w mb1_ic2iw5_oc3_kw3", {2}),
            "1 2 2 | 3 2 3 | 1 0 3 | ");
  EXPECT_EQ(sized("--dynamic=w mb1_ic2iw5_oc3_kw3", {1}),
            "expected an input in which a window fits for the dynamic size "
            "'w', but got 1");
  EXPECT_EQ(sized("--dir=BWD_D --dynamic=w mb1_ic2iw5_oc3_kw3_sw2", {7}),
            "1 7 2 | 3 2 3 | 1 3 3 | ");
  EXPECT_EQ(sized("--dir=BWD_D --dynamic=w mb1_ic2iw5_oc3_kw3_sw2", {8}),
            "expected an input that windows cover for the dynamic size 'w', "
            "but got 8");
  EXPECT_EQ(sized("--dynamic=nw mb1_ic2iw5_oc3_kw3", {1}),
            "expected 2 dynamic sizes, but got 1");
  EXPECT_EQ(sized("mb1_ic2iw5_oc3_kw3", {1}),
            "expected 0 dynamic sizes, but got 1");
  EXPECT_EQ(sized("--dynamic=n mb1_ic2iw5_oc3_kw3", {-1}),
            "expected a batch size of at least 0, but got -1");
}
