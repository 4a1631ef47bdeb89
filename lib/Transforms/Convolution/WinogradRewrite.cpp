//===- WinogradRewrite.cpp - Transforms around products ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradRewrite.h"

#include "WinogradTransform.h"

#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CookToom;
using ::convoy::FractionMatrix;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// The fill of `init` with zeros that nothing else uses, or null.
static linalg::FillOp getOwnZeros(Value init) {
  linalg::FillOp fill = getOwnFill(init);
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat())
             ? fill
             : linalg::FillOp();
}

WinogradRewriter::WinogradRewriter(RewriterBase &rewriter, ConvOp op,
                                   ArrayRef<int64_t> tile, TargetAttr target)
    : rewriter(rewriter), loc(op.getLoc()), op(op),
      element(op.getInit().getType().getElementType()),
      lanes(target.getVectorLanes(element)),
      reduced(getSize(Operand::Filter, 'c')),
      columns(getSize(Operand::Filter, 'f')), zeros(getOwnZeros(op.getInit())) {
  StringRef spatial = ::convoy::spatialLetters(int(tile.size()));
  SmallVector<int64_t> tiles;
  for (auto [dim, letter] : llvm::enumerate(spatial)) {
    int64_t taps = getSize(Operand::Filter, letter);
    dims.push_back({*::convoy::getCookToom(tile[dim], taps), letter,
                    getSize(Operand::Input, letter),
                    getSize(Operand::Output, letter), 0, 0,
                    op.getWindow().getDim(dim)});
    tiles.push_back(llvm::divideCeil(dims.back().outputSize, tile[dim]));
    products *= dims.back().algorithm.products();
  }
  block = getWinogradBlock(getSize(Operand::Output, 'n'), tiles, products,
                           reduced + columns, target);
  blockTiles = block.images;
  for (auto [dim, count, size] : llvm::zip_equal(dims, tiles, block.tiles)) {
    dim.blockTiles = size;
    dim.blocks = llvm::divideCeil(count, size);
    blockTiles *= size;
  }
  inputLetters = ("n" + spatial + "c").str();
  outputLetters = ("n" + spatial + "f").str();
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

OpFoldResult WinogradRewriter::scale(Value index, int64_t factor,
                                     int64_t offset) {
  AffineExpr dim = rewriter.getAffineDimExpr(0);
  return affine::makeComposedFoldedAffineApply(
      rewriter, loc, dim * factor + offset, {OpFoldResult(index)});
}

SmallVector<Value> WinogradRewriter::toValues(ArrayRef<OpFoldResult> indices) {
  return getValueOrCreateConstantIndexOp(rewriter, loc, indices);
}

Value WinogradRewriter::forEach(ArrayRef<int64_t> sizes, Value tensor,
                                Body body) {
  SmallVector<Value> zeros, ends, steps;
  for (int64_t size : sizes) {
    zeros.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
    ends.push_back(arith::ConstantIndexOp::create(rewriter, loc, size));
    steps.push_back(arith::ConstantIndexOp::create(rewriter, loc, 1));
  }
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, loc, zeros, ends, steps, tensor,
      [&](OpBuilder &builder, Location, ValueRange indices,
          ValueRange tensors) -> scf::ValueVector {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.restoreInsertionPoint(builder.saveInsertionPoint());
        return {body(indices, tensors.front())};
      });
  return nest.results.front();
}

Value WinogradRewriter::forEachVector(int64_t channels, Value tensor,
                                      VectorBody body) {
  int64_t whole = channels / lanes * lanes;
  if (whole > 0) {
    auto loop = scf::ForOp::create(
        rewriter, loc, arith::ConstantIndexOp::create(rewriter, loc, 0),
        arith::ConstantIndexOp::create(rewriter, loc, whole),
        arith::ConstantIndexOp::create(rewriter, loc, lanes), tensor);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    Value written =
        body(loop.getInductionVar(), VectorType::get({lanes}, element),
             loop.getRegionIterArgs().front());
    scf::YieldOp::create(rewriter, loc, written);
    tensor = loop.getResult(0);
  }
  if (whole < channels)
    tensor = body(arith::ConstantIndexOp::create(rewriter, loc, whole),
                  VectorType::get({channels - whole}, element), tensor);
  return tensor;
}

