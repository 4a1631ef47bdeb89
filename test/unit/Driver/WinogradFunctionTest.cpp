//===- WinogradFunctionTest.cpp - Winograd's sums in functions ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter knows of convolutions that Winograd's algorithm computes
// is the bound of such problems, whatever is around them; and no less than what
// operands with errors add.
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Interpreter/Interpreter.h"
#include "convoy/Runtime/Compare.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

namespace {

class WinogradFunctionTest : public testing::Test {
protected:
  WinogradFunctionTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  /// Lets the convolutions of `module` be computed by `algorithm`.
  void choose(ModuleOp module, const std::string &algorithm) {
    CompileOptions options;
    options.cpu.name = "haswell";
    options.algorithm = algorithm;
    ASSERT_TRUE(succeeded(importModule(module)));
    ASSERT_TRUE(succeeded(applyPrecision(module, options)));
    ASSERT_TRUE(succeeded(applyAlgorithms("cpu", module, options)));
  }

  static func::FuncOp getFunction(ModuleOp module) {
    return *module.getOps<func::FuncOp>().begin();
  }

  /// The errors of the elements of the only result.
  static std::vector<double> getErrors(func::FuncOp function,
                                       const std::vector<HostArray> &inputs,
                                       bool followsAlgorithms = true) {
    BoundedNumbers numbers(inputs, {}, followsAlgorithms);
    FailureOr<std::vector<Tensor>> results = Interpreter(numbers).run(function);
    std::vector<double> errors;
    if (succeeded(results))
      for (const Scalar &element : *results->front().elements)
        errors.push_back(element.error);
    return errors;
  }

  MLIRContext context;
};

/// The bounds of the elements of the result of `conv`, in its order.
std::vector<double> getBounds(const CheckedConv &conv,
                              const std::vector<HostArray> &arguments,
                              const std::vector<int64_t> &tile) {
  ReferenceResult known = takeWinogradTile(
      conv, arguments, computeReferenceOf(conv, arguments, /*threads=*/1), tile,
      /*threads=*/1);
  ErrorBound bound(conv.direction, conv.numerics, {});
  const OperandIndex &lying =
      conv.indices[size_t(directionRoles(conv.direction).result)];
  std::vector<double> bounds(known.magnitude.size());
  forEachIndex(known.index.sizes, [&](const LogicalIndex &index) {
    auto place = size_t(known.index.offset(index));
    bounds[size_t(lying.offset(index))] =
        bound.resultError(getSumFacts(known, place));
  });
  return bounds;
}

TEST_F(WinogradFunctionTest, BoundsAreThoseOfProblems) {
  const std::pair<const char *, std::vector<int64_t>> cases[] = {
      {"mb2_ic3ih9iw7oc5kh3kw3ph1pw1", {4, 4}},
      {"mb2_ic3ih9iw7oc5kh3kw3ph1pw1", {2, 2}},
      {"--input-layout=nchw --filter-layout=fchw --output-layout=nfhw "
       "mb1_ic5ih6iw11oc3kh3kw3pw2",
       {4, 4}},
      {"--dir=BWD_D mb2_ic3ih9iw7oc5kh3kw3ph1pw1", {2, 2}},
      {"--dir=BWD_D --output-layout=nfhw mb1_ic4ih5iw8oc3kh3kw3", {4, 4}},
      {"mb2_ic3iw13oc4kw3pw1", {4}},
      {"mb1_ic2id5ih6iw7oc3kd3kh3kw3pd1", {2, 2, 2}}};
  for (const auto &[text, tile] : cases) {
    SCOPED_TRACE(text);
    std::string error;
    std::optional<std::vector<Problem>> problems =
        parseProblems(text, ProblemDefaults(), error);
    ASSERT_TRUE(problems) << error;
    OwningOpRef<ModuleOp> module = buildModule(&context, *problems);
    choose(*module, "winograd:" + std::to_string(tile.front()));
    CheckedConv conv = describeProblem(problems->front());
    CheckOptions options;
    options.data = DataKind::Normal;
    std::vector<HostArray> arguments = generateArguments(conv, options);
    std::vector<double> bounds = getBounds(conv, arguments, tile);
    std::vector<double> errors = getErrors(getFunction(*module), arguments);
    // Who asks for sums of products gets their bound.
    std::vector<double> direct =
        getErrors(getFunction(*module), arguments, /*followsAlgorithms=*/false);
    ASSERT_EQ(errors.size(), bounds.size());
    for (size_t place = 0; place < bounds.size(); ++place) {
      // What the products alone may be off is in it, too, and one rounding more
      // of the last transform, of at least 3, for an init of zeros.
      double both = bounds[place] * 4 / 3 + direct[place];
      EXPECT_GE(errors[place], bounds[place] * (1 - 1e-6)) << place;
      EXPECT_LE(errors[place], both * (1 + 1e-6)) << place;
      EXPECT_LT(direct[place], errors[place]) << place;
    }
  }
}

/// Two convolutions, the second of what an elementwise op makes of the first.
constexpr char kTwoConvolutions[] = R"(
func.func @f(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>,
             %v: tensor<3x3x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %z = arith.constant dense<0.0> : tensor<1x6x6x4xf32>
  %a = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x3xf32>,
      tensor<3x3x3x4xf32>) outs(%z : tensor<1x6x6x4xf32>)
      -> tensor<1x6x6x4xf32>
  %r = arith.maximumf %a, %z : tensor<1x6x6x4xf32>
  %i = arith.constant dense<0.0> : tensor<1x4x4x2xf32>
  %b = linalg.conv_2d_nhwc_hwcf ins(%r, %v : tensor<1x6x6x4xf32>,
      tensor<3x3x4x2xf32>) outs(%i : tensor<1x4x4x2xf32>)
      -> tensor<1x4x4x2xf32>
  return %b : tensor<1x4x4x2xf32>
})";

