//===- ConvShapeTest.cpp - Tests of convolution geometry ------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/ConvShape.h"

#include <gtest/gtest.h>
#include <limits>

using namespace convoy;

static constexpr int64_t Max = std::numeric_limits<int64_t>::max();
static constexpr int64_t Min = std::numeric_limits<int64_t>::min();

/// ResNet-50's 3x3 layer of stride 2, with groups and sizes of its own for each
/// dimension: 2x14x15 input, 5x3 filter, 3 groups of 4 and 6 channels.
static ConvShape groupedShape() {
  ConvShape shape;
  shape.batch = 2;
  shape.groups = 3;
  shape.inputChannels = 4;
  shape.outputChannels = 6;
  shape.spatial = {{14, 5, 7, WindowDim{2, 1, 2, 1, 1, false}},
                   {15, 3, 13, WindowDim{1, 1, 0, 0, 1, false}}};
  return shape;
}

TEST(ConvShapeTest, DilatedSize) {
  EXPECT_EQ(dilatedSize(0, 3), 0);
  EXPECT_EQ(dilatedSize(1, 3), 1);
  EXPECT_EQ(dilatedSize(4, 1), 4);
  EXPECT_EQ(dilatedSize(4, 3), 10);
  EXPECT_EQ(dilatedSize(Max, 2), Max);
}

TEST(ConvShapeTest, OutputSize) {
  EXPECT_EQ(outputSize(224, 7, WindowDim{2, 1, 3, 3, 1, false}), 112);
  EXPECT_EQ(outputSize(56, 3, WindowDim{1, 1, 1, 1, 1, false}), 56);
  EXPECT_EQ(outputSize(7, 3, WindowDim{1, 2, 0, 0, 1, false}), 3);
  EXPECT_EQ(outputSize(3, 2, WindowDim{1, 1, 0, 0, 2, false}), 4);
  EXPECT_EQ(outputSize(5, 3, WindowDim{1, 1, -1, -2, 1, false}), 0);
  EXPECT_EQ(outputSize(2, 3, WindowDim{}), 0);
  EXPECT_EQ(outputSize(0, 1, WindowDim{1, 1, 1, 1, 1, false}), 2);
  EXPECT_EQ(outputSize(5, 0, WindowDim{}), 0);
  EXPECT_EQ(outputSize(Max, 1, WindowDim{1, 1, Max, Max, Max, false}), Max);
  EXPECT_EQ(outputSize(Max, Max, WindowDim{1, Max, Min, Min, Max, false}), 0);
}

TEST(ConvShapeTest, PadHighForAnOutputSize) {
  EXPECT_EQ(padHighFor(224, 7, 112, WindowDim{2, 1, 3, 0, 1, false}), 2);
  EXPECT_EQ(padHighFor(9, 3, 3, WindowDim{2, 1, 1, 0, 1, false}), -3);
  EXPECT_EQ(padHighFor(4, 3, 0, WindowDim{2, 1, 1, 0, 1, false}), -4);
  EXPECT_EQ(padHighFor(0, Max, Max, WindowDim{Max, Max, 0, 0, 1, false}), Max);
}

TEST(ConvShapeTest, TransposedSize) {
  EXPECT_EQ(transposedSize(7, 3, WindowDim{2, 1, 1, 0, 1, false}), 14);
  EXPECT_EQ(transposedSize(5, 3, WindowDim{1, 2, 0, 0, 1, false}), 9);
  EXPECT_EQ(transposedSize(1, 1, WindowDim{1, 1, 1, 1, 1, false}), 0);
  EXPECT_EQ(transposedSize(Max, Max, WindowDim{Max, Max, 0, 0, 1, false}), Max);
}

TEST(ConvShapeTest, InputPosition) {
  WindowDim window{2, 3, 1, 0, 1, false};
  EXPECT_EQ(inputPosition(0, 0, 9, 3, window), std::nullopt);
  EXPECT_EQ(inputPosition(0, 1, 9, 3, window), 2);
  EXPECT_EQ(inputPosition(1, 2, 9, 3, window), 7);
  EXPECT_EQ(inputPosition(2, 2, 9, 3, window), std::nullopt);
  window.reverse = true;
  EXPECT_EQ(inputPosition(1, 0, 9, 3, window), 7);
  WindowDim holes{1, 1, 0, 0, 2, false};
  EXPECT_EQ(inputPosition(3, 1, 9, 3, holes), 2);
  EXPECT_EQ(inputPosition(3, 0, 9, 3, holes), std::nullopt);
}

TEST(ConvShapeTest, BackwardWindows) {
  // 224 positions, 7 taps, stride 2, padding 3 on each side.
  WindowDim forward{2, 1, 3, 3, 1, false};
  EXPECT_EQ(backwardDataWindow(224, 7, 112, forward),
            (WindowDim{1, 1, 3, 4, 2, true}));
  EXPECT_EQ(backwardFilterWindow(224, 7, 112, forward),
            (WindowDim{1, 2, 3, 2, 1, false}));
  forward.reverse = true;
  EXPECT_FALSE(backwardDataWindow(224, 7, 112, forward).reverse);
  EXPECT_FALSE(backwardFilterWindow(224, 7, 112, forward).reverse);
}

