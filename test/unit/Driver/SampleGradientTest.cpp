//===- SampleGradientTest.cpp - Tests of the reference of gradients -------===//
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

using Values = std::vector<double>;

/// Samples of a row of one channel at coordinates x, and what each gives.
struct Row {
  const char *mode, *padding, *corners;
  Values elements, coordinates;
  Values gradients; ///< of the samples
  Values expected;  ///< of the elements, or of the coordinates
};

void PrintTo(const Row &row, std::ostream *os) {
  *os << row.mode << " " << row.padding << " " << row.corners << " at "
      << testing::PrintToString(row.coordinates);
}

class RowTest : public testing::TestWithParam<Row> {
protected:
  RowTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  /// What the reference of `op` says of `results`, of the type in `text`.
  CompareReport run(const std::string &text, std::vector<HostArray> arguments,
                    HostArray result) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error(Twine("does not parse: ") + text);
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    return FunctionReference(function).compare(arguments, {result},
                                               TargetMath());
  }

  /// Of the gradient by the elements.
  CompareReport compareElements(const Row &row, const Values &results) {
    int64_t count = int64_t(row.coordinates.size()),
            size = int64_t(results.size());
    std::string text = llvm::formatv(
        "func.func @f(%y: tensor<1x1x{0}x1xf32>, %g: tensor<1x1x{0}x2xf32>)"
        " -> tensor<1x1x{1}x1xf32> {{\n"
        "  %r = convoy.grid_sample_backward_input %y, %g\n"
        "      layout(nhwc x nhwc -> nhwc) mode({2}) padding({3}) {4}\n"
        "      : tensor<1x1x{0}x1xf32>, tensor<1x1x{0}x2xf32>"
        " -> tensor<1x1x{1}x1xf32>\n"
        "  return %r : tensor<1x1x{1}x1xf32>\n}",
        count, size, row.mode, row.padding, row.corners);
    return run(text,
               {makeArray({1, 1, count, 1}, row.gradients), makeGrid(row)},
               makeArray({1, 1, size, 1}, results));
  }

  /// Of the gradient by the coordinates x.
  CompareReport compareCoordinates(const Row &row, const Values &results) {
    int64_t count = int64_t(row.coordinates.size()),
            size = int64_t(row.elements.size());
    std::string text = llvm::formatv(
        "func.func @f(%y: tensor<1x1x{0}x1xf32>, %x: tensor<1x1x{1}x1xf32>,"
        " %g: tensor<1x1x{0}x2xf32>) -> tensor<1x1x{0}x1xf32> {{\n"
        "  %r = convoy.grid_sample_backward_grid %y, %x, %g\n"
        "      layout(nhwc x nhwc -> nhwc) mode({2}) padding({3}) {4}\n"
        "      : tensor<1x1x{0}x1xf32>, tensor<1x1x{1}x1xf32>,"
        " tensor<1x1x{0}x2xf32>\n"
        "  %s = tensor.extract_slice %r[0, 0, 0, 0] [1, 1, {0}, 1] [1, 1, 1, 1]"
        " : tensor<1x1x{0}x2xf32> to tensor<1x1x{0}x1xf32>\n"
        "  return %s : tensor<1x1x{0}x1xf32>\n}",
        count, size, row.mode, row.padding, row.corners);
    return run(text,
               {makeArray({1, 1, count, 1}, row.gradients),
                makeArray({1, 1, size, 1}, row.elements), makeGrid(row)},
               makeArray({1, 1, count, 1}, results));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;

private:
  /// In the middle of the row.
  static HostArray makeGrid(const Row &row) {
    Values grid;
    for (double x : row.coordinates)
      grid.insert(grid.end(), {x, 0});
    return makeArray({1, 1, int64_t(row.coordinates.size()), 2}, grid);
  }
};

const char *const kRowCorners = "align_corners";
const char *const kRowEdges = "";

class ElementRowTest : public RowTest {};

