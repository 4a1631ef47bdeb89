//===- ChainsTest.cpp - Tests of functions that call kernels --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Chains.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Target/CPUModule.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/ErrorHandling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

using namespace mlir;
using namespace mlir::convoy;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// A convolution, and one of one tap to whose sums another tensor is added.
constexpr char kKernels[] = R"(
func.func @first(%x: tensor<1x5x3xf32>, %w: tensor<2x3x4xf32> {convoy.prepacked})
    -> tensor<1x4x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x4x4xf32>
  %y = linalg.conv_1d_nwc_wcf
      ins(%x, %w : tensor<1x5x3xf32>, tensor<2x3x4xf32>)
      outs(%zero : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return %y : tensor<1x4x4xf32>
}
func.func @second(%x: tensor<1x4x4xf32>, %w: tensor<1x4x4xf32> {convoy.prepacked},
                  %more: tensor<4x4xf32>) -> tensor<1x4x4xf32> {
  %init = tensor.expand_shape %more [[0, 1], [2]] output_shape [1, 4, 4]
      : tensor<4x4xf32> into tensor<1x4x4xf32>
  %y = linalg.conv_1d_nwc_wcf
      ins(%x, %w : tensor<1x4x4xf32>, tensor<1x4x4xf32>)
      outs(%init : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return %y : tensor<1x4x4xf32>
}
)";

/// `a` is no result; it is read twice, once in another shape.
constexpr char kChain[] = R"(
func.func @chain(%x: tensor<1x5x3xf32> {convoy.name = "image"})
    -> (tensor<1x4x4xf32>, tensor<1x4x4xf32> {convoy.layout = "nwc"}) {
  %w = arith.constant dense<[[[1., 0., 2., 0.], [0., 1., 0., 0.], [0., 0., 1., 3.]],
                             [[0., 1., 0., 0.], [1., 0., 0., 0.], [0., 0., 0., 1.]]]>
      : tensor<2x3x4xf32>
  %v = arith.constant dense<2.0> : tensor<1x4x4xf32>
  %a = call @first(%x, %w) {onnx.nodes = ["conv", "b\22*/"], onnx.value = "a"}
      : (tensor<1x5x3xf32>, tensor<2x3x4xf32>) -> tensor<1x4x4xf32>
  %more = tensor.collapse_shape %a [[0, 1], [2]]
      : tensor<1x4x4xf32> into tensor<4x4xf32>
  %b = call @second(%a, %v, %more)
      : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<4x4xf32>) -> tensor<1x4x4xf32>
  %c = call @second(%b, %v, %more)
      : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<4x4xf32>) -> tensor<1x4x4xf32>
  return %c, %b : tensor<1x4x4xf32>, tensor<1x4x4xf32>
}
)";

class ChainsTest : public testing::Test {
protected:
  ChainsTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

  /// Reads the chains of `text`, in `module`.
  FailureOr<ChainModule> read(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error(Twine("does not parse: ") + text);
    return takeChains(*module);
  }

  /// The error of a chain with `body` beside the kernels.
  std::string getError(const std::string &chain) {
    FirstErrorHandler errors(&context);
    EXPECT_TRUE(failed(read(kKernels + chain)));
    return errors.getError();
  }

  /// Adds `chains` to what the module's kernels are lowered to.
  LogicalResult link(ChainModule &chains) {
    if (failed(importModule(*module)) ||
        failed(lowerForCPU(*module, CompileOptions())))
      llvm::report_fatal_error("the kernels cannot be lowered");
    return linkChains(*module, chains);
  }

