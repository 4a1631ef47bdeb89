//===- CheckFunctionTest.cpp - Tests of references of functions -----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/FunctionInputs.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/ErrorHandling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::HostArray;
using ::convoy::makeArray;
using ::convoy::ScalarType;
using testing::HasSubstr;

namespace {

class CheckFunctionTest : public testing::Test {
protected:
  CheckFunctionTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  /// The report of `result` for the only function of `text`.
  CompareReport compare(const std::string &text,
                        const std::vector<HostArray> &inputs,
                        const HostArray &result, TargetMath target = {}) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error(Twine("does not parse: ") + text);
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    return FunctionReference(function).compare(inputs, {result}, target);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// A convolution of one dimension with a bias and a ReLU.
constexpr char kConv[] = R"(
func.func @f(%x: tensor<1x3x2xf32>, %w: tensor<2x2x2xf32>, %b: tensor<2xf32>)
    -> tensor<1x2x2xf32> {
  %e = tensor.empty() : tensor<1x2x2xf32>
  %i = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<1x2x2xf32>)
      dimensions = [0, 1]
  %y = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>,
                               strides = dense<1> : tensor<1xi64>}
      ins(%x, %w : tensor<1x3x2xf32>, tensor<2x2x2xf32>)
      outs(%i : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x2xf32>
  %r = arith.maximumf %y, %z : tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
})";

TEST_F(CheckFunctionTest, KnowsWhatOneElementOffIs) {
  std::vector<HostArray> inputs = {
      makeArray(ScalarType::F32, {1, 3, 2}, {0, 1, 0, 0, 0, 0}),
      makeArray(ScalarType::F32, {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
      makeArray(ScalarType::F32, {2}, {10, -100})};
  // By hand: [3 4][0 0] + [10 -100], then ReLU.
  HostArray right = makeArray(ScalarType::F32, {1, 2, 2}, {13, 0, 10, 0});
  CompareReport report = compare(kConv, inputs, right);
  EXPECT_TRUE(report.passed()) << toString(report);
  EXPECT_EQ(report.elements, 4);
  HostArray wrong =
      makeArray(ScalarType::F32, {1, 2, 2}, {13, 0, 10.000001, 0});
  report = compare(kConv, inputs, wrong);
  EXPECT_EQ(report.wrong, 1);
  EXPECT_EQ(report.worstPlace.text, "result 0 [0,1,0]");
  EXPECT_EQ(report.worst.expected, 10);
  EXPECT_EQ(report.worst.bound, 0) << "sums of small integers are exact";
  HostArray none = makeArray(ScalarType::F32, {1, 2, 2}, {13, NAN, 10, 0});
  EXPECT_EQ(compare(kConv, inputs, none).wrong, 1);
}

TEST_F(CheckFunctionTest, LetsTargetsRoundAsTheyMay) {
  std::vector<HostArray> inputs = {
      makeArray(ScalarType::F32, {1, 3, 2}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}),
      makeArray(ScalarType::F32, {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
      makeArray(ScalarType::F32, {2}, {0, 0})};
  auto at = [&](double first) {
    return makeArray(ScalarType::F32, {1, 2, 2}, {first, 6.0, 8.2, 10.0});
  };
  // 0.1*1 + 0.2*3 + 0.3*5 + 0.4*7 = 5: four products and four additions.
  EXPECT_TRUE(compare(kConv, inputs, at(5.0000005)).passed());
  EXPECT_FALSE(compare(kConv, inputs, at(5.000005)).passed());
}

constexpr char kExp[] = R"(
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = math.exp %x : tensor<2xf32>
  return %y : tensor<2xf32>
})";

TEST_F(CheckFunctionTest, GivesVulkanItsOwnBounds) {
  std::vector<HostArray> inputs = {makeArray(ScalarType::F32, {2}, {10, 0})};
  double exact = std::exp(10.0), ulp = std::ldexp(1.0, 14 - 23);
  HostArray result = makeArray(ScalarType::F32, {2}, {exact + 15 * ulp, 1});
  EXPECT_FALSE(compare(kExp, inputs, result).passed());
  TargetMath vulkan;
  vulkan.isVulkan = true;
  EXPECT_TRUE(compare(kExp, inputs, result, vulkan).passed());
}

/// A comparison that rounding decides.
constexpr char kChoice[] = R"(
func.func @f(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %s = arith.addf %x, %y : tensor<1xf32>
  %c = arith.constant dense<0.3> : tensor<1xf32>
  %a = arith.constant dense<7.0> : tensor<1xf32>
  %b = arith.constant dense<9.0> : tensor<1xf32>
  %p = arith.cmpf ogt, %s, %c : tensor<1xf32>
  %r = arith.select %p, %a, %b : tensor<1xi1>, tensor<1xf32>
  return %r : tensor<1xf32>
})";

