//===- TileMatrices.h - Register tiles as matrices --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CPUTILES_TILEMATRICES_H
#define CONVOY_LIB_TRANSFORMS_CPUTILES_TILEMATRICES_H

#include "TileRows.h"

namespace mlir::convoy {

/// The tile of a contraction of words as matrices of sums: each has rows that
/// follow each other along one dimension, and the lanes of one vector. A step
/// multiplies a matrix of the factor without lanes, its rows being terms side
/// by side, by one of the factor with the lanes, a row for each term.
class TileMatrices {
public:
  /// The matrices of `op`, which is marked with them; nothing where its factors
  /// are none.
  static std::optional<TileMatrices> find(linalg::LinalgOp op);

  /// The matrices of a tile with `rows`, in the order of its shape.
  SmallVector<Value> fromRows(OpBuilder &builder, Location loc,
                              ArrayRef<Value> rows) const;
  /// The rows of a tile with `matrices`.
  SmallVector<Value> toRows(OpBuilder &builder, Location loc,
                            ArrayRef<Value> matrices) const;
  /// `sums` with all terms of `op` added, the contraction that this was found
  /// for or a copy of it.
  SmallVector<Value> multiply(OpBuilder &builder, linalg::LinalgOp op,
                              ArrayRef<Value> sums) const;

  /// Whether write() writes rows of lanes that lie side by side in `tile`.
  bool canWrite(Value tile) const;
  /// `destination`, which is of the tile's shape, with `matrices` written.
  Value write(OpBuilder &builder, Location loc, ArrayRef<Value> matrices,
              Value destination) const;

private:
  /// Rows of a matrix: the number of the first, whose index is this, and how
  /// many there are.
  struct Block {
    int64_t first;
    SmallVector<int64_t> index;
    int64_t rows;
  };

  explicit TileMatrices(TileShape shape) : shape(std::move(shape)) {}
  /// The matrix of factor `number` of `op` that begins at `index` of its loops,
  /// with `rows` along `rowLoop` and `columns` along `columnLoop`.
  Value read(OpBuilder &builder, linalg::LinalgOp op, unsigned number,
             ArrayRef<int64_t> index, unsigned rowLoop, int64_t rows,
             unsigned columnLoop, int64_t columns) const;

  TileShape shape;
  unsigned first = 0; ///< the factor without lanes
  unsigned rowLoop = 0, laneLoop = 0, termLoop = 0;
  unsigned rowDim = 0; ///< of the tile
  int64_t terms = 1;
  SmallVector<Block> blocks;
  SmallVector<TileRow> vectors; ///< of the first row
};

/// Whether `op` is marked as a contraction by matrices.
bool hasMatrices(Operation *op);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CPUTILES_TILEMATRICES_H
