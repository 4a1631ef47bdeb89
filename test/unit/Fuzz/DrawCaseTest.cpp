//===- DrawCaseTest.cpp - Tests of fuzz/DrawCase ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawCase.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <set>

using namespace convoy;

static FuzzCase drawAtEdges(uint64_t seed, const std::vector<int64_t> &steps,
                            const DrawOptions &options = {}) {
  RandomNumbers random(seed);
  FuzzCase drawn = drawCase(random, options);
  moveToEdges(drawn, steps, random, options);
  return drawn;
}

TEST(DrawCase, HasTextForAll) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    FuzzCase drawn = drawAtEdges(seed, {6, 17});
    std::string text = toString(drawn.problem), error;
    std::optional<std::vector<Problem>> parsed = parseProblems(text, {}, error);
    ASSERT_TRUE(parsed) << text << ": " << error;
    EXPECT_EQ(parsed->size(), 1u);
    EXPECT_TRUE(parsed->front() == drawn.problem) << text;
  }
}

TEST(DrawCase, FollowsFromTheSeed) {
  std::set<std::string> all;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_TRUE(drawAtEdges(seed, {6}) == drawAtEdges(seed, {6}));
    all.insert(toString(drawAtEdges(seed, {6})));
  }
  EXPECT_GT(all.size(), 190u);
}

TEST(DrawCase, TakesSizesOnBothSidesOfSteps) {
  std::set<int64_t> sizes;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    ConvShape shape = drawAtEdges(seed, {23}).problem.shape;
    sizes.insert(shape.outputChannels);
    sizes.insert(shape.spatial.back().output);
  }
  for (int64_t size : {22, 23, 24, 45, 46, 47, 68, 69, 70})
    EXPECT_TRUE(sizes.count(size)) << size;
}

TEST(DrawCase, DrawsZeroPointsOfChannels) {
  std::set<Direction> directions;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    FuzzCase drawn = drawAtEdges(seed, {6});
    if (!drawn.problem.filterZeroPoint.isPerChannel)
      continue;
    directions.insert(drawn.problem.direction);
    EXPECT_FALSE(drawn.packedFilters);
  }
  EXPECT_EQ(directions,
            (std::set{Direction::Forward, Direction::BackwardData}));
}

TEST(DrawCase, KeepsToItsOptions) {
  DrawOptions options;
  options.directions = {Direction::BackwardFilter};
  options.types = {ElementType::BF16};
  options.maxWork = 1e4;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomNumbers random(seed);
    FuzzCase drawn = drawCase(random, options);
    const Problem given = drawn.problem;
    EXPECT_TRUE(given.direction == Direction::BackwardFilter);
    EXPECT_TRUE(given.type == ElementType::BF16);
    moveToEdges(drawn, {5}, random, options);
    EXPECT_LE(drawn.problem.shape.multiplyAdds(),
              std::max(1e4, given.shape.multiplyAdds()));
  }
}

TEST(DrawCase, DrawsOtherOpsAndTheirForms) {
  std::map<FuzzOp, std::set<std::string>> texts;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    RandomNumbers random(seed), ops(~seed);
    FuzzCase drawn = drawCase(random, {});
    drawOp(drawn, ops, {});
    moveToEdges(drawn, {6, 17}, random, {});
    std::optional<AnyProblem> problem = getProblem(drawn);
    ASSERT_TRUE(problem) << toString(drawn);
    // Where no sizes at edges are small, the smallest are taken.
    EXPECT_LE(drawn.problem.shape.multiplyAdds(), 2e6) << toString(drawn);
    std::string error;
    auto parsed = parseAnyProblems(toString(*problem), {}, error);
    ASSERT_TRUE(parsed) << toString(drawn) << ": " << error;
    EXPECT_TRUE(*parsed == std::vector{*problem}) << toString(drawn);
    texts[drawn.op].insert(toString(*problem));
  }
  auto has = [&](FuzzOp op, std::string_view word) {
    return std::ranges::any_of(texts[op], [&](const std::string &text) {
      return text.find(word) != std::string::npos;
    });
  };
  EXPECT_GT(texts[FuzzOp::Convolution].size(), 500u);
  for (std::string_view mode : {"=reflect", "=replicate", "=circular"})
    EXPECT_TRUE(has(FuzzOp::Padded, mode)) << mode;
  for (std::string_view word :
       {"--alg=cubic", "--alg=nearest", "--align-corners", "=border",
        "--grid-type=bf16", "--dir=BWD_D", "--dir=BWD_W", "--type=f16"})
    EXPECT_TRUE(has(FuzzOp::Samples, word)) << word;
  for (std::string_view word :
       {"--dir=FWD_D", "--dir=BWD_D", "--dir=BWD_W", "--dir=BWD_OFFSET",
        "--dir=BWD_MASK", "--mask", "--offset-groups=2", "--offset-type=f16"})
    EXPECT_TRUE(has(FuzzOp::Deformed, word)) << word;
  for (std::string_view word : {"--col2im", "--im2col", "--type=i8"})
    EXPECT_TRUE(has(FuzzOp::Folded, word)) << word;
}

