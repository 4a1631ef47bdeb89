//===- DeformSamples.h - Gradients of deformed samples ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMSAMPLES_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMSAMPLES_H

#include "DeformGradients.h"

#include <string>

namespace mlir::convoy {

/// Emits the gradients of what the windows of tiles read: for each tap, channel
/// and output position the sum of the products of the output's gradient and the
/// filter. That is a convolution of one tap whose channels are all taps'.
class SampleGradientEmitter : protected DeformGradientEmitter {
public:
  SampleGradientEmitter(RewriterBase &rewriter, DeformOpInterface op);

protected:
  /// Lets gradients of one tap of a channel follow each other, and the taps,
  /// and the channels.
  void keepChannelsFirst();
  /// Writes down the filter as that of such a convolution: of all channels, or
  /// where there are `blockSize` at a time, of each block of them.
  void emitFilter(int64_t blockSize);
  /// The gradients in `tile`, of f32, of all channels, or where `group` is not
  /// null of block `block` of it.
  Value emitGradients(const OutputTile &tile, Value group = {},
                      Value block = {});
  /// Reads that of tap y, x and channel c of group g, which is in the block, at
  /// position n, h, w of the tile.
  Value readGradient(OpBuilder &builder, Location loc, Value gradients,
                     const Deformation::Indices &at);
  /// Names of the dimensions of these.
  StringRef getGradientNames() const { return names; }

private:
  std::string names;
  Value filter;
  int64_t blockSize = 0;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMSAMPLES_H
