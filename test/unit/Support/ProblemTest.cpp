//===- ProblemTest.cpp - Tests of problems that parse ---------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Problem.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace convoy;

/// The problems of `line`, printed; an error is printed in their place.
static std::vector<std::string> parsed(std::string_view line,
                                       const ProblemDefaults &defaults = {}) {
  std::string error;
  auto problems = parseProblems(line, defaults, error);
  if (!problems)
    return {"error: " + error};
  std::vector<std::string> texts;
  for (const Problem &problem : *problems)
    texts.push_back(toString(problem));
  return texts;
}

/// The one problem of `line`.
static Problem parsedOne(std::string_view line,
                         const ProblemDefaults &defaults = {}) {
  std::string error;
  auto problems = parseProblems(line, defaults, error);
  EXPECT_TRUE(problems) << error;
  EXPECT_TRUE(!problems || problems->size() == 1u);
  return problems && !problems->empty() ? problems->front() : Problem();
}

using Texts = std::vector<std::string>;

/// What every printed 2-D problem in benchdnn's default layouts begins with.
static const std::string Nhwc =
    "--type=f32 --input-layout=nhwc --filter-layout=hwcf --output-layout=nhwf ";
static const std::string Nchw =
    "--type=f32 --input-layout=nchw --filter-layout=fchw --output-layout=nfhw ";

//===----------------------------------------------------------------------===//
// benchdnn's form
//===----------------------------------------------------------------------===//

TEST(BenchdnnTest, ReadsEachField) {
  Problem p = parsedOne("g2mb3_ic4ih15iw17_oc6oh8ow9_kh3kw5_sh2sw2_ph1pw0_"
                        "dh0dw1n\"layer\"");
  EXPECT_EQ(p.direction, Direction::Forward);
  EXPECT_EQ(p.type, ElementType::F32);
  EXPECT_FALSE(p.bias);
  EXPECT_EQ(p.name, "layer");
  EXPECT_EQ(p.shape.groups, 2);
  EXPECT_EQ(p.shape.batch, 3);
  EXPECT_EQ(p.shape.inputChannels, 2);
  EXPECT_EQ(p.shape.outputChannels, 3);
  ASSERT_EQ(p.shape.spatialRank(), 2);
  EXPECT_EQ(p.shape.spatial[0],
            (SpatialDim{15, 3, 8, WindowDim{2, 1, 1, 1, 1, false}}));
  // The right padding follows from the output size, and differs from the left.
  EXPECT_EQ(p.shape.spatial[1],
            (SpatialDim{17, 5, 9, WindowDim{2, 2, 0, 8, 1, false}}));
}

TEST(BenchdnnTest, ReadsTheDesignsExample) {
  EXPECT_EQ(parsed("--dir=BWD_D g1mb1_ic64ih56oc64oh56kh3ph1"),
            Texts{"--dir=BWD_D " + Nhwc +
                  "mb1_ic64ih56iw56_oc64oh56ow56_kh3kw3_ph1pw1"});
}

TEST(BenchdnnTest, CopiesMissingDimensions) {
  EXPECT_EQ(parsed("ic3id8kd3oc2pd1"),
            Texts{"--dir=FWD_D --type=f32 --input-layout=ndhwc "
                  "--filter-layout=dhwcf --output-layout=ndhwf "
                  "mb2_ic3id8ih8iw8_oc2od8oh8ow8_kd3kh3kw3_pd1ph1pw1"});
  EXPECT_EQ(parsed("ic16iw5oc16ow5kw3pw1"),
            Texts{"--dir=FWD_D --type=f32 --input-layout=nwc "
                  "--filter-layout=wcf --output-layout=nwf "
                  "mb2_ic16iw5_oc16ow5_kw3_pw1"});
  // Values that are the default do not make a dimension.
  EXPECT_EQ(parsed("ic16iw5oc16ow5kw3pw1sh1ph0dh0"),
            parsed("ic16iw5oc16ow5kw3pw1"));
}

