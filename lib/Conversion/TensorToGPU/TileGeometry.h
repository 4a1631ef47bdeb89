//===- TileGeometry.h - Loops of a workgroup's tile -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_TILEGEOMETRY_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_TILEGEOMETRY_H

#include "IndexSpace.h"
#include "KernelBuilder.h"
#include "WorkgroupLoops.h"

namespace mlir::convoy {

/// The loops of a tile that one factor has alone. Their elements are numbered
/// in groups of kVectorLanes.
struct TileSide {
  unsigned factor;             ///< the contraction's operand
  SmallVector<unsigned> loops; ///< fastest first
  /// Whether a group runs along the first loop alone, whose size is rounded up
  /// for that.
  bool alongFirst;
  int64_t volume; ///< elements, rounded up to what work-items have each
  bool isRounded; ///< whether some of them are no elements of the tile

  int64_t getGroups() const { return volume / kVectorLanes; }
};

/// The indices of a tile's elements.
class TileGeometry {
public:
  TileGeometry(const WorkgroupLoops &loops, IndexSpace &space);

  /// Orders the loops of the reduction so that the fastest goes along memory in
  /// a factor, where one does. `addresses` are those of the factors' elements.
  void orderTerms(ArrayRef<AffineExpr> addresses);

  const TileSide &getLanes() const { return lanes; }
  const TileSide &getRows() const { return rows; }
  /// The loops of the reduction, fastest first.
  ArrayRef<unsigned> getTerms() const { return terms; }
  int64_t getNumTerms() const;
  /// Steps of the reduction; the most there can be where that depends on the
  /// batch.
  int64_t getNumSteps() const;
  /// The same as a value. It is positive unless the batch is empty.
  Value emitNumSteps(OpBuilder &builder, Location loc);
  /// Emits what `emitSteps` adds to `sums` in all steps, of which there may be
  /// none where their number depends on the batch.
  SmallVector<Value>
  emitReduction(OpBuilder &builder, Location loc, SmallVector<Value> sums,
                function_ref<SmallVector<Value>(SmallVector<Value>)> emitSteps);
  int64_t getSize(unsigned loop) const { return sizes[loop]; }
  AffineExpr getDim(unsigned loop) const { return dims[loop]; }
  /// All loops of the result, as indices in the tile.
  ArrayRef<AffineExpr> getResultIndex() const;
  ArrayRef<AffineExpr> getDims() const { return dims; }

  /// Workgroups along x, y, z: those of the innermost loop of the result, of
  /// the next, and of the others, which the batch is always among.
  LaunchGrid getGrid() const;
  /// Gives the tile its place from the coordinates of the workgroup.
  void setTile(KernelBuilder &kernel);
  /// Gives the step of the reduction its place.
  void setStep(OpBuilder &builder, Location loc, Value step);
  /// Gives element `member` of group number `group` of `side` its place.
  void setElement(OpBuilder &builder, Location loc, const TileSide &side,
                  Value group, int64_t member);
  /// Gives element number `number` of `side` its place, as its groups count.
  void setLine(OpBuilder &builder, Location loc, const TileSide &side,
               Value number);
  /// Gives the term of number `term` in its step its place.
  void setTerm(OpBuilder &builder, Location loc, Value term);

  /// Gives a loop of the reduction its place in its step.
  void setTermLoop(unsigned loop, Value value) {
    space.setValue(dims[loop], value);
  }

  /// Whether `loop` is divided by its size in a tile.
  bool isWhole(unsigned loop) const {
    return isBatch(loop) ? sizes[loop] == 1 : extents[loop] % sizes[loop] == 0;
  }
  /// Whether all members of `groups` of `side` next to each other, which run
  /// along its first loop, are in the result or none is.
  bool isUniform(const TileSide &side, int64_t groups = 1) const;
  /// Whether the element of `side` that was placed last is in the result; null
  /// where all are.
  Value emitIsInside(OpBuilder &builder, Location loc, const TileSide &side);
  /// The same for the term that was placed last.
  Value emitIsTerm(OpBuilder &builder, Location loc);
  /// How many steps `loop`, a reduction, has in the step placed last, where
  /// that is not always its size; else null.
  Value emitLimit(OpBuilder &builder, Location loc, unsigned loop);

private:
  TileSide makeSide(unsigned factor, ArrayRef<unsigned> loops, bool alongFirst,
                    int64_t itemSize);
  bool isBatch(unsigned loop) const {
    return ShapedType::isDynamic(extents[loop]);
  }
  /// The most tiles that there can be along `loop`.
  int64_t countTiles(unsigned loop) const;
  /// What workgroups go through, from the fastest on: how many places there
  /// are, how far apart, and the dimension that stands for them. The batch,
  /// whose number of places is not known, comes last.
  struct Axis {
    int64_t count, distance;
    AffineExpr start;
  };
  SmallVector<Axis> getAxes() const;
  /// Sets the result's loops of one iteration to where they stand still.
  void setUnitLoops(OpBuilder &builder, Location loc);
  /// Sets `loops` to the digits of `number`, fastest first.
  void setDigits(OpBuilder &builder, Location loc, ArrayRef<unsigned> loops,
                 Value number);

  IndexSpace &space;
  SmallVector<int64_t> extents, sizes;
  unsigned numResultLoops;
  /// For each loop its index in the tile, and where the tile starts.
  SmallVector<AffineExpr> dims, starts;
  int64_t numParts = 1;
  AffineExpr part; ///< number of the part of the reduction
  SmallVector<unsigned> terms;
  TileSide lanes, rows;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_TILEGEOMETRY_H
