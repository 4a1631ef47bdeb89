//===- DeformTiles.cpp - Deformable convolutions tile by tile ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeformTiles.h"

#include "DeformColumns.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;

namespace {
class DeformEmitter {
public:
  DeformEmitter(RewriterBase &rewriter, DeformConvOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op),
        layouts(op.getLayout().getLayouts()),
        columns(rewriter, Deformation(rewriter, op)) {}

  Value emitTiles();
  Value emitParts();

private:
  OpFoldResult getOutputSize(char letter) {
    return tensor::getMixedSize(rewriter, loc, op.getInit(),
                                layouts.output.position(letter));
  }
  /// Whether there is nothing to add.
  bool isEmpty();
  int64_t getBytesPerPosition();
  TensorSlice getSlice(const OutputTile &tile, Value tensor) {
    return tile.getSlice(rewriter, loc, tensor, layouts.output.letters());
  }
  /// The sums of a tile that begin with `init`.
  Value emitTile(const OutputTile &tile, Value init, bool inStages);

  RewriterBase &rewriter;
  Location loc;
  DeformConvOp op;
  ConvLayouts layouts;
  ColumnEmitter columns;
};
} // namespace

bool DeformEmitter::isEmpty() {
  return op.getChannels() == 0 ||
         llvm::is_contained(op.getType().getShape(), 0);
}

int64_t DeformEmitter::getBytesPerPosition() {
  auto [rows, columnTaps] = op.getTaps();
  return std::max<int64_t>(1, rows * columnTaps * op.getChannels() *
                                  op.getType().getElementTypeBitWidth() / 8);
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

Value DeformEmitter::emitTile(const OutputTile &tile, Value init,
                              bool inStages) {
  Value image = columns.emit(tile, inStages);
  MLIRContext *context = op.getContext();
  auto layout = ConvLayoutAttr::get(
      context, ConvLayouts{Layout::fromLetters(columns.getLayout()),
                           layouts.filter, layouts.output});
  NumericsAttr numerics = NumericsAttr::getDefault(context);
  if (!op.getType().getElementType().isF32())
    numerics = numerics.withAccumulator(rewriter.getF32Type());
  return ConvOp::create(rewriter, loc, image, op.getFilter(), init,
                        ValueRange{}, layout, columns.getWindow(tile),
                        numerics);
}

//===----------------------------------------------------------------------===//
// All tiles
//===----------------------------------------------------------------------===//

Value DeformEmitter::emitTiles() {
  Value result = op.getInit();
  if (isEmpty())
    return result;
  return emitTileLoops(
      rewriter, loc, result, layouts.output.letters(), getOutputSize('n'),
      getOutputTiling(rewriter, loc, getOutputSize('h'), getOutputSize('w'),
                      getBytesPerPosition()),
      [&](const OutputTile &tile, Value init) {
        return emitTile(tile, init, /*inStages=*/true);
      });
}

Value DeformEmitter::emitParts() {
  Value result = op.getInit();
  if (isEmpty())
    return result;
  SmallVector<OutputTile> parts = getOutputParts(
      rewriter, getOutputSize('n'), *getConstantIntValue(getOutputSize('h')),
      *getConstantIntValue(getOutputSize('w')), getBytesPerPosition());
  for (const OutputTile &part : parts) {
    Value sums = emitTile(part, getSlice(part, op.getInit()).extract(),
                          /*inStages=*/false);
    result = parts.size() == 1 ? sums : getSlice(part, result).insert(sums);
  }
  return result;
}

Value mlir::convoy::emitDeformTiles(RewriterBase &rewriter, DeformConvOp op) {
  return DeformEmitter(rewriter, op).emitTiles();
}

Value mlir::convoy::emitDeformParts(RewriterBase &rewriter, DeformConvOp op) {
  return DeformEmitter(rewriter, op).emitParts();
}
