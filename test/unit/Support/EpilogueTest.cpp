//===- EpilogueTest.cpp - Tests of Support/Epilogue -----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Problem.h"

#include <gtest/gtest.h>

using namespace convoy;

static const std::string Shape = " g3mb2_ic6ih5iw7_oc9oh3ow6_kh3kw2_ph0pw0";

/// The one problem that `line` is, with a shape of two dimensions and groups.
static Problem parseOne(const std::string &flags) {
  std::string error;
  auto problems = parseProblems(flags + Shape, {}, error);
  EXPECT_TRUE(problems) << flags << ": " << error;
  return problems ? problems->front() : Problem();
}

/// What the printed problem says of `flag`.
static std::string printed(const std::string &flag, const Problem &problem) {
  std::string text = " " + toString(problem);
  size_t place = text.find(" " + flag + "=");
  if (place == std::string::npos)
    return "";
  place += flag.size() + 2;
  return text.substr(place, text.find(' ', place) - place);
}

static std::string printedPostOps(const std::string &chain,
                                  const std::string &flags = "") {
  return printed("--attr-post-ops",
                 parseOne("--attr-post-ops=" + chain + " " + flags));
}

TEST(EpilogueTest, ChainsParseBack) {
  for (const char *chain :
       {"abs",
        "clip:0:6",
        "elu:1.5",
        "exp",
        "gelu_erf",
        "gelu_tanh",
        "hardsigmoid:0.2:0.5",
        "hardswish",
        "hardswish:0.2:0.5",
        "linear:2:-0.25",
        "log",
        "logistic",
        "mish",
        "relu",
        "relu:0.01",
        "round",
        "soft_relu:-1",
        "sqrt",
        "square",
        "swish:1",
        "tanh",
        "sum",
        "sum:0.5",
        "add:f32",
        "sub:bf16:per_oc",
        "mul:s8:per_tensor",
        "div:f16:5",
        "max:s32:1",
        "min:u8:12",
        "add:f64:per_tensor:nfhw",
        "relu+add:f32:per_oc+sum:-2+linear:1e+30:1e-09+square"})
    EXPECT_EQ(printedPostOps(chain), chain);
}

TEST(EpilogueTest, ReadsTheWordsOfOneDNN) {
  EXPECT_EQ(printedPostOps("eltwise_relu+binary_add:f32:common"),
            "relu+add:f32");
  EXPECT_EQ(printedPostOps("ReLU:0+Add:f32:PER_OC"), "relu+add:f32:per_oc");
  EXPECT_EQ(printedPostOps("clip_v2:0:6+srelu:1"), "clip:0:6+soft_relu:1");
  EXPECT_EQ(printedPostOps("add:f32:2+add:f32:15+add:f32:per_dim_01"),
            "add:f32:per_oc+add:f32:per_tensor+add:f32:3");
  EXPECT_EQ(printedPostOps("linear:1E+3:-.5+relu"), "linear:1000:-0.5+relu");
  EXPECT_EQ(printedPostOps("sum:1:0:f32"), "sum");
  EXPECT_EQ(printedPostOps(""), "");
}

TEST(EpilogueTest, TagsAreLayoutsOfOperands) {
  EXPECT_EQ(printedPostOps("add:f32:per_tensor:abx"),
            "add:f32:per_tensor:nfhw");
  EXPECT_EQ(printedPostOps("add:f32:per_tensor:any"), "add:f32:per_tensor");
  // The result's own.
  EXPECT_EQ(printedPostOps("add:f32:per_tensor:axb"), "add:f32:per_tensor");
  EXPECT_EQ(printedPostOps("add:f32:per_tensor:axb", "--output-layout=nfhw"),
            "add:f32:per_tensor:nhwf");
  // Of a gradient of the input, whose channels are c.
  EXPECT_EQ(printedPostOps("add:f32:per_tensor:nchw", "--dir=BWD_D"),
            "add:f32:per_tensor:nchw");
}

/// The names, types and dimensions of what the epilogue takes.
static std::string describe(const Problem &problem) {
  std::string text;
  for (const KernelOperand &operand : problem.epilogueOperands())
    text += (text.empty() ? "" : " ") + operand.name + ":" +
            std::string(dataTypeName(operand.type)) + ":" +
            operand.layout.letters();
  return text;
}

