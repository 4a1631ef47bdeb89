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
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CookToom;
using ::convoy::FractionMatrix;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;

WinogradRewriter::WinogradRewriter(RewriterBase &rewriter, ConvOp op,
                                   ArrayRef<int64_t> tile, TargetAttr target)
    : rewriter(rewriter), loc(op.getLoc()), op(op),
      element(op.getInit().getType().getElementType()),
      lanes(target.getVectorLanes(element)),
      reduced(getSize(Operand::Filter, 'c')),
      columns(getSize(Operand::Filter, 'f')), epilogue(op) {
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

/// All indices within `sizes`, row-major.
static StaticTileOffsetRange getIndices(ArrayRef<int64_t> sizes) {
  return {sizes, SmallVector<int64_t>(sizes.size(), 1)};
}

SmallVector<Value> WinogradRewriter::read(ArrayRef<int64_t> sizes,
                                          VectorType type, Value tensor,
                                          ArrayRef<OpFoldResult> indices) {
  SmallVector<int64_t> shape(sizes);
  shape.push_back(type.getNumElements());
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
  Value all = vector::TransferReadOp::create(
      rewriter, loc, VectorType::get(shape, element), tensor, toValues(indices),
      zero, SmallVector<bool>(shape.size(), true));
  SmallVector<Value> vectors;
  for (SmallVector<int64_t> at : getIndices(sizes))
    vectors.push_back(vector::ExtractOp::create(rewriter, loc, all, at));
  return vectors;
}

Value WinogradRewriter::write(ArrayRef<Value> vectors, ArrayRef<int64_t> sizes,
                              Value tensor, ArrayRef<OpFoldResult> indices) {
  auto type = cast<VectorType>(vectors.front().getType());
  SmallVector<int64_t> shape(sizes);
  shape.push_back(type.getNumElements());
  Value all = ub::PoisonOp::create(
      rewriter, loc, VectorType::get(shape, type.getElementType()));
  for (auto [at, vector] : llvm::zip_equal(getIndices(sizes), vectors))
    all = vector::InsertOp::create(rewriter, loc, vector, all, at);
  return vector::TransferWriteOp::create(rewriter, loc, all, tensor,
                                         toValues(indices),
                                         SmallVector<bool>(shape.size(), true))
      .getResult();
}

SmallVector<Value> WinogradRewriter::transform(MatrixMember matrix,
                                               SmallVector<Value> vectors) {
  SmallVector<const FractionMatrix *> matrices;
  for (const TiledDim &dim : dims)
    matrices.push_back(&(dim.algorithm.*matrix));
  return transformVectors(rewriter, loc, matrices, std::move(vectors));
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
  return createCopy(
             rewriter, loc, op.getFilter(),
             getLetterMap(layout.letters(), letters, rewriter.getContext()),
             createEmpty(shape, element))
      .getResult(0);
}

SmallVector<Value> WinogradRewriter::orderTaps(ArrayRef<Value> vectors) {
  SmallVector<int64_t> taps;
  for (const TiledDim &dim : dims)
    taps.push_back(dim.algorithm.taps());
  SmallVector<Value> ordered;
  for (SmallVector<int64_t> tap : getIndices(taps)) {
    int64_t number = 0;
    for (auto [dim, place] : llvm::zip_equal(dims, tap))
      number = number * dim.algorithm.taps() +
               (dim.window.reverse ? dim.algorithm.taps() - 1 - place : place);
    ordered.push_back(vectors[number]);
  }
  return ordered;
}

Value WinogradRewriter::transformFilter() {
  Value filter = orderFilter();
  SmallVector<int64_t> taps;
  for (const TiledDim &dim : dims)
    taps.push_back(dim.algorithm.taps());
  auto loop = scf::ForallOp::create(
      rewriter, loc, index(0), index(reduced), index(1),
      createEmpty({products, 1, reduced, columns}, element), std::nullopt);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop.getTerminator());
  Value channel = loop.getInductionVar(0);
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs()[0]);
  slice.narrow(2, channel, index(1));
  Value transformed = forEachVector(
      columns, slice.extract(),
      [&](Value column, VectorType type, Value tensor) {
        SmallVector<int64_t> sizes = taps;
        sizes.push_back(1);
        SmallVector<OpFoldResult> from(taps.size(), index(0));
        from.append({channel, column});
        SmallVector<Value> vectors = orderTaps(read(sizes, type, filter, from));
        return write(transform(&CookToom::filter, std::move(vectors)),
                     {products, 1, 1}, tensor,
                     {index(0), index(0), index(0), column});
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
                                  getLetterMap(layout.letters(), inputLetters,
                                               rewriter.getContext()),
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

OpFoldResult WinogradRewriter::getTileStart(const TiledDim &dim, Value block,
                                            Value tile, int64_t at) {
  AffineExpr first = rewriter.getAffineDimExpr(0),
             second = rewriter.getAffineDimExpr(1);
  return affine::makeComposedFoldedAffineApply(
      rewriter, loc, (first * dim.blockTiles + second) * dim.getTile() + at,
      {OpFoldResult(block), OpFoldResult(tile)});
}

Value WinogradRewriter::transformInput(ValueRange blocks, Value padded) {
  SmallVector<int64_t> loops = {block.images}, window = {1};
  llvm::append_range(loops, block.tiles);
  for (const TiledDim &dim : dims)
    window.push_back(dim.algorithm.products());
  Value inputs = createEmpty({products, 1, blockTiles, reduced}, element);
  return forEach(loops, inputs, [&](ValueRange tile, Value tensor) {
    Value number = getTileNumber(tile);
    return forEachVector(
        reduced, tensor, [&](Value channel, VectorType type, Value tensor) {
          SmallVector<OpFoldResult> from = {tile[0]};
          for (auto [dim, tiled] : llvm::enumerate(dims))
            from.push_back(getTileStart(tiled, blocks[dim], tile[dim + 1], 0));
          from.push_back(channel);
          SmallVector<Value> vectors = read(window, type, padded, from);
          return write(transform(&CookToom::input, std::move(vectors)),
                       {products, 1, 1}, tensor,
                       {index(0), index(0), number, channel});
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

SmallVector<OpFoldResult> WinogradRewriter::getPosition(ValueRange blocks,
                                                        ValueRange tile,
                                                        ArrayRef<int64_t> at,
                                                        Value channel) {
  const Layout &layout = op.getLayout().getLayouts().output;
  SmallVector<OpFoldResult> position(layout.rank());
  AffineExpr first = rewriter.getAffineDimExpr(0),
             second = rewriter.getAffineDimExpr(1);
  position[layout.position('n')] = affine::makeComposedFoldedAffineApply(
      rewriter, loc, first + second,
      {OpFoldResult(firstImage), OpFoldResult(tile[0])});
  position[layout.position('f')] = channel;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    OpFoldResult place =
        getTileStart(dim, blocks[number], tile[number + 1], at[number]);
    // What lies behind the end is not stored.
    if (dim.getWholeOutput() != dim.outputSize)
      place = affine::makeComposedFoldedAffineMin(
          rewriter, loc,
          AffineMap::get(
              1, 0, {first, rewriter.getAffineConstantExpr(dim.outputSize - 1)},
              rewriter.getContext()),
          {place});
    position[layout.position(dim.letter)] = place;
  }
  return position;
}

Value WinogradRewriter::finishVector(Value sums, ValueRange blocks,
                                     ValueRange tile, ArrayRef<int64_t> at,
                                     Value channel, Value results) {
  SmallVector<OpFoldResult> position = getPosition(blocks, tile, at, channel);
  Value old;
  if (epilogue.readsDestination()) {
    // Results are written there, or into a tensor of their own.
    Value from = results;
    SmallVector<OpFoldResult> place;
    if (isInPlace()) {
      place.push_back(tile[0]);
      for (auto [number, dim] : llvm::enumerate(dims))
        place.push_back(scale(tile[number + 1], dim.getTile(), at[number]));
      place.push_back(channel);
    } else {
      from = part;
      place = position;
      place[op.getLayout().getLayouts().output.position('n')] = tile[0];
    }
    old = epilogue.readResult(rewriter, from, place,
                              cast<VectorType>(sums.getType()).getDimSize(0));
  }
  return epilogue.apply(rewriter, sums, position, old);
}

Value WinogradRewriter::transformOutput(ValueRange blocks, Value sums,
                                        Value results) {
  SmallVector<int64_t> loops = {block.images}, outputs;
  llvm::append_range(loops, block.tiles);
  for (const TiledDim &dim : dims)
    outputs.push_back(dim.getTile());
  return forEach(loops, results, [&](ValueRange tile, Value tensor) {
    Value number = getTileNumber(tile);
    return forEachVector(
        columns, tensor, [&](Value channel, VectorType type, Value tensor) {
          SmallVector<Value> vectors =
              read({products, 1, 1}, type, sums,
                   {index(0), index(0), number, channel});
          vectors = transform(&CookToom::output, std::move(vectors));
          for (auto [at, vector] :
               llvm::zip_equal(getIndices(outputs), vectors))
            vector = finishVector(vector, blocks, tile, at, channel, tensor);
          SmallVector<OpFoldResult> to = {tile[0]};
          SmallVector<int64_t> sizes = {1};
          for (auto [dim, tiled] : llvm::enumerate(dims)) {
            to.push_back(scale(tile[dim + 1], tiled.getTile()));
            sizes.push_back(tiled.getTile());
          }
          to.push_back(channel);
          return write(vectors, sizes, tensor, to);
        });
  });
}

Value WinogradRewriter::computeBlocks(Value padded, Value taps, Value results) {
  SmallVector<OpFoldResult> zeros(dims.size(), index(0)),
      ones(dims.size(), index(1)), ends;
  for (const TiledDim &dim : dims)
    ends.push_back(index(dim.blocks));
  auto loop = scf::ForallOp::create(rewriter, loc, zeros, ends, ones, results,
                                    std::nullopt);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop.getTerminator());
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs()[0]);
  for (auto [number, dim] : llvm::enumerate(dims)) {
    int64_t size = dim.blockTiles * dim.getTile();
    slice.narrow(number + 1, scale(loop.getInductionVar(number), size),
                 index(size));
  }
  Value part = slice.extract();
  SmallVector<Value> blocks = loop.getInductionVars();
  Value sums = multiply(transformInput(blocks, padded), taps);
  slice.insert(transformOutput(blocks, sums, part), loop);
  return loop.getResult(0);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

bool WinogradRewriter::isInPlace() {
  return !epilogue.isInit() &&
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

Value WinogradRewriter::store(Value results, Value part) {
  TensorSlice used(rewriter, loc, results);
  for (auto [number, dim] : llvm::enumerate(dims))
    used.narrow(number + 1, 0, dim.outputSize);
  Layout layout = op.getLayout().getLayouts().output;
  AffineMap order =
      getLetterMap(outputLetters, layout.letters(), rewriter.getContext());
  if (!epilogue.isInit())
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
  rewriter.setInsertionPoint(epilogue.getRoot());
  Value taps = transformFilter();
  Value result = epilogue.getDestination();
  int64_t images = op.getLayout().getLayouts().output.position('n');
  OpFoldResult end = tensor::getMixedSize(rewriter, loc, result, images);
  auto loop =
      scf::ForallOp::create(rewriter, loc, index(0), end, index(block.images),
                            result, /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(loop.getTerminator());
  firstImage = loop.getInductionVar(0);
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs()[0]);
  slice.narrow(images, firstImage, index(block.images));
  part = slice.extract();
  SmallVector<int64_t> shape = {block.images};
  for (const TiledDim &dim : dims)
    shape.push_back(dim.getWholeOutput());
  shape.push_back(columns);
  Value padded = padInput(firstImage);
  if (isInPlace()) {
    slice.insert(computeBlocks(padded, taps, part), loop);
  } else {
    Value results = computeBlocks(
        padded, taps, createEmpty(shape, epilogue.getElementType()));
    slice.insert(store(results, part), loop);
  }
  Operation *root = epilogue.getRoot();
  rewriter.replaceOp(root, loop.getResult(0));
  if (root != op)
    rewriter.eraseOp(op);
}