TEST_P(ElementRowTest, IsExact) {
  const Row &row = GetParam();
  CompareReport report = compareElements(row, row.expected);
  EXPECT_TRUE(report.passed()) << toString(report);
  EXPECT_EQ(report.worst.bound, 0) << toString(report);
  Values wrong = row.expected;
  wrong.back() += 0x1p-10;
  EXPECT_FALSE(compareElements(row, wrong).passed());
}

const Row kElements[] = {
    // A quarter from the first to the second element, and on the third.
    {"linear", "zeros", kRowCorners, {}, {-0.75, 1}, {8, 3}, {6, 2, 3}},
    // Half beside the image: zeros take it, a border and a reflection do not.
    {"linear", "zeros", kRowEdges, {}, {-1}, {8}, {4, 0}},
    {"linear", "border", kRowEdges, {}, {-1}, {8}, {8, 0}},
    {"linear", "reflection", kRowEdges, {}, {-1}, {8}, {8, 0}},
    // At -0.5 of three elements, which is 0.5.
    {"linear", "reflection", kRowCorners, {}, {-1.5}, {8}, {4, 4, 0}},
    // Far outside, where infinity is, too.
    {"linear", "border", kRowEdges, {}, {9, HUGE_VAL}, {8, 2}, {0, 10}},
    {"linear", "zeros", kRowEdges, {}, {9, -HUGE_VAL}, {8, 2}, {0, 0}},
    // What is not a number is -1.
    {"linear", "zeros", kRowCorners, {}, {NAN}, {8}, {8, 0}},
    // The tie 0.5 is 0.
    {"nearest", "zeros", kRowEdges, {}, {0, 0.25, 7}, {8, 2, 1}, {8, 2}},
    {"nearest", "border", kRowEdges, {}, {0, 0.25, 7}, {8, 2, 1}, {8, 3}},
    // Halfway between the middle two of four.
    {"cubic", "zeros", kRowEdges, {}, {0}, {32}, {-3, 19, 19, -3}},
    // At -0.5: taps -2, -1, 0 and 1.
    {"cubic", "zeros", kRowEdges, {}, {-1}, {32}, {19, -3, 0, 0}},
    {"cubic", "border", kRowEdges, {}, {-1}, {32}, {35, -3, 0, 0}},
    {"cubic", "reflection", kRowEdges, {}, {-1}, {32}, {38, -6, 0, 0}},
};

INSTANTIATE_TEST_SUITE_P(Elements, ElementRowTest,
                         testing::ValuesIn(kElements));

class CoordinateRowTest : public RowTest {};

TEST_P(CoordinateRowTest, IsExact) {
  const Row &row = GetParam();
  CompareReport report = compareCoordinates(row, row.expected);
  EXPECT_TRUE(report.passed()) << toString(report);
  EXPECT_EQ(report.worst.bound, 0) << toString(report);
  Values wrong = row.expected;
  wrong.back() += 0x1p-10;
  EXPECT_FALSE(compareCoordinates(row, wrong).passed());
}

const Values kSquares = {1, 4, 9, 16, 25};

