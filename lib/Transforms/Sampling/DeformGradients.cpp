//===- DeformGradients.cpp - Gradients of deformed convolutions -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeformGradients.h"

#include "ScatterLoops.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

/// The most channels of a block, which share what is computed of positions.
static constexpr int64_t kLargestBlock = 32;

DeformGradientEmitter::DeformGradientEmitter(RewriterBase &rewriter,
                                             DeformOpInterface op)
    : rewriter(rewriter), loc(op.getLoc()), op(op), deformation(rewriter, op),
      layouts(op.getLayout().getLayouts()),
      outputGradient(op.getOperandFor(Operand::Output)) {}

bool DeformGradientEmitter::isEmpty() {
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    if (llvm::is_contained(op.getTypeFor(operand).getShape(), 0))
      return true;
  return false;
}

int64_t DeformGradientEmitter::getBytesPerPosition(int64_t channels) {
  return int64_t(sizeof(float)) * deformation.getTapCount() * channels;
}

int64_t DeformGradientEmitter::getBlockSize() {
  int64_t together =
      std::gcd(deformation.channels,
               deformation.getChannels() / deformation.offsetGroups);
  int64_t size = std::min(together, kLargestBlock);
  while (together % size != 0)
    --size;
  return size;
}

Value DeformGradientEmitter::getOutputGradient(const OutputTile &tile,
                                               Value group) {
  TensorSlice slice =
      tile.getSlice(rewriter, loc, outputGradient, layouts.output.letters());
  if (group && deformation.hasGroups)
    slice.narrow(layouts.output.position('g'), group, index(1));
  return slice.extract();
}

SmallVector<OutputTile> DeformGradientEmitter::getParts() {
  return getOutputParts(rewriter, getOutputSize('n'),
                        *getConstantIntValue(getOutputSize('h')),
                        *getConstantIntValue(getOutputSize('w')),
                        getBytesPerPosition(deformation.getChannels()));
}

Deformation::Indices
DeformGradientEmitter::emitInOutput(OpBuilder &builder, Location loc,
                                    const OutputTile &tile,
                                    Deformation::Indices at) {
  for (auto [letter, begin] :
       {std::pair('n', tile.n), std::pair('h', tile.h), std::pair('w', tile.w)})
    if (!isZeroInteger(begin))
      at[letter] = arith::AddIOp::create(
          builder, loc, getValueOrCreateConstantIndexOp(builder, loc, begin),
          at[letter]);
  return at;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A loop over the tiles of `range`.
static Value emitLoop(RewriterBase &rewriter, Location loc, Value sums,
                      const TileRange &range,
                      function_ref<Value(Value, Value)> build) {
  return emitSumLoop(rewriter, loc, sums, range.begin, range.end, range.step,
                     build);
}

Value DeformGradientEmitter::emitTiles(
    Value sums, OpFoldResult image, int64_t bytesPerPosition,
    function_ref<Value(const OutputTile &, Value)> build) {
  OutputTiling tiling = getOutputTiling(rewriter, loc, getOutputSize('h'),
                                        getOutputSize('w'), bytesPerPosition);
  for (const TileRange &rows : tiling.rows)
    sums = emitLoop(rewriter, loc, sums, rows, [&](Value row, Value ofRows) {
      // Rows are gone through from end to end.
      for (const TileRange &columns : tiling.columns)
        ofRows = emitLoop(rewriter, loc, ofRows, columns,
                          [&](Value column, Value before) {
                            return build({image, row, column, index(1),
                                          rows.step, columns.step},
                                         before);
                          });
      return ofRows;
    });
  return sums;
}

Value DeformGradientEmitter::emitImages(
    Value sums, int64_t bytesPerPosition,
    function_ref<Value(const OutputTile &, Value)> build) {
  return emitLoop(rewriter, loc, sums, {index(0), getOutputSize('n'), 1},
                  [&](Value image, Value ofImage) {
                    return emitTiles(ofImage, image, bytesPerPosition, build);
                  });
}
