//===- FoldProblemTest.cpp - Windows of an image, as text -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/AnyProblem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace convoy;
using testing::ElementsAre;

static FoldProblem parseFold(const std::string &line,
                             const ProblemDefaults &defaults = {}) {
  std::string error;
  auto problem = parseFoldProblem(line, defaults, error);
  EXPECT_TRUE(problem) << error;
  return problem.value_or(FoldProblem());
}

static std::string getError(const std::string &line,
                            const ProblemDefaults &defaults = {}) {
  std::string error;
  EXPECT_FALSE(parseFoldProblem(line, defaults, error));
  return error;
}

TEST(FoldProblemTest, Shapes) {
  FoldProblem problem =
      parseFold("--col2im mb1_ic3ih9iw7_oh5ow4_kh3kw2_sh2sw2_ph1pw1");
  EXPECT_EQ(problem.type, ElementType::F32);
  EXPECT_THAT(problem.imageShape(), ElementsAre(1, 9, 7, 3));
  EXPECT_THAT(problem.rowsShape(), ElementsAre(1, 5, 4, 3, 2, 3));
  EXPECT_EQ(problem.shape.spatial[1].window.stride, 2);
  problem =
      parseFold("--image-layout=wcn --col2im --type=i8 --rows-layout=wn|cw "
                "ic5iw9_kw3_sw2_n\"frames\"");
  EXPECT_EQ(problem.type, ElementType::I8);
  EXPECT_EQ(problem.name, "frames");
  EXPECT_THAT(problem.imageShape(), ElementsAre(9, 5, 2));
  EXPECT_THAT(problem.rowsShape(), ElementsAre(4, 2, 5, 3));
  problem =
      parseFold("--col2im --rows-layout=nhdw|cwhd mb1_ic2id3ih4iw5_kd1kh2kw3");
  EXPECT_THAT(problem.rowsShape(), ElementsAre(1, 3, 3, 3, 2, 3, 2, 1));
  problem =
      parseFold("--im2col --rows-layout=n|chw|hw mb7_ic3ih9iw8_kh3kw2_sh2");
  EXPECT_THAT(problem.rowsShape(), ElementsAre(7, 3, 3, 2, 4, 7));
  problem =
      parseFold("--im2col --rows-layout=whc|wnh mb7_ic3ih9iw8_kh3kw2_sh2");
  EXPECT_THAT(problem.rowsShape(), ElementsAre(2, 3, 3, 7, 7, 4));
}

TEST(FoldProblemTest, LinesParseBack) {
  for (const char *line :
       {"--col2im mb1_ic3ih9iw7_oh5ow4_kh3kw2_sh2sw2_ph1pw1",
        "--col2im --type=bf16 --image-layout=cwhn --rows-layout=whn|cwh "
        "mb3_ic1ih9iw7_kh3kw2_dh1_n\"_oc1\"",
        "--col2im ic3iw5_kw2", "--col2im mb0_ic2id3ih4iw5_kd1kh2kw3",
        "--im2col ic3iw5_kw2", "--im2col --rows-layout=n|cw|w ic3iw5_kw2",
        "--col2im --rows-layout=cw|nw ic3iw5_kw2",
        "--im2col --type=f16 --image-layout=cwhn --rows-layout=whn|cwh "
        "mb3_ic1ih9iw7_kh3kw2_dh1_n\"_im2col\""}) {
    FoldProblem problem = parseFold(line);
    std::string text = toString(problem);
    EXPECT_EQ(parseFold(text), problem) << text;
    EXPECT_EQ(toString(parseFold(text)), text);
  }
  EXPECT_EQ(toString(parseFold("--col2im mb1_ic3ih9iw7_kh3kw3_sh2sw2_ph1pw1")),
            "--col2im --type=f32 --image-layout=nhwc --rows-layout=nhw|hwc "
            "mb1_ic3ih9iw7_oh5ow4_kh3kw3_sh2sw2_ph1pw1");
}