TEST(ConvShapeTest, DenseWindowIsOnePhase) {
  WindowDim window{2, 3, 1, 2, 1, true};
  ASSERT_EQ(outputSize(9, 3, window), 3);
  std::vector<WindowPhase> phases = splitPhases(9, 3, 3, window);
  ASSERT_EQ(phases.size(), 1u);
  EXPECT_EQ(phases[0].outputCount, 3);
  EXPECT_EQ(phases[0].outputStep, 1);
  EXPECT_EQ(phases[0].firstTap, 0);
  EXPECT_EQ(phases[0].tapStep, 1);
  EXPECT_EQ(phases[0].tapCount, 3);
  // One padded position is never read, and so is left out.
  EXPECT_EQ(phases[0].window, (WindowDim{2, 3, 1, 1, 1, true}));
}

TEST(ConvShapeTest, PhasesOfBackwardDataWithStrideTwo) {
  WindowDim window = backwardDataWindow(224, 7, 112, {2, 1, 3, 3, 1, false});
  std::vector<WindowPhase> phases = splitPhases(112, 7, 224, window);
  ASSERT_EQ(phases.size(), 2u);
  // Even positions meet k' = 1, 3, 5, which are the taps 5, 3, 1 in memory.
  EXPECT_EQ(phases[0].firstTap, 1);
  EXPECT_EQ(phases[0].tapStep, 2);
  EXPECT_EQ(phases[0].tapCount, 3);
  EXPECT_EQ(phases[0].window, (WindowDim{1, 1, 1, 1, 1, true}));
  // Odd positions meet k' = 0, 2, 4, 6.
  EXPECT_EQ(phases[1].firstOutput, 1);
  EXPECT_EQ(phases[1].firstTap, 0);
  EXPECT_EQ(phases[1].tapCount, 4);
  EXPECT_EQ(phases[1].window, (WindowDim{1, 1, 1, 2, 1, true}));
}

TEST(ConvShapeTest, PhaseWithoutTapsKeepsTheInit) {
  // A stride of 2 with a 1-tap filter: odd input positions have no gradient.
  WindowDim window = backwardDataWindow(6, 1, 3, {2, 1, 0, 0, 1, false});
  std::vector<WindowPhase> phases = splitPhases(3, 1, 6, window);
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[0].tapCount, 1);
  EXPECT_EQ(phases[1].tapCount, 0);
  EXPECT_EQ(phases[1].outputCount, 3);
}

TEST(ConvShapeTest, SizesByLetter) {
  ConvShape shape = groupedShape();
  EXPECT_EQ(shape.spatialRank(), 2);
  EXPECT_EQ(shape.size(Operand::Input, 'n'), 2);
  EXPECT_EQ(shape.size(Operand::Filter, 'g'), 3);
  EXPECT_EQ(shape.size(Operand::Filter, 'c'), 4);
  EXPECT_EQ(shape.size(Operand::Output, 'f'), 6);
  EXPECT_EQ(shape.size(Operand::Input, 'h'), 14);
  EXPECT_EQ(shape.size(Operand::Filter, 'h'), 5);
  EXPECT_EQ(shape.size(Operand::Output, 'w'), 13);
}

TEST(ConvShapeTest, ShapesOfLayouts) {
  ConvShape shape = groupedShape();
  auto shapeOf = [&](Operand operand, const char *letters) {
    return shape.shape(operand, Layout::fromLetters(letters));
  };
  using Sizes = std::vector<int64_t>;
  EXPECT_EQ(shapeOf(Operand::Input, "nhwc"), (Sizes{2, 14, 15, 12}));
  EXPECT_EQ(shapeOf(Operand::Input, "ngchw"), (Sizes{2, 3, 4, 14, 15}));
  EXPECT_EQ(shapeOf(Operand::Filter, "hwcf"), (Sizes{5, 3, 4, 18}));
  EXPECT_EQ(shapeOf(Operand::Filter, "gfchw"), (Sizes{3, 6, 4, 5, 3}));
  EXPECT_EQ(shapeOf(Operand::Output, "fnhw"), (Sizes{18, 2, 7, 13}));
}

TEST(ConvShapeTest, Counts) {
  ConvShape shape = groupedShape();
  EXPECT_EQ(shape.elementCount(Operand::Input), 2 * 12 * 14 * 15);
  EXPECT_EQ(shape.elementCount(Operand::Filter), 3 * 4 * 6 * 5 * 3);
  EXPECT_EQ(shape.elementCount(Operand::Output), 2 * 18 * 7 * 13);
  EXPECT_EQ(shape.reductionLength(Direction::Forward), 4 * 5 * 3);
  EXPECT_EQ(shape.reductionLength(Direction::BackwardData), 6 * 5 * 3);
  EXPECT_EQ(shape.reductionLength(Direction::BackwardFilter), 2 * 7 * 13);
  EXPECT_EQ(shape.multiplyAdds(), 2.0 * 3 * 4 * 6 * 7 * 13 * 5 * 3);
}

