//===- DeformProblemTest.cpp - Tests of deformable convolutions as text ---===//
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

DeformProblem parseDeform(const std::string &line,
                          const ProblemDefaults &defaults = {}) {
  std::string error;
  auto problems = parseDeformProblems(line, defaults, error);
  EXPECT_TRUE(problems && problems->size() == 1) << error;
  return problems ? problems->front() : DeformProblem();
}

TEST(DeformProblemTest, ReadsEachWord) {
  DeformProblem problem = parseDeform(
      "--deform-conv --offset-groups=2 --mask --offset-layout=hwnc "
      "--offset-type=bf16 --type=f16 --dir=FWD_B --input-layout=nchw "
      "--filter-layout=fchw --output-layout=nfhw "
      "g2mb3_ic8ih9iw7_oc6kh3kw2_sh2ph1_n\"res5\"");
  EXPECT_EQ(problem.offsetGroups, 2);
  EXPECT_TRUE(problem.hasMask);
  EXPECT_EQ(problem.offsetType, ElementType::BF16);
  EXPECT_EQ(problem.conv.type, ElementType::F16);
  EXPECT_TRUE(problem.conv.bias);
  EXPECT_EQ(problem.conv.shape.groups, 2);
  EXPECT_EQ(problem.offsetShape(), Sizes({5, 6, 3, 24}));
  EXPECT_EQ(problem.maskShape(), Sizes({5, 6, 3, 12}));
  EXPECT_EQ(problem.name, "res5");
}

TEST(DeformProblemTest, HasDefaults) {
  DeformProblem problem = parseDeform("--deform-conv ic4ih9oc6kh3");
  EXPECT_EQ(problem.offsetGroups, 1);
  EXPECT_FALSE(problem.hasMask);
  EXPECT_EQ(problem.offsetType, ElementType::F32);
  EXPECT_EQ(problem.offsetShape(), Sizes({2, 18, 7, 7}));
}

TEST(DeformProblemTest, TakesDefaultsOfTheCommandLine) {
  ProblemDefaults defaults;
  defaults.type = ElementType::BF16;
  defaults.batch = 5;
  defaults.bias = true;
  defaults.directions = {Direction::Forward};
  DeformProblem problem =
      parseDeform("--deform-conv mb1_ic4ih9oc6kh3", defaults);
  EXPECT_EQ(problem.conv.type, ElementType::BF16);
  EXPECT_TRUE(problem.conv.bias);
  EXPECT_EQ(problem.offsetShape(), Sizes({5, 18, 7, 7}));
}

TEST(DeformProblemTest, IsReadBack) {
  for (const char *line :
       {"--deform-conv --offset-groups=2 --mask --offset-layout=hwnc "
        "--offset-type=bf16 --type=f16 --dir=FWD_B --input-layout=nchw "
        "g2mb3_ic8ih9iw7_oc6kh3kw2_sh2ph1_n\"res5\"",
        "--deform-conv ic4ih9oc6kh3", "--deform-conv --dir=BWD_D ic4ih9oc6kh3",
        "--deform-conv --dir=BWD_OFFSET g2ic4ih9oc6kh3",
        "--deform-conv --dir=BWD_MASK --mask ic4ih9oc6kh3"}) {
    DeformProblem problem = parseDeform(line);
    ProblemDefaults defaults;
    defaults.type = ElementType::BF16;
    defaults.inputLayout = "cnhw";
    defaults.directions = {Direction::BackwardFilter};
    EXPECT_EQ(parseDeform(toString(problem), defaults), problem) << line;
  }
}

/// What `--dir=` makes of a line.
std::vector<DeformDirection> getDirections(const std::string &words,
                                           const ProblemDefaults &defaults) {
  std::string error;
  auto problems = parseDeformProblems("--deform-conv ic4ih9oc6kh3 " + words,
                                      defaults, error);
  EXPECT_TRUE(problems) << error;
  std::vector<DeformDirection> directions;
  for (const DeformProblem &problem :
       problems.value_or(std::vector<DeformProblem>()))
    directions.push_back(problem.direction);
  return directions;
}

TEST(DeformProblemTest, HasGradients) {
  using Directions = std::vector<DeformDirection>;
  constexpr auto Forward = DeformDirection::Forward,
                 Input = DeformDirection::Input,
                 Filter = DeformDirection::Filter,
                 Offset = DeformDirection::Offset, Mask = DeformDirection::Mask;
  EXPECT_EQ(getDirections("--dir=BWD_W,BWD_OFFSET,BWD_D", {}),
            Directions({Filter, Input, Offset}));
  EXPECT_EQ(getDirections("--dir=BWD_MASK --mask", {}), Directions({Mask}));
  EXPECT_EQ(getDirections("--dir=all", {}),
            Directions({Forward, Input, Filter, Offset}));
  EXPECT_EQ(getDirections("--mask --dir=all", {}),
            Directions({Forward, Input, Filter, Offset, Mask}));
  ProblemDefaults defaults;
  defaults.directions = std::vector<Direction>();
  defaults.offsetGradient = true;
  EXPECT_EQ(getDirections("", defaults), Directions({Offset}));
  EXPECT_EQ(getDirections("--dir=BWD_W", defaults), Directions({Filter}));
}