TEST(FoldProblemTest, TheOtherDirection) {
  FoldProblem fold = parseFold("--col2im mb1_ic3ih9iw7_kh3kw2_ph1pw1");
  FoldProblem unfold = parseFold("--im2col mb1_ic3ih9iw7_kh3kw2_ph1pw1");
  EXPECT_FALSE(fold.isUnfold);
  EXPECT_TRUE(unfold.isUnfold);
  EXPECT_EQ(unfold.shape, fold.shape);
  EXPECT_EQ(unfold.imageShape(), fold.imageShape());
  EXPECT_EQ(unfold.rowsShape(), fold.rowsShape());
  EXPECT_EQ(toString(unfold),
            "--im2col --type=f32 --image-layout=nhwc --rows-layout=nhw|hwc "
            "mb1_ic3ih9iw7_oh9ow8_kh3kw2_ph1pw1");
  EXPECT_EQ(getError("--im2col g3ic3iw5_kw2"),
            "expected no 'g' in descriptor 'g3ic3iw5_kw2' of im2col");
  EXPECT_EQ(getError("--im2col --filter-layout=wcf ic3iw5_kw2"),
            "'--filter-layout' is for convolutions, not for im2col");
  EXPECT_EQ(getError("--im2col --col2im ic3iw5_kw2"),
            "expected a flag of im2col such as --image-layout=nchw or "
            "--rows-layout=nhw|chw, but got '--col2im'");
  std::string error;
  EXPECT_FALSE(parseProblems("--im2col ic3iw5_kw2", {}, error));
  EXPECT_EQ(error, "expected a convolution, but got '--im2col'");
}

TEST(FoldProblemTest, Defaults) {
  ProblemDefaults defaults;
  defaults.type = ElementType::F16;
  defaults.batch = 7;
  FoldProblem problem = parseFold("--col2im mb1_ic3iw5_kw2", defaults);
  EXPECT_EQ(problem.type, ElementType::F16);
  EXPECT_EQ(problem.shape.batch, 7);
  EXPECT_EQ(parseFold("--col2im --type=f64 --mb=3 ic3iw5_kw2", defaults).type,
            ElementType::F64);
}

TEST(FoldProblemTest, Errors) {
  EXPECT_EQ(getError("--col2im"),
            "expected a problem such as 'mb1_ic3ih9iw7_kh3kw2', but got none");
  EXPECT_EQ(getError("--col2im ic3iw5_kw2 ic3iw5_kw2"),
            "expected one descriptor on a line, but got 'ic3iw5_kw2' and "
            "'ic3iw5_kw2'");
  EXPECT_EQ(getError("--col2im --alg=linear ic3iw5_kw2"),
            "expected a flag of col2im such as --image-layout=nchw or "
            "--rows-layout=nhw|chw, but got '--alg=linear'");
  EXPECT_EQ(getError("--col2im ic3iw5"),
            "expected 'kw' in descriptor 'ic3iw5', but it is missing");
  EXPECT_EQ(getError("--col2im g3ic3iw5_kw2"),
            "expected no 'g' in descriptor 'g3ic3iw5_kw2' of col2im");
  EXPECT_EQ(getError("--col2im ic3iw5oc4_kw2_ngoc"),
            "expected no 'oc' in descriptor 'ic3iw5oc4_kw2_ngoc' of col2im");
  EXPECT_EQ(getError("--col2im --image-layout=nhwc ic3iw5_kw2"),
            "expected the letters nwc for '--image-layout', but got 'nhwc'");
  EXPECT_EQ(getError("--col2im --rows-layout=nwwc ic3iw5_kw2"),
            "expected the letters nw|wc, those on each side in any order, or "
            "n|cw|w, for '--rows-layout', but got 'nwwc'");
  for (std::string rows :
       {"nw|", "|wc", "nw|wc|", "n|wc|w|n", "n|w|wc", "nwc|wc", "nw|w", "n|wc"})
    EXPECT_EQ(getError("--col2im --rows-layout=" + rows + " ic3iw5_kw2"),
              "expected the letters nw|wc, those on each side in any order, or "
              "n|cw|w, for '--rows-layout', but got '" +
                  rows + "'");
  EXPECT_EQ(getError("--col2im --filter-layout=wcf ic3iw5_kw2"),
            "'--filter-layout' is for convolutions, not for col2im");
  ProblemDefaults defaults;
  defaults.directions = {Direction::BackwardData};
  EXPECT_EQ(getError("--col2im ic3iw5_kw2", defaults),
            "'--dir' is for convolutions, not for col2im");
  EXPECT_EQ(getError("--col2im mb2000000000_ic1000000000iw1_kw1"),
            "expected tensors of at most 2^60 elements");
}

TEST(FoldProblemTest, OthersRefuseIt) {
  std::string error;
  EXPECT_FALSE(parseProblems("--col2im ic3iw5_kw2", {}, error));
  EXPECT_EQ(error, "expected a convolution, but got '--col2im'");
  auto any = parseAnyProblemFile("--col2im ic3iw5_kw2\nic3iw5oc1_kw2\n"
                                 "--grid-sample ic3ih5_oh2\n",
                                 {}, error);
  ASSERT_TRUE(any) << error;
  ASSERT_EQ(any->size(), 3u);
  EXPECT_TRUE(std::holds_alternative<FoldProblem>(any->front()));
  EXPECT_TRUE(std::holds_alternative<Problem>((*any)[1]));
  EXPECT_TRUE(std::holds_alternative<SampleProblem>((*any)[2]));
}