/// A case with what is dynamic in it, and what it runs on.
static FuzzCase drawWithRuns(uint64_t seed,
                             const std::vector<int64_t> &steps = {6, 17}) {
  RandomNumbers random(seed), later(~seed);
  FuzzCase drawn = drawCase(random, {});
  drawKnowledge(drawn, later, {});
  moveToEdges(drawn, steps, random, {});
  drawRuns(drawn, steps, later, {});
  return drawn;
}

// The size of a cache may be a step, and an empty batch has no products.
TEST(DrawCase, HasNoLargeOperandWithoutProducts) {
  for (uint64_t seed = 0; seed < 2000; ++seed)
    for (const Problem &run : getRuns(drawWithRuns(seed, {1 << 20})))
      EXPECT_LE(run.shape.elementCount(Operand::Filter).value_or(INT64_MAX),
                int64_t(DrawOptions().maxWork))
          << toString(run);
}

TEST(DrawCase, DrawsAlgorithms) {
  std::set<std::string> algorithms;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    RandomNumbers random(seed), later(~seed), last(~seed + 2);
    FuzzCase drawn = drawCase(random, {});
    drawKnowledge(drawn, later, {});
    drawAlgorithm(drawn, last, {});
    algorithms.insert(drawn.algorithm);
    EXPECT_EQ(forTarget(drawn, "vulkan").algorithm, "direct");
    if (!drawn.algorithm.starts_with("winograd"))
      continue;
    EXPECT_EQ(checkShape(drawn.problem.shape), std::nullopt);
    EXPECT_EQ(drawn.problem.type, ElementType::F32);
    EXPECT_NE(drawn.precision, "high");
    for (const SpatialDim &dim : drawn.problem.shape.spatial) {
      EXPECT_EQ(dim.filter, 3);
      EXPECT_EQ(dim.window.stride, 1);
      EXPECT_EQ(dim.window.dilation, 1);
    }
  }
  EXPECT_EQ(algorithms,
            (std::set<std::string>{"direct", "auto", "winograd", "winograd:2",
                                   "winograd:4", "winograd:6"}));
}

TEST(DrawCase, DrawsDynamicSizes) {
  std::set<char> letters;
  std::set<int64_t> batches;
  std::set<std::string> precisions;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    FuzzCase drawn = drawWithRuns(seed);
    precisions.insert(drawn.precision);
    letters.insert(drawn.problem.dynamic.begin(), drawn.problem.dynamic.end());
    if (drawn.problem.dynamic.empty()) {
      EXPECT_TRUE(drawn.sizes.empty());
      continue;
    }
    std::vector<Problem> runs = getRuns(drawn);
    EXPECT_GE(runs.size(), std::max<size_t>(1, drawn.sizes.size()));
    for (const Problem &run : runs) {
      batches.insert(run.shape.batch);
      EXPECT_EQ(checkShape(run.shape), std::nullopt);
    }
    // On GPUs there is no other than the batch's.
    FuzzCase onGPU = forTarget(drawn, "vulkan");
    EXPECT_TRUE(onGPU.problem.dynamic.empty() || onGPU.problem.dynamic == "n");
    EXPECT_FALSE(getRuns(onGPU).empty());
  }
  EXPECT_EQ(letters, (std::set<char>{'n', 'g', 'c', 'f', 'd', 'h', 'w'}));
  EXPECT_EQ(precisions, (std::set<std::string>{"low", "normal", "high"}));
  for (int64_t batch : {0, 1, 5, 6, 7, 16, 17, 18, 33, 34, 35})
    EXPECT_TRUE(batches.count(batch)) << batch;
}

