//===- GridSampleTest.cpp - Tests of the reference of samples -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values by hand, from the formulas of docs/Sampling.md.
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/Compile.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::HostArray;
using ::convoy::makeArray;
using ::convoy::ScalarType;

namespace {

using Sizes = std::vector<int64_t>;
using Values = std::vector<double>;

/// One sample of one image.
struct OneSample {
  const char *mode, *padding, *corners;
  Sizes image; ///< spatial sizes, outermost first
  Values elements;
  Values coordinates; ///< x, y and perhaps z
  double expected;
};

void PrintTo(const OneSample &sample, std::ostream *os) {
  *os << sample.mode << " " << sample.padding << " " << sample.corners << " at "
      << testing::PrintToString(sample.coordinates);
}

std::string getType(const Sizes &shape, const char *element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

class GridSampleTest : public testing::TestWithParam<OneSample> {
protected:
  GridSampleTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  /// What the reference says of a target's `result`.
  CompareReport compare(const OneSample &sample, double result,
                        ScalarType type = ScalarType::F32,
                        TargetMath target = {}) {
    Sizes image = {1}, grid = {1};
    image.insert(image.end(), sample.image.begin(), sample.image.end());
    image.push_back(1);
    grid.insert(grid.end(), sample.image.size(), 1);
    Sizes samples = grid;
    grid.push_back(int64_t(sample.coordinates.size()));
    samples.push_back(1);
    const char *layout = sample.image.size() == 2 ? "nhwc" : "ndhwc";
    std::string element(::convoy::scalarTypeName(type));
    std::string imageType = getType(image, element.c_str()),
                gridType = getType(grid, "f32"),
                resultType = getType(samples, element.c_str());
    std::string text = llvm::formatv(
        "func.func @f(%x: {0}, %g: {1}) -> {2} {{\n"
        "  %r = convoy.grid_sample %x, %g layout({3} x {3} -> {3})\n"
        "      mode({4}) padding({5}) {6} : {0}, {1} -> {2}\n"
        "  return %r : {2}\n}",
        imageType, gridType, resultType, layout, sample.mode, sample.padding,
        sample.corners);
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error(Twine("does not parse: ") + text);
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    return FunctionReference(function).compare(
        {makeArray(type, image, sample.elements),
         makeArray(ScalarType::F32, grid, sample.coordinates)},
        {makeArray(type, samples, {result})}, target);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_P(GridSampleTest, IsExact) {
  const OneSample &sample = GetParam();
  CompareReport report = compare(sample, sample.expected);
  EXPECT_TRUE(report.passed()) << toString(report);
  EXPECT_EQ(report.worst.bound, 0) << toString(report);
  EXPECT_FALSE(compare(sample, sample.expected + 0x1p-20).passed());
}

const char *const kCorners = "align_corners";
const char *const kEdges = "";
const Values kSquare = {1, 2, 3, 4};
const Values kRow = {1, 2, 3, 4};

const OneSample kLinear[] = {
    // x is the innermost dimension's.
    {"linear", "zeros", kCorners, {2, 2}, kSquare, {1, -1}, 2},
    {"linear", "zeros", kCorners, {2, 2}, kSquare, {-1, 1}, 3},
    {"linear", "zeros", kCorners, {2, 2}, kSquare, {0, 0}, 2.5},
    {"linear", "zeros", kEdges, {2, 2}, kSquare, {0, 0}, 2.5},
    // A quarter of the first element, beside zeros.
    {"linear", "zeros", kEdges, {2, 2}, kSquare, {-1, -1}, 0.25},
    {"linear", "border", kEdges, {2, 2}, kSquare, {-1, -1}, 1},
    {"linear", "reflection", kEdges, {2, 2}, kSquare, {-1, -1}, 1},
    // Positions -1.5 and 5.5 of four elements.
    {"linear", "reflection", kEdges, {1, 4}, kRow, {-1.5, 0}, 1.5},
    {"linear", "reflection", kEdges, {1, 4}, kRow, {2, 0}, 2.5},
    {"linear", "reflection", kCorners, {1, 4}, kRow, {-2, 0}, 2.5},
    {"linear", "zeros", kEdges, {1, 4}, kRow, {-1.5, 0}, 0},
    {"linear", "border", kEdges, {1, 4}, kRow, {2, 0}, 4},
    {"linear",
     "zeros",
     kEdges,
     {2, 2, 2},
     {0, 1, 2, 3, 4, 5, 6, 7},
     {0, 0, 0},
     3.5},
    {"linear",
     "zeros",
     kCorners,
     {2, 2, 2},
     {0, 1, 2, 3, 4, 5, 6, 7},
     {1, -1, 1},
     5},
};

const OneSample kNearest[] = {
    // Ties: 0.5, 1.5 and 2.5.
    {"nearest", "zeros", kEdges, {2, 2}, kSquare, {0, 0}, 1},
    {"nearest", "zeros", kEdges, {1, 4}, kRow, {0, 0}, 3},
    {"nearest", "zeros", kEdges, {1, 4}, kRow, {0.5, 0}, 3},
    // Beside them.
    {"nearest", "zeros", kEdges, {1, 4}, kRow, {0x1p-20, 0}, 3},
    {"nearest", "zeros", kEdges, {1, 4}, kRow, {-0x1p-20, 0}, 2},
    // -0.5 is still 0; 3.5 is 4, and outside.
    {"nearest", "zeros", kEdges, {1, 4}, kRow, {-1, 0}, 1},
    {"nearest", "zeros", kEdges, {1, 4}, kRow, {1, 0}, 0},
    {"nearest", "border", kEdges, {1, 4}, kRow, {1, 0}, 4},
    {"nearest", "reflection", kEdges, {1, 4}, kRow, {1, 0}, 4},
    // -3.5 is -4, whose reflection is 3.
    {"nearest", "reflection", kEdges, {1, 4}, kRow, {-2.5, 0}, 4},
    {"nearest", "reflection", kCorners, {1, 4}, kRow, {-2, 0}, 3},
};

const OneSample kCubic[] = {
    {"cubic", "border", kEdges, {1, 4}, {0, 0, 1, 0}, {0.25, 0}, 1},
    {"cubic", "border", kEdges, {1, 4}, {0, 0, 1, 0}, {0, 0}, 0.59375},
    {"cubic", "border", kEdges, {1, 4}, {0, 0, 0, 1}, {0, 0}, -0.09375},
    // Position 0, of rows 0 alone.
    {"cubic", "zeros", kEdges, {1, 4}, kRow, {-0.75, 0}, 1},
    // At -0.5: element 0 next to it, and 1 behind.
    {"cubic", "zeros", kEdges, {1, 4}, kRow, {-1, 0}, 0.59375 - 2 * 0.09375},
    // 2, 1 | 1, 2 around it.
    {"cubic",
     "reflection",
     kEdges,
     {1, 4},
     kRow,
     {-1, 0},
     2 * 0.59375 - 4 * 0.09375},
};

const OneSample kUnusual[] = {
    // What is not a number is -1.
    {"nearest", "border", kCorners, {1, 4}, kRow, {NAN, 0}, 1},
    {"linear", "zeros", kCorners, {2, 2}, kSquare, {NAN, 1}, 3},
    // Infinity is further out than all elements.
    {"linear", "border", kEdges, {1, 4}, kRow, {HUGE_VAL, 0}, 4},
    {"linear", "zeros", kEdges, {1, 4}, kRow, {-HUGE_VAL, 0}, 0},
    {"cubic", "border", kCorners, {1, 4}, kRow, {-0x1p100, 0}, 1},
    // 2^30 is 0 of a period of 8, and -2^30 is 7.
    {"nearest", "reflection", kEdges, {1, 4}, kRow, {HUGE_VAL, 0}, 1},
    {"nearest", "reflection", kEdges, {1, 4}, kRow, {-HUGE_VAL, 0}, 1},
    // 2^30 is 4 of a period of 6: 2 from the end.
    {"nearest", "reflection", kCorners, {1, 4}, kRow, {HUGE_VAL, 0}, 3},
    // One element.
    {"linear", "zeros", kCorners, {1, 1}, {7}, {HUGE_VAL, -3}, 7},
    {"linear", "reflection", kCorners, {1, 1}, {7}, {5, -3}, 7},
    {"linear", "reflection", kEdges, {1, 1}, {7}, {5, -3}, 7},
    {"linear", "zeros", kEdges, {1, 1}, {7}, {1, 0}, 3.5},
};

INSTANTIATE_TEST_SUITE_P(Linear, GridSampleTest, testing::ValuesIn(kLinear));
INSTANTIATE_TEST_SUITE_P(Nearest, GridSampleTest, testing::ValuesIn(kNearest));
INSTANTIATE_TEST_SUITE_P(Cubic, GridSampleTest, testing::ValuesIn(kCubic));
INSTANTIATE_TEST_SUITE_P(Unusual, GridSampleTest, testing::ValuesIn(kUnusual));

class SampleErrorTest : public GridSampleTest {};

TEST_F(SampleErrorTest, AcceptsEitherWhereThePositionDecides) {
  // The float next to 1/3 is at 1.5 + 2^-26, which f32 rounds to 1.5.
  OneSample sample = {"nearest",    "zeros",      kEdges, {1, 3},
                      {10, 20, 30}, {1 / 3.0, 0}, 30};
  EXPECT_TRUE(compare(sample, 30).passed());
  EXPECT_TRUE(compare(sample, 20).passed());
  EXPECT_FALSE(compare(sample, 10).passed());
  // The next one is at 1.5 + 3 * 2^-25, which is off by less than that.
  sample.coordinates[0] = 1 / 3.0 + 0x1p-20;
  EXPECT_TRUE(compare(sample, 30).passed());
  EXPECT_FALSE(compare(sample, 20).passed());
}

TEST_F(SampleErrorTest, FollowsTheSlope) {
  // At 0.3 from 1000 to 1001: a position is off by some 2^-24 of a step.
  OneSample sample = {"linear",     "border",  kCorners, {1, 2},
                      {1000, 1001}, {-0.4, 0}, 1000.3};
  EXPECT_TRUE(compare(sample, 1000.3).passed());
  EXPECT_TRUE(compare(sample, 1000.3 + 0x1p-13).passed());
  EXPECT_FALSE(compare(sample, 1000.3 + 0x1p-10).passed());
  // From -1000 to 1000 the position counts.
  sample.elements = {-1000, 1000};
  EXPECT_TRUE(compare(sample, -400 + 0x1p-14).passed());
  EXPECT_FALSE(compare(sample, -400 + 0x1p-9).passed());
}

TEST_F(SampleErrorTest, RoundsToNarrowTypes) {
  OneSample sample = {"linear", "border",  kCorners, {1, 2},
                      {1, 2},   {-0.5, 0}, 1.25};
  EXPECT_TRUE(compare(sample, 1.25, ScalarType::BF16).passed());
  sample.elements = {1, 1.0078125};
  // 1 + 2^-9 is between 1 and the next number of bf16.
  EXPECT_TRUE(compare(sample, 1, ScalarType::BF16).passed());
  EXPECT_FALSE(compare(sample, 1.015625, ScalarType::BF16).passed());
}

} // namespace
