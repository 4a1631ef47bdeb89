//===- TileRows.h - Vectors of a register tile ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CPUTILES_TILEROWS_H
#define CONVOY_LIB_TRANSFORMS_CPUTILES_TILEROWS_H

#include "convoy/Dialect/Convoy/IR/ElementBits.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// One vector of a tile: the index of its first element, how many elements
/// it has along the lanes, and lanes: some more where the rest is masked.
struct TileRow {
  SmallVector<int64_t> index;
  int64_t lanes, vectorLanes;
};

/// The shape of a tile, which of its dimensions holds the lanes, and how many
/// of them fit into a vector register. A vector that no register holds would be
/// taken apart into its elements where loops carry it. If no dimension holds
/// the lanes, they run along a loop that is summed over, one after those of the
/// dimensions, and each element of the tile is a vector of partial sums. If
/// vectors are `masked`, those of fewer lanes have a power of two of them, as
/// registers do: LLVM takes a vector of 14 elements apart into those of 8, 4
/// and 2 to read and write it. The others hold anything, and are computed with.
class TileShape {
public:
  TileShape(ArrayRef<int64_t> sizes, unsigned laneDim, int64_t vectorLanes,
            bool masked)
      : sizes(sizes), laneDim(laneDim), vectorLanes(vectorLanes),
        masked(masked) {}

  /// The shape of the tile that `op` computes; nothing where it is not marked
  /// with its lanes.
  static std::optional<TileShape> find(Operation *op);
  /// The same for an op that is marked.
  static TileShape get(linalg::LinalgOp op) { return *find(op); }

  /// Whether tiles of both shapes have the same rows.
  bool operator==(const TileShape &) const = default;

  bool sumsLanes() const { return laneDim >= sizes.size(); }
  unsigned getRank() const { return sizes.size(); }
  unsigned getLaneDim() const { return laneDim; }
  /// The loop of an op with its result at `output` that the lanes run along.
  unsigned getLaneLoop(AffineMap output) const {
    return sumsLanes() ? laneDim : output.getDimPosition(laneDim);
  }
  int64_t getVectorLanes() const { return vectorLanes; }
  /// Whether the rows can be read at `map`: it is linear, and goes on along
  /// `laneLoop` in one dimension, by steps that a vector is read over, or,
  /// where lanes are not summed, not at all.
  bool canRead(AffineMap map, unsigned laneLoop) const;
  /// The vectors that make up the tile, those along the lanes next to each
  /// other: they share the elements that are in every lane, which then need no
  /// registers of their own for long. Where lanes are summed, so do those along
  /// the longer side of the tile, one after the other.
  SmallVector<TileRow> getRows() const;

  /// Reads the rows of `tensor`, which has this shape.
  SmallVector<Value> read(OpBuilder &builder, Location loc, Value tensor) const;
  /// `tensor`, which has this shape, with `rows` written. All rows that start
  /// at the same lane are written by one op, as reads do: whatever compares
  /// each write of a function with all others takes their number squared.
  Value write(OpBuilder &builder, Location loc, ArrayRef<Value> rows,
              Value tensor) const;

private:
  /// Rows that start at the same lane, as one vector: a dimension for each of
  /// the tile that is longer than 1, the lanes last.
  struct Column {
    VectorType type;
    AffineMap map; ///< from the tensor's dimensions to the vector's
    SmallVector<Value> indices;
    SmallVector<int64_t> rows; ///< their numbers, in the vector's order
    Value mask;                ///< none where all lanes have elements
  };
  SmallVector<Column> getColumns(OpBuilder &builder, Location loc,
                                 RankedTensorType tensor) const;
  /// Where in a column its row with this number lies.
  SmallVector<int64_t> getPosition(const Column &column, int64_t number) const;

  SmallVector<int64_t> sizes;
  unsigned laneDim;
  int64_t vectorLanes;
  bool masked;
};

/// The terms of `op` that are added one after the other: where each starts in
/// its loops. Those that share lanes follow each other.
SmallVector<SmallVector<int64_t>> getTerms(linalg::LinalgOp op,
                                           const TileShape &shape);

/// The loop of `op`, a reduction of some steps, that `map` reads along in the
/// last dimension of an operand, whose terms then are a vector; if there is
/// one.
std::optional<unsigned> getVectorOfTerms(linalg::LinalgOp op, AffineMap map);

/// The vector of `terms` elements along the last dimension of `operand`, from
/// `position` on.
Value readTerms(RewriterBase &rewriter, Location loc, Value operand,
                ArrayRef<int64_t> position, int64_t terms);

/// What one row of a tile takes of an operand.
struct RowOperand {
  Value operand;
  AffineMap map; ///< where the op's loops read it
  unsigned laneLoop;
  int64_t lanes;       ///< elements along the lanes
  int64_t vectorLanes; ///< lanes of the vector, zero beyond the elements

  /// A vector along the lanes, or one element in every lane, at `loopIndex`.
  Value read(RewriterBase &rewriter, Location loc,
             ArrayRef<int64_t> loopIndex) const;
};

/// `destination` with the sum of the lanes of each of `rows` added to the
/// element of that row. Lanes are added in halves, and halves of those.
Value addLanes(RewriterBase &rewriter, Location loc, ArrayRef<Value> rows,
               const TileShape &shape, Value destination);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CPUTILES_TILEROWS_H
