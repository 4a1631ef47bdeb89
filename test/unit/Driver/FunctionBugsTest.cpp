//===- FunctionBugsTest.cpp - Bugs in functions are told from rounding ----===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two convolutions with an op between, by loops that have one bug in the first:
// each is wrong or suspicious, and loops without it, in any order and on data
// that are alike or of one sign between the convolutions, are neither.
//
//===----------------------------------------------------------------------===//

#include "SumOrders.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/FunctionInputs.h"

#include "mlir/Parser/Parser.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::DataKind;
using ::convoy::HostArray;
using ::convoy::Verdict;

namespace {

/// Sizes of `w2 * between(w1 * x)`, of one dimension.
struct ChainSizes {
  int64_t taps1, channels, taps2;

  static constexpr int64_t Positions = 2, Outputs = 2;
  int64_t between() const { return Positions + taps2 - 1; }
  int64_t inputs() const { return between() + taps1 - 1; }
};

/// What stands between the convolutions, in IR with %a for its operand and %z
/// for zero, and as a function.
struct Between {
  const char *op;
  float (*apply)(float);
};

const Between ReLU = {"arith.maximumf %a, %z : f32",
                      [](float a) { return std::max(a, 0.0f); }};
const Between Magnitude = {"math.absf %a : f32",
                           [](float a) { return std::abs(a); }};
/// Nearly all numbers become one.
const Between Clip = {"arith.minimumf %a, %small : f32",
                      [](float a) { return std::min(a, 0.001f); }};

class FunctionBugsTest : public testing::Test {
protected:
  FunctionBugsTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  void build(const ChainSizes &newSizes, const Between &newBetween) {
    sizes = newSizes;
    between = newBetween;
    module = parseSourceString<ModuleOp>(getText(), &context);
    ASSERT_TRUE(module);
  }

  void draw(DataKind kind, uint64_t seed) {
    CheckOptions options;
    options.data = kind;
    options.seed = seed;
    std::string error;
    auto drawn =
        generateInputs(getFunction(),
                       {{1, sizes.inputs(), 1},
                        {sizes.taps1, 1, sizes.channels},
                        {sizes.taps2, sizes.channels, ChainSizes::Outputs}},
                       options, error);
    ASSERT_TRUE(drawn) << error;
    inputs = std::move(*drawn);
  }

  void scaleFilter(double factor) {
    for (int64_t i = 0; i < inputs[1].elementCount(); ++i)
      inputs[1].set(i, inputs[1].at(i) * factor);
  }

  /// The first convolution: tap `k` of the filter is taken from `tapOf(k)`, or
  /// left out where that is negative.
  std::vector<float>
  computeFirst(const Order &order,
               const std::function<int64_t(int64_t)> &tapOf = {}) {
    std::vector<float> result;
    Terms terms;
    for (int64_t o = 0; o < sizes.between(); ++o)
      for (int64_t c = 0; c < sizes.channels; ++c) {
        terms.clear();
        for (int64_t k = 0; k < sizes.taps1; ++k)
          if (int64_t tap = tapOf ? tapOf(k) : k; tap >= 0)
            terms.emplace_back(inputs[0].at(o + k),
                               inputs[1].at(tap * sizes.channels + c));
        result.push_back(order(terms));
      }
    return result;
  }

  CompareReport finish(const std::vector<float> &first, const Order &order) {
    HostArray result(::convoy::ScalarType::F32,
                     {1, ChainSizes::Positions, ChainSizes::Outputs});
    Terms terms;
    for (int64_t o = 0; o < ChainSizes::Positions; ++o)
      for (int64_t f = 0; f < ChainSizes::Outputs; ++f) {
        terms.clear();
        for (int64_t k = 0; k < sizes.taps2; ++k)
          for (int64_t c = 0; c < sizes.channels; ++c)
            terms.emplace_back(
                between.apply(first[(o + k) * sizes.channels + c]),
                inputs[2].at((k * sizes.channels + c) * ChainSizes::Outputs +
                             f));
        result.set(o * ChainSizes::Outputs + f, order(terms));
      }
    return FunctionReference(getFunction(), /*isDrawn=*/true)
        .compare(inputs, {result}, {});
  }

