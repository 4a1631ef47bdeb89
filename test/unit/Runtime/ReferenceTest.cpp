//===- ReferenceTest.cpp - Tests of the reference's values ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Reference.h"

#include "ConvFixture.h"
#include "MaterializedConv.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace convoy;
using testing::ElementsAre;

static void setValues(HostArray &array, const std::vector<double> &values) {
  ASSERT_EQ(array.elementCount(), static_cast<int64_t>(values.size()));
  for (size_t i = 0; i < values.size(); ++i)
    array.set(static_cast<int64_t>(i), values[i]);
}

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

// A compiler that forgets the flips of a filter in cwf order gives 3 4 0 0.
TEST(ReferenceTest, FilterInCwfOrder) {
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 2, 2, {makeSpatial(3, 2)}),
                   makeLayouts("nwc", "cwf", "nwf"));
  setValues(conv.array(Operand::Input), {0, 1, 0, 0, 0, 0});
  setValues(conv.array(Operand::Filter), {1, 2, 3, 4, 5, 6, 7, 8});
  ReferenceResult result = conv.reference();
  // Logical order: f outside w.
  EXPECT_THAT(result.value, ElementsAre(5, 0, 6, 0));
  EXPECT_THAT(result.magnitude, ElementsAre(5, 0, 6, 0));
  EXPECT_THAT(result.length, ElementsAre(4, 4, 4, 4));
}

/// Input 1 2 3 4, filter 10 1, stride 2, padding (1, 0), reversed taps:
/// padded input 0 1 2 3 4, windows (0 1) and (2 3).
static ConvFixture stridedConv(Direction direction) {
  WindowDim window{2, 1, 1, 0, 1, true};
  ConvFixture conv(direction,
                   makeShape(1, 1, 1, 1, {makeSpatial(4, 2, window)}),
                   makeLayouts("nwc", "wcf", "nwf"));
  auto set = [&](Operand operand, const std::vector<double> &values) {
    if (operand != conv.resultOperand())
      setValues(conv.array(operand), values);
  };
  set(Operand::Input, {1, 2, 3, 4});
  set(Operand::Filter, {10, 1});
  set(Operand::Output, {100, 1000});
  return conv;
}

TEST(ReferenceTest, ForwardByHand) {
  ReferenceResult result = stridedConv(Direction::Forward).reference();
  EXPECT_THAT(result.value, ElementsAre(10, 32));
  EXPECT_THAT(result.length, ElementsAre(1, 2));
}

TEST(ReferenceTest, BackwardDataByHand) {
  ReferenceResult result = stridedConv(Direction::BackwardData).reference();
  EXPECT_THAT(result.value, ElementsAre(1000, 1000, 10000, 0));
  EXPECT_THAT(result.length, ElementsAre(1, 1, 1, 0));
}

TEST(ReferenceTest, BackwardFilterByHand) {
  ReferenceResult result = stridedConv(Direction::BackwardFilter).reference();
  EXPECT_THAT(result.value, ElementsAre(3100, 2000));
  EXPECT_THAT(result.length, ElementsAre(2, 1));
}

TEST(ReferenceTest, MagnitudesAndOperandSums) {
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 3, 1, {makeSpatial(1, 1)}),
                   makeLayouts("nwc", "wcf", "nwf"));
  setValues(conv.array(Operand::Input), {2, -3, 5});
  setValues(conv.array(Operand::Filter), {-7, 1, -2});
  HostArray bias(ScalarType::F32, {1});
  bias.set(0, -4);
  conv.problem.init = OperandData{bias.data(), conv.index(Operand::Output)};
  ReferenceResult result = conv.reference(/*operandSums=*/true);
  EXPECT_THAT(result.value, ElementsAre(-31));
  EXPECT_THAT(result.magnitude, ElementsAre(31));
  EXPECT_THAT(result.operandSum, ElementsAre(20));
  EXPECT_THAT(result.length, ElementsAre(4));
}

