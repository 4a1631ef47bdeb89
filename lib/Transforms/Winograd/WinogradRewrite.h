//===- WinogradRewrite.h - Transforms around products -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_WINOGRAD_WINOGRADREWRITE_H
#define CONVOY_LIB_TRANSFORMS_WINOGRAD_WINOGRADREWRITE_H

#include "WinogradEpilogue.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Support/CookToom.h"
#include "convoy/Transforms/Costs/WinogradCosts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// A spatial dimension in tiles, and these in blocks.
struct TiledDim {
  ::convoy::CookToom algorithm;
  char letter;
  int64_t inputSize, outputSize;
  int64_t blockTiles, blocks;
  ::convoy::WindowDim window;

  int64_t getTile() const { return algorithm.outputs(); }
  /// Results of whole blocks, and inputs that they read.
  int64_t getWholeOutput() const { return blocks * blockTiles * getTile(); }
  int64_t getWholeInput() const {
    return getWholeOutput() + algorithm.taps() - 1;
  }
};

/// Replaces one convolution of f32 with stride 1, without dilation and groups,
/// and of static sizes but the batch's, by transforms around the products of
/// tiles of so many results along each spatial dimension. Inputs, taps and sums
/// on the way have channels innermost: products are those of a 1x1 convolution
/// that has a group for each of them. What finishes sums, element by element,
/// is done with the vectors that hold them.
class WinogradRewriter {
public:
  WinogradRewriter(RewriterBase &rewriter, ConvOp op, ArrayRef<int64_t> tile,
                   TargetAttr target);

  void rewrite();

private:
  using MatrixMember = ::convoy::FractionMatrix(::convoy::CookToom::*);
  using Body = function_ref<Value(ValueRange indices, Value tensor)>;
  using VectorBody =
      function_ref<Value(Value channel, VectorType type, Value tensor)>;

  /// The filter's taps, transformed, as gwcf: a group for each product.
  Value transformFilter();
  /// The filter with its letters in the order of taps, c, f.
  Value orderFilter();
  /// Vectors of its taps in the order in which the window reads them.
  SmallVector<Value> orderTaps(ArrayRef<Value> vectors);
  /// Inputs of the images from `image` on, padded, as n, d, h, w, c.
  Value padInput(Value image);
  /// Sums of all blocks of padded images, written into `results`.
  Value computeBlocks(Value padded, Value taps, Value results);
  Value transformInput(ValueRange blocks, Value padded);
  Value multiply(Value inputs, Value taps);
  /// The results of a block, whose numbers are `blocks`, from sums of products.
  Value transformOutput(ValueRange blocks, Value products, Value results);
  /// What is stored for `sums`, the result of a tile that is `at` in the tile.
  /// `results` is the part that the block of the tile is written into.
  Value finishVector(Value sums, ValueRange blocks, ValueRange tile,
                     ArrayRef<int64_t> at, Value channel, Value results);
  /// Where that is in the result; tiles may go on behind its end.
  SmallVector<OpFoldResult> getPosition(ValueRange blocks, ValueRange tile,
                                        ArrayRef<int64_t> at, Value channel);
  /// Puts `results` of whole tiles into `part` of the result.
  Value store(Value results, Value part);

  /// Carries `tensor` through loops over these sizes.
  Value forEach(ArrayRef<int64_t> sizes, Value tensor, Body body);
  /// Carries `tensor` through `channels`, vector by vector.
  Value forEachVector(int64_t channels, Value tensor, VectorBody body);
  /// The vectors along the last dimension of `tensor` that are at the positions
  /// within `sizes` of the other dimensions, row-major, from `indices` on.
  SmallVector<Value> read(ArrayRef<int64_t> sizes, VectorType type,
                          Value tensor, ArrayRef<OpFoldResult> indices);
  /// Writes such vectors.
  Value write(ArrayRef<Value> vectors, ArrayRef<int64_t> sizes, Value tensor,
              ArrayRef<OpFoldResult> indices);
  SmallVector<Value> toValues(ArrayRef<OpFoldResult> indices);
  /// factor * index + offset
  OpFoldResult scale(Value index, int64_t factor, int64_t offset = 0);
  SmallVector<Value> transform(MatrixMember matrix, SmallVector<Value> vectors);
  /// Where element `at` of a tile of a block is along `dim`.
  OpFoldResult getTileStart(const TiledDim &dim, Value block, Value tile,
                            int64_t at);
  /// The number of a tile among those of its block.
  Value getTileNumber(ValueRange indices);
  Value createEmpty(ArrayRef<int64_t> shape, Type type) {
    return tensor::EmptyOp::create(rewriter, loc, shape, type);
  }
  bool isInPlace();
  int64_t getSize(::convoy::Operand operand, char letter) {
    return cast<ConvolutionOpInterface>(*op).getSize(operand, letter);
  }
  OpFoldResult index(int64_t value) { return rewriter.getIndexAttr(value); }

  RewriterBase &rewriter;
  Location loc;
  ConvOp op;
  Type element;
  int64_t lanes;
  SmallVector<TiledDim> dims;
  WinogradBlock block;
  int64_t products = 1, blockTiles = 1, reduced, columns;
  /// Of images and sums: n, spatial letters, and c or f.
  std::string inputLetters, outputLetters;
  WinogradEpilogue epilogue;
  /// The first of the images that are computed together, and their part of the
  /// result.
  Value firstImage, part;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_WINOGRAD_WINOGRADREWRITE_H