  func::FuncOp getFunction() { return *module->getOps<func::FuncOp>().begin(); }
  std::string getText() const;

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  ChainSizes sizes;
  Between between;
  std::vector<HostArray> inputs;
};

std::string FunctionBugsTest::getText() const {
  auto type = [](std::initializer_list<int64_t> shape) {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + "f32>";
  };
  std::string x = type({1, sizes.inputs(), 1}),
              w = type({sizes.taps1, 1, sizes.channels}),
              y = type({1, sizes.between(), sizes.channels}),
              v = type({sizes.taps2, sizes.channels, ChainSizes::Outputs}),
              r = type({1, ChainSizes::Positions, ChainSizes::Outputs});
  auto conv = [](const std::string &result, const std::string &operands,
                 const std::string &types, const std::string &type) {
    return "  %i" + result + " = tensor.splat %z : " + type + "\n  %" + result +
           " = linalg.conv_1d_nwc_wcf ins(" + operands + " : " + types +
           ") outs(%i" + result + " : " + type + ") -> " + type + "\n";
  };
  std::string map = "affine_map<(n, w, c) -> (n, w, c)>";
  return "func.func @f(%x: " + x + ", %w: " + w + ", %v: " + v + ") -> " + r +
         " {\n  %z = arith.constant 0.0 : f32\n"
         "  %small = arith.constant 0.001 : f32\n" +
         conv("y", "%x, %w", x + ", " + w, y) + "  %e = tensor.empty() : " + y +
         "\n  %b = linalg.generic {indexing_maps = [" + map + ", " + map +
         "], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]} "
         "ins(%y : " +
         y + ") outs(%e : " + y +
         ") {\n  ^bb0(%a: f32, %o: f32):\n"
         "    %s = " +
         between.op + "\n    linalg.yield %s : f32\n  } -> " + y + "\n" +
         conv("r", "%b, %v", y + ", " + v, r) + "  return %r : " + r + "\n}";
}

/// Sums of 2,000 and of 300 terms.
constexpr ChainSizes LongSums = {2000, 100, 3};

TEST_F(FunctionBugsTest, DroppedTap) {
  build(LongSums, ReLU);
  draw(DataKind::Normal, 1);
  auto first =
      computeFirst(addForward, [](int64_t k) { return k == 1000 ? -1 : k; });
  CompareReport report = finish(first, addForward);
  EXPECT_GE(report.verdict(), Verdict::Suspicious) << toString(report);
  // Within the worst case of both sums, and far beyond what rounding does.
  EXPECT_GE(report.suspicious, 1) << toString(report);
}

TEST_F(FunctionBugsTest, SwappedTaps) {
  build(LongSums, ReLU);
  draw(DataKind::Uniform, 2);
  auto first = computeFirst(addLanes, [](int64_t k) {
    return k == 700 ? 701 : k == 701 ? 700 : k;
  });
  CompareReport report = finish(first, addForward);
  EXPECT_GE(report.verdict(), Verdict::Suspicious) << toString(report);
}

TEST_F(FunctionBugsTest, StaleTile) {
  build(LongSums, ReLU);
  draw(DataKind::Normal, 3);
  auto first = computeFirst(addForward);
  // Eight channels of a position are those of the one before.
  std::copy_n(first.begin() + LongSums.channels, 8,
              first.begin() + 2 * LongSums.channels);
  CompareReport report = finish(first, addForward);
  EXPECT_GE(report.verdict(), Verdict::Suspicious) << toString(report);
}

TEST_F(FunctionBugsTest, SumsInF16) {
  build(LongSums, Magnitude);
  draw(DataKind::Normal, 4);
  CompareReport report = finish(computeFirst(addInF16), addForward);
  EXPECT_GE(report.verdict(), Verdict::Suspicious) << toString(report);
}

TEST_F(FunctionBugsTest, FlushedResults) {
  build(LongSums, ReLU);
  draw(DataKind::Normal, 5);
  // Results of the first are around the least normal number.
  scaleFilter(0x1p-131);
  auto first = computeFirst(addForward);
  for (float &number : first)
    if (std::abs(number) < 0x1p-126)
      number = 0;
  CompareReport report = finish(first, addForward);
  EXPECT_GE(report.verdict(), Verdict::Suspicious) << toString(report);
}

TEST_F(FunctionBugsTest, RightSumsAreNeverSuspicious) {
  double worst = 0;
  for (const ChainSizes &these : {LongSums, ChainSizes{60, 80, 2}})
    for (const Between &op : {ReLU, Magnitude, Clip}) {
      build(these, op);
      for (DataKind kind :
           {DataKind::Uniform, DataKind::Normal, DataKind::Range})
        for (const Order &order : {addForward, addBackward, addLanes})
          for (uint64_t seed = 0; seed < getSeeds(); ++seed) {
            draw(kind, seed);
            CompareReport report = finish(computeFirst(order), order);
            EXPECT_LE(report.verdict(), Verdict::Explained)
                << op.op << ", " << dataKindName(kind) << ", seed " << seed
                << ": " << toString(report);
            EXPECT_LE(report.worst.probableBound, report.worst.bound);
            worst = std::max(worst,
                             report.worst.error / report.worst.probableBound);
          }
    }
  RecordProperty("worst", std::to_string(worst));
  // Random errors leave most of the bound unused.
  EXPECT_LT(worst, 0.25);
}

/// Climbs to data on which right sums err as much as they can.
TEST_F(FunctionBugsTest, NoSearchedDataAreBeyondTheBound) {
  build({24, 2, 2}, ReLU);
  draw(DataKind::Normal, 8);
  std::mt19937 random(9);
  double best = 0;
  for (int step = 0; step < 2000; ++step) {
    std::vector<HostArray> before = inputs;
    HostArray &array = inputs[random() % 3];
    int64_t place = int64_t(random() % uint64_t(array.elementCount()));
    double exponent = double(random() % 40) - 36;
    double factor = random() % 2 ? 1 + std::exp2(exponent) : -1;
    array.set(place, array.at(place) * factor);
    CompareReport report = finish(computeFirst(addBackward), addBackward);
    ASSERT_LE(report.worst.ratio(), 1) << toString(report);
    if (report.worst.ratio() < best)
      inputs = before;
    best = std::max(best, report.worst.ratio());
  }
  EXPECT_GT(best, 0);
}

} // namespace
