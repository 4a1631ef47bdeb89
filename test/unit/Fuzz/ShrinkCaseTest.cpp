//===- ShrinkCaseTest.cpp - Tests of fuzz/ShrinkCase ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShrinkCase.h"
#include "DrawCase.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>
#include <string>

using namespace convoy;

using Predicate = std::function<bool(const FuzzCase &)>;

/// Shrinks what `isFinding` holds for among many cases, and returns the
/// commands of the results.
static std::vector<std::string> shrinkAll(const Predicate &isFinding) {
  std::vector<std::string> commands;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    RandomNumbers random(seed);
    FuzzCase drawn = drawCase(random, {});
    drawKnowledge(drawn, random, {});
    if (seed % 2)
      moveToEdges(drawn, {3, 13}, random, {});
    drawRuns(drawn, {3, 13}, random, {});
    RandomNumbers last(~seed);
    drawEpilogue(drawn, last);
    RandomNumbers ranges(~seed + 1);
    drawRanges(drawn, ranges);
    if (!isFinding(drawn))
      continue;
    FuzzCase smallest = shrink(drawn, isFinding, 2000);
    EXPECT_TRUE(isFinding(smallest));
    EXPECT_LE(getComplexity(smallest), getComplexity(drawn));
    commands.push_back(toString(smallest));
  }
  EXPECT_FALSE(commands.empty());
  return commands;
}

static void expectAll(const Predicate &isFinding, const std::string &problem) {
  for (const std::string &command : shrinkAll(isFinding))
    EXPECT_EQ(command.substr(command.rfind(' ') + 1), problem) << command;
}

TEST(ShrinkCase, DropsWhatDoesNotMatter) {
  for (const std::string &command :
       shrinkAll([](const FuzzCase &) { return true; }))
    EXPECT_EQ(command,
              "convoy-run --target=cpu --check --Werror=suspicious --data=int "
              "--dir=FWD_D --type=f32 --input-layout=nwc --filter-layout=wcf "
              "--output-layout=nwf mb1_ic1iw1_oc1ow1_kw1_pw0");
}

TEST(ShrinkCase, KeepsSizesThatMatter) {
  expectAll(
      [](const FuzzCase &fuzzCase) {
        return fuzzCase.problem.shape.outputChannels >= 13;
      },
      "mb1_ic1iw1_oc13ow1_kw1_pw0");
}

TEST(ShrinkCase, KeepsWindowsThatMatter) {
  expectAll(
      [](const FuzzCase &fuzzCase) {
        const SpatialDim &dim = fuzzCase.problem.shape.spatial.back();
        return dim.output % 7 == 3 && dim.window.stride == 2;
      },
      "mb1_ic1iw5_oc1ow3_kw1_sw2_pw0");
  expectAll(
      [](const FuzzCase &fuzzCase) {
        const SpatialDim &dim = fuzzCase.problem.shape.spatial.back();
        return dim.window.padLow < 0 && dim.output > 0;
      },
      "mb1_ic1iw2_oc1ow1_kw1_pw-1");
}

TEST(ShrinkCase, KeepsGroupsThatMatter) {
  expectAll(
      [](const FuzzCase &fuzzCase) {
        return fuzzCase.problem.shape.groups % 3 == 0;
      },
      "g3mb1_ic3iw1_oc3ow1_kw1_pw0");
}

TEST(ShrinkCase, KeepsOptionsThatMatter) {
  auto isFinding = [](const FuzzCase &fuzzCase) {
    return fuzzCase.threads >= 3 && fuzzCase.data != DataKind::Int &&
           fuzzCase.problem.layouts.output.letters().back() != 'f';
  };
  for (const std::string &command : shrinkAll(isFinding)) {
    EXPECT_NE(command.find("--threads="), std::string::npos) << command;
    EXPECT_EQ(command.find("--data=int"), std::string::npos) << command;
    EXPECT_EQ(command.find("--seed"), std::string::npos) << command;
    EXPECT_NE(command.find("--input-layout=nwc --filter-layout=wcf "),
              std::string::npos)
        << command;
  }
}

TEST(ShrinkCase, KeepsZeroPointsThatMatter) {
  auto shrunk = [](const Predicate &isFinding) {
    std::set<std::string> words;
    for (const std::string &command : shrinkAll(isFinding)) {
      size_t place = command.find("--zero-points=");
      words.insert(
          command.substr(place, command.find(" --input-layout") - place));
    }
    return words;
  };
  EXPECT_EQ(
      shrunk([](const FuzzCase &fuzzCase) {
        return fuzzCase.problem.filterZeroPoint.isPerChannel;
      }),
      std::set<std::string>{"--zero-points=0:0 --attr-zero-points=wei:per_oc"});
  // One number is simpler than one for each channel.
  EXPECT_TRUE(shrunk([](const FuzzCase &fuzzCase) {
                return !fuzzCase.problem.filterZeroPoint.isZero();
              }).contains("--zero-points=0:1"));
}