Value WinogradRewriter::read(VectorType type, Value tensor,
                             ArrayRef<OpFoldResult> indices) {
  return vector::TransferReadOp::create(
      rewriter, loc, type, tensor, toValues(indices),
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element))
          .getResult(),
      ArrayRef<bool>{true});
}

Value WinogradRewriter::write(Value vector, Value tensor,
                              ArrayRef<OpFoldResult> indices) {
  return vector::TransferWriteOp::create(rewriter, loc, vector, tensor,
                                         toValues(indices),
                                         ArrayRef<bool>{true})
      .getResult();
}

SmallVector<Value> WinogradRewriter::transform(MatrixMember matrix,
                                               SmallVector<Value> vectors) {
  SmallVector<const FractionMatrix *> matrices;
  for (const TiledDim &dim : dims)
    matrices.push_back(&(dim.algorithm.*matrix));
  return transformVectors(rewriter, loc, matrices, std::move(vectors));
}

/// All indices within `sizes`, row-major.
static StaticTileOffsetRange getIndices(ArrayRef<int64_t> sizes) {
  return {sizes, SmallVector<int64_t>(sizes.size(), 1)};
}

AffineMap WinogradRewriter::getOrder(const Layout &layout, StringRef letters) {
  SmallVector<AffineExpr> order;
  for (char letter : layout.letters())
    order.push_back(rewriter.getAffineDimExpr(letters.find(letter)));
  return AffineMap::get(letters.size(), 0, order, rewriter.getContext());
}

//===----------------------------------------------------------------------===//
// The filter
//===----------------------------------------------------------------------===//

Value WinogradRewriter::orderFilter() {
  Layout layout = op.getLayout().getLayouts().filter;
  std::string letters;
  SmallVector<int64_t> shape;
  for (const TiledDim &dim : dims)
    letters += dim.letter;
  letters += "cf";
  if (layout.letters() == letters)
    return op.getFilter();
  for (char letter : letters)
    shape.push_back(getSize(Operand::Filter, letter));
  return createCopy(rewriter, loc, op.getFilter(), getOrder(layout, letters),
                    createEmpty(shape))
      .getResult(0);
}

Value WinogradRewriter::transformFilter() {
  Value filter = orderFilter();
  SmallVector<int64_t> taps;
  for (const TiledDim &dim : dims)
    taps.push_back(dim.algorithm.taps());
  auto loop = scf::ForallOp::create(
      rewriter, loc, index(0), index(reduced), index(1),
      createEmpty({products, 1, reduced, columns}), std::nullopt);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop.getTerminator());
  Value channel = loop.getInductionVar(0);
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs()[0]);
  slice.narrow(2, channel, index(1));
  Value transformed = forEachVector(
      columns, slice.extract(),
      [&](Value column, VectorType type, Value tensor) {
        SmallVector<Value> vectors;
        for (SmallVector<int64_t> tap : getIndices(taps)) {
          SmallVector<OpFoldResult> at;
          for (auto [dim, number] : llvm::zip_equal(dims, tap))
            at.push_back(index(dim.window.reverse
                                   ? dim.algorithm.taps() - 1 - number
                                   : number));
          at.push_back(channel);
          at.push_back(column);
          vectors.push_back(read(type, filter, at));
        }
        vectors = transform(&CookToom::filter, std::move(vectors));
        for (auto [product, vector] : llvm::enumerate(vectors))
          tensor = write(vector, tensor,
                         {index(product), index(0), index(0), column});
        return tensor;
      });
  slice.insert(transformed, loop);
  return loop.getResult(0);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Value WinogradRewriter::padInput(Value image) {
  Layout layout = op.getLayout().getLayouts().input;
  TensorSlice source(rewriter, loc, op.getInput());
  source.narrow(layout.position('n'), image, index(block.images));
  SmallVector<int64_t> shape = {block.images};
  for (const TiledDim &dim : dims)
    shape.push_back(dim.getWholeInput());
  shape.push_back(reduced);
  bool isWhole = layout.letters() == inputLetters;
  for (const TiledDim &dim : dims)
    isWhole &= dim.window.padLow == 0 && dim.getWholeInput() == dim.inputSize;
  if (isWhole)
    return source.extract();
  Value padded = createZeros(
      rewriter, loc, getAsIndexOpFoldResult(rewriter.getContext(), shape),
      element);
  TensorSlice inside(rewriter, loc, padded);
  for (auto [number, dim] : llvm::enumerate(dims)) {
    int64_t from = std::max<int64_t>(0, -dim.window.padLow);
    int64_t to = std::max<int64_t>(0, dim.window.padLow);
    int64_t size = std::min(dim.inputSize - from, dim.getWholeInput() - to);
    // All of it is padding.
    if (size <= 0)
      return padded;
    source.narrow(layout.position(dim.letter), from, size);
    inside.narrow(number + 1, to, size);
  }
  return inside.insert(createCopy(rewriter, loc, source.extract(),
                                  getOrder(layout, inputLetters),
                                  inside.extract())
                           .getResult(0));
}