TEST(DrawCase, DrawsEpilogues) {
  std::set<PostOp::Kind> kinds;
  std::set<unsigned> masks;
  int64_t cases = 0, scaled = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    FuzzCase drawn = drawWithRuns(seed);
    RandomNumbers last(seed);
    drawEpilogue(drawn, last);
    const Epilogue &epilogue = drawn.problem.epilogue;
    cases += !epilogue.isEmpty();
    scaled += epilogue.filterScale.isPerChannel;
    for (const PostOp &postOp : epilogue.postOps) {
      kinds.insert(postOp.kind);
      masks.insert(postOp.mask);
    }
    std::string text = toString(drawn.problem), error;
    std::optional<std::vector<Problem>> parsed = parseProblems(text, {}, error);
    ASSERT_TRUE(parsed) << text << ": " << error;
    EXPECT_TRUE(parsed->front() == drawn.problem) << text;
    // SPIR-V has no functions of f64.
    drawn.problem.type = ElementType::F64;
    for (const PostOp &postOp :
         forTarget(drawn, "vulkan").problem.epilogue.postOps)
      EXPECT_NE(postOp.kind, PostOp::Kind::Exp);
  }
  EXPECT_GT(cases, 200);
  EXPECT_GT(scaled, 10);
  EXPECT_EQ(kinds.size(), size_t(PostOp::Kind::Sub) + 1);
  EXPECT_GT(masks.size(), 12u);
}

TEST(FuzzCase, SaysWhatItRunsOn) {
  FuzzCase fuzzCase;
  std::string error;
  fuzzCase.problem =
      parseProblems("--dynamic=nhw mb1_ic2ih7_oc3oh6_kh2", {}, error)->front();
  fuzzCase.sizes = {{1, 5, 9}, {2, 5, 9}, {2, 3, 4}};
  EXPECT_NE(toString(fuzzCase).find(
                "--data=int --sizes=1,5,9 --sizes=2,5,9 --sizes=2,3,4 --dir="),
            std::string::npos);
  EXPECT_EQ(getRuns(fuzzCase).size(), 3u);
  makeStatic(fuzzCase, 'n');
  EXPECT_EQ(fuzzCase.problem.dynamic, "hw");
  EXPECT_EQ(fuzzCase.sizes,
            (std::vector<std::vector<int64_t>>{{5, 9}, {3, 4}}));
  makeStatic(fuzzCase, 'h');
  makeStatic(fuzzCase, 'w');
  EXPECT_TRUE(fuzzCase.sizes.empty());
  EXPECT_EQ(getRuns(fuzzCase).size(), 1u);
}

/// The largest magnitude of `range`.
static double getLargest(const CaseRange &range) {
  return std::max(-range.low, range.high);
}

