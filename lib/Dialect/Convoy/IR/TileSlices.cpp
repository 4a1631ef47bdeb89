//===- TileSlices.cpp - Tiles that are ops on slices ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/WindowSlices.h"

#include "convoy/Dialect/Convoy/IR/ZeroPoints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Operand;
using ::convoy::WindowDim;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The dimensions of the result of `op`, in their order.
static StringRef getResultLetters(ConvOp op) {
  return op.getLayout().getOutput();
}
static StringRef getResultLetters(DeformConvOp op) {
  return op.getLayout().getOutput();
}
static StringRef getResultLetters(GridSampleOp op) {
  return op.getLayout().getOutput();
}
static StringRef getResultLetters(Col2imOp op) {
  return op.getLayout().getInput();
}

/// Whether a dimension of the result of `op` is a loop. Between elements of a
/// dilated input lie zeros, so that no slice of it starts at any position.
static bool isLoop(ConvOp op, char letter) {
  size_t dim =
      ::convoy::spatialLetters(op.getLayout().getSpatialRank()).find(letter);
  return dim == std::string_view::npos ||
         op.getWindow().getDim(dim).inputDilation == 1;
}
/// Offsets move a tap from its place in the whole image; in the offset's
/// channels, groups stand together.
static bool isLoop(DeformConvOp, char letter) {
  return letter == 'n' || letter == 'f';
}
static bool isLoop(GridSampleOp, char) { return true; }
/// Where the first window of a tile of the image starts depends on the tile.
static bool isLoop(Col2imOp, char letter) {
  return letter == 'n' || letter == 'g' || letter == 'c';
}

template <typename OpTy>
static SmallVector<unsigned> getLoopDims(OpTy op) {
  SmallVector<unsigned> dims;
  for (auto [dim, letter] : llvm::enumerate(getResultLetters(op)))
    if (isLoop(op, letter))
      dims.push_back(dim);
  return dims;
}

template <typename OpTy>
static SmallVector<OpFoldResult> getResultSizes(OpBuilder &builder, OpTy op) {
  ReifiedRankedShapedTypeDims shapes;
  LogicalResult reified = op.reifyResultShapes(builder, shapes);
  assert(succeeded(reified) && "an operand or a type has each size");
  (void)reified;
  return shapes.front();
}

template <typename OpTy>
static SmallVector<Range> getLoopRanges(OpBuilder &builder, OpTy op) {
  SmallVector<OpFoldResult> sizes = getResultSizes(builder, op);
  return llvm::map_to_vector(getLoopDims(op), [&](unsigned dim) {
    return Range{builder.getIndexAttr(0), sizes[dim], builder.getIndexAttr(1)};
  });
}

/// The part of the result that the tile of the loops is.
template <typename OpTy>
static void getResultTile(OpBuilder &builder, OpTy op,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes,
                          SmallVector<OpFoldResult> &resultOffsets,
                          SmallVector<OpFoldResult> &resultSizes) {
  resultSizes = getResultSizes(builder, op);
  resultOffsets.assign(resultSizes.size(), builder.getIndexAttr(0));
  for (auto [loop, dim] : llvm::enumerate(getLoopDims(op))) {
    resultOffsets[dim] = offsets[loop];
    resultSizes[dim] = sizes[loop];
  }
}

/// Whether both are known to be the same, sizes of one dimension of a tensor
/// included.
static bool isSameSize(OpFoldResult a, OpFoldResult b) {
  if (isEqualConstantIntOrValue(a, b))
    return true;
  auto first = dyn_cast_if_present<Value>(a),
       second = dyn_cast_if_present<Value>(b);
  if (!first || !second)
    return false;
  auto dim = first.getDefiningOp<tensor::DimOp>(),
       other = second.getDefiningOp<tensor::DimOp>();
  return dim && other && dim.getSource() == other.getSource() &&
         dim.getConstantIndex() &&
         dim.getConstantIndex() == other.getConstantIndex();
}