const Row kCoordinates[] = {
    // Two elements for a step of 1: at 0.5, and behind 1 and 2.
    {"linear",
     "zeros",
     kRowCorners,
     kSquares,
     {-0.75, -0.5, 0},
     {1, 1, 3},
     {6, 10, 42}},
    // Beside the image, before it and from its ends on.
    {"linear",
     "zeros",
     kRowCorners,
     kSquares,
     {-1.25, -1.5, -1, 1, 9},
     {1, 1, 1, 1, 1},
     {2, 2, 6, -50, 0}},
    {"linear",
     "border",
     kRowCorners,
     kSquares,
     {-1.25, -1, 1, 9},
     {1, 1, 1, 1},
     {0, 0, 0, 0}},
    // Within, a border changes nothing.
    {"linear",
     "border",
     kRowCorners,
     kSquares,
     {-0.75, -0.5, 0},
     {1, 1, 3},
     {6, 10, 42}},
    // Down at -0.5, and at -1 between pieces of which 1 to 2 is the higher one.
    {"linear",
     "reflection",
     kRowCorners,
     kSquares,
     {-1.25, -1.5, -1, 1, 3},
     {1, 1, 1, 1, 1},
     {-6, -10, 0, 0, 0}},
    // At 4.5 down, at 5 between 2 and 3, or 3 and 4.
    {"linear",
     "reflection",
     kRowCorners,
     kSquares,
     {1.25, 1.5},
     {1, 1},
     {-18, -18}},
    // Four halves for a step of 1, from -0.5 on: at the edge nothing changes.
    {"linear",
     "reflection",
     kRowEdges,
     {1, 4, 9, 16},
     {-1, -1.125, -1.25, -1.5},
     {1, 1, 1, 1},
     {0, 0, 0, -6}},
    {"nearest",
     "zeros",
     kRowEdges,
     kSquares,
     {0, 0.3, NAN},
     {1, 2, 3},
     {0, 0, 0}},
    // Halfway v' is -0.75 * 1/2 * -1/2 = 3/16, w' (15/8 - 9/2) / 2 = -21/16.
    {"cubic", "border", kRowEdges, {16, 0, 0, 0}, {0}, {1}, {6}},
    {"cubic", "border", kRowEdges, {0, 16, 0, 0}, {0}, {1}, {-42}},
    {"cubic", "border", kRowEdges, {0, 0, 16, 0}, {0}, {1}, {42}},
    // At an element that of its neighbours.
    {"cubic", "border", kRowCorners, kSquares, {0}, {1}, {18}},
    // One element has no slope.
    {"linear", "border", kRowEdges, {7}, {0, 0.5, -3}, {1, 1, 1}, {0, 0, 0}},
    {"linear", "zeros", kRowCorners, {7}, {0, 0.5, -3}, {1, 1, 1}, {0, 0, 0}},
    {"linear", "zeros", kRowEdges, {8}, {0.5, -0.5}, {1, 1}, {-4, 4}},
};

INSTANTIATE_TEST_SUITE_P(Coordinates, CoordinateRowTest,
                         testing::ValuesIn(kCoordinates));

class GradientErrorTest : public RowTest {};

TEST_F(GradientErrorTest, AcceptsEitherWhereThePositionDecides) {
  // The float next to 1/3 is at 1.5 + 2^-26, which f32 rounds to 1.5.
  Row row = {"nearest", "zeros", kRowEdges, {}, {1 / 3.0}, {8}, {}};
  EXPECT_TRUE(compareElements(row, {0, 0, 8}).passed());
  EXPECT_TRUE(compareElements(row, {0, 8, 0}).passed());
  EXPECT_FALSE(compareElements(row, {8, 0, 0}).passed());
  // The float next to 0.4 is at 3 + 2^-26, where slopes of 7 and 9 meet.
  Row kink = {"linear", "zeros", kRowEdges, kSquares, {0.4}, {1}, {}};
  EXPECT_TRUE(compareCoordinates(kink, {2.5 * 7}).passed());
  EXPECT_TRUE(compareCoordinates(kink, {2.5 * 9}).passed());
  EXPECT_FALSE(compareCoordinates(kink, {2.5 * 5}).passed());
  // Further on there is one slope.
  kink.coordinates = {0.4 + 0x1p-18};
  EXPECT_TRUE(compareCoordinates(kink, {2.5 * 9}).passed());
  EXPECT_FALSE(compareCoordinates(kink, {2.5 * 7}).passed());
}

TEST_F(GradientErrorTest, FollowsThePosition) {
  // At 0.3 between two elements, which is off by some 2^-24 of a step.
  Row row = {"linear", "border", kRowCorners, {}, {-0.4}, {1000}, {}};
  EXPECT_TRUE(compareElements(row, {700, 300}).passed());
  EXPECT_TRUE(compareElements(row, {700, 300 + 0x1p-13}).passed());
  EXPECT_FALSE(compareElements(row, {700, 300 + 0x1p-8}).passed());
  // Beside a border there is one element, whatever the position.
  row.coordinates = {-0.4 - 0x1p20};
  EXPECT_TRUE(compareElements(row, {1000, 0}).passed());
  EXPECT_FALSE(compareElements(row, {1000, 0x1p-10}).passed());
}

} // namespace
