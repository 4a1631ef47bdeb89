//===- DeformGradients.h - Gradients of deformed convolutions ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMGRADIENTS_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMGRADIENTS_H

#include "Deformation.h"
#include "OutputTiles.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// Emits the gradient of the filter: in loops over some of its channels, each
/// of which goes through tiles of the output positions one after the other, or
/// with `byTiles` false in a few parts of whole positions. Returns the result.
Value emitDeformFilterGradient(RewriterBase &rewriter,
                               DeformConvBackwardFilterOp op, bool byTiles);

/// Emits the gradient of the mask or the offset: tile by tile in loops over the
/// output positions, or with `byTiles` false in a few parts. Returns the
/// result.
Value emitDeformMaskGradient(RewriterBase &rewriter,
                             DeformConvBackwardMaskOp op, bool byTiles);
Value emitDeformOffsetGradient(RewriterBase &rewriter,
                               DeformConvBackwardOffsetOp op, bool byTiles);

/// Emits the gradient of the input: in loops over the images and some of their
/// channels, each of which goes through tiles of the output positions one after
/// the other, or with `byTiles` false in a few parts. Returns the result.
Value emitDeformInputGradient(RewriterBase &rewriter,
                              DeformConvBackwardInputOp op, bool byTiles);

/// What gradients of a deformable convolution have in common.
class DeformGradientEmitter {
public:
  DeformGradientEmitter(RewriterBase &rewriter, DeformOpInterface op);

  /// Whether nothing is added to the init.
  bool isEmpty();

protected:
  OpFoldResult index(int64_t value) { return rewriter.getIndexAttr(value); }
  OpFoldResult getOutputSize(char letter) {
    return tensor::getMixedSize(rewriter, loc, outputGradient,
                                layouts.output.position(letter));
  }
  /// What tiles keep for `channels` channels at a position, in bytes.
  int64_t getBytesPerPosition(int64_t channels);
  /// A number of channels that are of one group of the filter and of one of
  /// offsets, and that divides both.
  int64_t getBlockSize();
  /// The output's gradient in `tile`, of one group where `group` is not null.
  Value getOutputGradient(const OutputTile &tile, Value group);
  SmallVector<OutputTile> getParts();
  /// `at`, a position in `tile`, in the whole output.
  Deformation::Indices emitInOutput(OpBuilder &builder, Location loc,
                                    const OutputTile &tile,
                                    Deformation::Indices at);
  /// Emits loops over the tiles of an image, one after the other: `build` is
  /// given each, with what the one before has left of `sums`.
  Value emitTiles(Value sums, OpFoldResult image, int64_t bytesPerPosition,
                  function_ref<Value(const OutputTile &, Value)> build);
  /// The same for all images.
  Value emitImages(Value sums, int64_t bytesPerPosition,
                   function_ref<Value(const OutputTile &, Value)> build);

  RewriterBase &rewriter;
  Location loc;
  DeformOpInterface op;
  Deformation deformation;
  ::convoy::ConvLayouts layouts;
  Value outputGradient;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMGRADIENTS_H