/// The tile of the loops that makes a part of the result; fails where a
/// dimension that is no loop is not whole.
template <typename OpTy>
static FailureOr<TilingResult> generateTile(OpBuilder &builder, OpTy op,
                                            ArrayRef<OpFoldResult> offsets,
                                            ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> all = getResultSizes(builder, op);
  SmallVector<OpFoldResult> loopOffsets, loopSizes;
  for (auto [dim, letter] : llvm::enumerate(getResultLetters(op)))
    if (isLoop(op, letter)) {
      loopOffsets.push_back(offsets[dim]);
      loopSizes.push_back(sizes[dim]);
    } else if (!isZeroInteger(offsets[dim]) ||
               !isSameSize(sizes[dim], all[dim])) {
      return failure();
    }
  return op.getTiledImplementation(builder, loopOffsets, loopSizes);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// A tile of an op's loops, and the slices of operands that it reads.
class TileBuilder {
public:
  template <typename OpTy>
  TileBuilder(OpBuilder &builder, OpTy op, ArrayRef<OpFoldResult> offsets,
              ArrayRef<OpFoldResult> sizes)
      : builder(builder), op(op) {
    StringRef letters = getResultLetters(op);
    for (auto [loop, dim] : llvm::enumerate(getLoopDims(op))) {
      bool mayBeEmpty =
          op.getType().isDynamicDim(dim) && !getConstantIntValue(sizes[loop]);
      ranges[letters[dim]] = {offsets[loop], sizes[loop], mayBeEmpty};
    }
  }

  /// The loop over `letter`; nothing where that is none.
  std::optional<TileRange> getRange(char letter) const {
    auto it = ranges.find(letter);
    return it == ranges.end() ? std::nullopt : std::optional(it->second);
  }

  /// The slice of `tensor`, whose dimensions are `letters`, for the tile of
  /// those letters that are in `sliced`.
  Value slice(Value tensor, StringRef letters, StringRef sliced) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(builder, op->getLoc(), tensor);
    SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
    for (auto [dim, letter] : llvm::enumerate(letters))
      if (std::optional<TileRange> range = getRange(letter);
          range && sliced.contains(letter)) {
        offsets[dim] = range->offset;
        sizes[dim] = range->size;
      }
    SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(builder, op->getLoc(), tensor,
                                                offsets, sizes, strides);
    slices.push_back(slice);
    return slice;
  }

  /// The op on `operands`, which makes `type`.
  TilingResult finish(ArrayRef<Value> operands, Type type) {
    Operation *tile = mlir::clone(builder, op, type, operands);
    return {{tile}, {tile->getResult(0)}, slices};
  }

  OpBuilder &builder;
  Operation *op;
  SmallVector<Operation *> slices;

private:
  llvm::SmallDenseMap<char, TileRange> ranges;
};
} // namespace

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// The zero point of the input in its type, or zero.
static Value getPadding(OpBuilder &builder, ConvOp op) {
  Type element = op.getInput().getType().getElementType();
  if (op.getZeroPoints().empty())
    return arith::ConstantOp::create(builder, op.getLoc(),
                                     builder.getZeroAttr(element));
  Value padding = op.getZeroPoints().front();
  if (padding.getType() == element)
    return padding;
  return arith::TruncIOp::create(builder, op.getLoc(), element, padding);
}

/// What a tile of `op` reads of its input. Dimensions of `window` that are cut
/// into tiles lose their padding.
static Value readInput(TileBuilder &tile, ConvOp op,
                       SmallVectorImpl<WindowDim> &window) {
  OpBuilder &builder = tile.builder;
  Location loc = op.getLoc();
  auto conv = cast<ConvolutionOpInterface>(*op);
  ConvLayouts layouts = op.getLayout().getLayouts();
  SmallVector<OpFoldResult> inputSizes =
      tensor::getMixedSizes(builder, loc, op.getInput());
  SmallVector<InputRange> ranges;
  for (auto [dim, letter] : llvm::enumerate(layouts.input.letters())) {
    TileRange whole = {builder.getIndexAttr(0), inputSizes[dim]};
    std::optional<TileRange> range = tile.getRange(letter);
    size_t number = ::convoy::spatialLetters(window.size()).find(letter);
    if (number == std::string_view::npos) {
      ranges.push_back(sliceInput(builder, range.value_or(whole)));
      continue;
    }
    OpFoldResult positions = tensor::getMixedSize(
        builder, loc, op.getInit(), layouts.output.position(letter));
    if (!range ||
        (isZeroInteger(range->offset) && isSameSize(range->size, positions))) {
      ranges.push_back(sliceInput(builder, whole));
      continue;
    }
    OpFoldResult taps = tensor::getMixedSize(builder, loc, op.getFilter(),
                                             layouts.filter.position(letter));
    bool noTaps = ShapedType::isDynamic(conv.getSize(Operand::Filter, letter));
    ranges.push_back(readWindows(builder, loc, window[number], *range,
                                 {builder.getIndexAttr(0), taps, noTaps}, taps,
                                 inputSizes[dim], op.getWindow().hasPadding()));
    window[number].padLow = window[number].padHigh = 0;
  }
  return readRanges(
      builder, loc, op.getInput(), ranges,
      [&](OpBuilder &b) { return getPadding(b, op); }, tile.slices);
}

/// The filter's zero points, one for each channel, that a tile of `op` has.
static Value sliceZeroPoints(TileBuilder &tile, ConvolutionOpInterface op) {
  std::string letters = getZeroPointLetters(op);
  Value some = tile.slice(expandZeroPoints(tile.builder, op), letters, letters);
  if (letters.size() == 1)
    return some;
  SmallVector<ReassociationIndices> groups = {{0, 1}};
  return tensor::CollapseShapeOp::create(tile.builder, op.getLoc(), some,
                                         groups);
}