HostArray makeNumbers(std::vector<int64_t> shape, double first) {
  HostArray array(ScalarType::F32, std::move(shape));
  for (int64_t i = 0; i < array.elementCount(); ++i)
    array.set(i, std::sin(first + double(i)));
  return array;
}

/// Inputs of that function.
std::vector<HostArray> makeInputs() {
  return {makeNumbers({1, 8, 8, 3}, 1), makeNumbers({3, 3, 3, 4}, 2),
          makeNumbers({3, 3, 4, 2}, 3)};
}

TEST_F(WinogradFunctionTest, ErrorsOfOperandsGoAlong) {
  auto module = parseSourceString<ModuleOp>(kTwoConvolutions, &context);
  ASSERT_TRUE(module);
  std::vector<HostArray> inputs = makeInputs();
  choose(*module, "winograd:4");
  func::FuncOp function = getFunction(*module);
  std::vector<double> errors = getErrors(function, inputs);
  // The first one's sums are more exact if products are summed.
  (*function.getOps<ConvOp>().begin())->removeAttr("convoy.winograd");
  std::vector<double> ofSecond = getErrors(function, inputs);
  ASSERT_EQ(errors.size(), 32u);
  for (size_t place = 0; place < errors.size(); ++place) {
    EXPECT_TRUE(std::isfinite(errors[place])) << place;
    EXPECT_GT(errors[place], 1.5 * ofSecond[place]) << place;
  }
}

TEST_F(WinogradFunctionTest, OfWhatIsNotFiniteNothingIsKnown) {
  auto module = parseSourceString<ModuleOp>(kTwoConvolutions, &context);
  ASSERT_TRUE(module);
  std::vector<HostArray> inputs = makeInputs();
  inputs[0].set(0, INFINITY);
  choose(*module, "winograd:2");
  std::vector<double> errors = getErrors(getFunction(*module), inputs);
  ASSERT_EQ(errors.size(), 32u);
  // The first tile of the first convolution reads it, and all tiles of the
  // second that read results of that tile; the last tile does not.
  EXPECT_TRUE(std::isinf(errors.front()));
  EXPECT_TRUE(std::isfinite(errors.back()));
}

} // namespace