TEST(BenchdnnTest, DeducesOutputOrPadding) {
  EXPECT_EQ(parsed("mb1ic1ih10oc1kh3sh2ph1dh1"),
            parsed("mb1ic1ih10oc1oh4kh3sh2ph1dh1"));
  EXPECT_EQ(parsed("mb1ic1ih10oc1kh3"), parsed("mb1ic1ih10oc1oh8kh3ph0"));
  EXPECT_EQ(parsed("mb1ic3ih224oc64oh112kh7sh2"),
            parsed("mb1ic3ih224oc64oh112kh7sh2ph2"));
  Problem cropped = parsedOne("mb1ic1iw9oc1ow3kw3");
  EXPECT_EQ(cropped.shape.spatial[0].window.padLow, -2);
  EXPECT_EQ(cropped.shape.spatial[0].window.padHigh, -2);
}

TEST(BenchdnnTest, TakesNegativePadding) {
  Problem p = parsedOne("mb1ic1iw9oc1kw3pw-1");
  EXPECT_EQ(p.shape.spatial[0].output, 5);
  EXPECT_EQ(p.shape.spatial[0].window.padHigh, -1);
}

TEST(BenchdnnTest, TakesEmptySizesWhereTheyAreMeant) {
  EXPECT_EQ(parsedOne("mb0ic4iw9oc4kw3").shape.batch, 0);
  EXPECT_EQ(parsedOne("mb1ic4iw3oc4ow0kw9").shape.spatial[0].output, 0);
  EXPECT_EQ(parsedOne("mb1ic0iw3oc4kw1").shape.inputChannels, 0);
}

TEST(BenchdnnTest, ReadsNames) {
  EXPECT_EQ(parsedOne("ic1iw1oc1kw1n\"alexnet:conv1\"").name, "alexnet:conv1");
  EXPECT_EQ(parsedOne("ic1iw1oc1kw1_nconv#1*4").name, "conv#1*4");
}

TEST(BenchdnnTest, ReadsDirections) {
  const std::string text = "mb1_ic1iw1_oc1ow1_kw1_pw0";
  auto directionOf = [&](const std::string &flag) {
    return parsedOne(flag + " " + text).direction;
  };
  EXPECT_EQ(directionOf("--dir=FWD_D"), Direction::Forward);
  EXPECT_EQ(directionOf("--dir=FWD_I"), Direction::Forward);
  EXPECT_EQ(directionOf("--dir=BWD_D"), Direction::BackwardData);
  EXPECT_EQ(directionOf("--dir=BWD_W"), Direction::BackwardFilter);
  EXPECT_TRUE(parsedOne("--dir=FWD_B " + text).bias);
  EXPECT_EQ(parsed("--dir=all " + text),
            parsed("--dir=FWD_D,BWD_D,BWD_W " + text));
  EXPECT_EQ(parsed("--dir=all " + text).size(), 3u);
}

TEST(BenchdnnTest, ReadsTypes) {
  auto typeOf = [](const std::string &flag) {
    return parsedOne(flag + " mb1ic1iw1oc1kw1").type;
  };
  EXPECT_EQ(typeOf("--dt=f64"), ElementType::F64);
  EXPECT_EQ(typeOf("--dt=f16:f16:f16"), ElementType::F16);
  EXPECT_EQ(typeOf("--cfg=f32"), ElementType::F32);
  EXPECT_EQ(typeOf("--cfg=bf16bf16bf16"), ElementType::BF16);
  EXPECT_EQ(typeOf("--type=bf16"), ElementType::BF16);
  Problem p = parsedOne("--dt=u8:s8:s32 mb1ic1iw1oc1kw1");
  EXPECT_EQ(p.type, ElementType::I8);
  EXPECT_FALSE(p.inputSigned);
  EXPECT_TRUE(p.filterSigned);
  EXPECT_EQ(parsed("--cfg=s8s8s32 mb1ic1iw1oc1kw1"),
            parsed("--type=i8 mb1ic1iw1oc1kw1"));
}