Value WinogradRewriter::getTileNumber(ValueRange indices) {
  SmallVector<int64_t> sizes = {block.images};
  llvm::append_range(sizes, block.tiles);
  AffineExpr number = rewriter.getAffineConstantExpr(0);
  for (auto [dim, size] : llvm::enumerate(sizes))
    number = number * size + rewriter.getAffineDimExpr(dim);
  OpFoldResult result = affine::makeComposedFoldedAffineApply(
      rewriter, loc, number, getAsOpFoldResult(indices));
  return getValueOrCreateConstantIndexOp(rewriter, loc, result);
}

Value WinogradRewriter::transformInput(ValueRange blocks, Value padded) {
  SmallVector<int64_t> loops = {block.images}, window;
  llvm::append_range(loops, block.tiles);
  for (const TiledDim &dim : dims)
    window.push_back(dim.algorithm.products());
  Value inputs = createEmpty({products, 1, blockTiles, reduced});
  return forEach(loops, inputs, [&](ValueRange tile, Value tensor) {
    Value number = getTileNumber(tile);
    return forEachVector(
        reduced, tensor, [&](Value channel, VectorType type, Value tensor) {
          SmallVector<Value> vectors;
          for (SmallVector<int64_t> at : getIndices(window)) {
            SmallVector<OpFoldResult> place = {tile[0]};
            for (auto [dim, tiled] : llvm::enumerate(dims)) {
              AffineExpr first = rewriter.getAffineDimExpr(0),
                         second = rewriter.getAffineDimExpr(1);
              place.push_back(affine::makeComposedFoldedAffineApply(
                  rewriter, loc,
                  (first * tiled.blockTiles + second) * tiled.getTile() +
                      at[dim],
                  {OpFoldResult(blocks[dim]), OpFoldResult(tile[dim + 1])}));
            }
            place.push_back(channel);
            vectors.push_back(read(type, padded, place));
          }
          vectors = transform(&CookToom::input, std::move(vectors));
          for (auto [product, vector] : llvm::enumerate(vectors))
            tensor = write(vector, tensor,
                           {index(product), index(0), number, channel});
          return tensor;
        });
  });
}

Value WinogradRewriter::multiply(Value inputs, Value taps) {
  SmallVector<OpFoldResult> sizes = {index(products), index(1),
                                     index(blockTiles), index(columns)};
  auto layout =
      ConvLayoutAttr::get(op.getContext(), {Layout::fromLetters("gnwc"),
                                            Layout::fromLetters("gwcf"),
                                            Layout::fromLetters("gnwf")});
  return ConvOp::create(rewriter, loc, inputs, taps,
                        createZeros(rewriter, loc, sizes, element),
                        ValueRange(), layout,
                        WindowAttr::get(op.getContext(), WindowDim()),
                        NumericsAttr::getDefault(op.getContext()))
      .getResult();
}