TEST(EpilogueTest, NamesItsOperands) {
  EXPECT_EQ(describe(parseOne("--attr-post-ops=relu+tanh")), "");
  EXPECT_EQ(
      describe(parseOne("--type=f16 "
                        "--attr-post-ops=add:f32:per_tensor+sum+mul:s8:per_"
                        "oc+add:u8+max:bf16:9")),
      "add_operand:f32:nhwf former_result:f16:nhwf mul_operand:s8:f "
      "add_operand1:u8: max_operand:bf16:nw");
  EXPECT_EQ(
      describe(parseOne("--output-layout=wgnhf "
                        "--attr-post-ops=add:f32:per_tensor+add:f32:per_oc+"
                        "add:f32:6+add:f32:per_tensor:abx")),
      "add_operand:f32:wgnhf add_operand1:f32:f add_operand2:f32:ghf "
      "add_operand3:f32:nfhw");
  EXPECT_EQ(
      describe(parseOne("--dir=BWD_D --attr-post-ops=mul:f32:per_oc+sum")),
      "mul_operand:f32:c former_result:f32:nhwc");
}

TEST(EpilogueTest, ChannelsOfFiltersHaveZeroPoints) {
  for (const char *words : {"wei:per_oc", "wei:per_dim_0", "wei:per_oc:s32",
                            "wei:common:3+wei:per_oc+src:common:-7"}) {
    Problem p = parseOne("--type=i8 --attr-zero-points=" + std::string(words));
    EXPECT_EQ(p.filterZeroPoint, (ZeroPoint{0, true}));
    ASSERT_TRUE(p.filterZeroPoints());
    EXPECT_EQ(p.filterZeroPoints()->name, "filter_zero_points");
    EXPECT_EQ(p.filterZeroPoints()->type, DataType::S32);
    EXPECT_EQ(p.filterZeroPoints()->layout.letters(), "f");
    EXPECT_TRUE(p.epilogue.isEmpty());
  }
  Problem gradient =
      parseOne("--dt=u8:s8:s8 --dir=BWD_D "
               "--attr-zero-points=src:common:2+wei:per_oc+dst:common:3");
  EXPECT_EQ(gradient.filterZeroPoints()->layout.letters(), "c");
  EXPECT_EQ(toString(gradient).substr(0, toString(gradient).find(" --input")),
            "--dir=BWD_D --dt=u8:s8:s8 --zero-points=2:0 "
            "--attr-zero-points=wei:per_oc+dst:common:3");
  EXPECT_FALSE(
      parseOne("--type=i8 --attr-zero-points=wei:common:3+src:common:1")
          .filterZeroPoints());
  // What stands last counts.
  EXPECT_EQ(
      parseOne("--type=i8 --attr-zero-points=wei:per_oc --zero-points=0:4")
          .filterZeroPoint,
      (ZeroPoint{4, false}));
}

TEST(EpilogueTest, ChannelsOfResultsHaveZeroPoints) {
  for (const char *words : {"dst:per_oc", "dst:per_dim_1", "dst:per_oc:s32"}) {
    Problem p = parseOne("--dt=u8:s8:u8 --attr-scales=dst:per_oc "
                         "--attr-post-ops=add:f32:per_oc --attr-zero-points=" +
                         std::string(words));
    EXPECT_EQ(p.epilogue.resultZeroPoint, (ZeroPoint{0, true}));
    EXPECT_EQ(describe(p), "result_scales:f32:f result_zero_points:s32:f "
                           "add_operand:f32:f");
    EXPECT_EQ(toString(p).substr(0, toString(p).find(" --input")),
              "--dir=FWD_D --dt=u8:s8:u8 --zero-points=0:0 "
              "--attr-scales=dst:per_oc --attr-zero-points=dst:per_oc "
              "--attr-post-ops=add:f32:per_oc");
  }
}

TEST(EpilogueTest, ReadsOneZeroPointOfEach) {
  std::string error;
  ProblemDefaults flags;
  for (const char *words :
       {"wei", "wei:per_oc:s8", "wei:per_oc:s32:1x1", "wei:per_ocic",
        "wei:common", "wei:common:3:u8", "dst:per_dim_0", "bia:common:3",
        "src:", "wei:common:3:s32:1"})
    EXPECT_EQ(parseProblemFlag("--attr-zero-points=" + std::string(words),
                               flags, error),
              FlagStatus::Rejected)
        << words;
  EXPECT_EQ(
      parseProblemFlag("--attr-zero-points=wei:common:3:s32", flags, error),
      FlagStatus::Accepted);
  EXPECT_EQ(flags.filterZeroPoint, (ZeroPoint{3, false}));
}