TEST(DrawCase, DeclaresRangesAtTheEdgeOfF16) {
  DrawOptions options;
  options.types = {ElementType::F32, ElementType::F16, ElementType::BF16};
  options.directions = {Direction::Forward, Direction::BackwardFilter};
  int numCases = 0, numLow = 0, numBelow = 0, numAbove = 0, numVanishing = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    FuzzCase drawn = drawAtEdges(seed, {6}, options);
    RandomNumbers random(seed);
    drawRanges(drawn, random);
    std::map<std::string, CaseRange> ranges;
    for (const CaseRange &range : drawn.ranges) {
      EXPECT_GT(range.least, 0);
      EXPECT_LE(range.least, getLargest(range));
      EXPECT_LE(getLargest(range), 65504);
      ranges[range.argument] = range;
    }
    EXPECT_EQ(ranges.size(), drawn.ranges.size());
    EXPECT_TRUE(ranges.empty() || drawn.problem.type != ElementType::F32);
    if (!ranges.count("input") || !ranges.count("filter"))
      continue;
    CaseRange input = ranges["input"], filter = ranges["filter"];
    double largest = getLargest(input) * getLargest(filter) *
                     double(drawn.problem.shape.inputChannels);
    for (const SpatialDim &dim : drawn.problem.shape.spatial)
      largest *= double(dim.filter);
    ++numCases;
    numLow += drawn.precision == "low";
    numBelow += largest < 65504;
    numAbove += largest > 65504;
    numVanishing += input.least * filter.least < 0x1p-14;
    EXPECT_LE(largest, 8 * 65504.0);
  }
  for (int count : {numLow, numBelow, numAbove, numVanishing})
    EXPECT_GT(count, numCases / 10);
  EXPECT_GT(numCases, 100);
}

TEST(DrawCase, DeclaresRangesOfAllOps) {
  DrawOptions options;
  options.types = {ElementType::F16, ElementType::BF16};
  options.ops = {FuzzOp::Padded, FuzzOp::Samples, FuzzOp::Deformed,
                 FuzzOp::Folded};
  std::map<FuzzOp, std::set<std::string>> names;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    FuzzCase drawn = drawAtEdges(seed, {6}, options);
    RandomNumbers random(seed);
    drawOp(drawn, random, options);
    drawRanges(drawn, random);
    if (!getProblem(drawn))
      continue;
    std::vector<std::string> arguments = getArguments(drawn);
    for (const CaseRange &range : drawn.ranges) {
      names[drawn.op].insert(range.argument);
      EXPECT_THAT(arguments, testing::Contains(range.argument));
      EXPECT_LE(range.least, getLargest(range));
    }
  }
  using testing::UnorderedElementsAre;
  EXPECT_THAT(names[FuzzOp::Padded],
              UnorderedElementsAre("input", "filter", "output_gradient"));
  EXPECT_THAT(names[FuzzOp::Samples],
              UnorderedElementsAre("input", "output_gradient", "grid"));
  EXPECT_THAT(names[FuzzOp::Deformed],
              UnorderedElementsAre("input", "filter", "output_gradient",
                                   "offset", "mask"));
  EXPECT_THAT(names[FuzzOp::Folded], UnorderedElementsAre("input"));
}

TEST(FuzzCase, IsOneCommand) {
  FuzzCase fuzzCase;
  std::string error;
  fuzzCase.problem =
      parseProblems("--dir=BWD_D mb1_ic2iw7_oc3ow3_kw2_sw2", {}, error)
          ->front();
  EXPECT_EQ(toString(fuzzCase),
            "convoy-run --target=cpu --check --Werror=suspicious --data=int "
            "--dir=BWD_D --type=f32 --input-layout=nwc --filter-layout=wcf "
            "--output-layout=nwf mb1_ic2iw7_oc3ow3_kw2_sw2_pw0");
  fuzzCase.threads = 2;
  fuzzCase.packedFilters = true;
  fuzzCase.optLevel = 0;
  fuzzCase.tile = {6, 4};
  fuzzCase.precision = "low";
  fuzzCase.ranges = {{"output_gradient", -8, 0, 0.125}, {"filter", 0, 3, 1}};
  fuzzCase.data = DataKind::Range;
  fuzzCase.seed = 7;
  EXPECT_NE(toString(fuzzCase).find(
                "--target=cpu --threads=2 --filter=packed "
                "-O0 --tile=6x4 --precision=low --range=output_gradient=-8:0:"
                "0.125 --range=filter=0:3:1 --check "
                "--Werror=suspicious --data=range --seed=7 --dir=BWD_D"),
            std::string::npos);
  // What a GPU cannot be told stays away.
  EXPECT_EQ(
      toString(forTarget(fuzzCase, "rocm-sim:gfx942"))
          .rfind("convoy-run --target=rocm-sim:gfx942 --precision=low --range=",
                 0),
      0u);
}