FailureOr<TilingResult>
ConvOp::getTiledImplementation(OpBuilder &builder,
                               ArrayRef<OpFoldResult> offsets,
                               ArrayRef<OpFoldResult> sizes) {
  TileBuilder tile(builder, *this, offsets, sizes);
  ConvLayouts layouts = getLayout().getLayouts();
  SmallVector<WindowDim> window =
      getWindow().getDims(getLayout().getSpatialRank());
  SmallVector<Value> operands(getOperands());
  operands[0] = readInput(tile, *this, window);
  operands[1] = tile.slice(getFilter(), layouts.filter.letters(), "gf");
  operands[2] = tile.slice(getInit(), layouts.output.letters(), "ngfdhw");
  if (cast<ConvolutionOpInterface>(**this).hasZeroPointsPerChannel())
    operands.back() =
        sliceZeroPoints(tile, cast<ConvolutionOpInterface>(**this));
  TilingResult result = tile.finish(operands, operands[2].getType());
  cast<ConvOp>(result.tiledOps.front())
      .setWindowAttr(WindowAttr::get(getContext(), window));
  return result;
}

FailureOr<TilingResult>
DeformConvOp::getTiledImplementation(OpBuilder &builder,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  TileBuilder tile(builder, *this, offsets, sizes);
  ConvLayoutAttr layout = getLayout();
  SmallVector<Value> operands = {
      tile.slice(getInput(), layout.getInput(), "n"),
      tile.slice(getFilter(), layout.getFilter(), "f"),
      tile.slice(getOffset(), getOffsetLayout(), "n"),
      tile.slice(getInit(), layout.getOutput(), "nf")};
  if (getMask())
    operands.push_back(tile.slice(getMask(), getOffsetLayout(), "n"));
  return tile.finish(operands, operands[3].getType());
}

//===----------------------------------------------------------------------===//
// Samples and windows
//===----------------------------------------------------------------------===//

/// The type of `op`'s result, of its tile of the loops.
template <typename OpTy>
static RankedTensorType getTileType(OpBuilder &builder, OpTy op,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> resultOffsets, resultSizes;
  getResultTile(builder, op, offsets, sizes, resultOffsets, resultSizes);
  return RankedTensorType::get(decomposeMixedValues(resultSizes).first,
                               op.getType().getElementType());
}

FailureOr<TilingResult>
GridSampleOp::getTiledImplementation(OpBuilder &builder,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  TileBuilder tile(builder, *this, offsets, sizes);
  SampleLayoutAttr layout = getLayout();
  Value image = tile.slice(getInput(), layout.getInput(), "nc");
  Value grid = tile.slice(getGrid(), layout.getGrid(), "ndhw");
  return tile.finish({image, grid},
                     getTileType(builder, *this, offsets, sizes));
}

FailureOr<TilingResult>
Col2imOp::getTiledImplementation(OpBuilder &builder,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  TileBuilder tile(builder, *this, offsets, sizes);
  Im2colLayoutAttr layout = getLayout();
  Value rows = tile.slice(getInput(), layout.getRowsLetters(), "ngc");
  return tile.finish({rows}, getTileType(builder, *this, offsets, sizes));
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

// The same for all of them: only what a tile is differs.
#define CONVOY_TILE_SLICES(OpTy)                                               \
  SmallVector<utils::IteratorType> OpTy::getLoopIteratorTypes() {              \
    return SmallVector<utils::IteratorType>(getLoopDims(*this).size(),         \
                                            utils::IteratorType::parallel);    \
  }                                                                            \
  SmallVector<Range> OpTy::getIterationDomain(OpBuilder &builder) {            \
    return getLoopRanges(builder, *this);                                      \
  }                                                                            \
  LogicalResult OpTy::getResultTilePosition(                                   \
      OpBuilder &builder, unsigned, ArrayRef<OpFoldResult> offsets,            \
      ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,  \
      SmallVector<OpFoldResult> &resultSizes) {                                \
    getResultTile(builder, *this, offsets, sizes, resultOffsets, resultSizes); \
    return success();                                                          \
  }                                                                            \
  FailureOr<TilingResult> OpTy::generateResultTileValue(                       \
      OpBuilder &builder, unsigned, ArrayRef<OpFoldResult> offsets,            \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return generateTile(builder, *this, offsets, sizes);                       \
  }

CONVOY_TILE_SLICES(ConvOp)
CONVOY_TILE_SLICES(DeformConvOp)
CONVOY_TILE_SLICES(GridSampleOp)
CONVOY_TILE_SLICES(Col2imOp)

#undef CONVOY_TILE_SLICES