TEST(EpilogueTest, IntegersHaveScalesAndTypes) {
  Problem p = parseOne("--dt=u8:s8:s8 --dir=FWD_B "
                       "--attr-scales=src:common:0.5+wei:per_oc+dst:common:4 "
                       "--attr-zero-points=src:common:128+dst:common:-3 "
                       "--attr-post-ops=relu+sum:0.5:2");
  EXPECT_EQ(p.resultType(), DataType::S8);
  EXPECT_EQ(p.epilogue.inputScale, (Scale{0.5, false}));
  EXPECT_TRUE(p.epilogue.filterScale.isPerChannel);
  EXPECT_EQ(p.epilogue.resultScale, (Scale{4, false}));
  EXPECT_EQ(p.inputZeroPoint, 128);
  EXPECT_EQ(p.epilogue.resultZeroPoint, (ZeroPoint{-3, false}));
  EXPECT_TRUE(p.addsBiasToScaledSums());
  EXPECT_EQ(describe(p),
            "bias:f32:f filter_scales:f32:f former_result:s8:nhwf");
  EXPECT_EQ(toString(p).substr(0, toString(p).find(" --input")),
            "--dir=FWD_B --dt=u8:s8:s8 --zero-points=128:0 "
            "--attr-scales=src:common:0.5+wei:per_oc+dst:common:4 "
            "--attr-zero-points=dst:common:-3 --attr-post-ops=relu+sum:0.5:2");
  for (const char *flags :
       {"--dt=s8:s8:u8", "--cfg=u8s8f32",
        "--dt=u8:u8:bf16 --attr-scales="
        "src0:common:2+dst:per_oc",
        "--dt=s8:s8:s32 --attr-post-ops=relu", "--dt=s8:s8:f16"}) {
    Problem problem = parseOne(flags);
    std::string error;
    auto again = parseProblems(toString(problem), {}, error);
    ASSERT_TRUE(again) << error;
    EXPECT_EQ(again->front(), problem) << toString(problem);
  }
  EXPECT_TRUE(parseOne("--dt=s8:s8:s32").epilogue.isEmpty());
  EXPECT_TRUE(
      parseOne("--dt=s8:s8:s32 --attr-scales=src:common:1").epilogue.isEmpty());
}

TEST(EpilogueTest, LinesOverrideDefaults) {
  ProblemDefaults defaults;
  std::string error;
  for (const char *flag :
       {"--attr-post-ops=relu", "--dt=u8:s8:u8", "--attr-scales=wei:per_oc"})
    ASSERT_EQ(parseProblemFlag(flag, defaults, error), FlagStatus::Accepted);
  auto textOf = [&](const std::string &flags) {
    auto problems = parseProblems(flags + Shape, defaults, error);
    EXPECT_TRUE(problems) << error;
    std::string text = toString(problems->front());
    return text.substr(0, text.find(" --input"));
  };
  EXPECT_EQ(textOf(""), "--dir=FWD_D --dt=u8:s8:u8 --zero-points=0:0 "
                        "--attr-scales=wei:per_oc --attr-post-ops=relu");
  EXPECT_EQ(textOf("--type=f32"),
            "--dir=FWD_D --type=f32 --attr-post-ops=relu");
  EXPECT_EQ(textOf("--type=i8 --attr-scales= --attr-post-ops="),
            "--dir=FWD_D --type=i8 --signs=u8:s8 --zero-points=0:0");
}

namespace {
/// A line's flags, and the whole sentence that refuses it.
struct WrongFlags {
  const char *flags;
  const char *error;
};
} // namespace

static const char *const Names =
    "expected one of abs, clip, elu, exp, gelu_erf, gelu_tanh, hardsigmoid, "
    "hardswish, linear, log, logistic, mish, relu, round, soft_relu, sqrt, "
    "square, swish, tanh, sum, add, div, max, min, mul, sub as a step of "
    "'--attr-post-ops', but got ";