TEST(ReferenceTest, BiasOfEachOutputChannel) {
  ConvShape shape = makeShape(2, 2, 1, 3, {makeSpatial(2, 1)});
  ConvFixture conv(Direction::Forward, shape, logicalLayouts(1));
  HostArray bias(ScalarType::F32, {6});
  setValues(bias, {1, 2, 3, 4, 5, 6});
  conv.problem.init = OperandData{bias.data(), biasIndex(shape)};
  EXPECT_THAT(conv.reference().value,
              ElementsAre(1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, //
                          1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6));
}

TEST(ReferenceTest, IntegersSubtractZeroPointsAndAreExact) {
  ConvShape shape = makeShape(1, 1, 2, 1, {makeSpatial(1, 1)});
  ConvFixture conv(Direction::Forward, shape, logicalLayouts(1),
                   ElementType::I8);
  ConvNumerics numerics = conv.numerics();
  numerics.types = {ScalarType::U8, ScalarType::I8, ScalarType::I32};
  numerics.zeroPoints = {200, -100, 0};
  conv.setNumerics(numerics);
  setValues(conv.array(Operand::Input), {255, 0});
  setValues(conv.array(Operand::Filter), {127, -128});
  EXPECT_THAT(conv.reference().integer, ElementsAre(55 * 227 + -200 * -28));
}

TEST(ReferenceTest, ChannelsOfFiltersHaveZeroPoints) {
  // Two groups of a channel, whose filters have two channels of the result.
  ConvShape shape = makeShape(1, 2, 1, 2, {makeSpatial(1, 1)});
  HostArray points(ScalarType::I32, {4});
  setValues(points, {-128, 127, 3, 0});
  OperandIndex index =
      partialIndex(shape, Operand::Output, Layout::fromLetters("f"));
  ConvFixture conv(Direction::Forward, shape, logicalLayouts(1),
                   ElementType::I8);
  setValues(conv.array(Operand::Input), {2, 10});
  setValues(conv.array(Operand::Filter), {127, -128, 5, 7});
  conv.problem.filterZeroPoints = OperandData{points.data(), index};
  EXPECT_THAT(conv.reference().integer,
              ElementsAre(2 * 255, 2 * -255, 10 * 2, 10 * 7));
}

/// The sum of two products in f64.
static double sumOfTwoProducts(const std::vector<double> &input,
                               const std::vector<double> &filter) {
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 2, 1, {makeSpatial(1, 1)}),
                   logicalLayouts(1), ElementType::F64);
  setValues(conv.array(Operand::Input), input);
  setValues(conv.array(Operand::Filter), filter);
  ReferenceResult result = conv.reference();
  return result.value[0] + result.valueLow[0];
}

TEST(ReferenceTest, DoublesAreSummedInMoreThanDouble) {
  double x = 1 + 0x1p-52;
  EXPECT_EQ(sumOfTwoProducts({x, x}, {x, -1}), 0x1p-52 + 0x1p-104);
  EXPECT_EQ(sumOfTwoProducts({0x1p60 + 0x1p8, -0x1p60}, {x, x}),
            0x1p8 + 0x1p-44);
}

TEST(ReferenceTest, EmptySumsAndEmptyResults) {
  // No input channels: the sum has no terms. A filter that does not fit: there
  // is no output, and the gradients are zero.
  ConvFixture noChannels(Direction::Forward,
                         makeShape(1, 1, 0, 2, {makeSpatial(2, 1)}),
                         logicalLayouts(1));
  EXPECT_THAT(noChannels.reference().value, ElementsAre(0, 0, 0, 0));
  ConvShape shape = makeShape(1, 1, 1, 1, {makeSpatial(2, 3)});
  EXPECT_TRUE(ConvFixture(Direction::Forward, shape, logicalLayouts(1))
                  .reference()
                  .value.empty());
  EXPECT_THAT(ConvFixture(Direction::BackwardFilter, shape, logicalLayouts(1))
                  .reference()
                  .value,
              ElementsAre(0, 0, 0));
}

TEST(ReferenceTest, MemoryOfLargeProblems) {
  ConvShape shape = makeShape(2, 1, 3, 5, {makeSpatial(7, 3)});
  EXPECT_EQ(referenceBytes(Direction::Forward, shape),
            8 * (2 * 3 * 7 + 3 * 5 * 3) + 49 * (2 * 5 * 5));
  EXPECT_EQ(referenceBytes(Direction::BackwardFilter, shape),
            8 * (2 * 3 * 7 + 2 * 5 * 5) + 49 * (3 * 5 * 3));
  shape.batch = int64_t(1) << 60;
  EXPECT_GT(referenceBytes(Direction::Forward, shape), 0x1p64);
}

