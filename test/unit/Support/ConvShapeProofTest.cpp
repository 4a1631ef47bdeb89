//===- ConvShapeProofTest.cpp - Window formulas by enumeration ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every formula for windows is compared with plain enumeration of its
// definition over all small windows. A convolution along one dimension is the
// set of its terms (i, k, o): input position, filter tap in memory order,
// output position.
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/ConvShape.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

using namespace convoy;

namespace {

using Term = std::array<int64_t, 3>;
using Terms = std::vector<Term>;

/// A window with the sizes around it.
struct Case {
  int64_t input, filter;
  WindowDim window;
};

std::ostream &operator<<(std::ostream &os, const Case &c) {
  const WindowDim &w = c.window;
  return os << "input " << c.input << " filter " << c.filter << " stride "
            << w.stride << " dilation " << w.dilation << " input dilation "
            << w.inputDilation << " pad " << w.padLow << " " << w.padHigh
            << " reverse " << w.reverse;
}

/// Calls `check` on every window of the grid until one fails.
template <typename Check>
void forEachWindow(Check check) {
  for (int64_t input = 0; input <= 5; ++input)
    for (int64_t filter = 0; filter <= 4; ++filter)
      for (int64_t stride = 1; stride <= 3; ++stride)
        for (int64_t dilation = 1; dilation <= 3; ++dilation)
          for (int64_t inputDilation = 1; inputDilation <= 3; ++inputDilation)
            for (int64_t padLow = -2; padLow <= 3; ++padLow)
              for (int64_t padHigh = -2; padHigh <= 3; ++padHigh)
                for (bool reverse : {false, true}) {
                  Case c{input, filter,
                         WindowDim{stride, dilation, padLow, padHigh,
                                   inputDilation, reverse}};
                  check(c);
                  if (testing::Test::HasFatalFailure())
                    return;
                }
}

int64_t outputSizeOf(const Case &c) {
  return outputSize(c.input, c.filter, c.window);
}

/// All terms of a convolution, by trying every (i, k, o).
Terms enumerate(int64_t input, int64_t filter, int64_t output,
                const WindowDim &w) {
  Terms terms;
  for (int64_t i = 0; i < input; ++i)
    for (int64_t k = 0; k < filter; ++k)
      for (int64_t o = 0; o < output; ++o) {
        int64_t placed = w.reverse ? filter - 1 - k : k;
        if (w.inputDilation * i ==
            w.stride * o + w.dilation * placed - w.padLow)
          terms.push_back({i, k, o});
      }
  return terms;
}

Terms sorted(Terms terms) {
  std::sort(terms.begin(), terms.end());
  return terms;
}

TEST(ConvShapeProofTest, OutputSizeCountsThePlacesWhereTheFilterFits) {
  forEachWindow([](const Case &c) {
    const WindowDim &w = c.window;
    // Lay out the dilated, padded input and slide the dilated filter over it.
    int64_t padded = w.padLow + w.padHigh;
    for (int64_t i = 0; i < c.input; ++i)
      padded += i == 0 ? 1 : w.inputDilation;
    int64_t extent = 0;
    for (int64_t k = 0; k < c.filter; ++k)
      extent += k == 0 ? 1 : w.dilation;
    int64_t count = 0;
    while (extent > 0 && count * w.stride + extent <= padded)
      ++count;
    ASSERT_EQ(outputSizeOf(c), count) << c;
  });
}

TEST(ConvShapeProofTest, SizesAndPaddingFollowFromEachOther) {
  forEachWindow([](const Case &c) {
    int64_t output = outputSizeOf(c);
    WindowDim fitted = c.window;
    fitted.padHigh = padHighFor(c.input, c.filter, output, c.window);
    ASSERT_EQ(outputSize(c.input, c.filter, fitted), output) << c;
    if (output == 0)
      return;
    ASSERT_LE(fitted.padHigh, c.window.padHigh) << c;
    fitted.padHigh -= 1;
    ASSERT_EQ(outputSize(c.input, c.filter, fitted), output - 1) << c;
    fitted.padHigh += 1;
    ASSERT_EQ(dilatedSize(c.input, c.window.inputDilation),
              transposedSize(output, c.filter, fitted))
        << c;
  });
}

TEST(ConvShapeProofTest, InputPositionIsTheTermOfTheOutputAndTap) {
  forEachWindow([](const Case &c) {
    int64_t output = outputSizeOf(c);
    Terms terms;
    for (int64_t k = 0; k < c.filter; ++k)
      for (int64_t o = 0; o < output; ++o)
        if (auto i = inputPosition(o, k, c.input, c.filter, c.window))
          terms.push_back({*i, k, o});
    ASSERT_EQ(sorted(terms), enumerate(c.input, c.filter, output, c.window))
        << c;
  });
}

TEST(ConvShapeProofTest, BackwardDataHasTheTermsOfTheForward) {
  forEachWindow([](const Case &c) {
    int64_t output = outputSizeOf(c);
    if (output == 0)
      return; // the result is the init
    WindowDim backward =
        backwardDataWindow(c.input, c.filter, output, c.window);
    ASSERT_EQ(outputSize(output, c.filter, backward), c.input) << c;
    Terms terms;
    for (auto [o, k, i] : enumerate(output, c.filter, c.input, backward))
      terms.push_back({i, k, o});
    ASSERT_EQ(sorted(terms), enumerate(c.input, c.filter, output, c.window))
        << c;
  });
}

TEST(ConvShapeProofTest, BackwardFilterHasTheTermsOfTheForward) {
  forEachWindow([](const Case &c) {
    int64_t output = outputSizeOf(c);
    if (output == 0)
      return; // the result is the init
    WindowDim backward =
        backwardFilterWindow(c.input, c.filter, output, c.window);
    ASSERT_EQ(outputSize(c.input, output, backward), c.filter) << c;
    Terms terms;
    for (auto [i, o, tap] : enumerate(c.input, output, c.filter, backward)) {
      int64_t k = c.window.reverse ? c.filter - 1 - tap : tap;
      terms.push_back({i, k, o});
    }
    ASSERT_EQ(sorted(terms), enumerate(c.input, c.filter, output, c.window))
        << c;
  });
}

TEST(ConvShapeProofTest, WindowsForUnknownSizesDifferInThePaddingOnly) {
  forEachWindow([](const Case &c) {
    int64_t output = outputSizeOf(c);
    if (output == 0)
      return; // nothing is read
    WindowDim exact = backwardDataWindow(c.input, c.filter, output, c.window);
    WindowDim bound = backwardDataWindow(c.filter, c.window);
    ASSERT_LE(exact.padHigh, bound.padHigh) << c;
    bound.padHigh = exact.padHigh;
    ASSERT_EQ(exact, bound) << c;

    exact = backwardFilterWindow(c.input, c.filter, output, c.window);
    bound = backwardFilterWindow(c.window);
    ASSERT_LE(exact.padHigh, bound.padHigh) << c;
    bound.padHigh = exact.padHigh;
    ASSERT_EQ(exact, bound) << c;
  });
}

TEST(ConvShapeProofTest, PhasesHaveEachTermOnce) {
  forEachWindow([](const Case &c) {
    int64_t output = outputSizeOf(c);
    Terms terms;
    for (const WindowPhase &phase :
         splitPhases(c.input, c.filter, output, c.window)) {
      ASSERT_EQ(phase.window.inputDilation, 1) << c;
      ASSERT_EQ(phase.window.reverse, phase.tapCount > 0 && c.window.reverse)
          << c;
      ASSERT_TRUE(phase.tapCount == 0 ||
                  outputSize(c.input, phase.tapCount, phase.window) ==
                      phase.outputCount)
          << c;
      for (auto [i, q, j] :
           enumerate(c.input, phase.tapCount, phase.outputCount, phase.window))
        terms.push_back({i, phase.firstTap + phase.tapStep * q,
                         phase.firstOutput + phase.outputStep * j});
    }
    // Equal as lists: a term that came twice would show.
    ASSERT_EQ(sorted(terms), enumerate(c.input, c.filter, output, c.window))
        << c;
  });
}

TEST(ConvShapeProofTest, PhasesPartitionTheOutputs) {
  forEachWindow([](const Case &c) {
    int64_t output = outputSizeOf(c);
    std::vector<int> visits(output, 0);
    for (const WindowPhase &phase :
         splitPhases(c.input, c.filter, output, c.window)) {
      ASSERT_GT(phase.outputCount, 0) << c;
      for (int64_t j = 0; j < phase.outputCount; ++j) {
        int64_t o = phase.firstOutput + phase.outputStep * j;
        ASSERT_TRUE(o >= 0 && o < output) << c;
        ++visits[o];
      }
    }
    ASSERT_EQ(visits, std::vector<int>(output, 1)) << c;
  });
}

TEST(ConvShapeProofTest, PhasesOfUnknownSizesHoldThoseOfAllSizes) {
  forEachWindow([](const Case &c) {
    std::vector<WindowPhase> bounds = splitPhases(c.filter, c.window);
    for (WindowPhase exact :
         splitPhases(c.input, c.filter, outputSizeOf(c), c.window)) {
      ASSERT_LT(exact.firstOutput, int64_t(bounds.size())) << c;
      WindowPhase bound = bounds[exact.firstOutput];
      ASSERT_LE(exact.window.padHigh, bound.window.padHigh) << c;
      bound.window.padHigh = exact.window.padHigh;
      ASSERT_EQ(bound.window, exact.window) << c;
      ASSERT_EQ(bound.firstTap, exact.firstTap) << c;
      ASSERT_EQ(bound.tapStep, exact.tapStep) << c;
      ASSERT_EQ(bound.tapCount, exact.tapCount) << c;
      ASSERT_EQ(bound.firstOutput, exact.firstOutput) << c;
      ASSERT_EQ(bound.outputStep, exact.outputStep) << c;
    }
  });
}

TEST(ConvShapeProofTest, BackwardWindowsOfLegalShapesAreLegal) {
  forEachWindow([](const Case &c) {
    int64_t output = outputSizeOf(c);
    if (output == 0)
      return;
    ConvShape data, filter;
    data.spatial = {{output, c.filter, c.input,
                     backwardDataWindow(c.input, c.filter, output, c.window)}};
    filter.spatial = {
        {c.input, output, c.filter,
         backwardFilterWindow(c.input, c.filter, output, c.window)}};
    ASSERT_EQ(checkShape(data), std::nullopt) << c;
    ASSERT_EQ(checkShape(filter), std::nullopt) << c;
  });
}

} // namespace