TEST(EpilogueTest, RefusesUnknownSteps) {
  for (const char *word :
       {"prelu", "dw:k3s1p1", "pow:1:2", "eq:f32", "relu_dst", "eltwise_add",
        "binary_relu", "binary_sum", ""}) {
    std::string error, name = word;
    EXPECT_FALSE(
        parseProblems("--attr-post-ops=relu+" + name + Shape, {}, error));
    EXPECT_EQ(error, Names + ("'" + name.substr(0, name.find(':')) + "'"));
  }
}

static constexpr WrongFlags Wrong[] = {
    {"--attr-post-ops=tanh:1", "expected no number behind 'tanh', but got 1"},
    {"--attr-post-ops=swish",
     "expected one number behind 'swish', as in swish:1, but got 0"},
    {"--attr-post-ops=clip:6",
     "expected two numbers behind 'clip', as in clip:0:6, but got 1"},
    {"--attr-post-ops=relu:1:2:3",
     "expected one number behind 'relu', as in relu:0.1, but got 3"},
    {"--attr-post-ops=relu:x",
     "expected a number of f32 for ALPHA of 'relu', but got 'x'"},
    {"--attr-post-ops=linear:1:1e39",
     "expected a number of f32 for BETA of 'linear', but got '1e39'"},
    {"--attr-post-ops=clip:2:1",
     "expected a lower bound of at most the upper one for 'clip', but got "
     "'2:1'"},
    {"--attr-post-ops=soft_relu:0",
     "expected another number than 0 for ALPHA of 'soft_relu', but got '0'"},
    {"--attr-post-ops=sum:1:0:f32:0",
     "expected at most a scale, a zero point and a type behind 'sum', but "
     "got 4 words"},
    {"--attr-post-ops=sum:nan",
     "expected a number of f32 for the scale of 'sum', but got 'nan'"},
    {"--attr-post-ops=sum:1:300",
     "expected a number from -128 to 255 for the zero point of 'sum', but "
     "got '300'"},
    {"--attr-post-ops=sum:1:3",
     "expected no zero point behind 'sum', since the result is no integer"},
    {"--attr-post-ops=sum:1:0:f8",
     "expected f64, f32, f16, bf16, s32, s8 or u8 for the type of 'sum', but "
     "got 'f8'"},
    {"--attr-post-ops=sum:1:0:s8",
     "expected the result's type f32 for the type of 'sum', but got 's8'"},
    {"--attr-post-ops=add",
     "expected a type, a mask and a tag behind 'add', as in add:f32:per_oc, "
     "but got 0 words"},
    {"--attr-post-ops=add:f8",
     "expected f64, f32, f16, bf16, s32, s8 or u8 for the type of 'add', but "
     "got 'f8'"},
    {"--attr-post-ops=add:f32:per_ic",
     "expected common, per_oc, per_tensor or the sum of 1 for n, 2 for "
     "channels, 4, 8, … for spatial dimensions for the mask of 'add', but "
     "got 'per_ic'"},
    {"--attr-post-ops=add:f32:16",
     "expected a mask of at most 15 behind 'add', but got 16"},
    {"--attr-post-ops=add:f32:15:aBx16b",
     "expected a plain tag of all dimensions, such as axb or any, for the "
     "tag of 'add', but got 'aBx16b'"},
    {"--dir=BWD_W --attr-post-ops=relu",
     "expected the gradient of a filter without '--attr-post-ops', "
     "'--attr-scales', zero points and types of results, but got some"},
    {"--dynamic=f --output-layout=nhwgf --input-layout=nhwgc "
     "--filter-layout=hwgcf --attr-post-ops=add:f32:per_oc",
     "expected no dynamic channels or groups for 'add_operand' of a "
     "convolution in groups, but got '--dynamic=f'"},
    {"--attr-scales=wei:per_oc",
     "expected i8 for the type of a problem with scales, but got 'f32'"},
    {"--attr-zero-points=dst:common:1",
     "expected i8 for the type of a problem with signs or zero points, but got "
     "'f32'"},
    {"--attr-scales=bia:common:1",
     "expected src, wei or dst for '--attr-scales', but got 'bia'"},
    {"--attr-scales=src:per_oc",
     "expected common for the scale of 'src', but got 'per_oc'"},
    {"--attr-scales=wei:per_ocic",
     "expected common or per_oc for the scale of 'wei', but got 'per_ocic'"},
    {"--attr-scales=src:common",
     "expected a number of f32 for the scale of 'src', but got ''"},
    {"--attr-scales=src:common:0",
     "expected a number above 0 for the scale of 'src', but got '0'"},
    {"--attr-scales=wei:per_oc:bf16",
     "expected f32 for the type of the scale of 'wei', but got 'bf16'"},
    {"--attr-scales=wei:per_oc:f32:2x1",
     "expected no groups for the scale of 'wei', but got '2x1'"},
    {"--attr-scales=src:common:1+src:common:2",
     "expected each of src, wei and dst once for '--attr-scales', but got "
     "'src:common:1+src:common:2'"},
    {"--attr-zero-points=src:per_dim_1",
     "expected src, wei or dst with one number each, as in "
     "src:common:128+dst:common:-3, or wei:per_oc+dst:per_oc, for "
     "'--attr-zero-points', but got 'src:per_dim_1'"},
    {"--dt=u8:s8:s32 --attr-zero-points=wei:per_oc --dir=BWD_W",
     "expected the gradient of a filter without zero points of channels, but "
     "got 'wei:per_oc'"},
    {"--dt=u8:s8:s32 --attr-zero-points=wei:per_oc --dynamic=cf "
     "--input-layout=nhwgc --filter-layout=hwgcf --output-layout=nhwgf",
     "expected no dynamic channels or groups for 'filter_zero_points' of a "
     "convolution in groups, but got '--dynamic=cf'"},
    {"--dt=u8:s8:u8 --attr-zero-points=dst:common:-1",
     "expected a number from 0 to 255 for the zero point of the result, "
     "which is u8, but got '-1'"},
    {"--dt=u8:s8:f32 --attr-zero-points=dst:common:2",
     "expected 0 for the zero point of the result, which is f32, but got "
     "'2'"},
    {"--dt=u8:s8:f32 --attr-zero-points=dst:per_oc",
     "expected 0 for the zero point of the result, which is f32, but got "
     "'per_oc'"},
    {"--dt=u8:s8:f64",
     "expected f64, f32, f16, bf16, or types of two operands and of their "
     "result, as f16:f16:f32 and u8:s8:s32, for '--dt', but got 'u8:s8:f64'"},
    {"--dt=f16:f16:f32 --dir=BWD_W",
     "expected the gradient of a filter without '--attr-post-ops', "
     "'--attr-scales', zero points and types of results, but got some"},
    {"--cfg=u8s8f64",
     "expected f64, f32, f16, bf16bf16bf16, or types of two operands and of "
     "their result, as bf16bf16f32 and u8s8s32, for '--cfg', but got "
     "'u8s8f64'"},
};

