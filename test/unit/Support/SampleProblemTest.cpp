//===- SampleProblemTest.cpp - Tests of samples as text -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/AnyProblem.h"

#include <gtest/gtest.h>

using namespace convoy;

namespace {

using Sizes = std::vector<int64_t>;

std::vector<SampleProblem> parseAll(const std::string &line,
                                    const ProblemDefaults &defaults = {}) {
  std::string error;
  auto problems = parseSampleProblems(line, defaults, error);
  EXPECT_TRUE(problems) << error;
  return problems.value_or(std::vector<SampleProblem>());
}

SampleProblem parseSample(const std::string &line,
                          const ProblemDefaults &defaults = {}) {
  std::vector<SampleProblem> problems = parseAll(line, defaults);
  EXPECT_EQ(problems.size(), 1u);
  return problems.empty() ? SampleProblem() : problems.front();
}

TEST(SampleProblemTest, ReadsEachWord) {
  SampleProblem problem = parseSample(
      "--grid-sample --alg=cubic --padding-mode=reflection --align-corners "
      "--type=f16 --grid-type=bf16 --input-layout=nchw --grid-layout=cnhw "
      "--output-layout=hwnf mb1_ic3ih4iw5_oh6ow7_n\"warp\"");
  EXPECT_EQ(problem.mode, SampleMode::Cubic);
  EXPECT_EQ(problem.padding, SamplePadding::Reflection);
  EXPECT_TRUE(problem.alignCorners);
  EXPECT_EQ(problem.type, ElementType::F16);
  EXPECT_EQ(problem.gridType, ElementType::BF16);
  EXPECT_EQ(problem.imageShape(), Sizes({1, 3, 4, 5}));
  EXPECT_EQ(problem.gridShape(), Sizes({2, 1, 6, 7}));
  EXPECT_EQ(problem.sampleShape(), Sizes({6, 7, 1, 3}));
  EXPECT_EQ(problem.name, "warp");
}

TEST(SampleProblemTest, HasDefaults) {
  SampleProblem problem = parseSample("--grid-sample ic3ih4oh6");
  EXPECT_EQ(problem.mode, SampleMode::Linear);
  EXPECT_EQ(problem.padding, SamplePadding::Zeros);
  EXPECT_FALSE(problem.alignCorners);
  EXPECT_EQ(problem.type, ElementType::F32);
  EXPECT_EQ(problem.gridType, ElementType::F32);
  EXPECT_EQ(problem.batch, 2) << "as in benchdnn";
  EXPECT_EQ(problem.imageShape(), Sizes({2, 4, 4, 3})) << "w is h's";
  EXPECT_EQ(problem.gridShape(), Sizes({2, 6, 6, 2}));
}

TEST(SampleProblemTest, ReadsNamesOfOthers) {
  EXPECT_EQ(parseSample("--grid-sample --alg=bilinear ic3ih4oh6").mode,
            SampleMode::Linear);
  EXPECT_EQ(parseSample("--grid-sample --alg=bicubic ic3ih4oh6").mode,
            SampleMode::Cubic);
}

TEST(SampleProblemTest, TakesDefaultsOfTheCommandLine) {
  ProblemDefaults defaults;
  defaults.type = ElementType::BF16;
  defaults.batch = 5;
  defaults.inputLayout = "nchw";
  SampleProblem problem =
      parseSample("--grid-sample mb1_ic3ih4iw5_oh6ow7", defaults);
  EXPECT_EQ(problem.type, ElementType::BF16);
  EXPECT_EQ(problem.imageShape(), Sizes({5, 3, 4, 5}));
  problem = parseSample("--grid-sample --type=f32 --input-layout=nhwc --mb=7 "
                        "mb1_ic3ih4iw5_oh6ow7",
                        defaults);
  EXPECT_EQ(problem.type, ElementType::F32);
  EXPECT_EQ(problem.imageShape(), Sizes({7, 4, 5, 3}));
}

TEST(SampleProblemTest, HasADirection) {
  EXPECT_EQ(parseSample("--grid-sample ic3ih4oh6").direction,
            Direction::Forward);
  EXPECT_EQ(parseSample("--grid-sample --dir=BWD_D ic3ih4oh6").direction,
            Direction::BackwardData);
  ProblemDefaults defaults;
  defaults.directions = {Direction::BackwardFilter};
  EXPECT_EQ(parseSample("--grid-sample ic3ih4oh6", defaults).direction,
            Direction::BackwardFilter);
  std::vector<SampleProblem> all =
      parseAll("--grid-sample --dir=all ic3ih4oh6", defaults);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].direction, Direction::Forward);
  EXPECT_EQ(all[1].direction, Direction::BackwardData);
  EXPECT_EQ(all[2].direction, Direction::BackwardFilter);
  all[2].direction = Direction::Forward;
  EXPECT_EQ(all[0], all[2]);
}

TEST(SampleProblemTest, IsReadBack) {
  ProblemDefaults defaults;
  defaults.directions = {Direction::BackwardData};
  for (const char *line :
       {"--grid-sample --dir=FWD_D ic3ih4oh6",
        "--grid-sample --dir=BWD_W ic3ih4oh6",
        "--grid-sample --alg=nearest --padding-mode=border --align-corners "
        "--type=f16 --grid-type=bf16 --input-layout=cnhw --grid-layout=hwnc "
        "--output-layout=fnwh mb1_ic0ih4iw5_oh0ow7_nlayer",
        "--grid-sample --grid-type=f16 mb0_ic3id4ih5iw6_od7oh8ow9"}) {
    SampleProblem problem = parseSample(line);
    EXPECT_EQ(parseSample(toString(problem), defaults), problem)
        << toString(problem);
  }
  EXPECT_EQ(toString(parseSample("--grid-sample mb1_ic3ih4iw5_oh6ow7")),
            "--grid-sample --dir=FWD_D --alg=linear --padding-mode=zeros "
            "--type=f32 --grid-type=f32 --input-layout=nhwc --grid-layout=nhwc "
            "--output-layout=nhwf mb1_ic3ih4iw5_oh6ow7");
}

