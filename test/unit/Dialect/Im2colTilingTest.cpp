//===- Im2colTilingTest.cpp - Tiles of im2col element by element ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile must hold the input elements that the whole im2col has in its place.
// The ops that a tile consists of are interpreted on tensors whose elements
// say where they come from.
//
//===----------------------------------------------------------------------===//

#include "Terms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace convoy;
using namespace convoy::test;
using namespace mlir;
using mlir::convoy::Im2colLayoutAttr;
using mlir::convoy::Im2colOp;
using mlir::convoy::WindowAttr;

namespace {

/// Positions of elements in the input, `Padding`, or `Outside` for what should
/// never be read.
using Elements = std::vector<int64_t>;
constexpr int64_t Padding = -1;
constexpr int64_t Outside = -2;

/// An im2col of f32 with static sizes.
struct Im2colCase {
  std::string input;
  RowsLayout rows;
  int64_t batch = 1, groups = 1, channels = 1;
  std::vector<SpatialDim> spatial;

  int64_t size(Operand operand, char letter) const {
    ConvShape shape{batch, groups, channels, 1, spatial};
    return shape.size(operand, letter);
  }
};

std::ostream &operator<<(std::ostream &os, const Im2colCase &c) {
  return os << c.rows.toString() << " of "
            << ConvCase{Direction::Forward,
                        {c.batch, c.groups, c.channels, 1, c.spatial},
                        {Layout::fromLetters(c.input), {}, {}}};
}

class Im2colTilingTest : public testing::Test {
protected:
  Im2colTilingTest() {
    context.loadDialect<mlir::convoy::ConvoyDialect, func::FuncDialect,
                        affine::AffineDialect, arith::ArithDialect,
                        tensor::TensorDialect>();
  }

