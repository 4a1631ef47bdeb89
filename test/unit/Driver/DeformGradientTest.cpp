//===- DeformGradientTest.cpp - Tests of the reference of gradients -------===//
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

namespace {

using Values = std::vector<double>;

// An image of 2x3, an output position for each element, and one tap of
// weight 2.
const Values kGradientImage = {1, 2, 3, 4, 5, 6};
const char *const kShape = "tensor<1x1x2x3xf32>";

/// One offset and mask for all positions.
struct Tap {
  double h, w, mask = 1;
};

/// An op of the family, on the operands that it has, whose init is 0.
struct Gradient {
  const char *name, *operands, *types, *result;
  bool isMasked;
};

const Gradient kFilter = {"filter", "%dy, %x, %d",
                          "tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>, "
                          "tensor<1x2x2x3xf32>",
                          "1x1x1x1", true};
const Gradient kInput = {"input", "%dy, %w, %d",
                         "tensor<1x1x2x3xf32>, tensor<1x1x1x1xf32>, "
                         "tensor<1x2x2x3xf32>",
                         "1x1x2x3", true};
const Gradient kMask = {"mask", "%dy, %x, %w, %d",
                        "tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>, "
                        "tensor<1x1x1x1xf32>, tensor<1x2x2x3xf32>",
                        "1x1x2x3", false};
const Gradient kOffset = {"offset", "%dy, %x, %w, %d",
                          "tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>, "
                          "tensor<1x1x1x1xf32>, tensor<1x2x2x3xf32>",
                          "1x2x2x3", true};

class DeformGradientTest : public testing::Test {
protected:
  DeformGradientTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  /// What the reference of `gradient` says of `results`, for gradients 1 to 6
  /// of the output.
  CompareReport compare(const Gradient &gradient, const Tap &tap,
                        const Values &results) {
    std::string text = llvm::formatv(
        "func.func @f(%dy: {0}, %x: {0}, %w: tensor<1x1x1x1xf32>,\n"
        "    %d: tensor<1x2x2x3xf32>, %m: {0}, %init: tensor<{4}xf32>)\n"
        "    -> tensor<{4}xf32> {{\n"
        "  %r = convoy.deform_conv_backward_{1} ins({2} : {3}) {5}\n"
        "      outs(%init : tensor<{4}xf32>) layout(nchw x fchw -> nfhw)\n"
        "      offset_layout(nchw)\n"
        "  return %r : tensor<{4}xf32>\n}",
        kShape, gradient.name, gradient.operands, gradient.types,
        gradient.result,
        gradient.isMasked ? "mask(%m : tensor<1x1x2x3xf32>)" : "");
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error(Twine("does not parse: ") + text);
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    std::vector<int64_t> shape =
        cast<RankedTensorType>(function.getResultTypes()[0]).getShape().vec();
    Values offsets(12, tap.w);
    std::fill_n(offsets.begin(), 6, tap.h);
    return FunctionReference(function).compare(
        {makeArray({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}),
         makeArray({1, 1, 2, 3}, kGradientImage), makeArray({1, 1, 1, 1}, {2}),
         makeArray({1, 2, 2, 3}, offsets),
         makeArray({1, 1, 2, 3}, Values(6, tap.mask)),
         makeArray(shape, Values(results.size(), 0))},
        {makeArray(shape, results)}, TargetMath());
  }
  /// The same of results that are exact.
  void expectExactly(const Gradient &gradient, const Tap &tap, Values results) {
    CompareReport report = compare(gradient, tap, results);
    EXPECT_TRUE(report.passed()) << toString(report);
    EXPECT_EQ(report.worst.bound, 0) << toString(report);
    results[0] += 0x1p-10;
    EXPECT_FALSE(compare(gradient, tap, results).passed());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(DeformGradientTest, OfTheFilterSumsProductsOfSamples) {
  // Samples 1.5, 2.5, 1.5 and 4.5, 5.5, 3.
  expectExactly(kFilter, {0, 0.5}, {74.5});
  expectExactly(kFilter, {0, 0.5, 0.5}, {37.25});
  expectExactly(kFilter, {NAN, 0}, {91});
  expectExactly(kFilter, {HUGE_VAL, 0}, {0});
}

TEST_F(DeformGradientTest, OfTheMaskIsTheSampleTimesItsGradient) {
  expectExactly(kMask, {0, 0.5}, {3, 10, 9, 36, 55, 36});
  expectExactly(kMask, {1, 0}, {8, 20, 36, 0, 0, 0});
}

TEST_F(DeformGradientTest, OfTheOffsetIsTheSlopeTimesItsGradient) {
  // Along h at an element, where the piece behind it counts; along w between.
  expectExactly(kOffset, {0, 0.5},
                {6, 12, 9, -36, -55, -36, 2, 4, -18, 8, 10, -72});
  expectExactly(kOffset, {0, 0.5, 0.5},
                {3, 6, 4.5, -18, -27.5, -18, 1, 2, -9, 4, 5, -36});
  // Before the first column: the half of the first, and of the next.
  expectExactly(kOffset, {0, -0.5},
                {3, 12, 18, -16, -45, -66, 2, 4, 6, 32, 10, 12});
  expectExactly(kOffset, {NAN, 0.5},
                {6, 12, 9, -36, -55, -36, 2, 4, -18, 8, 10, -72});
  expectExactly(kOffset, {0, 0x1p40}, Values(12, 0));
}

TEST_F(DeformGradientTest, OfTheInputGoesToTheElementsOfSamples) {
  expectExactly(kInput, {0, 0.5}, {1, 3, 5, 4, 9, 11});
  expectExactly(kInput, {0, 0.5, 0.5}, {0.5, 1.5, 2.5, 2, 4.5, 5.5});
  expectExactly(kInput, {-1, 0}, {8, 10, 12, 0, 0, 0});
  expectExactly(kInput, {-HUGE_VAL, 0}, Values(6, 0));
}

TEST_F(DeformGradientTest, AcceptsEitherSlopeWhereTheRestIsRounded) {
  // From 2^-30 before an element the rest is 1 in f32, as at the element. Of
  // the last column the slope is 1 before it and -3 or -6 behind it.
  Values before = {6, 12, 18, -32, -50, -72, 2, 4, 6, 32, 10, 12};
  Values behind = before;
  behind[8] = -18;
  Tap tap = {0, -0x1p-30};
  EXPECT_TRUE(compare(kOffset, tap, before).passed());
  EXPECT_TRUE(compare(kOffset, tap, behind).passed());
  behind[8] = -30;
  EXPECT_FALSE(compare(kOffset, tap, behind).passed());
  // Further before it there is one slope.
  tap.w = -0x1p-20;
  behind[8] = -18;
  EXPECT_FALSE(compare(kOffset, tap, behind).passed());
}

} // namespace