TEST(BenchdnnTest, ReadsSignsAndZeroPoints) {
  Problem p = parsedOne(
      "--type=i8 --signs=u8:s8 --zero-points=200:-128 mb1ic1iw1oc1kw1");
  EXPECT_FALSE(p.inputSigned);
  EXPECT_TRUE(p.filterSigned);
  EXPECT_EQ(p.inputZeroPoint, 200);
  EXPECT_EQ(p.filterZeroPoint.value, -128);
}

TEST(BenchdnnTest, ReadsLayoutsAndTags) {
  Problem p = parsedOne("--input-layout=ngchw --filter-layout=gfchw "
                        "--output-layout=hwnfg g2mb1ic4ih5oc6kh3");
  EXPECT_EQ(p.layouts.input.letters(), "ngchw");
  EXPECT_EQ(p.layouts.filter.letters(), "gfchw");
  EXPECT_EQ(p.layouts.output.letters(), "hwnfg");
  auto filterOf = [](const std::string &line) {
    return parsedOne(line).layouts.filter.letters();
  };
  EXPECT_EQ(filterOf("--wtag=any ic4ih5oc6kh3"), "hwcf");
  EXPECT_EQ(filterOf("--wtag=abx ic4ih5oc6kh3"), "fchw");
  EXPECT_EQ(filterOf("--wtag=xba ic4ih5oc6kh3"), "hwcf");
  EXPECT_EQ(filterOf("--wtag=abxc g2ic4ih5oc6kh3"), "gfhwc");
  EXPECT_EQ(filterOf("--wtag=hwigo g2ic4ih5oc6kh3"), "hwcgf");
  EXPECT_EQ(filterOf("--wtag=acdb ic4ih5oc6kh3"), "fhwc");
  Problem tagged = parsedOne("--stag=axb --dtag=nchw ic4ih5oc6kh3");
  EXPECT_EQ(tagged.layouts.input.letters(), "nhwc");
  EXPECT_EQ(tagged.layouts.output.letters(), "nfhw");
}

TEST(BenchdnnTest, ReadsWholeLogLines) {
  Texts expected = parsed("--dir=BWD_W mb2ic4ih7oc8kh3");
  EXPECT_EQ(parsed("0:PASSED (3 ms) __REPRO: --conv --dir=BWD_W ic4ih7oc8kh3"),
            expected);
  EXPECT_EQ(parsed("./build/benchdnn --conv -v1 --engine=cpu --mode=p "
                   "--alg=auto --skip-impl=ref --dir=BWD_W ic4ih7oc8kh3\r"),
            expected);
  EXPECT_EQ(parsed("--mb=5 --dir=BWD_W ic4ih7oc8kh3"),
            parsed("--dir=BWD_W mb5ic4ih7oc8kh3"));
}

TEST(BenchdnnTest, ReadsTransposedConvolutions) {
  // Reads 16 channels of 7x9, writes 24 of 14x25. The convolution under it goes
  // the other way.
  const std::string text =
      "--deconv --dt=f16 --stag=axb --wtag=goihw --dtag=nchw "
      "g2mb4_ic16ih7iw9_oc24oh14ow25_kh3kw5_sh2sw3_ph1pw2 ";
  const std::string under =
      " --type=f16 --input-layout=nchw --filter-layout=gcfhw "
      "--output-layout=nhwf g2mb4_ic24ih14iw25_oc16oh7ow9_kh3kw5_sh2sw3_ph1pw2";
  EXPECT_EQ(parsed(text + "--dir=FWD_D"), Texts{"--dir=BWD_D" + under});
  EXPECT_EQ(parsed(text + "--dir=BWD_D"), Texts{"--dir=FWD_D" + under});
  EXPECT_EQ(parsed(text + "--dir=BWD_W"), Texts{"--dir=BWD_W" + under});
  Problem p = parsedOne(text);
  EXPECT_EQ(p.shape.spatial[0].window.padHigh, 0);
  EXPECT_EQ(p.shape.spatial[1].window.padHigh, 2);
}