  /// A module with a function around the im2col of its argument.
  Im2colOp build(const Im2colCase &c) {
    module = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    Location loc = builder.getUnknownLoc();
    SmallVector<int64_t> inputShape, shape;
    for (char letter : c.input)
      inputShape.push_back(c.size(Operand::Input, letter));
    for (char letter : c.rows.outer())
      shape.push_back(c.size(Operand::Output, letter));
    for (char letter : c.rows.window)
      shape.push_back(
          c.size(letter == 'c' ? Operand::Input : Operand::Filter, letter));
    for (char letter : c.rows.inner())
      shape.push_back(c.size(Operand::Output, letter));
    auto inputType = RankedTensorType::get(inputShape, builder.getF32Type());
    auto type = RankedTensorType::get(shape, builder.getF32Type());
    auto func = func::FuncOp::create(builder, loc, "f",
                                     builder.getFunctionType(inputType, {}));
    builder.setInsertionPointToStart(func.addEntryBlock());
    auto windows = llvm::map_to_vector(
        c.spatial, [](const SpatialDim &dim) { return dim.window; });
    auto op = Im2colOp::create(builder, loc, type, func.getArgument(0),
                               ValueRange(), Value(),
                               Im2colLayoutAttr::get(&context, c.input, c.rows),
                               WindowAttr::get(&context, windows));
    func::ReturnOp::create(builder, loc);
    return op;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// The element of a tensor that `index` gives for each element of `shape`;
/// `outside` where the index leaves the tensor.
Elements gather(const Elements &source, ArrayRef<int64_t> sourceShape,
                ArrayRef<int64_t> shape, int64_t outside,
                function_ref<SmallVector<int64_t>(ArrayRef<int64_t>)> index) {
  Elements result;
  forEachIndex(shape, [&](ArrayRef<int64_t> at) {
    SmallVector<int64_t> from = index(at);
    bool isInside = llvm::all_of(llvm::zip(from, sourceShape), [](auto pair) {
      auto [i, size] = pair;
      return i >= 0 && i < size;
    });
    result.push_back(isInside ? source[linearize(from, sourceShape)] : outside);
  });
  return result;
}

/// The elements of `value`, which must consist of slices, paddings, splats and
/// im2cols of an argument.
Elements interpret(Value value) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  Operation *op = value.getDefiningOp();
  if (!op) {
    Elements elements(ShapedType::getNumElements(shape));
    std::iota(elements.begin(), elements.end(), 0);
    return elements;
  }
  if (isa<tensor::SplatOp>(op))
    return Elements(ShapedType::getNumElements(shape), Padding);

  Value source = op->getOperand(0);
  auto sourceShape = cast<RankedTensorType>(source.getType()).getShape();
  auto shift = [](ArrayRef<int64_t> at, ArrayRef<int64_t> by, int64_t sign) {
    SmallVector<int64_t> index;
    for (auto [i, distance] : llvm::zip_equal(at, by))
      index.push_back(i + sign * distance);
    return index;
  };
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    EXPECT_TRUE(slice.hasUnitStride());
    return gather(interpret(source), sourceShape, shape, Outside, [&](auto at) {
      return shift(at, slice.getStaticOffsets(), 1);
    });
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return gather(interpret(source), sourceShape, shape, Padding,
                  [&](auto at) { return shift(at, pad.getStaticLow(), -1); });
  auto im2col = cast<Im2colOp>(op);
  SmallVector<int64_t> taps;
  for (auto [dim, letter] :
       llvm::enumerate(spatialLetters(im2col.getLayout().getSpatialRank())))
    if (im2col.getWindow().getDim(dim).reverse)
      taps.push_back(shape[im2col.getLayout().getWindowDim(letter)]);
  auto rows = flattenMap(im2col.getIndexMap(), taps);
  int64_t outside = im2col.getWindow().hasPadding() ? Padding : Outside;
  return gather(interpret(source), sourceShape, shape, outside, [&](auto at) {
    return llvm::map_to_vector(
        rows, [&](const auto &row) { return evaluateRow(row, at); });
  });
}

/// Tiles `op` at the static `offsets` of `sizes` and compares the tile with its
/// place in the whole.
void checkTile(Im2colOp op, ArrayRef<int64_t> offsets,
               ArrayRef<int64_t> sizes) {
  OpBuilder builder(op->getBlock()->getTerminator());
  FailureOr<TilingResult> tile = op.getTiledImplementation(
      builder, getAsIndexOpFoldResult(op.getContext(), offsets),
      getAsIndexOpFoldResult(op.getContext(), sizes));
  ASSERT_TRUE(succeeded(tile));
  ASSERT_EQ(tile->tiledValues.size(), 1u);
  Value value = tile->tiledValues.front();
  ASSERT_EQ(cast<RankedTensorType>(value.getType()).getShape(), sizes);
  ASSERT_TRUE(succeeded(verify(op->getParentOp())));
  ASSERT_FALSE(value.getDefiningOp<Im2colOp>().getWindow().hasPadding());

  auto shape = op.getType().getShape();
  Elements whole = interpret(op.getResult());
  ASSERT_EQ(llvm::count(whole, Outside), 0);
  Elements expected = gather(whole, shape, sizes, Outside, [&](auto at) {
    SmallVector<int64_t> index;
    for (auto [i, offset] : llvm::zip_equal(at, offsets))
      index.push_back(i + offset);
    return index;
  });
  ASSERT_EQ(interpret(value), expected);

  // Leave the function as it was.
  while (op->getNextNode() != op->getBlock()->getTerminator())
    op->getBlock()->getTerminator()->getPrevNode()->erase();
}

/// The tiles of a dimension: single elements, pairs with a rest, all of it.
std::vector<std::pair<int64_t, int64_t>> tilesOf(int64_t size) {
  std::vector<std::pair<int64_t, int64_t>> tiles = {{0, size}};
  for (int64_t step : {1, 2})
    for (int64_t offset = 0; step < size && offset < size; offset += step)
      tiles.push_back({offset, std::min(step, size - offset)});
  return tiles;
}

TEST_F(Im2colTilingTest, EveryTileOfEverySmallWindow) {
  for (int64_t input = 0; input <= 5; ++input)
    for (int64_t filter = 0; filter <= 3; ++filter)
      for (int64_t stride : {1, 2, 3})
        for (int64_t dilation : {1, 2})
          for (int64_t padLow : {-1, 0, 2})
            for (int64_t padHigh : {-1, 0, 2})
              for (bool reverse : {false, true}) {
                SpatialDim dim{
                    input, filter, 0,
                    WindowDim{stride, dilation, padLow, padHigh, 1, reverse}};
                dim.output = outputSize(input, filter, dim.window);
                Im2colCase c{"nwc", {"nw", "wc", 2}, 1, 1, 1, {dim}};
                SCOPED_TRACE(testing::Message() << c);
                Im2colOp op = build(c);
                for (auto [o, positions] : tilesOf(dim.output))
                  for (auto [k, taps] : tilesOf(dim.filter)) {
                    checkTile(op, {0, o, k, 0}, {1, positions, taps, 1});
                    if (HasFatalFailure())
                      return;
                  }
              }
}

TEST_F(Im2colTilingTest, RandomTilesInAnyLayout) {
  std::mt19937 random(2);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int repeat = 0; repeat < 600; ++repeat) {
    int rank = repeat % 3 + 1;
    ConvShape shape = randomShape(rank, random);
    for (SpatialDim &dim : shape.spatial)
      dim.window.inputDilation = 1;
    setOutputSizes(shape);
    ConvLayouts layouts = randomLayouts(rank, random);
    RowsLayout rows{"g", "", 0};
    for (char letter : layouts.output.letters())
      if (letter != 'g' && letter != 'f')
        rows.positions.push_back(letter);
    for (char letter : layouts.filter.letters())
      if (letter != 'g' && letter != 'f')
        rows.window.push_back(letter);
    rows.windowDim = pick(1, rows.positions.size());
    Im2colCase c{
        layouts.input.letters(), rows,         shape.batch, shape.groups,
        shape.inputChannels,     shape.spatial};
    SCOPED_TRACE(testing::Message() << c);
    Im2colOp op = build(c);
    SmallVector<int64_t> offsets, sizes;
    for (int64_t size : op.getType().getShape()) {
      offsets.push_back(size == 0 ? 0 : pick(0, size - 1));
      sizes.push_back(size == 0 ? 0 : pick(1, size - offsets.back()));
    }
    checkTile(op, offsets, sizes);
    if (HasFatalFailure())
      return;
  }
}

} // namespace