  /// The error of linking `chain`, which can be read, with the kernels.
  std::string getLinkError(const std::string &chain) {
    FailureOr<ChainModule> chains = read(kKernels + chain);
    if (failed(chains))
      llvm::report_fatal_error("the chain cannot be read");
    FirstErrorHandler errors(&context);
    EXPECT_TRUE(failed(link(*chains)));
    return errors.getError();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(ChainsTest, ReadsCalls) {
  FailureOr<ChainModule> chains = read(std::string(kKernels) + kChain);
  ASSERT_TRUE(succeeded(chains));
  EXPECT_EQ(chains->constants.size(), 2u);
  ASSERT_EQ(chains->chains.size(), 1u);
  const Chain &chain = chains->chains.front();
  EXPECT_EQ(chain.name, "chain");
  ASSERT_EQ(chain.arguments.size(), 3u);
  EXPECT_EQ(chain.arguments[0].name, "image");
  EXPECT_FALSE(chain.arguments[0].isWritten);
  EXPECT_EQ(chain.arguments[2].name, "result1");
  EXPECT_EQ(chain.arguments[2].layout, "nwc");
  EXPECT_TRUE(chain.arguments[2].isWritten);
  ASSERT_EQ(chain.values.size(), 1u);
  EXPECT_EQ(chain.values[0].name, "a");
  EXPECT_EQ(chain.values[0].first, 0u);
  EXPECT_EQ(chain.values[0].last, 2u);
  ASSERT_EQ(chain.steps.size(), 3u);
  EXPECT_THAT(chain.steps[0].nodes, ElementsAre("conv", "b\"*/"));
  const ChainOperand &written = chain.steps[1].operands.back();
  EXPECT_EQ(written.kind, ChainOperand::Kind::Argument);
  EXPECT_EQ(written.number, 2u);
  EXPECT_FALSE(module->lookupSymbol("chain"));
}

/// Adds the convolution of `x` with the filter `w` of `taps` to `y`, which has
/// four windows and channels.
void addConv(ArrayRef<float> x, int channels, ArrayRef<float> w, int taps,
             std::array<float, 16> &y) {
  for (int n = 0; n < 4; ++n)
    for (int f = 0; f < 4; ++f)
      for (int tap = 0; tap < taps; ++tap)
        for (int c = 0; c < channels; ++c)
          y[n * 4 + f] +=
              x[(n + tap) * channels + c] * w[(tap * channels + c) * 4 + f];
}

TEST_F(ChainsTest, ComputesWhatItsCallsDo) {
  FailureOr<ChainModule> chains = read(std::string(kKernels) + kChain);
  ASSERT_TRUE(succeeded(chains) && succeeded(link(*chains)));
  FailureOr<CPUModule> loaded = CPUModule::load(*module, {"host"}, 2);
  ASSERT_TRUE(succeeded(loaded));
  const KernelInterface &kernel = loaded->getKernels().back();
  EXPECT_EQ(kernel.name, "chain");
  ASSERT_TRUE(kernel.workspaceBytes);
  EXPECT_GE(*kernel.workspaceBytes, 64);
  std::array<float, 15> x;
  for (int i = 0; i < 15; ++i)
    x[i] = float(i * i % 7 - 3);
  std::array<float, 16> b, c;
  alignas(64) std::array<std::byte, 4096> workspace;
  ASSERT_LE(*kernel.workspaceBytes, int64_t(workspace.size()));
  auto *chain =
      reinterpret_cast<int (*)(const float *, float *, float *, std::byte *)>(
          loaded->lookup("chain"));
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain(x.data(), c.data(), b.data(), workspace.data()), kKernelOk);

  const float w[] = {1, 0, 2, 0, 0, 1, 0, 0, 0, 0, 1, 3,
                     0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
  const std::vector<float> v(16, 2);
  std::array<float, 16> a = {};
  addConv(x, 3, w, 2, a);
  std::array<float, 16> expectedB = a, expectedC = a;
  addConv(a, 4, v, 1, expectedB);
  addConv(expectedB, 4, v, 1, expectedC);
  EXPECT_EQ(b, expectedB);
  EXPECT_EQ(c, expectedC);

  EXPECT_EQ(chain(nullptr, c.data(), b.data(), workspace.data()),
            kKernelNullPointer);
  EXPECT_EQ(chain(x.data(), c.data(), b.data(), workspace.data() + 4),
            kKernelMisaligned);
}

TEST_F(ChainsTest, PlacesValues) {
  FailureOr<ChainModule> chains = read(std::string(kKernels) + kChain);
  ASSERT_TRUE(succeeded(chains) && succeeded(link(*chains)));
  const Chain &chain = chains->chains.front();
  constexpr int64_t kBytesOfA = 16 * sizeof(float);
  int64_t begin = chain.values[0].offset, end = begin + kBytesOfA;
  EXPECT_LE(end, chain.workspaceBytes);
  for (const ChainStep &step : chain.steps)
    EXPECT_TRUE(step.workspaceOffset >= end ||
                step.workspaceOffset + step.workspaceBytes <= begin);
}

TEST_F(ChainsTest, TellsPrograms) {
  FailureOr<ChainModule> chains = read(std::string(kKernels) + kChain);
  ASSERT_TRUE(succeeded(chains));
  HeaderNotes notes = getHeaderNotes(*chains);
  EXPECT_TRUE(notes.counted.contains("chain"));
  EXPECT_THAT(notes.lines["first"], ElementsAre(R"(Nodes: "conv", "b\22*/")"));
  EXPECT_THAT(notes.lines["chain"],
              ElementsAre(R"(Calls first: "conv", "b\22*/")", "Calls second",
                          "Calls second"));
  std::string manifest;
  llvm::raw_string_ostream(manifest) << llvm::json::Value(toJSON(*chains));
  EXPECT_THAT(manifest, HasSubstr(R"("nodes":["conv","b\"*/"])"));
  EXPECT_THAT(manifest, HasSubstr(R"("name":"a")"));
}

TEST_F(ChainsTest, RefusesOtherOps) {
  EXPECT_THAT(
      getError(R"(func.func @chain(%x: tensor<1x5x3xf32>) -> tensor<1x5x3xf32> {
        %y = arith.addf %x, %x : tensor<1x5x3xf32>
        %w = arith.constant dense<1.0> : tensor<2x3x4xf32>
        %z = call @first(%y, %w) : (tensor<1x5x3xf32>, tensor<2x3x4xf32>)
            -> tensor<1x4x4xf32>
        return %y : tensor<1x5x3xf32>
      })"),
      HasSubstr("expected constants with elements, reshapes and calls alone in "
                "a function that calls others"));
}

TEST_F(ChainsTest, RefusesDynamicSizes) {
  EXPECT_THAT(getError(R"(func.func private @inner(%x: tensor<?xf32>)
      func.func @chain(%x: tensor<?xf32>) {
        call @inner(%x) : (tensor<?xf32>) -> ()
        return
      })"),
              HasSubstr("expected tensors of static sizes around calls, but "
                        "got 'tensor<?xf32>'"));
}

TEST_F(ChainsTest, RefusesCallsOfOthers) {
  EXPECT_THAT(getError(R"(func.func private @inner(%x: tensor<3xf32>)
      func.func @chain(%x: tensor<3xf32>) {
        call @inner(%x) : (tensor<3xf32>) -> ()
        return
      })"),
              HasSubstr("expected a call of a public function without calls, "
                        "but 'inner' is none"));
}

/// A chain whose call has `attributes`.
std::string getChainWith(const std::string &attributes) {
  return R"(func.func @chain(%x: tensor<1x5x3xf32>) -> tensor<1x4x4xf32> {
    %w = arith.constant dense<1.0> : tensor<2x3x4xf32>
    %y = call @first(%x, %w) )" +
         attributes + R"( : (tensor<1x5x3xf32>, tensor<2x3x4xf32>)
        -> tensor<1x4x4xf32>
    return %y : tensor<1x4x4xf32>
  })";
}