TEST(EpilogueTest, FloatsBecomeOtherFloats) {
  Problem p = parseOne("--dt=f16:f16:f32 --dir=FWD_B");
  EXPECT_EQ(p.type, ElementType::F16);
  EXPECT_EQ(p.resultType(), DataType::F32);
  EXPECT_TRUE(toString(p).starts_with("--dir=FWD_B --dt=f16:f16:f32 "));
  EXPECT_EQ(parseOne("--cfg=bf16bf16f32").resultType(), DataType::F32);
  EXPECT_EQ(parseOne("--cfg=f32f32bf16 --dir=BWD_D").resultType(),
            DataType::BF16);
  EXPECT_TRUE(parseOne("--dt=f32:f32:f32").epilogue.isEmpty());
  // What a line says of its type is all that is said of it.
  std::string error;
  ProblemDefaults mixed;
  ASSERT_EQ(parseProblemFlag("--dt=f16:f16:f32", mixed, error),
            FlagStatus::Accepted);
  for (auto [line, type] :
       {std::pair("mb1ic1iw1oc1kw1", DataType::F32),
        {"--type=bf16 mb1ic1iw1oc1kw1", DataType::BF16},
        {"convbfp16 -n 1 -c 1 -H 1 -W 1 -k 1 -y 1 -x 1 -F 1", DataType::BF16}})
    EXPECT_EQ(parseProblems(line, mixed, error)->front().resultType(), type);
}

TEST(EpilogueTest, RefusesWithOneSentence) {
  for (const WrongFlags &wrong : Wrong) {
    std::string error;
    EXPECT_FALSE(parseProblems(wrong.flags + Shape, {}, error)) << wrong.flags;
    EXPECT_EQ(error, wrong.error) << wrong.flags;
  }
}
