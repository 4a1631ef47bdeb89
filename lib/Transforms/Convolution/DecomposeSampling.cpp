//===- DecomposeSampling.cpp - Turn samples into gathers --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas are those of docs/Sampling.md, and so is the order of their
// operations.
//
//===----------------------------------------------------------------------===//

#include "SamplePosition.h"

#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DECOMPOSESAMPLINGPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Emits the body of the loops over samples.
class SampleBody {
public:
  SampleBody(GridSampleOp op, ArrayRef<OpFoldResult> imageSizes,
             OpBuilder &builder, Location loc)
      : op(op), imageSizes(imageSizes), builder(builder), loc(loc) {}

  /// The sample at `coordinates`, of which there is one for each spatial
  /// dimension, outermost first.
  Value emit(ValueRange coordinates);

private:
  /// Adds the products of the elements from dimension `dim` on, for the taps
  /// chosen so far, whose weights make `weight`.
  void addProducts(size_t dim, Value weight);
  /// The element at the chosen taps, or zero where they lie outside.
  Value emitElement();

  GridSampleOp op;
  ArrayRef<OpFoldResult> imageSizes;
  OpBuilder &builder;
  Location loc;
  SmallVector<SmallVector<SampleTap>> taps; ///< by dimension
  SmallVector<const SampleTap *> chosen;    ///< one of each
  Value sum;
};
} // namespace

Value SampleBody::emitElement() {
  SampleLayoutAttr layout = op.getLayout();
  StringRef spatial = getSpatialLetters(layout);
  SmallVector<Value> place;
  for (char letter : layout.getInput()) {
    size_t dim = spatial.find(letter);
    if (dim == StringRef::npos)
      place.push_back(linalg::IndexOp::create(builder, loc,
                                              layout.getOutput().find(letter)));
    else
      place.push_back(chosen[dim]->place);
  }
  Value element = tensor::ExtractOp::create(builder, loc, op.getInput(), place);
  Value isInside;
  for (const SampleTap *tap : chosen)
    if (tap->isInside)
      isInside = isInside ? arith::AndIOp::create(builder, loc, isInside,
                                                  tap->isInside)
                          : tap->isInside;
  if (!isInside)
    return element;
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(element.getType()));
  return arith::SelectOp::create(builder, loc, isInside, element, zero);
}

void SampleBody::addProducts(size_t dim, Value weight) {
  if (dim == taps.size()) {
    Value element = emitElement();
    if (element.getType() != weight.getType())
      element = arith::ExtFOp::create(builder, loc, weight.getType(), element);
    Value product = arith::MulFOp::create(builder, loc, element, weight);
    sum = sum ? arith::AddFOp::create(builder, loc, sum, product) : product;
    return;
  }
  for (const SampleTap &tap : taps[dim]) {
    chosen.push_back(&tap);
    addProducts(dim + 1, weight ? emitUncontracted<arith::MulFOp>(
                                      builder, loc, weight, tap.weight)
                                : tap.weight);
    chosen.pop_back();
  }
}

Value SampleBody::emit(ValueRange coordinates) {
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, imageSizes))
    taps.push_back(emitTaps(builder, loc, op, coordinate, size));
  if (op.getMode() != SampleMode::Nearest) {
    addProducts(0, /*weight=*/{});
    Type type = op.getType().getElementType();
    return type == sum.getType()
               ? sum
               : arith::TruncFOp::create(builder, loc, type, sum);
  }
  for (ArrayRef<SampleTap> nearest : taps)
    chosen.push_back(&nearest.front());
  return emitElement();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The slice of the grid that holds coordinate `number`, without that
/// dimension.
static Value emitCoordinates(OpBuilder &builder, GridSampleOp op,
                             int64_t number) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getGrid().getType();
  size_t dim = op.getLayout().getGrid().find('c');
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, op.getGrid());
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(type.getRank(), zero),
      strides(type.getRank(), one);
  offsets[dim] = builder.getIndexAttr(number);
  sizes[dim] = one;
  return tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::Builder(type).dropDim(dim), op.getGrid(),
      offsets, sizes, strides);
}

/// The dimensions of the result that a slice of the grid has, in its order.
static AffineMap getCoordinateMap(SampleLayoutAttr layout,
                                  MLIRContext *context) {
  SmallVector<AffineExpr> dims;
  for (char letter : layout.getGrid())
    if (letter != 'c')
      dims.push_back(
          getAffineDimExpr(layout.getOutput().find(letter), context));
  return AffineMap::get(layout.getOutput().size(), 0, dims, context);
}

namespace {
struct DecomposeGridSample final : OpRewritePattern<GridSampleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GridSampleOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SampleLayoutAttr layout = op.getLayout();
    SmallVector<OpFoldResult> imageSizes;
    SmallVector<Value> coordinates;
    StringRef spatial = getSpatialLetters(layout);
    for (auto [dim, letter] : llvm::enumerate(spatial)) {
      imageSizes.push_back(tensor::getMixedSize(
          rewriter, loc, op.getInput(), layout.getInput().find(letter)));
      coordinates.push_back(
          emitCoordinates(rewriter, op, spatial.size() - 1 - dim));
    }
    ReifiedRankedShapedTypeDims shapes;
    [[maybe_unused]] LogicalResult areKnown =
        op.reifyResultShapes(rewriter, shapes);
    assert(succeeded(areKnown) && "sizes are those of the operands");
    Value empty = tensor::EmptyOp::create(rewriter, loc, shapes.front(),
                                          op.getType().getElementType());
    SmallVector<AffineMap> maps(
        coordinates.size(), getCoordinateMap(layout, rewriter.getContext()));
    int64_t rank = op.getType().getRank();
    maps.push_back(rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, empty.getType(), coordinates, empty, maps, iterators,
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          SampleBody body(op, imageSizes, builder, loc);
          linalg::YieldOp::create(builder, loc,
                                  body.emit(arguments.drop_back()));
        });
    return success();
  }
};

struct DecomposeSamplingPass final
    : mlir::convoy::impl::DecomposeSamplingPassBase<DecomposeSamplingPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposeSamplingPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::convoy::populateDecomposeSamplingPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DecomposeGridSample>(patterns.getContext());
}
