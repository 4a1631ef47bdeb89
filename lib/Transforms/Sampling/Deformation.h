//===- Deformation.h - Convolutions whose taps are moved --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMATION_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMATION_H

#include "convoy/Transforms/Sampling/SamplePosition.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <string>

namespace mlir::convoy {

/// Bilinear samples with zeros around the image.
inline constexpr SampleRule kDeformRule = {
    SampleMode::Linear, SamplePadding::Zeros, /*alignCorners=*/false};

/// What decides where the taps of a deformable convolution read: of all its
/// channels, or of some that are moved alike.
struct Deformation {
  /// That of `op`, which has sizes that are not static read before it.
  Deformation(OpBuilder &builder, DeformOpInterface op);

  /// Of `count` channels from `channel` on in group `group` of the filter,
  /// which are of one group of offsets. They are one group.
  Deformation narrow(OpBuilder &builder, Value group, Value channel,
                     int64_t count) const;
  int64_t getChannels() const { return groups * channels; }
  int64_t getTapCount() const { return taps[0] * taps[1]; }

  /// Indices by the names of dimensions: n, h, w of output positions, y, x of
  /// taps, g and c of the input.
  using Indices = llvm::SmallDenseMap<char, Value>;

  /// Emits where tap y, x of output position h, w reads the input, which
  /// `offsets` move.
  SmallVector<SamplePosition> emitPositions(OpBuilder &builder, Location loc,
                                            const Indices &at,
                                            ValueRange offsets) const;
  /// Reads number `number` along c of `tensor`, an offset or mask, at output
  /// position n, h, w.
  Value readTap(OpBuilder &builder, Location loc, Value tensor,
                const Indices &at, Value number) const;
  /// Emits where tap `number` of those of all groups of offsets, which is y, x,
  /// reads the input.
  SmallVector<SamplePosition> emitTapPositions(OpBuilder &builder, Location loc,
                                               const Indices &at,
                                               Value number) const;
  /// Emits the elements that it reads, with weights that the mask is a factor
  /// of.
  SmallVector<SampleElement> emitTapElements(OpBuilder &builder, Location loc,
                                             const Indices &at,
                                             Value number) const;
  /// Reads `element` of channel c of group g of image n.
  Value readImage(OpBuilder &builder, Location loc, Indices at,
                  const SampleElement &element) const;

  Location loc;
  WindowAttr window;
  ::convoy::ConvLayouts layouts;
  std::string offsetLayout;
  Value input;        ///< or its gradient
  Value offset, mask; ///< the mask is null where there is none
  SmallVector<OpFoldResult, 2> imageSizes; ///< h, w
  std::array<int64_t, 2> taps;
  /// Whether the channels have a dimension for groups of the filter.
  bool hasGroups;
  int64_t groups, channels; ///< of the filter, and of one of its groups
  int64_t offsetGroups;
  Value firstGroup, firstChannel; ///< in `input`; null for 0
};

/// Emits a*b + c.
Value emitLinear(OpBuilder &builder, Location loc, Value a, int64_t b, Value c);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMATION_H