TEST_F(CheckFunctionTest, AcceptsEitherWhereRoundingDecides) {
  auto at = [&](double y, double result) {
    return compare(kChoice,
                   {makeArray(ScalarType::F32, {1}, {0.1}),
                    makeArray(ScalarType::F32, {1}, {y})},
                   makeArray(ScalarType::F32, {1}, {result}))
        .passed();
  };
  EXPECT_TRUE(at(0.2, 7));
  EXPECT_TRUE(at(0.2, 9));
  EXPECT_TRUE(at(0.3, 7));
  EXPECT_FALSE(at(0.3, 9));
}

/// Sums in f16 that are too long for a bound.
constexpr char kLongSum[] = R"(
func.func @f(%x: tensor<400xf16>) -> tensor<f16> {
  %z = arith.constant dense<0.0> : tensor<f16>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<400xf16>)
      outs(%z : tensor<f16>) dimensions = [0]
  return %r : tensor<f16>
})";

TEST_F(CheckFunctionTest, RefusesWhereNothingHasABound) {
  CompareReport report = compare(
      kLongSum,
      {makeArray(ScalarType::F16, {400}, std::vector<double>(400, 0.1))},
      makeArray(ScalarType::F16, {}, {40}));
  EXPECT_THAT(report.refusal, HasSubstr("nothing was checked: the reference "
                                        "has 1 without a bound"));
  EXPECT_FALSE(report.passed());
}

/// The logarithm, which has no number below 0.
constexpr char kLog[] = R"(
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = math.log %x : tensor<2xf32>
  return %y : tensor<2xf32>
})";

TEST_F(CheckFunctionTest, NaNAloneIsNoCheck) {
  auto compareLogs = [&](const std::vector<double> &inputs,
                         const std::vector<double> &results) {
    return compare(kLog, {makeArray(ScalarType::F32, {2}, inputs)},
                   makeArray(ScalarType::F32, {2}, results));
  };
  EXPECT_THAT(compareLogs({-1, -2}, {NAN, NAN}).refusal,
              HasSubstr("nothing was checked: the reference has 2 nan"));
  CompareReport report = compareLogs({-1, 1}, {NAN, 0});
  EXPECT_TRUE(report.passed()) << toString(report);
  EXPECT_EQ(report.compared, 1);
  EXPECT_EQ(report.nans, 1);
  EXPECT_EQ(report.referenceNans, 1);
  EXPECT_EQ(compareLogs({-1, -2}, {NAN, 0}).wrong, 1);
  EXPECT_EQ(compareLogs({2, 3}, {NAN, NAN}).wrong, 2);
}

/// Two results, one of which may be 0 by its bound.
constexpr char kTwo[] = R"(
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>) {
  %p = arith.constant dense<0.1> : tensor<2xf32>
  %s = arith.addf %x, %p : tensor<2xf32>
  %d = arith.subf %s, %y : tensor<2xf32>
  return %s, %d : tensor<2xf32>, tensor<2xf32>
})";