TEST(BenchdnnTest, CompletesTransposedConvolutions) {
  // (5-1)*2 + 3 positions, less the padding.
  Problem whole = parsedOne("--deconv ic4iw5oc6kw3sw2pw0");
  EXPECT_EQ(whole.shape.spatial[0].input, 11);
  Problem padded = parsedOne("--deconv ic4iw5oc6kw3sw2pw1");
  EXPECT_EQ(padded.shape.spatial[0].input, 9);
  EXPECT_EQ(padded.shape.spatial[0].window.padHigh, 1);
  // Half of what the output's size needs, 3.
  Problem sized = parsedOne("--deconv ic4iw5oc6ow8kw3sw2");
  EXPECT_EQ(sized.shape.spatial[0].window.padLow, 1);
  EXPECT_EQ(sized.shape.spatial[0].window.padHigh, 2);
  EXPECT_EQ(whole.layouts.input.letters(), "nwc");
  EXPECT_EQ(whole.layouts.filter.letters(), "wfc");
  EXPECT_EQ(whole.layouts.output.letters(), "nwf");
  EXPECT_EQ(parsed("--deconv ic4iw5oc6kw3sw2pw0"),
            Texts{"--dir=BWD_D --type=f32 --input-layout=nwc "
                  "--filter-layout=wfc --output-layout=nwf "
                  "mb2_ic6iw11_oc4ow5_kw3_sw2_pw0"});
}

//===----------------------------------------------------------------------===//
// MIOpenDriver's form
//===----------------------------------------------------------------------===//

TEST(MIOpenTest, ReadsTheDesignsExample) {
  EXPECT_EQ(
      parsed("./bin/MIOpenDriver convbfp16 -n 16 -c 288 -H 48 -W 32 -k 288 -y "
             "3 -x 3 -p 1 -q 1 -u 2 -v 2 -l 1 -j 1 -g 3 -F 4 -m conv "
             "--in_layout NHWC --fil_layout NHWC --out_layout NHWC -t 1 -V 1"),
      Texts{"--dir=BWD_W --type=bf16 --input-layout=nhwc --filter-layout=fhwc "
            "--output-layout=nhwf g3mb16_ic288ih48iw32_oc288oh24ow16_kh3kw3_"
            "sh2sw2_ph1pw1"});
}

TEST(MIOpenTest, ReadsTransposedConvolutions) {
  // Reads 16 channels of 7x9, writes 24 of 14x25: -u 2 with one more row, -v 3.
  // The convolution under it goes the other way.
  const std::string text =
      "./bin/MIOpenDriver convfp16 -n 4 -c 16 -H 7 -W 9 -k 24 -y 3 -x 5 -p 1 "
      "-q 2 -u 2 -v 3 -Y 1 -m trans -g 2 --in_layout NHWC ";
  const std::string under =
      " --type=f16 --input-layout=nchw --filter-layout=fchw "
      "--output-layout=nhwf g2mb4_ic24ih14iw25_oc16oh7ow9_kh3kw5_sh2sw3_ph1pw2";
  EXPECT_EQ(parsed(text + "-F 1"), Texts{"--dir=BWD_D" + under});
  EXPECT_EQ(parsed(text + "-F 2"), Texts{"--dir=FWD_D" + under});
  EXPECT_EQ(parsed(text + "-F 4"), Texts{"--dir=BWD_W" + under});
  Problem p = parsedOne(text + "-F 1");
  EXPECT_EQ(p.shape.spatial[0].window.padHigh, 0);
  EXPECT_EQ(p.shape.spatial[1].window.padHigh, 2);
}