TEST(ReferenceTest, EnormousWindowsDoNotOverflow) {
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  WindowDim window{Max, Max, 0, 0, 1, false};
  SpatialDim dim{3, 2, 1, window};
  ConvFixture conv(Direction::Forward, makeShape(1, 1, 1, 1, {dim}),
                   logicalLayouts(1));
  setValues(conv.array(Operand::Input), {3, 5, 7});
  setValues(conv.array(Operand::Filter), {11, 13});
  EXPECT_THAT(conv.reference().value, ElementsAre(33));
}

//===----------------------------------------------------------------------===//
// Special values
//===----------------------------------------------------------------------===//

TEST(ReferenceTest, FlagsOfSpecialValues) {
  double infinity = std::numeric_limits<double>::infinity();
  WindowDim padded{1, 1, 1, 0, 1, false};
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 1, 1, {makeSpatial(4, 2, padded)}),
                   logicalLayouts(1));
  setValues(conv.array(Operand::Input), {1, 0x1p-140, 0, infinity});
  setValues(conv.array(Operand::Filter), {infinity, 1});
  ReferenceResult result = conv.reference();
  EXPECT_EQ(result.value[0], 1);
  EXPECT_EQ(result.value[1], infinity);
  EXPECT_EQ(result.value[2], infinity);
  EXPECT_TRUE(std::isnan(result.value[3]));
  EXPECT_THAT(result.flags, ElementsAre(NonFinitePadding, NonFiniteTerm,
                                        NonFiniteTerm | InfinityTimesSubnormal,
                                        NonFiniteTerm));
  EXPECT_THAT(result.magnitude, ElementsAre(1, 0x1p-140, 0, 0));
}

// Taps made up to whole strides would meet the infinity from positions 1 and 5
// of the input, which 3 taps from 2 on do not reach: see docs/Numerics.md.
TEST(ReferenceTest, FlagsOfTapsBeyondTheFilter) {
  WindowDim strided{2, 1, 0, 0, 1, false};
  ConvFixture conv(Direction::BackwardData,
                   makeShape(1, 1, 1, 1, {makeSpatial(9, 3, strided)}),
                   logicalLayouts(1));
  setValues(conv.array(Operand::Output),
            {1, std::numeric_limits<double>::infinity(), 1, 1});
  setValues(conv.array(Operand::Filter), {1, 1, 1});
  EXPECT_THAT(conv.reference().flags,
              ElementsAre(0, NonFinitePadding, NonFiniteTerm, NonFiniteTerm,
                          NonFiniteTerm, NonFinitePadding, 0, 0, 0));
}

TEST(ReferenceTest, EnormousStridesOfSpecialValues) {
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  WindowDim strided{Max, 1, 0, 0, 1, false};
  SpatialDim dim{2, 2, 1, strided};
  ConvFixture conv(Direction::BackwardData, makeShape(1, 1, 1, 1, {dim}),
                   logicalLayouts(1));
  setValues(conv.array(Operand::Output),
            {std::numeric_limits<double>::infinity()});
  setValues(conv.array(Operand::Filter), {1, 1});
  EXPECT_THAT(conv.reference().flags,
              ElementsAre(NonFiniteTerm, NonFiniteTerm));
}

TEST(ReferenceTest, DoublesKeepTheirClass) {
  double infinity = std::numeric_limits<double>::infinity();
  ConvFixture conv(Direction::Forward,
                   makeShape(1, 1, 2, 1, {makeSpatial(3, 1)}),
                   makeLayouts("nwc", "wcf", "nwf"), ElementType::F64);
  setValues(conv.array(Operand::Input),
            {infinity, 1, infinity, -infinity, std::nan(""), 1});
  setValues(conv.array(Operand::Filter), {1, 1});
  ReferenceResult result = conv.reference();
  EXPECT_EQ(result.value[0], infinity);
  EXPECT_TRUE(std::isnan(result.value[1]));
  EXPECT_TRUE(std::isnan(result.value[2]));
  EXPECT_THAT(result.valueLow, ElementsAre(0, 0, 0));
}

