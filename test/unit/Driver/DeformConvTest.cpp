//===- DeformConvTest.cpp - Tests of the reference of deformed taps -------===//
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

class DeformConvTest : public testing::Test {
protected:
  DeformConvTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  /// What the reference says of a `result` of the function in `text`.
  CompareReport compare(const char *text, const std::vector<HostArray> &inputs,
                        HostArray result) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error(Twine("does not parse: ") + text);
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    return FunctionReference(function).compare(inputs, {std::move(result)}, {});
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

// One tap of weight 2 on an image of 2x3, an output position for each element.
const char *const kOneTap = R"(
func.func @f(%x: tensor<1x1x2x3xf32>, %w: tensor<1x1x1x1xf32>,
    %d: tensor<1x2x2x3xf32>, %m: tensor<1x1x2x3xf32>,
    %init: tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32> {
  %r = convoy.deform_conv
      ins(%x, %w, %d
          : tensor<1x1x2x3xf32>, tensor<1x1x1x1xf32>, tensor<1x2x2x3xf32>)
      mask(%m : tensor<1x1x2x3xf32>) outs(%init : tensor<1x1x2x3xf32>)
      layout(nchw x fchw -> nfhw) offset_layout(nchw)
  return %r : tensor<1x1x2x3xf32>
})";
const Values kImage = {1, 2, 3, 4, 5, 6};

class OneTapTest : public DeformConvTest {
protected:
  /// `along` h and w; one offset for all positions.
  CompareReport compareMoved(double h, double w, const Values &results,
                             double mask = 1) {
    Values offsets(12, w);
    std::fill_n(offsets.begin(), 6, h);
    return compare(kOneTap,
                   {makeArray({1, 1, 2, 3}, kImage),
                    makeArray({1, 1, 1, 1}, {2}),
                    makeArray({1, 2, 2, 3}, offsets),
                    makeArray({1, 1, 2, 3}, Values(6, mask)),
                    makeArray({1, 1, 2, 3}, Values(6, 0))},
                   makeArray({1, 1, 2, 3}, results));
  }
  /// The same of results that are exact.
  void expectExactly(double h, double w, Values results, double mask = 1) {
    CompareReport report = compareMoved(h, w, results, mask);
    EXPECT_TRUE(report.passed()) << toString(report);
    EXPECT_EQ(report.worst.bound, 0) << toString(report);
    results[0] += 0x1p-18;
    EXPECT_FALSE(compareMoved(h, w, results, mask).passed());
  }
};

TEST_F(OneTapTest, StaysWhereItIs) {
  expectExactly(0, 0, {2, 4, 6, 8, 10, 12});
  expectExactly(-0.0, -0.0, {2, 4, 6, 8, 10, 12});
}

TEST_F(OneTapTest, MovesAlongBothDimensions) {
  expectExactly(0, 1, {4, 6, 0, 10, 12, 0});
  expectExactly(1, 0, {8, 10, 12, 0, 0, 0});
  expectExactly(-1, -1, {0, 0, 0, 0, 2, 4});
}

TEST_F(OneTapTest, InterpolatesWithZerosAround) {
  expectExactly(0, 0.5, {3, 5, 3, 9, 11, 6});
  expectExactly(0, -0.25, {1.5, 3.5, 5.5, 6, 9.5, 11.5});
  expectExactly(0.5, 0, {5, 7, 9, 4, 5, 6});
  // Half of the half of the element at the corner.
  expectExactly(1.5, 2.5, {3, 0, 0, 0, 0, 0});
}

TEST_F(OneTapTest, IsMultipliedWithTheMask) {
  expectExactly(0, 0.5, {1.5, 2.5, 1.5, 4.5, 5.5, 3}, 0.5);
  expectExactly(0, 0, {0, 0, 0, 0, 0, 0}, 0);
}

TEST_F(OneTapTest, TakesWhatIsNoNumberForZero) {
  expectExactly(NAN, 1, {4, 6, 0, 10, 12, 0});
}

TEST_F(OneTapTest, IsOutsideFarAway) {
  for (double far : {HUGE_VAL, -HUGE_VAL, 0x1p31, -0x1p40, 100.0})
    expectExactly(far, 0, {0, 0, 0, 0, 0, 0});
}

TEST_F(OneTapTest, HasNoErrorButThatOfWeights) {
  // A third is no number of f32, but what is given is.
  double third = 1 / 3.0f;
  Values results;
  for (double x : {1, 2, 4, 5})
    results.push_back(2 * (x + third));
  results.insert(results.begin() + 2, 6 * (1 - third));
  results.push_back(12 * (1 - third));
  CompareReport report = compareMoved(0, third, results);
  EXPECT_TRUE(report.passed()) << toString(report);
  EXPECT_GT(report.worst.bound, 0);
  EXPECT_LT(report.worst.bound, 0x1p-18);
  results[3] += 0x1p-17;
  EXPECT_FALSE(compareMoved(0, third, results).passed());
}

// Two taps along w with a stride of 2, of 4 channels in two groups of the
// filter and in two of offsets.
TEST_F(DeformConvTest, CountsGroupsTapsAndDimensions) {
  const char *text = R"(
func.func @f(%x: tensor<1x1x4x2x2xf32>, %w: tensor<2x1x2x2x1xf32>,
    %d: tensor<1x1x2x8xf32>, %init: tensor<1x1x2x2x1xf32>)
    -> tensor<1x1x2x2x1xf32> {
  %r = convoy.deform_conv
      ins(%x, %w, %d : tensor<1x1x4x2x2xf32>, tensor<2x1x2x2x1xf32>,
                       tensor<1x1x2x8xf32>)
      outs(%init : tensor<1x1x2x2x1xf32>)
      layout(nhwgc x ghwcf -> nhwgf) offset_layout(nhwc)
      window(stride = [1, 2])
  return %r : tensor<1x1x2x2x1xf32>
})";
  // Channel k of position p is 10^k * p.
  Values image, filter = {1, 1, 1, 1, 1, 1, 1, 1};
  for (double position : {1, 2, 3, 4})
    for (double scale : {1, 10, 100, 1000})
      image.push_back(position * scale);
  // For each output position: by group, tap, h and w.
  Values offsets = {0, 0, 0, 0, 0, 1, 0, 2, /**/ 0, -1, 0, -3, 1, 0, -1, 0};
  // Position 0 reads 1 and 2, and in the second group 2 and 4; position 1 reads
  // 2 and 1 (3 - 1 and 4 - 3), and in the second group none.
  Values results = {33, 6600, 33, 0};
  for (double error : {0.0, 1.0}) {
    results[1] += error;
    EXPECT_EQ(compare(text,
                      {makeArray({1, 1, 4, 2, 2}, image),
                       makeArray({2, 1, 2, 2, 1}, filter),
                       makeArray({1, 1, 2, 8}, offsets),
                       makeArray({1, 1, 2, 2, 1}, Values(4, 0))},
                      makeArray({1, 1, 2, 2, 1}, results))
                  .passed(),
              error == 0);
  }
}

} // namespace