TEST(MIOpenTest, ReadsThreeDimensions) {
  Texts expected{"--dir=BWD_D --type=f32 --input-layout=ncdhw "
                 "--filter-layout=fcdhw --output-layout=nfdhw "
                 "mb1_ic3id8ih9iw10_oc5od4oh10ow5_kd2kh2kw3_sd2sh1sw2_"
                 "pd1ph1pw1_dd2dh0dw0"};
  EXPECT_EQ(parsed("MIOpen(HIP): Command [LogCmdConvolution] "
                   "./bin/MIOpenDriver conv -n 1 -c 3 --in_d 8 -H 9 -W 10 -k 5 "
                   "--fil_d 2 -y 2 -x 3 --pad_d 1 -p 1 -q 1 --conv_stride_d 2 "
                   "-u 1 -v 2 --dilation_d 3 -l 1 -j 1 --spatial_dim 3 -m conv "
                   "-g 1 -F 2 -t 1"),
            expected);
  EXPECT_EQ(parsed("conv -_ 3 -n 1 -c 3 -! 8 -H 9 -W 10 -k 5 -@ 2 -y 2 -x 3 "
                   "-$ 1 -p 1 -q 1 -# 2 -u 1 -v 2 -^ 3 -F 2"),
            expected);
}

TEST(MIOpenTest, HasTheDriversDefaults) {
  const std::string text =
      Nchw + "mb100_ic3ih32iw32_oc32oh30ow30_kh3kw3_ph0pw0";
  EXPECT_EQ(parsed("MIOpenDriver conv"),
            (Texts{"--dir=FWD_D " + text, "--dir=BWD_D " + text,
                   "--dir=BWD_W " + text}));
  EXPECT_EQ(parsed("C:\\MIOpenDriver.exe conv -F 5"),
            (Texts{"--dir=FWD_D " + text, "--dir=BWD_W " + text}));
}

TEST(MIOpenTest, ReadsTypesAndBias) {
  EXPECT_EQ(parsedOne("convfp16 -F 1").type, ElementType::F16);
  EXPECT_EQ(parsedOne("convbfp16 -F 1").type, ElementType::BF16);
  Problem p = parsedOne("convint8 --zero-points=1:2 -F 1");
  EXPECT_EQ(p.type, ElementType::I8);
  EXPECT_TRUE(p.inputSigned && p.filterSigned);
  EXPECT_EQ(p.inputZeroPoint, 1);
  EXPECT_EQ(parsedOne("conv --type=f64 -F 1").type, ElementType::F64);
  EXPECT_TRUE(parsedOne("conv -F 1 -b 1").bias);
}

TEST(MIOpenTest, ReadsLayoutsInBothSpellings) {
  auto layoutsOf = [](const std::string &options) {
    return parsedOne("conv -F 1 " + options).layouts;
  };
  EXPECT_EQ(
      layoutsOf("--in_layout CHWN --fil_layout CHWN --out_layout CHWN"),
      (ConvLayouts{Layout::fromLetters("chwn"), Layout::fromLetters("chwf"),
                   Layout::fromLetters("fhwn")}));
  EXPECT_EQ(layoutsOf("-I nhwc -f hwcf -O nhwf"),
            layoutsOf("--input-layout=nhwc --filter-layout=hwcf "
                      "--output-layout=nhwf"));
  EXPECT_EQ(layoutsOf("-f nhwc"), layoutsOf("--filter-layout=fhwc"));
}

TEST(MIOpenTest, ReadsPaddingModes) {
  auto spatialOf = [](const std::string &options) {
    return parsedOne("conv -F 1 -H 7 -W 8 -u 2 -v 2 " + options).shape.spatial;
  };
  EXPECT_EQ(spatialOf("-z same -p 9"), spatialOf("-p 1 -q 0"));
  EXPECT_EQ(spatialOf("-z valid -p 9"), spatialOf("-p 0 -q 0"));
  EXPECT_EQ(spatialOf("-z default -p 1"), spatialOf("-p 1"));
}