TEST(DeformProblemTest, HasNoBiasInGradients) {
  std::string error;
  auto problems = parseDeformProblems(
      "--deform-conv --dir=FWD_B,BWD_D ic4ih9oc6kh3", {}, error);
  ASSERT_TRUE(problems && problems->size() == 2) << error;
  EXPECT_TRUE(problems->front().conv.bias);
  EXPECT_FALSE(problems->back().conv.bias);
}

TEST(DeformProblemTest, HasGradientsThatOthersLack) {
  std::string error;
  for (const char *line :
       {"--dir=BWD_OFFSET ic4ih9oc6kh3",
        "--grid-sample --dir=BWD_MASK ic3ih9iw7_oh5ow4",
        "--col2im --dir=BWD_OFFSET ic3ih9iw7_kh3",
        "--padding-mode=reflect --dir=BWD_OFFSET ic4ih9oc6kh3ph1"}) {
    EXPECT_FALSE(parseAnyProblems(line, {}, error)) << line;
    EXPECT_NE(error.find("'--dir'"), std::string::npos) << error;
  }
}

TEST(DeformProblemTest, IsOneOfAllKinds) {
  std::string error;
  auto any = parseAnyProblems("--deform-conv ic4ih9oc6kh3_nres", {}, error);
  ASSERT_TRUE(any) << error;
  EXPECT_TRUE(std::holds_alternative<DeformProblem>(any->front()));
  EXPECT_EQ(layerName(any->front()), "res");
}

struct Refused {
  const char *words, *error;
};

class DeformErrorTest : public testing::TestWithParam<Refused> {};

TEST_P(DeformErrorTest, SaysWhatWasExpected) {
  std::string error;
  EXPECT_FALSE(parseDeformProblems(
      std::string("--deform-conv ") + GetParam().words, {}, error));
  EXPECT_EQ(error, GetParam().error);
}

const Refused kRefused[] = {
    {"", "expected a problem such as 'mb1_ic4ih9iw7_oc6kh3kw3ph1pw1', but got "
         "none"},
    {"--offset-groups=0 ic4ih9oc6kh3",
     "expected a 64-bit number of at least 1 for '--offset-groups', but got "
     "'0'"},
    {"--offset-groups=3 ic4ih9oc6kh3",
     "expected a number that divides 4 channels for '--offset-groups', but got "
     "'3'"},
    {"--offset-layout=nfhw ic4ih9oc6kh3",
     "expected the letters nchw for '--offset-layout', but got 'nfhw'"},
    {"--offset-type=i8 ic4ih9oc6kh3",
     "expected f32, f16 or bf16 for '--offset-type', but got 'i8'"},
    {"--type=f64 ic4ih9oc6kh3",
     "expected f32, f16 or bf16 for '--type' of deformable convolutions, but "
     "got 'f64'"},
    {"ic4iw9oc6kw3", "expected two spatial dimensions of a deformable "
                     "convolution, but got 1"},
    {"MIOpenDriver conv -n 1 -c 4 -H 9 -W 9 -k 6 -y 3 -x 3 -F 2",
     "expected a forward convolution, but got 'MIOpenDriver conv -n 1 -c 4 -H "
     "9 -W 9 -k 6 -y 3 -x 3 -F 2'"},
    {"--dir=BWD_MASK ic4ih9oc6kh3",
     "expected '--mask' beside '--dir=BWD_MASK'"},
    {"--dir=BWD_OFFSET,BWD_OFFSET ic4ih9oc6kh3",
     "expected each direction once for '--dir', but got "
     "'BWD_OFFSET,BWD_OFFSET'"},
    {"--attr-post-ops=relu ic4ih9oc6kh3",
     "'--attr-post-ops' is for convolutions, not for deformable convolutions"},
    {"ic4ih0iw3oh1ow1oc6kh3kw3",
     "expected a size from 1 to 16777216 for 'ih', but got '0'"},
    {"ic4ih9iw9oh3ow3oc6kh3kw3dh16777216dw0",
     "expected numbers of at most 16777216 for the window's h, but got "
     "'16777217'"},
};

INSTANTIATE_TEST_SUITE_P(All, DeformErrorTest, testing::ValuesIn(kRefused));

} // namespace
