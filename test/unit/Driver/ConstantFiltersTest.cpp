//===- ConstantFiltersTest.cpp - Bugs in sums of constants' products ------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two convolutions of one argument, one of them padded, with filters that are
// constants, by loops that have one bug: each is wrong or suspicious, and loops
// without it are neither, whatever the filters are and in any order.
//
//===----------------------------------------------------------------------===//

#include "SumOrders.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/FunctionInputs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::DataKind;
using ::convoy::HostArray;
using ::convoy::Verdict;

namespace {

constexpr int64_t Positions = 4, Channels = 700, Outputs = 5;

constexpr StringRef Text = R"(
func.func @f(%x: tensor<1x4x700xf32>) -> tensor<1x4x5xf32> {
  %wide = arith.constant dense<0.0> : tensor<3x700x5xf32>
  %narrow = arith.constant dense<0.0> : tensor<1x700x5xf32>
  %zero = arith.constant 0.0 : f32
  %init = tensor.splat %zero : tensor<1x4x5xf32>
  %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%n: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x4x700xf32> to tensor<1x6x700xf32>
  %a = linalg.conv_1d_nwc_wcf
      ins(%padded, %wide : tensor<1x6x700xf32>, tensor<3x700x5xf32>)
      outs(%init : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  %b = linalg.conv_1d_nwc_wcf
      ins(%x, %narrow : tensor<1x4x700xf32>, tensor<1x700x5xf32>)
      outs(%init : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  %y = arith.addf %a, %b : tensor<1x4x5xf32>
  return %y : tensor<1x4x5xf32>
}
)";

/// Gives element `number` of a filter, from a random number in [-1, 1).
using Filter = std::function<float(float random, int64_t number)>;

float takeRandom(float random, int64_t /*number*/) { return random; }

class ConstantFiltersTest : public testing::Test {
protected:
  ConstantFiltersTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  void draw(const Filter &filter, DataKind kind, uint64_t seed) {
    module = parseSourceString<ModuleOp>(Text, &context);
    ASSERT_TRUE(module);
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<float> uniform(-1, 1);
    filters.clear();
    getFunction().walk([&](arith::ConstantOp op) {
      auto type = dyn_cast<RankedTensorType>(op.getType());
      if (!type)
        return;
      std::vector<float> &elements = filters.emplace_back();
      for (int64_t i = 0; i < type.getNumElements(); ++i)
        elements.push_back(filter(uniform(random), i));
      op.setValueAttr(DenseElementsAttr::get(type, ArrayRef(elements)));
    });
    CheckOptions options;
    options.data = kind;
    options.seed = seed;
    std::string error;
    auto drawn = generateInputs(getFunction(), {{1, Positions, Channels}},
                                options, error);
    ASSERT_TRUE(drawn) << error;
    inputs = std::move(*drawn);
  }

  /// Result (o, f) of the convolution whose first tap reads position `begin`,
  /// with channel `channelOf(c)` of the filter in the place of c, and without
  /// it where that is negative.
  float computeSum(ArrayRef<float> filter, int64_t begin, int64_t f,
                   const Order &order,
                   const std::function<int64_t(int64_t)> &channelOf) const {
    Terms terms;
    int64_t taps = int64_t(filter.size()) / (Channels * Outputs);
    for (int64_t k = 0; k < taps; ++k)
      for (int64_t c = 0; c < Channels; ++c)
        if (int64_t place = begin + k, channel = channelOf ? channelOf(c) : c;
            place >= 0 && place < Positions && channel >= 0)
          terms.emplace_back(inputs[0].at(place * Channels + c),
                             filter[(k * Channels + channel) * Outputs + f]);
    return order(terms);
  }

  /// Both convolutions, with bugs of the first.
  std::vector<float>
  compute(const Order &order,
          const std::function<int64_t(int64_t)> &channelOf = {},
          bool flushes = false) {
    std::vector<float> results;
    for (int64_t o = 0; o < Positions; ++o)
      for (int64_t f = 0; f < Outputs; ++f) {
        float a = computeSum(filters[0], o - 1, f, order, channelOf);
        float b = computeSum(filters[1], o, f, addForward, {});
        results.push_back((flushes && std::abs(a) < 0x1p-126f ? 0 : a) + b);
      }
    return results;
  }

  CompareReport compare(const std::vector<float> &results) {
    HostArray array(::convoy::ScalarType::F32, {1, Positions, Outputs});
    for (auto [i, result] : llvm::enumerate(results))
      array.set(int64_t(i), result);
    return FunctionReference(getFunction(), /*isDrawn=*/true)
        .compare(inputs, {array}, {});
  }

  func::FuncOp getFunction() { return *module->getOps<func::FuncOp>().begin(); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<std::vector<float>> filters;
  std::vector<HostArray> inputs;
};

TEST_F(ConstantFiltersTest, DroppedTap) {
  draw(takeRandom, DataKind::Normal, 1);
  CompareReport report =
      compare(compute(addForward, [](int64_t c) { return c == 300 ? -1 : c; }));
  EXPECT_GE(report.verdict(), Verdict::Suspicious) << toString(report);
  // Within the worst case of both sums, and far beyond what rounding does.
  EXPECT_GE(report.suspicious, 1) << toString(report);
}

TEST_F(ConstantFiltersTest, SwappedTaps) {
  draw(takeRandom, DataKind::Uniform, 2);
  CompareReport report = compare(compute(addLanes, [](int64_t c) {
    return c == 300 ? 301 : c == 301 ? 300 : c;
  }));
  EXPECT_GE(report.verdict(), Verdict::Suspicious) << toString(report);
}

TEST_F(ConstantFiltersTest, StaleTile) {
  draw(takeRandom, DataKind::Normal, 3);
  std::vector<float> results = compute(addForward);
  std::copy_n(results.begin() + Outputs, Outputs,
              results.begin() + 2 * Outputs);
  EXPECT_GE(compare(results).verdict(), Verdict::Suspicious);
}

TEST_F(ConstantFiltersTest, SumsInF16) {
  draw(takeRandom, DataKind::Normal, 4);
  EXPECT_GE(compare(compute(addInF16)).verdict(), Verdict::Suspicious);
}

TEST_F(ConstantFiltersTest, FlushedResults) {
  // Results are around the least normal number.
  draw([](float random, int64_t) { return random * 0x1p-131f; },
       DataKind::Normal, 5);
  std::vector<float> results = compute(addForward, {}, /*flushes=*/true);
  EXPECT_GE(compare(results).verdict(), Verdict::Suspicious);
}

TEST_F(ConstantFiltersTest, RightSumsAreNeverSuspicious) {
  const Filter all[] = {
      takeRandom,
      [](float, int64_t) { return 0.1f; },
      [](float random, int64_t) { return std::abs(random); },
      // Of all magnitudes.
      [](float random, int64_t) { return std::exp2(20 * random) * 0.1f; },
      // One that all others are small beside.
      [](float random, int64_t i) { return i < Outputs ? 0x1p20f : random; },
      // Neighbours that cancel.
      [](float, int64_t i) { return i / Outputs % 2 ? 0.1f : -0.1f; },
      // Subnormal numbers.
      [](float random, int64_t) { return random * 0x1p-127f; },
      [](float random, int64_t) { return random * 0x1p-140f; },
  };
  double worst = 0;
  for (auto [number, filter] : llvm::enumerate(all))
    for (DataKind kind : {DataKind::Uniform, DataKind::Normal, DataKind::Range})
      for (const Order &order : {addForward, addBackward, addLanes})
        for (uint64_t seed = 0; seed < getSeeds(); ++seed) {
          draw(filter, kind, seed);
          CompareReport report = compare(compute(order));
          EXPECT_LE(report.verdict(), Verdict::Explained)
              << "filter " << number << ", " << dataKindName(kind) << ", seed "
              << seed << ": " << toString(report);
          EXPECT_LE(report.worst.probableBound, report.worst.bound);
          worst =
              std::max(worst, report.worst.error / report.worst.probableBound);
        }
  RecordProperty("worst", std::to_string(worst));
  // Random errors leave most of the bound unused.
  EXPECT_LT(worst, 0.25);
}

} // namespace
