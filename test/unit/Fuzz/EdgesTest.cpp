//===- EdgesTest.cpp - Tests of fuzz/Edges ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edges.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace convoy;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Edges, ReadsStepsFromRemarks) {
  EXPECT_THAT(getSteps({"tile: 32 lanes of f in vectors of 16, rows: 7 of w x "
                        "1 of h; read in place",
                        "workgroups of 256 work-items compute tiles of 64 x 32 "
                        "elements"}),
              ElementsAre(7, 16, 32, 64, 256));
  EXPECT_THAT(getSteps({"the convolution stays as it is: its operands are not "
                        "of bf16"}),
              ElementsAre());
  EXPECT_TRUE(getSteps({}).empty());
}

TEST(Edges, CountsWhatIsReached) {
  CompiledCase compiled;
  compiled.fuzzCase.target = "cpu";
  std::string error;
  compiled.fuzzCase.problem =
      parseProblems("--dir=BWD_W mb1_ic33iw9_oc16ow4_kw3_sw2", {}, error)
          ->front();
  compiled.remarks = {"tile: 32 lanes of f in vectors of 16; filter packed"};
  EdgeCounts counts;
  counts.add(compiled);
  counts.add(compiled);
  std::string text = counts.toString();
  for (const char *reached :
       {"direction: backward filter", "window: stride", "size: a tile's",
        "size: one above a tile's", "remark: filter packed", "shape: 1-D"})
    EXPECT_THAT(text,
                HasSubstr(std::string("       2        0  ") + reached + "\n"));
  for (const char *missed :
       {"direction: forward", "window: dilation", "window: negative padding",
        "size: one below a tile's", "remark: read in place", "shape: groups"})
    EXPECT_THAT(text,
                HasSubstr(std::string("       0        2  ") + missed + "\n"));
}
