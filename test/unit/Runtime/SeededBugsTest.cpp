//===- SeededBugsTest.cpp - Bugs are told from rounding -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions by a loop that has one bug, of sums up to 10,000 terms: each is
// wrong or suspicious, and the loop without it is neither.
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Compare.h"

#include "ConvFixture.h"
#include "SimulatedArithmetic.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

using namespace convoy;

namespace {

constexpr int64_t OutputChannels = 4, Positions = 16;

/// A convolution of one dimension and one input channel, summed in f32: each of
/// its results is a sum of as many terms as there are taps.
class BuggyConvolution {
public:
  BuggyConvolution(ElementType type, int64_t taps)
      : conv(Direction::Forward,
             makeShape(1, 1, 1, OutputChannels,
                       {makeSpatial(taps + Positions - 1, taps)}),
             makeLayouts("nwc", "wcf", "nwf"), type),
        taps(taps) {}

  void generate(DataKind kind, uint64_t seed) { conv.generate(kind, seed); }

  /// Multiplies the input by `factor`.
  void scaleInput(double factor) {
    HostArray &input = conv.array(Operand::Input);
    for (int64_t i = 0; i < input.elementCount(); ++i)
      input.set(i, input.at(i) * factor);
  }

  int64_t getTaps() const { return taps; }
  double input(int64_t position) {
    return conv.array(Operand::Input).at(position);
  }
  double filter(int64_t tap, int64_t f) {
    return conv.array(Operand::Filter).at(tap * OutputChannels + f);
  }
  ScalarType type() const { return conv.numerics().type(Operand::Output); }

  /// Computes each result by `element(position, channel)`.
  void compute(const std::function<double(int64_t, int64_t)> &element) {
    for (int64_t o = 0; o < Positions; ++o)
      for (int64_t f = 0; f < OutputChannels; ++f)
        conv.array(Operand::Output).set(o * OutputChannels + f, element(o, f));
  }

  /// The right sum in f32, with tap `k` at `tapOf(k)`, and without it where
  /// that is negative.
  double sum(int64_t o, int64_t f,
             const std::function<int64_t(int64_t)> &tapOf) {
    float total = 0;
    for (int64_t k = 0; k < taps; ++k)
      if (int64_t tap = tapOf(k); tap >= 0)
        total = std::fma(static_cast<float>(input(o + k)),
                         static_cast<float>(filter(tap, f)), total);
    return total;
  }
  double sum(int64_t o, int64_t f) {
    return sum(o, f, [](int64_t k) { return k; });
  }

  CompareReport compare() {
    CompareOptions options;
    options.drawn = true;
    return compareWithReference(conv.reference(), Direction::Forward,
                                conv.numerics(), conv.index(Operand::Output),
                                conv.array(Operand::Output).data(), options);
  }

private:
  ConvFixture conv;
  int64_t taps;
};

struct Sums {
  ElementType type;
  int64_t taps;
  DataKind kind;
};

class SeededBugsTest : public testing::TestWithParam<Sums> {
protected:
  /// Computes convolutions of several seeds, whose input is scaled by `factor`,
  /// and expects each to be wrong or suspicious.
  void
  expectFound(const std::function<void(BuggyConvolution &)> &compute,
              const std::function<double(ScalarType, int64_t)> &factor = {}) {
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const auto &[type, taps, kind] = GetParam();
      BuggyConvolution conv(type, taps);
      conv.generate(kind, seed);
      if (factor)
        conv.scaleInput(factor(conv.type(), taps));
      conv.compute([&](int64_t o, int64_t f) { return conv.sum(o, f); });
      CompareReport right = conv.compare();
      EXPECT_LE(right.verdict(), Verdict::Explained)
          << "seed " << seed << ": " << toString(right);
      compute(conv);
      CompareReport report = conv.compare();
      EXPECT_GE(report.verdict(), Verdict::Suspicious)
          << "seed " << seed << ": " << toString(report);
    }
  }
};

} // namespace

TEST_P(SeededBugsTest, DroppedTap) {
  expectFound([](BuggyConvolution &conv) {
    int64_t dropped = conv.getTaps() / 2;
    conv.compute([&](int64_t o, int64_t f) {
      return conv.sum(o, f, [&](int64_t k) { return k == dropped ? -1 : k; });
    });
  });
}

TEST_P(SeededBugsTest, SwappedTaps) {
  expectFound([](BuggyConvolution &conv) {
    int64_t first = conv.getTaps() / 3, second = first + 1;
    conv.compute([&](int64_t o, int64_t f) {
      return conv.sum(o, f, [&](int64_t k) {
        return k == first ? second : k == second ? first : k;
      });
    });
  });
}

TEST_P(SeededBugsTest, StaleTile) {
  // The last four positions hold what the four before them should.
  expectFound([](BuggyConvolution &conv) {
    conv.compute([&](int64_t o, int64_t f) {
      return conv.sum(o < Positions - 4 ? o : o - 4, f);
    });
  });
}

TEST_P(SeededBugsTest, SumsInHalfPrecision) {
  expectFound([](BuggyConvolution &conv) {
    SimulatedArithmetic half(ScalarType::F16, {});
    conv.compute([&](int64_t o, int64_t f) {
      double total = 0;
      for (int64_t k = 0; k < conv.getTaps(); ++k)
        total =
            half.fusedMultiplyAdd(conv.input(o + k), conv.filter(k, f), total);
      return total;
    });
  });
}

TEST_P(SeededBugsTest, FlushedOperands) {
  // Elements of the input below the smallest normal number.
  expectFound(
      [](BuggyConvolution &conv) {
        SimulatedArithmetic flushing(conv.type(), {true, true});
        conv.compute([&](int64_t o, int64_t f) {
          float total = 0;
          for (int64_t k = 0; k < conv.getTaps(); ++k)
            total += static_cast<float>(flushing.read(conv.input(o + k)) *
                                        conv.filter(k, f));
          return total;
        });
      },
      [](ScalarType type, int64_t) {
        return floatFormat(type).smallestNormal() / 2;
      });
}

TEST_P(SeededBugsTest, FlushedResults) {
  // Results of about half of the smallest normal number.
  expectFound(
      [](BuggyConvolution &conv) {
        SimulatedArithmetic flushing(conv.type(), {true, true});
        conv.compute([&](int64_t o, int64_t f) {
          return flushing.convert(conv.sum(o, f));
        });
      },
      [](ScalarType type, int64_t taps) {
        return floatFormat(type).smallestNormal() /
               (2 * std::sqrt(static_cast<double>(taps)));
      });
}

static std::vector<Sums> allSums() {
  std::vector<Sums> sums;
  for (ElementType type :
       {ElementType::F32, ElementType::F16, ElementType::BF16})
    for (int64_t taps : {9, 64, 576, 2304, 10000})
      for (DataKind kind : {DataKind::Normal, DataKind::Uniform})
        sums.push_back({type, taps, kind});
  return sums;
}

INSTANTIATE_TEST_SUITE_P(Sums, SeededBugsTest, testing::ValuesIn(allSums()),
                         [](const auto &info) {
                           const Sums &sums = info.param;
                           return std::string(scalarTypeName(
                                      operandScalarType(sums.type))) +
                                  "_" + std::to_string(sums.taps) + "_" +
                                  std::string(dataKindName(sums.kind));
                         });