TEST(ConvShapeTest, CountsPastInt64) {
  ConvShape shape;
  shape.batch = int64_t(1) << 31;
  shape.inputChannels = int64_t(1) << 31;
  shape.spatial = {{1, 1, 1, WindowDim{}}};
  EXPECT_EQ(shape.elementCount(Operand::Input), int64_t(1) << 62);
  shape.groups = 2;
  EXPECT_EQ(shape.elementCount(Operand::Input), std::nullopt);
  shape.spatial[0].input = 0;
  EXPECT_EQ(shape.elementCount(Operand::Input), 0);
  shape.inputChannels = Max;
  shape.spatial[0].filter = 2;
  EXPECT_EQ(shape.reductionLength(Direction::Forward), Max);
}

TEST(ConvShapeTest, AcceptsLegalShapes) {
  EXPECT_EQ(checkShape(groupedShape()), std::nullopt);
  ConvShape empty = groupedShape();
  empty.batch = 0;
  empty.inputChannels = 0;
  EXPECT_EQ(checkShape(empty), std::nullopt);
}

/// A change to a legal shape, and the fault that it makes.
struct BadShape {
  void (*change)(ConvShape &shape);
  const char *fault;
};

TEST(ConvShapeTest, RefusesIllegalShapes) {
  const BadShape cases[] = {
      {[](ConvShape &s) { s.spatial.clear(); },
       "expected one to three spatial dimensions, but got 0"},
      {[](ConvShape &s) { s.spatial.resize(4); },
       "expected one to three spatial dimensions, but got 4"},
      {[](ConvShape &s) { s.batch = -1; },
       "expected a batch size of at least 0, but got -1"},
      {[](ConvShape &s) { s.groups = 0; },
       "expected a number of groups of at least 1, but got 0"},
      {[](ConvShape &s) { s.inputChannels = -2; },
       "expected a number of input channels of at least 0, but got -2"},
      {[](ConvShape &s) { s.outputChannels = Min; },
       "expected a number of output channels of at least 0, but got "
       "-9223372036854775808"},
      {[](ConvShape &s) { s.spatial[0].input = -1; },
       "expected an input size of dimension h of at least 0, but got -1"},
      {[](ConvShape &s) { s.spatial[1].filter = -1; },
       "expected a filter size of dimension w of at least 0, but got -1"},
      {[](ConvShape &s) { s.spatial[1].output = -1; },
       "expected an output size of dimension w of at least 0, but got -1"},
      {[](ConvShape &s) { s.spatial[0].window.stride = 0; },
       "expected a stride of dimension h of at least 1, but got 0"},
      {[](ConvShape &s) { s.spatial[0].window.dilation = -3; },
       "expected a dilation of dimension h of at least 1, but got -3"},
      {[](ConvShape &s) { s.spatial[0].window.inputDilation = 0; },
       "expected an input dilation of dimension h of at least 1, but got 0"},
      {[](ConvShape &s) { s.spatial[0].output = 8; },
       "expected an output size of dimension h of 7 from input 14, filter 5, "
       "stride 2, dilation 1, padding 2 and 1, but got 8"},
      {[](ConvShape &s) { s.spatial[1].window.inputDilation = 2; },
       "expected an output size of dimension w of 27 from input 15, filter 3, "
       "stride 1, dilation 1, input dilation 2, padding 0 and 0, but got 13"},
      {[](ConvShape &s) { s.spatial[1].window.padLow = Min; },
       "expected extents of dimension w within 64 bits, but got input 15, "
       "filter 3, stride 1, dilation 1, padding -9223372036854775808 and 0"},
      {[](ConvShape &s) { s.spatial[1].window.dilation = Max; },
       "expected extents of dimension w within 64 bits, but got input 15, "
       "filter 3, stride 1, dilation 9223372036854775807, padding 0 and 0"},
      {[](ConvShape &s) { s.inputChannels = Max; },
       "expected an element count of the input within 64 bits, but its sizes "
       "multiply to more"},
      {[](ConvShape &s) { s.outputChannels = Max / 64; },
       "expected an element count of the filter within 64 bits, but its sizes "
       "multiply to more"},
      {[](ConvShape &s) { s.inputChannels = 0, s.outputChannels = Max / 64; },
       "expected an element count of the output within 64 bits, but its sizes "
       "multiply to more"},
  };
  for (const BadShape &bad : cases) {
    ConvShape shape = groupedShape();
    bad.change(shape);
    EXPECT_EQ(checkShape(shape), bad.fault);
  }
}