TEST(SampleProblemTest, StandsBesideConvolutions) {
  std::string error;
  auto problems = parseAnyProblemFile(
      "# a file\nmb1_ic1iw1oc1kw1_nfirst\n"
      "--grid-sample mb1_ic3ih4iw5_oh6ow7_nsecond # of two\n",
      {}, error);
  ASSERT_TRUE(problems) << error;
  ASSERT_EQ(problems->size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Problem>(problems->front()));
  EXPECT_EQ(layerName(problems->front()), "first");
  EXPECT_TRUE(std::holds_alternative<SampleProblem>(problems->back()));
  EXPECT_EQ(layerName(problems->back()), "second");
}

/// A line behind `--grid-sample`, and the whole sentence that refuses it.
struct WrongSampleLine {
  const char *line;
  const char *error;
};

void PrintTo(const WrongSampleLine &wrong, std::ostream *os) {
  *os << testing::PrintToString(wrong.line);
}

const WrongSampleLine WrongLines[] = {
    {"--alg=lanczos ic3ih4oh6",
     "expected linear, nearest or cubic for '--alg', but got 'lanczos'"},
    {"--padding-mode=circular ic3ih4oh6",
     "expected zeros, border or reflection for '--padding-mode', but got "
     "'circular'"},
    {"--grid-type=f64 ic3ih4oh6",
     "expected f32, f16 or bf16 for '--grid-type', but got 'f64'"},
    {"--grid-type=float ic3ih4oh6",
     "expected f32, f16 or bf16 for '--grid-type', but got 'float'"},
    {"--type=i8 ic3ih4oh6",
     "expected f32, f16 or bf16 for '--type' of samples, but got 'i8'"},
    {"--alg=cubic ic3id4od6",
     "expected two spatial dimensions for '--alg=cubic'"},
    {"--align_corners ic3ih4oh6",
     "expected a flag of samples such as --alg=linear or "
     "--padding-mode=border, but got '--align_corners'"},
    {"ic3ih4oh6 ic3ih4oh7",
     "expected one descriptor on a line, but got 'ic3ih4oh6' and 'ic3ih4oh7'"},
    {"--alg=linear",
     "expected a problem such as 'mb1_ic3ih9iw7_oh5ow4', but got none"},
    {"ic3ih4oh6kh3",
     "expected a field such as mb, ic, ih, iw, oh, ow or n\"name\" for the "
     "rest of descriptor 'ic3ih4oh6kh3', but got 'kh3'"},
    {"ic3ih4ih5",
     "descriptor 'ic3ih4ih5' has 'ih' twice, but expected each field once"},
    {"ic3ih4oh-1", "expected a 64-bit number of at least 0 for 'oh', but got "
                   "''"},
    {"ic3ih4", "expected 'oh' in descriptor 'ic3ih4', but it is missing"},
    {"ih4oh6", "expected 'ic' in descriptor 'ih4oh6', but it is missing"},
    {"ic3ih0oh6", "expected a size from 1 to 16777216 for 'ih', but got '0'"},
    {"ic3ih16777217oh6",
     "expected a size from 1 to 16777216 for 'ih', but got '16777217'"},
    {"ic9999999999999ih4oh999999", "expected tensors of at most 2^60 elements"},
    {"--input-layout=ndhwc ic3ih4oh6",
     "expected the letters nhwc for the layout of the images, but got "
     "'ndhwc'"},
    {"--grid-layout=nhw ic3ih4oh6",
     "expected the letters nhwc for the layout of the grid, but got 'nhw'"},
    {"--output-layout=ngfhw ic3ih4oh6",
     "expected the letters nhwc for the layout of the samples, but got "
     "'ngchw'"},
    {"--dir=FWD_B ic3ih4oh6",
     "expected FWD_D, BWD_D, BWD_W or all for '--dir' of samples, which have "
     "no bias"},
    {"--dynamic=n ic3ih4oh6",
     "'--dynamic' is for convolutions, not for samples"},
    {"--signs=s8:s8 ic3ih4oh6",
     "'--signs' is for convolutions, not for samples"},
    {"--zero-points=1:2 ic3ih4oh6",
     "'--zero-points' is for convolutions, not for samples"},
    {"--filter-layout=hwcf ic3ih4oh6",
     "'--filter-layout' is for convolutions, not for samples"},
};

class SampleErrorTest : public testing::TestWithParam<WrongSampleLine> {};

TEST_P(SampleErrorTest, NamesTheFault) {
  std::string error;
  EXPECT_FALSE(parseSampleProblems(
      std::string("--grid-sample ") + GetParam().line, {}, error));
  EXPECT_EQ(error, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Lines, SampleErrorTest, testing::ValuesIn(WrongLines));

TEST(SampleProblemTest, IsNoConvolution) {
  std::string error;
  EXPECT_FALSE(parseProblems("--grid-sample ic3ih4oh6", {}, error));
  EXPECT_EQ(error, "expected a convolution, but got '--grid-sample'");
}

} // namespace