Value WinogradRewriter::transformOutput(Value sums, Value results) {
  SmallVector<int64_t> loops = {block.images}, outputs;
  llvm::append_range(loops, block.tiles);
  for (const TiledDim &dim : dims)
    outputs.push_back(dim.getTile());
  return forEach(loops, results, [&](ValueRange tile, Value tensor) {
    Value number = getTileNumber(tile);
    return forEachVector(
        columns, tensor, [&](Value channel, VectorType type, Value tensor) {
          SmallVector<Value> vectors;
          for (int64_t product = 0; product < products; ++product)
            vectors.push_back(
                read(type, sums, {index(product), index(0), number, channel}));
          vectors = transform(&CookToom::output, std::move(vectors));
          for (auto [at, vector] :
               llvm::zip_equal(getIndices(outputs), vectors)) {
            SmallVector<OpFoldResult> place = {tile[0]};
            for (auto [dim, tiled] : llvm::enumerate(dims))
              place.push_back(scale(tile[dim + 1], tiled.getTile(), at[dim]));
            place.push_back(channel);
            tensor = write(vector, tensor, place);
          }
          return tensor;
        });
  });
}

Value WinogradRewriter::computeBlock(ValueRange blocks, Value padded,
                                     Value taps, Value sums) {
  return transformOutput(multiply(transformInput(blocks, padded), taps), sums);
}

Value WinogradRewriter::computeBlocks(Value padded, Value taps, Value sums) {
  SmallVector<OpFoldResult> zeros(dims.size(), index(0)),
      ones(dims.size(), index(1)), ends;
  for (const TiledDim &dim : dims)
    ends.push_back(index(dim.blocks));
  auto loop = scf::ForallOp::create(rewriter, loc, zeros, ends, ones, sums,
                                    std::nullopt);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop.getTerminator());
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs()[0]);
  for (auto [number, dim] : llvm::enumerate(dims)) {
    int64_t size = dim.blockTiles * dim.getTile();
    slice.narrow(number + 1, scale(loop.getInductionVar(number), size),
                 index(size));
  }
  slice.insert(
      computeBlock(loop.getInductionVars(), padded, taps, slice.extract()),
      loop);
  return loop.getResult(0);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

bool WinogradRewriter::isInPlace() {
  return zeros &&
         op.getLayout().getLayouts().output.letters() == outputLetters &&
         llvm::all_of(dims, [](const TiledDim &dim) {
           return dim.getWholeOutput() == dim.outputSize;
         });
}

/// init + sum
static void buildSum(OpBuilder &builder, Location loc, ValueRange elements) {
  Value sum = arith::AddFOp::create(builder, loc, elements[1], elements[0]);
  linalg::YieldOp::create(builder, loc, sum);
}

Value WinogradRewriter::finish(Value sums, Value part) {
  TensorSlice used(rewriter, loc, sums);
  for (auto [number, dim] : llvm::enumerate(dims))
    used.narrow(number + 1, 0, dim.outputSize);
  Layout layout = op.getLayout().getLayouts().output;
  AffineMap order =
      getOrder(Layout::fromLetters(outputLetters), layout.letters());
  if (zeros)
    return createCopy(rewriter, loc, used.extract(), order, part).getResult(0);
  SmallVector<utils::IteratorType> parallel(layout.rank(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, part.getType(), used.extract(), part,
             {order, rewriter.getMultiDimIdentityMap(layout.rank())}, parallel,
             buildSum)
      .getResult(0);
}

void WinogradRewriter::rewrite() {
  rewriter.setInsertionPoint(op);
  Value taps = transformFilter();
  Value result = zeros ? zeros.getOutputs()[0] : op.getInit();
  int64_t images = op.getLayout().getLayouts().output.position('n');
  OpFoldResult end = tensor::getMixedSize(rewriter, loc, result, images);
  auto loop =
      scf::ForallOp::create(rewriter, loc, index(0), end, index(block.images),
                            result, /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(loop.getTerminator());
  Value image = loop.getInductionVar(0);
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs()[0]);
  slice.narrow(images, image, index(block.images));
  Value part = slice.extract();
  SmallVector<int64_t> shape = {block.images};
  for (const TiledDim &dim : dims)
    shape.push_back(dim.getWholeOutput());
  shape.push_back(columns);
  Value sums = computeBlocks(padInput(image), taps,
                             isInPlace() ? part : createEmpty(shape));
  slice.insert(isInPlace() ? sums : finish(sums, part), loop);
  rewriter.replaceOp(op, loop.getResult(0));
}