TEST(MIOpenTest, IgnoresHowToRun) {
  EXPECT_EQ(
      parsed("conv -F 1 -i 3 -V 0 -C dir -t 1 -w 1 -s 1 -P 0 -o 1 -d a.bin "
             "-e b.bin -a c.bin -D d.bin -S -1 -G 1 --wall 1 -r 0 -Z 0 -L "
             "1 -U -1 -T -1 -R -1"),
      parsed("conv -F 1"));
  EXPECT_EQ(parsed("conv -n 1 -n 7 -F 1"), parsed("conv -n 7 -F 1"));
}

//===----------------------------------------------------------------------===//
// Defaults and files
//===----------------------------------------------------------------------===//

TEST(ProblemTest, LinesOverrideDefaults) {
  ProblemDefaults defaults;
  std::string error;
  for (const char *flag :
       {"--dir=BWD_D", "--type=f16", "--input-layout=nchw", "--mb=8"})
    ASSERT_EQ(parseProblemFlag(flag, defaults, error), FlagStatus::Accepted);
  EXPECT_EQ(
      parsed("ic1ih2oc1kh1", defaults),
      parsed("--dir=BWD_D --type=f16 --input-layout=nchw mb8ic1ih2oc1kh1"));
  EXPECT_EQ(parsed("--dir=FWD_D --mb=0 --type=f32 --input-layout=nhwc "
                   "mb3ic1ih2oc1kh1",
                   defaults),
            parsed("mb3ic1ih2oc1kh1"));
  EXPECT_EQ(parsed("convbfp16 -F 1 -I NHWC", defaults),
            parsed("convbfp16 -F 1 -I NHWC -n 8"));
}

TEST(ProblemTest, BiasBelongsToTheDirections) {
  ProblemDefaults defaults;
  std::string error;
  parseProblemFlag("--dir=FWD_B,BWD_D", defaults, error);
  EXPECT_EQ(parsed("mb1ic1iw1oc1kw1", defaults),
            parsed("--dir=FWD_B,BWD_D mb1ic1iw1oc1kw1"));
  EXPECT_FALSE(parsedOne("--dir=FWD_D mb1ic1iw1oc1kw1", defaults).bias);
  auto problems = parseProblems("mb1ic1iw1oc1kw1", defaults, error);
  ASSERT_TRUE(problems);
  EXPECT_TRUE((*problems)[0].bias);
  EXPECT_FALSE((*problems)[1].bias);
}

TEST(ProblemTest, IntegerDefaultsLeaveFloatsAlone) {
  ProblemDefaults defaults;
  std::string error;
  parseProblemFlag("--signs=u8:s8", defaults, error);
  parseProblemFlag("--zero-points=3:4", defaults, error);
  EXPECT_EQ(parsed("mb1ic1iw1oc1kw1", defaults), parsed("mb1ic1iw1oc1kw1"));
  EXPECT_EQ(parsedOne("--type=i8 mb1ic1iw1oc1kw1", defaults).inputZeroPoint, 3);
}

TEST(ProblemTest, OtherWordsAreNotFlags) {
  ProblemDefaults defaults;
  std::string error;
  for (const char *word : {"--target=cpu", "--dir", "dir=BWD_D", "", "="})
    EXPECT_EQ(parseProblemFlag(word, defaults, error), FlagStatus::NotAFlag);
}

TEST(ProblemTest, ReadsFiles) {
  std::string error;
  auto problems = parseProblemFile("# layers\n\n"
                                   "mb1ic1iw5oc1kw3n\"a#1\" # the first\r\n"
                                   "  \t\n"
                                   "conv -_ 3 -# 2 -F 6 #two problems\n"
                                   "--dir=BWD_W ic1iw5oc1kw3",
                                   {}, error);
  ASSERT_TRUE(problems) << error;
  ASSERT_EQ(problems->size(), 4u);
  EXPECT_EQ((*problems)[0].name, "a#1");
  EXPECT_EQ((*problems)[1].shape.spatial[0].window.stride, 2);
  EXPECT_EQ((*problems)[3].direction, Direction::BackwardFilter);
  EXPECT_TRUE(parseProblemFile("", {}, error)->empty());
}