TEST_F(CheckFunctionTest, ZerosAloneAreNoCheckOfNumbers) {
  module = parseSourceString<ModuleOp>(kTwo, &context);
  FunctionReference reference(*module->getOps<func::FuncOp>().begin());
  HostArray x = makeArray(ScalarType::F32, {2}, {0.1, 0.2});
  HostArray sums = makeArray(ScalarType::F32, {2},
                             {double(0.1f + 0.1f), double(0.2f + 0.1f)});
  HostArray zeros = makeArray(ScalarType::F32, {2}, {0, 0});
  CompareReport report = reference.compare({x, sums}, {sums, zeros}, {});
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(report.refusal, HasSubstr("result 1: nothing was checked: the "
                                        "result is 0 everywhere"));
  // What is wrong with another result counts more.
  report = reference.compare({x, sums}, {zeros, zeros}, {});
  EXPECT_EQ(report.refusal, "");
  EXPECT_EQ(report.wrong, 2);
  EXPECT_EQ(report.worstPlace.text, "result 0 [0]");
}

TEST_F(CheckFunctionTest, NamesWhatIsNotKnown) {
  CompareReport report =
      compare("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
              "%y = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>\n"
              "return %y : tensor<4xf32> }",
              {makeArray(ScalarType::F32, {4}, {})},
              makeArray(ScalarType::F32, {4}, {}));
  EXPECT_THAT(report.refusal, HasSubstr("bufferization.alloc_tensor"));
}

/// Bytes with zero points, scaled to bytes as TOSA does it.
constexpr char kRescale[] = R"(
func.func @f(%x: tensor<4xi32>) -> tensor<4xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %o = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %x, %m, %s, %z, %o {scale32 = true,
      rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false,
      output_unsigned = false} : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>,
      tensor<1xi32>, tensor<1xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
})";

TEST_F(CheckFunctionTest, EdgesOfDeclaredRangesAreTheirEnds) {
  // Of the second, f16 has neither end, but numbers next to them; the third
  // has no number but zero.
  module = parseSourceString<ModuleOp>(R"(
func.func @f(%a: tensor<9xf16> {convoy.range = array<f64: -8.0, 6.0, 0.125>},
             %b: tensor<9xf16> {convoy.range = array<f64: 1.00001, 2999.9>},
             %c: tensor<9xf16> {convoy.range = array<f64: 0.0, 0.0>}) {
  return
})",
                                       &context);
  ASSERT_TRUE(module);
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  CheckOptions options;
  options.data = ::convoy::DataKind::Edge;
  std::array<std::set<double>, 3> drawn;
  for (options.seed = 0; options.seed < 50; ++options.seed) {
    std::vector<HostArray> inputs(3, HostArray(ScalarType::F16, {9}));
    std::string error;
    ASSERT_TRUE(keepDeclaredRanges(function, inputs, options, error)) << error;
    for (auto [values, input] : llvm::zip_equal(drawn, inputs))
      for (int64_t i = 0; i < input.elementCount(); ++i)
        values.insert(input.at(i));
  }
  EXPECT_THAT(drawn[0], testing::ElementsAre(-8, -0.125, 0.125, 6));
  EXPECT_THAT(drawn[1], testing::ElementsAre(1.0009765625, 2998));
  EXPECT_THAT(drawn[2], testing::ElementsAre(0));
}

TEST_F(CheckFunctionTest, ScalesIntegersAsTosaDoes) {
  // A quarter, rounded half up, plus 3, in a byte.
  std::vector<HostArray> inputs = {
      makeArray(ScalarType::I32, {4}, {10, -10, 9, 1000})};
  HostArray right = makeArray(ScalarType::I8, {4}, {6, 1, 5, 127});
  CompareReport report = compare(kRescale, inputs, right);
  EXPECT_TRUE(report.passed()) << toString(report);
}

constexpr char kBits[] = R"(
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1> : tensor<4xi32>
  %bits = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
  %next = arith.addi %bits, %one : tensor<4xi32>
  %y = arith.bitcast %next : tensor<4xi32> to tensor<4xf32>
  return %y : tensor<4xf32>
})";

