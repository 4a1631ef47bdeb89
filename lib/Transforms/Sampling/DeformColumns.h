//===- DeformColumns.h - What deformed windows read -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMCOLUMNS_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMCOLUMNS_H

#include "Deformation.h"
#include "OutputTiles.h"

#include <string>

namespace mlir::convoy {

/// Emits what the windows of a tile read: an image in which each tap has a part
/// of its own, as large as the tile, so that a convolution whose dilation is
/// the tile's size reads it. That is im2col with computed positions, of a tile.
///
/// Dimensions of tensors that the emitter makes are called by letters: n, h and
/// w within the tile, y and x the taps, and what channels are told apart by: o,
/// g, m and c, each where it is there.
class ColumnEmitter {
public:
  ColumnEmitter(OpBuilder &builder, Deformation deformation);

  /// The columns of `tile`. With `inStages`, where that is possible and the
  /// tile is of one image, positions are computed once for all channels.
  Value emit(const OutputTile &tile, bool inStages);
  /// Their layout, as that of a convolution's input.
  const std::string &getLayout() const { return layout; }
  /// The window of a convolution that reads the columns of `tile`.
  WindowAttr getWindow(const OutputTile &tile) const;

private:
  /// The value of a letter in a loop, or zero where it is none.
  using Indices = Deformation::Indices;

  void chooseChannels();
  int64_t getSize(char letter) const { return sizes.lookup(letter); }
  SmallVector<int64_t> getSizes(StringRef letters) const;
  /// Where the loops over `letters` are, in their body.
  Indices emitIndices(OpBuilder &builder, Location loc, StringRef letters);
  /// Index `letter`, g or c, of the input.
  Value emitChannel(OpBuilder &builder, Location loc, char letter,
                    const Indices &at);
  Value emitOffsetGroup(OpBuilder &builder, Location loc, const Indices &at);
  SmallVector<SampleElement> emitElementsOf(OpBuilder &builder, Location loc,
                                            Indices at, const OutputTile &tile,
                                            ValueRange offsets, Value mask);
  Value emitAtOnce(const OutputTile &tile);
  /// The elements of the input that are read and their weights.
  SmallVector<Value> emitPositions(const OutputTile &tile);
  Value emitSamples(const OutputTile &tile, ValueRange positions);
  /// A slice of offset or mask, of which the groups and taps are apart.
  Value emitSlice(Value tensor, const OutputTile &tile,
                  std::optional<int64_t> number);
  Value emitEmpty(const OutputTile &tile);
  Value collapse(Value columns);
  bool hasStages() const;

  OpBuilder &builder;
  Location loc;
  Deformation deformation;
  llvm::SmallDenseMap<char, int64_t> sizes;
  /// Those that tell groups of offsets apart, and channels.
  std::string groupLetters, channelLetters;
  bool areGroupsApart = true; ///< else a letter has channels of several
  std::string word;           ///< the loops over columns
  std::string layout;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_DEFORMCOLUMNS_H