//===----------------------------------------------------------------------===//
// Against the materialized formulation
//===----------------------------------------------------------------------===//

namespace {

/// Small integers for all operands, in logical order.
struct LogicalData {
  LogicalArray input, filter, output;

  explicit LogicalData(const ConvShape &shape)
      : input(logicalOperandIndex(shape, Operand::Input).sizes),
        filter(logicalOperandIndex(shape, Operand::Filter).sizes),
        output(logicalOperandIndex(shape, Operand::Output).sizes) {
    int64_t next = 1;
    for (LogicalArray *array : {&input, &filter, &output})
      for (double &value : array->values) {
        next = next * 48271 % 2147483647;
        value = static_cast<double>(next % 19 - 9);
      }
  }

  const LogicalArray &operator[](Operand operand) const {
    return operand == Operand::Input    ? input
           : operand == Operand::Filter ? filter
                                        : output;
  }
};

} // namespace

/// Puts the data into memory by their layouts.
static void load(ConvFixture &conv, const LogicalData &data,
                 const ConvLayouts &layouts) {
  for (Operand operand : AllOperands) {
    const LogicalArray &array = data[operand];
    forEachIndex(array.sizes, [&](const LogicalIndex &index) {
      conv.array(operand).set(
          placeInLayout(array.sizes, index, layouts[operand].letters(),
                        operand == Operand::Input ? 'c' : 'f'),
          array.at(index));
    });
  }
}

static void expectMaterialized(const ConvShape &shape) {
  LogicalData data(shape);
  ConvLayouts layouts = logicalLayouts(shape.spatialRank());
  for (Direction direction : AllDirections) {
    ConvFixture conv(direction, shape, layouts);
    load(conv, data, layouts);
    LogicalArray expected = materializedConv(shape, direction, data.input,
                                             data.filter, data.output);
    ASSERT_EQ(conv.reference().value, expected.values)
        << "direction " << static_cast<int>(direction);
  }
}

/// Windows of every combination of stride, dilation, padding on both sides,
/// input dilation and reversal, for sizes at which they have an output.
static std::vector<SpatialDim> allSpatialDims(int64_t input, int64_t filter) {
  std::vector<SpatialDim> dims;
  for (int64_t stride : {1, 2, 3})
    for (int64_t dilation : {1, 2})
      for (int64_t low : {-1, 0, 1, 2})
        for (int64_t high : {-2, 0, 1})
          for (int64_t inputDilation : {1, 2, 3})
            for (bool reverse : {false, true})
              dims.push_back(makeSpatial(
                  input, filter,
                  {stride, dilation, low, high, inputDilation, reverse}));
  return dims;
}

TEST(ReferenceTest, EveryWindowInOneDimension) {
  for (int64_t input : {4, 5})
    for (int64_t filter : {1, 2, 3})
      for (const SpatialDim &dim : allSpatialDims(input, filter))
        expectMaterialized(makeShape(2, 2, 1, 3, {dim}));
}

TEST(ReferenceTest, WindowsInTwoAndThreeDimensions) {
  std::vector<SpatialDim> high = allSpatialDims(4, 2);
  std::vector<SpatialDim> wide = allSpatialDims(5, 3);
  std::vector<SpatialDim> deep = allSpatialDims(3, 2);
  // Steps that have no factor in common with the number of windows.
  for (size_t i = 0; i < 60; ++i) {
    const SpatialDim &h = high[i * 37 % high.size()];
    const SpatialDim &w = wide[(i * 101 + 7) % wide.size()];
    expectMaterialized(makeShape(1, 2, 2, 1, {h, w}));
    if (i % 5 == 0)
      expectMaterialized(
          makeShape(2, 1, 1, 2, {deep[i * 59 % deep.size()], h, w}));
  }
}