TEST(ShrinkCase, KeepsPostOpsThatMatter) {
  auto hasChannels = [](const PostOp &postOp) {
    return postOp.kind > PostOp::Kind::Sum && (postOp.mask & 2) != 0;
  };
  auto isFinding = [&](const FuzzCase &fuzzCase) {
    return std::ranges::any_of(fuzzCase.problem.epilogue.postOps, hasChannels);
  };
  for (const std::string &command : shrinkAll(isFinding)) {
    size_t place = command.find(" --type=f32 --attr-post-ops=");
    ASSERT_NE(place, std::string::npos) << command;
    std::string chain = command.substr(place, command.find(" --input") - place);
    EXPECT_EQ(chain.find('+'), std::string::npos) << chain;
  }
}

TEST(ShrinkCase, KeepsDynamicSizesThatMatter) {
  auto hasRun = [](const FuzzCase &fuzzCase, auto holds) {
    std::vector<Problem> runs = getRuns(fuzzCase);
    return std::any_of(runs.begin(), runs.end(), holds);
  };
  auto isFinding = [&](const FuzzCase &fuzzCase) {
    return fuzzCase.problem.dynamic.find('n') != std::string::npos &&
           hasRun(fuzzCase,
                  [](const Problem &run) { return run.shape.batch % 7 == 3; });
  };
  for (const std::string &command : shrinkAll(isFinding)) {
    EXPECT_EQ(command.find("--sizes"), std::string::npos) << command;
    EXPECT_NE(command.find(" --dynamic=n "), std::string::npos) << command;
    EXPECT_EQ(command.substr(command.rfind(' ') + 1),
              "mb3_ic1iw1_oc1ow1_kw1_pw0");
  }
  // What no text has: elements behind the last window.
  auto hasRest = [&](const FuzzCase &fuzzCase) {
    return hasRun(fuzzCase, [](const Problem &run) {
      const SpatialDim &dim = run.shape.spatial.back();
      return dim.output == 2 && padHighFor(dim.input, dim.filter, 2,
                                           dim.window) < dim.window.padHigh;
    });
  };
  for (const std::string &command : shrinkAll(hasRest)) {
    EXPECT_NE(command.find(" --sizes="), std::string::npos) << command;
    EXPECT_EQ(command.find(" --sizes="), command.rfind(" --sizes="));
    EXPECT_NE(command.find(" --dynamic=w "), std::string::npos) << command;
  }
}

TEST(ShrinkCase, DropsTilesThatDoNotMatter) {
  FuzzCase drawn;
  std::string error;
  drawn.problem = parseProblems("mb1_ic1iw1_oc1ow1_kw1", {}, error)->front();
  drawn.tile = {6, 4};
  auto isFinding = [](const FuzzCase &) { return true; };
  EXPECT_TRUE(shrink(drawn, isFinding, 100).tile.empty());
  auto needsTile = [](const FuzzCase &other) { return !other.tile.empty(); };
  EXPECT_FALSE(shrink(drawn, needsTile, 100).tile.empty());
}

TEST(ShrinkCase, TriesNoMoreThanItMay) {
  int tries = 0;
  auto isFinding = [&](const FuzzCase &) {
    ++tries;
    return true;
  };
  RandomNumbers random(1);
  FuzzCase drawn = drawCase(random, {});
  EXPECT_TRUE(shrink(drawn, isFinding, 0) == drawn);
  EXPECT_EQ(tries, 0);
  shrink(drawn, isFinding, 3);
  EXPECT_EQ(tries, 3);
}

TEST(ShrinkCase, ProposesSimplerCasesAlone) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    RandomNumbers random(seed);
    FuzzCase drawn = drawCase(random, {});
    int64_t before = 0;
    for (const FuzzCase &simpler : getSimplerCases(drawn, seed % 2)) {
      EXPECT_LT(getComplexity(simpler), getComplexity(drawn));
      EXPECT_GE(getComplexity(simpler), before);
      before = getComplexity(simpler);
    }
  }
}

TEST(ShrinkCase, KeepsRangesThatMatter) {
  auto declares = [](const FuzzCase &fuzzCase, const std::string &name) {
    return std::ranges::any_of(fuzzCase.ranges, [&](const CaseRange &range) {
      return range.argument == name;
    });
  };
  for (const std::string &command : shrinkAll([&](const FuzzCase &fuzzCase) {
         return declares(fuzzCase, "filter");
       })) {
    EXPECT_NE(command.find(" --range=filter="), std::string::npos) << command;
    EXPECT_EQ(command.find("=input="), std::string::npos) << command;
    EXPECT_EQ(command.find("=output_gradient="), std::string::npos) << command;
  }
  // An argument that is gone declares nothing.
  for (const std::string &command : shrinkAll(
           [](const FuzzCase &fuzzCase) { return !fuzzCase.ranges.empty(); }))
    EXPECT_EQ(command.find("bias"), std::string::npos) << command;
}
