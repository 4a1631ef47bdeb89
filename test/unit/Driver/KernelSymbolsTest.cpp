//===- KernelSymbolsTest.cpp - Tests of what kernels are called -----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/KernelSymbols.h"

#include <gmock/gmock.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;
using ::testing::ElementsAre;

/// Problems of these layers, in the directions of `words`.
static std::vector<AnyProblem>
makeProblems(const std::vector<std::string> &layers,
             const std::string &words = "") {
  std::string text, error;
  for (const std::string &layer : layers)
    text += words + " mb1_ic2iw3_oc2ow2_kw2" +
            (layer.empty() ? "" : "_n\"" + layer + "\"") + "\n";
  auto problems = parseAnyProblemFile(text, ProblemDefaults(), error);
  EXPECT_TRUE(problems) << error;
  return problems.value_or(std::vector<AnyProblem>());
}

static std::vector<std::string>
choose(const std::vector<AnyProblem> &problems,
       const std::optional<std::string> &prefix = std::nullopt) {
  std::string error;
  auto symbols = chooseKernelSymbols(problems, prefix, error);
  EXPECT_TRUE(symbols) << error;
  return symbols.value_or(std::vector<std::string>());
}

static std::string
getError(const std::vector<std::string> &layers,
         const std::optional<std::string> &prefix = std::nullopt) {
  std::string error;
  EXPECT_FALSE(chooseKernelSymbols(makeProblems(layers), prefix, error));
  return error;
}

TEST(KernelSymbolsTest, LayersNameTheirKernels) {
  EXPECT_THAT(choose(makeProblems({"resnet50:layer1.0.conv2"})),
              ElementsAre("resnet50_layer1_0_conv2"));
  EXPECT_THAT(choose(makeProblems({"features.2", "a-b/c", "x*y"})),
              ElementsAre("features_2", "a_b_c", "x_y"));
}

TEST(KernelSymbolsTest, SamplesAreNoConvolutions) {
  std::string error;
  const std::string samples = "--grid-sample mb1_ic2ih3_oh2";
  auto problems = parseAnyProblemFile(samples, ProblemDefaults(), error);
  ASSERT_TRUE(problems) << error;
  EXPECT_THAT(choose(*problems), ElementsAre("grid_sample"));
  problems = parseAnyProblemFile(samples + "\nmb1_ic2iw3_oc2kw2\n" + samples +
                                     "_nwarp.1",
                                 ProblemDefaults(), error);
  ASSERT_TRUE(problems) << error;
  EXPECT_THAT(choose(*problems),
              ElementsAre("grid_sample0", "conv1", "warp_1"));
  problems = parseAnyProblemFile("--grid-sample --dir=all mb1_ic2ih3_oh2_nwarp",
                                 ProblemDefaults(), error);
  ASSERT_TRUE(problems) << error;
  EXPECT_THAT(
      choose(*problems),
      ElementsAre("warp_forward", "warp_backward_input", "warp_backward_grid"));
}

TEST(KernelSymbolsTest, HowOftenALayerOccursIsNotInTheSymbol) {
  EXPECT_THAT(choose(makeProblems({"layer1.conv2*3", "b*", "*3", "c*x2"})),
              ElementsAre("layer1_conv2", "b_", "conv_3", "c_x2"));
}

TEST(KernelSymbolsTest, NamesThatCannotStandAloneAreSet) {
  EXPECT_THAT(choose(makeProblems({"2d", "double", "constexpr", "memcpy",
                                   ".hidden", "::", "CONVOY_x"})),
              ElementsAre("conv_2d", "conv_double", "conv_constexpr",
                          "conv_memcpy", "conv_hidden", "conv_",
                          "conv_CONVOY_x"));
}

TEST(KernelSymbolsTest, NamesOfLibrariesAreNotTaken) {
  // Functions that LLVM knows, others, those of types, types and macros.
  EXPECT_THAT(
      choose(makeProblems({"free*2", "printf", "index", "time", "y1", "lgammaf",
                           "uint32_t", "INT64_MAX", "NULL", "linux"})),
      ElementsAre("conv_free", "conv_printf", "conv_index", "conv_time",
                  "conv_y1", "conv_lgammaf", "conv_uint32_t", "conv_INT64_MAX",
                  "conv_NULL", "conv_linux"));
  EXPECT_THAT(choose(makeProblems({"free.1", "y1x", "freel", "int_tx",
                                   "layer4.1.conv2", "stem"})),
              ElementsAre("free_1", "y1x", "freel", "int_tx", "layer4_1_conv2",
                          "stem"));
  EXPECT_THAT(choose(makeProblems({"free"}, "--dir=FWD_D,BWD_D")),
              ElementsAre("conv_free_forward", "conv_free_backward_data"));
}

TEST(KernelSymbolsTest, APrefixGivesNoNameOfALibrary) {
  EXPECT_EQ(getError({"a"}, "free"),
            "expected another '--name', since C's libraries, headers or "
            "compilers have 'free'");
  EXPECT_THAT(getError({"a", "b"}, "y"), ::testing::HasSubstr("have 'y0'"));
  EXPECT_THAT(choose(makeProblems({"a", "b"}), "free"),
              ElementsAre("free0", "free1"));
}

TEST(KernelSymbolsTest, ProblemsWithoutNamesAreNumbered) {
  EXPECT_THAT(choose(makeProblems({""})), ElementsAre("conv"));
  EXPECT_THAT(choose(makeProblems({"", "a", ""})),
              ElementsAre("conv0", "a", "conv2"));
  EXPECT_THAT(choose(makeProblems({""}, "--dir=all")),
              ElementsAre("conv0", "conv1", "conv2"));
}

TEST(KernelSymbolsTest, SeveralDirectionsAreTold) {
  EXPECT_THAT(choose(makeProblems({"a.1", "b"}, "--dir=FWD_B,BWD_W")),
              ElementsAre("a_1_forward", "a_1_backward_filter", "b_forward",
                          "b_backward_filter"));
  EXPECT_THAT(choose(makeProblems({"a", "b"}, "--dir=BWD_D")),
              ElementsAre("a", "b"));
}

TEST(KernelSymbolsTest, APrefixCountsMoreThanNames) {
  EXPECT_THAT(choose(makeProblems({"a"}), "k"), ElementsAre("k"));
  EXPECT_THAT(choose(makeProblems({"a", "a"}), "k"), ElementsAre("k0", "k1"));
}

TEST(KernelSymbolsTest, NoTwoKernelsAreCalledTheSame) {
  EXPECT_EQ(getError({"x", "a.b", "a:b"}),
            "expected names that give each kernel a symbol of its own, but "
            "'a.b' and 'a:b' both give 'a_b' (--name=PREFIX numbers kernels)");
  EXPECT_THAT(getError({"a*2", "a"}),
              ::testing::HasSubstr("'a*2' and 'a' both give 'a'"));
  EXPECT_THAT(getError({"conv1", ""}),
              ::testing::HasSubstr("'conv1' and '--dir=FWD_D --type=f32"));
}