/// Compares the references of every one of `layouts` with the materialized
/// result.
static void expectEveryLayout(const ConvShape &shape,
                              const std::vector<std::string> &inputs,
                              const std::vector<std::string> &filters,
                              const std::vector<std::string> &outputs,
                              size_t step) {
  LogicalData data(shape);
  for (Direction direction : AllDirections) {
    LogicalArray expected = materializedConv(shape, direction, data.input,
                                             data.filter, data.output);
    size_t count = inputs.size() * filters.size() * outputs.size();
    for (size_t i = 0; i < count; i += step) {
      ConvLayouts layouts =
          makeLayouts(inputs[i % inputs.size()],
                      filters[i / inputs.size() % filters.size()],
                      outputs[i / inputs.size() / filters.size()]);
      ConvFixture conv(direction, shape, layouts);
      load(conv, data, layouts);
      ASSERT_EQ(conv.reference().value, expected.values)
          << layouts.input.letters() << ' ' << layouts.filter.letters() << ' '
          << layouts.output.letters();
    }
  }
}

/// Every order of `letters`, with flat groups and with explicit ones.
static std::vector<std::string> allLayouts(const std::string &letters) {
  std::vector<std::string> result = permutations(letters);
  std::vector<std::string> grouped = permutations(letters + "g");
  result.insert(result.end(), grouped.begin(), grouped.end());
  return result;
}

TEST(ReferenceTest, EveryLayoutInOneDimension) {
  ConvShape shape =
      makeShape(2, 3, 2, 1, {makeSpatial(5, 3, {2, 1, 1, 0, 1, false})});
  expectEveryLayout(shape, allLayouts("ncw"), allLayouts("fcw"),
                    allLayouts("nfw"), 1);
}

TEST(ReferenceTest, LayoutsInTwoAndThreeDimensions) {
  SpatialDim h = makeSpatial(4, 3, {1, 1, 1, 1, 1, false});
  SpatialDim w = makeSpatial(5, 2, {2, 2, 1, 0, 1, true});
  expectEveryLayout(makeShape(1, 2, 3, 2, {h, w}), allLayouts("nchw"),
                    allLayouts("fchw"), allLayouts("nfhw"), 5003);
  expectEveryLayout(makeShape(2, 2, 1, 2, {makeSpatial(3, 2), h, w}),
                    allLayouts("ncdhw"), allLayouts("fcdhw"),
                    allLayouts("nfdhw"), 5000011);
}

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

static double dot(const std::vector<double> &left, HostArray &right,
                  const OperandIndex &index) {
  double sum = 0;
  size_t place = 0;
  forEachIndex(index.sizes, [&](const LogicalIndex &element) {
    sum += left[place++] * right.at(index.offset(element));
  });
  return sum;
}

// <conv(x, w), dy> = <x, backward data(dy, w)> = <w, backward filter(x, dy)>.
TEST(ReferenceTest, DirectionsAreAdjoint) {
  SpatialDim h = makeSpatial(9, 3, {2, 2, 1, 2, 1, true});
  SpatialDim w = makeSpatial(7, 4, {3, 1, -1, 5, 2, false});
  ConvShape shape = makeShape(2, 3, 5, 4, {h, w});
  ConvLayouts layouts = makeLayouts("hnwc", "fwch", "wnhgf");
  LogicalData data(shape);
  std::vector<double> products;
  for (Direction direction : AllDirections) {
    ConvFixture conv(direction, shape, layouts);
    load(conv, data, layouts);
    Operand operand = conv.resultOperand();
    products.push_back(
        dot(conv.reference().value, conv.array(operand), conv.index(operand)));
  }
  EXPECT_NE(products[0], 0);
  EXPECT_EQ(products[0], products[1]);
  EXPECT_EQ(products[0], products[2]);
}

TEST(ReferenceTest, ThreadsDoNotChangeTheResult) {
  ConvFixture conv(Direction::Forward,
                   makeShape(3, 2, 20, 20, {makeSpatial(300, 9)}),
                   logicalLayouts(1));
  conv.generate(DataKind::Normal, 1);
  ReferenceResult one = computeReference(conv.problem, {1, false});
  ReferenceResult many = computeReference(conv.problem, {7, false});
  EXPECT_EQ(one.value, many.value);
  EXPECT_EQ(one.magnitude, many.magnitude);
}