//===----------------------------------------------------------------------===//
// Round trip
//===----------------------------------------------------------------------===//

namespace {

/// Random problems of every kind.
class ProblemGenerator {
public:
  Problem next() {
    Problem problem;
    problem.direction = pick({Direction::Forward, Direction::BackwardData,
                              Direction::BackwardFilter});
    problem.bias = problem.direction == Direction::Forward && number(0, 1);
    problem.type = pick({ElementType::F64, ElementType::F32, ElementType::F16,
                         ElementType::BF16, ElementType::I8});
    if (problem.type == ElementType::I8) {
      problem.inputSigned = number(0, 1);
      problem.filterSigned = number(0, 1);
      problem.inputZeroPoint = zeroPoint(problem.inputSigned);
      problem.filterZeroPoint.value = zeroPoint(problem.filterSigned);
      if (problem.direction != Direction::BackwardFilter && number(0, 2) == 0)
        problem.filterZeroPoint = {0, true};
    }
    ConvShape &shape = problem.shape;
    shape.batch = number(0, 4);
    shape.groups = number(1, 3);
    shape.inputChannels = number(0, 4);
    shape.outputChannels = number(0, 1000);
    shape.spatial.resize(number(1, 3));
    for (SpatialDim &dim : shape.spatial)
      dim = spatialDim();
    std::string taps(spatialLetters(shape.spatialRank()));
    problem.layouts = {layout("nc" + taps), layout("fc" + taps),
                       layout("nf" + taps)};
    for (char letter : "n" + taps)
      if (number(0, 3) == 0)
        problem.dynamic += letter;
    for (int64_t length = number(0, 4); length > 0; --length)
      problem.name += pick({'a', 'n', '0', '_', '#', '=', '-', '\\'});
    return problem;
  }

private:
  int64_t number(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  }
  template <typename T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[number(0, static_cast<int64_t>(choices.size()) - 1)];
  }
  int32_t zeroPoint(bool isSigned) {
    return static_cast<int32_t>(number(0, 255)) - (isSigned ? 128 : 0);
  }
  SpatialDim spatialDim() {
    SpatialDim dim;
    dim.input = number(0, 9);
    dim.filter = number(0, 4);
    dim.output = dim.filter == 0 ? 0 : number(0, 9);
    dim.window.stride = number(1, 3);
    dim.window.dilation = number(1, 3);
    dim.window.padLow = number(-4, 4);
    dim.window.padHigh =
        padHighFor(dim.input, dim.filter, dim.output, dim.window);
    return dim;
  }
  Layout layout(std::string letters) {
    if (number(0, 1))
      letters += 'g';
    std::shuffle(letters.begin(), letters.end(), random);
    return Layout::fromLetters(letters);
  }

  std::mt19937_64 random{20240229};
};

} // namespace

TEST(ProblemTest, PrintedProblemsParseBack) {
  // Whatever the command line says, a printed problem means itself.
  ProblemDefaults defaults;
  std::string error;
  for (const char *flag :
       {"--dir=FWD_B", "--type=i8", "--signs=u8:u8", "--zero-points=7:9",
        "--input-layout=cwn", "--filter-layout=dwhcf", "--output-layout=fwn"})
    ASSERT_EQ(parseProblemFlag(flag, defaults, error), FlagStatus::Accepted);
  ProblemGenerator generator;
  for (int i = 0; i < 20000; ++i) {
    Problem problem = generator.next();
    ASSERT_EQ(checkShape(problem.shape), std::nullopt);
    std::string text = toString(problem);
    for (const ProblemDefaults &flags : {ProblemDefaults(), defaults}) {
      auto problems = parseProblems(text, flags, error);
      ASSERT_TRUE(problems) << text << ": " << error;
      ASSERT_EQ(problems->size(), 1u) << text;
      ASSERT_EQ(problems->front(), problem)
          << text << " came back as " << toString(problems->front());
    }
  }
}