TEST_F(CheckFunctionTest, KnowsTheBitsOfExactNumbers) {
  HostArray x = makeArray(ScalarType::F32, {4}, {0, 1, -2, 0x1p-149});
  HostArray y = makeArray(ScalarType::F32, {4},
                          {0x1p-149, 1 + 0x1p-23, -2 - 0x1p-22, 0x1p-148});
  CompareReport report = compare(kBits, {x}, y);
  EXPECT_EQ(report.exact, 4) << toString(report);
  EXPECT_EQ(compare(kBits, {x}, x).wrong, 4);
}

TEST_F(CheckFunctionTest, KnowsNoBitsOfOtherNumbers) {
  constexpr char kThird[] = R"(
func.func @f(%x: tensor<1xf32>) -> tensor<1xi32> {
  %three = arith.constant dense<3.0> : tensor<1xf32>
  %third = arith.divf %x, %three : tensor<1xf32>
  %bits = arith.bitcast %third : tensor<1xf32> to tensor<1xi32>
  return %bits : tensor<1xi32>
})";
  CompareReport report = compare(kThird, {makeArray(ScalarType::F32, {1}, {1})},
                                 makeArray(ScalarType::I32, {1}, {0}));
  EXPECT_EQ(report.compared, 0);
  EXPECT_FALSE(report.refusal.empty());
}

constexpr char kRemainder[] = R"(
func.func @f(%x: tensor<1200xf32>, %y: tensor<1200xf32>) -> tensor<1200xf32> {
  %three = arith.constant dense<3.0> : tensor<1200xf32>
  %third = arith.divf %x, %three : tensor<1200xf32>
  %rest = arith.remf %third, %y : tensor<1200xf32>
  return %rest : tensor<1200xf32>
})";

/// Numbers whose thirds are whole multiples of divisors, or next to these, or
/// neither.
static std::pair<std::vector<double>, std::vector<double>> drawDivisions() {
  std::mt19937 draw(20);
  std::uniform_real_distribution<float> real(-100, 100);
  std::vector<double> xs, ys;
  for (int i = 0; i < 1200; ++i) {
    float y = i % 2 ? real(draw) : float(int(draw() % 9) + 1);
    float x = i % 3 ? 3 * y * float(draw() % 90) : real(draw);
    float steps[] = {x, std::nextafter(x, 1e9f), std::nextafter(x, -1e9f)};
    xs.push_back(steps[draw() % 3]);
    ys.push_back(y);
  }
  return {xs, ys};
}

TEST_F(CheckFunctionTest, BoundsRemainders) {
  auto [xs, ys] = drawDivisions();
  HostArray x = makeArray(ScalarType::F32, {1200}, xs);
  HostArray y = makeArray(ScalarType::F32, {1200}, ys);
  std::vector<double> ofC, ofVulkan, wrong;
  for (auto [a, b] : llvm::zip_equal(xs, ys)) {
    float third = float(a) / 3, divisor = float(b);
    float quotient = third / divisor;
    if (ofC.size() % 3)
      quotient = std::nextafter(quotient, ofC.size() % 3 == 1 ? 1e9f : -1e9f);
    ofC.push_back(std::fmod(third, divisor));
    ofVulkan.push_back(third - divisor * std::trunc(quotient));
    wrong.push_back(ofC.back() + std::abs(b) * 1e-4);
  }
  TargetMath vulkan;
  vulkan.isVulkan = true;
  auto check = [&](std::vector<double> numbers, TargetMath target) {
    HostArray result = makeArray(ScalarType::F32, {1200}, numbers);
    return compare(kRemainder, {x, y}, result, target);
  };
  EXPECT_TRUE(check(ofC, {}).passed()) << toString(check(ofC, {}));
  EXPECT_TRUE(check(ofVulkan, vulkan).passed());
  EXPECT_GT(check(ofVulkan, {}).wrong, 50);
  EXPECT_GT(check(wrong, {}).wrong, 500);
  EXPECT_GT(check(wrong, vulkan).wrong, 400);
}

} // namespace