TEST_F(ChainsTest, RefusesNamesThatAreNoTexts) {
  EXPECT_THAT(getError(getChainWith("{onnx.nodes = [\"a\", 1, {}]}")),
              HasSubstr("expected onnx.nodes to be a list of texts, but got "
                        "[\"a\", 1, {}]"));
  EXPECT_THAT(
      getError(getChainWith("{onnx.nodes = 2}")),
      HasSubstr("expected onnx.nodes to be a list of texts, but got 2"));
  EXPECT_THAT(getError(getChainWith("{onnx.value = 7 : i8}")),
              HasSubstr("expected onnx.value to be a text, but got 7 : i8"));
}

TEST_F(ChainsTest, RefusesResultsThatNoCallMakes) {
  EXPECT_THAT(
      getError(R"(func.func @chain(%x: tensor<1x5x3xf32>) -> tensor<1x5x3xf32> {
        %w = arith.constant dense<1.0> : tensor<2x3x4xf32>
        %y = call @first(%x, %w) : (tensor<1x5x3xf32>, tensor<2x3x4xf32>)
            -> tensor<1x4x4xf32>
        return %x : tensor<1x5x3xf32>
      })"),
      HasSubstr("expected result 0 to be a call's, and no other result's"));
}

TEST_F(ChainsTest, RefusesNamesOfKernels) {
  EXPECT_THAT(getLinkError(R"(
      func.func @first_pack_filter(%x: tensor<1x5x3xf32>) -> tensor<1x4x4xf32> {
        %w = arith.constant dense<1.0> : tensor<2x3x4xf32>
        %y = call @first(%x, %w) : (tensor<1x5x3xf32>, tensor<2x3x4xf32>)
            -> tensor<1x4x4xf32>
        return %y : tensor<1x4x4xf32>
      })"),
              HasSubstr("expected another name for the chain "
                        "'first_pack_filter', which a kernel has"));
}

TEST_F(ChainsTest, RefusesFiltersThatAreNotKnown) {
  EXPECT_THAT(getLinkError(R"(
      func.func @chain(%x: tensor<1x5x3xf32>, %w: tensor<2x3x4xf32>)
          -> tensor<1x4x4xf32> {
        %y = call @first(%x, %w) : (tensor<1x5x3xf32>, tensor<2x3x4xf32>)
            -> tensor<1x4x4xf32>
        return %y : tensor<1x4x4xf32>
      })"),
              HasSubstr("expected a constant for 'filter' of 'first' in "
                        "'chain', since it is packed once"));
}

} // namespace
