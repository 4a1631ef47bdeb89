//===- MatrixFactor.h - A factor for matrix instructions --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_MATRIXFACTOR_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_MATRIXFACTOR_H

#include "ElementEmitter.h"
#include "TileGeometry.h"

namespace mlir::convoy {

/// One factor of a contraction as a workgroup shares it for matrix
/// instructions: line after line, an element of its side each, with the terms
/// of a step side by side (see MatrixStage). Terms past the last are zeros.
/// Steps have one buffer, or two in turn.
class MatrixFactor {
public:
  /// `items` is the number of work-items that fill it. Elements are shared as
  /// `shared`, a type of as many bits.
  MatrixFactor(KernelBuilder &kernel, TileGeometry &geometry,
               ElementEmitter &emitter, const TileSide &side,
               const Element &element, Type shared,
               const ::convoy::MatrixStage &stage, int64_t items,
               int64_t buffers);

  /// Lets all that follows, reads of memory apart, mean the buffer of step
  /// number `step`, where there are several that take turns.
  void setBuffer(OpBuilder &builder, Value step);
  /// Emits the loads of what the work-item `item` fills of the step that was
  /// placed last, and returns what they load.
  SmallVector<Value> emitRead(OpBuilder &builder, Value item);
  /// Emits the stores of what emitRead returned.
  void emitWrite(OpBuilder &builder, Value item, ArrayRef<Value> values);
  /// Where the term `term` of line `line` lies.
  Value emitAddress(OpBuilder &builder, Value line, Value term);
  /// Emits the load of a cooperative matrix of `type`, whose elements are as in
  /// memory; its lines begin at `address` plus so many lines and terms.
  /// `areColumns`: they are its columns.
  Value emitMatrix(OpBuilder &builder, Value address, int64_t lines,
                   int64_t terms, gpu::MMAMatrixType type, bool areColumns);
  /// Emits the load of `stage.readTerms` terms, from those at `address` on plus
  /// so many lines and terms.
  Value emitLoad(OpBuilder &builder, Value address, int64_t lines,
                 int64_t terms);

private:
  /// How memory is read, in units that a work-item fills at once.
  enum class Reading {
    AlongSide,  ///< vectors of lines, for kVectorLanes terms
    AlongTerms, ///< vectors of terms of one line
    Single      ///< the terms of one line one by one
  };
  /// Where a unit is.
  struct Unit {
    Value line, term; ///< of its first element; AlongSide: `line` counts units
    Value exists;     ///< null where all do
  };
  void chooseReading();
  /// The same where kernels have vectors of kVectorLanes alone: as many of
  /// these at once as 16 bytes are, if there are units for all work-items.
  void chooseLongReads();
  /// Whether `vectors` can be read at once in the way that was chosen.
  bool canRead(int64_t vectors) const;
  /// Makes units smaller where half of the work-items, or more, would have
  /// none.
  void shareUnits();
  int64_t getUnitLines() const;
  int64_t countUnits() const;
  Unit emitUnit(OpBuilder &builder, Value item, int64_t first);
  /// Loads `longReads` vectors of `width` elements along `dim`, or one element
  /// if there is none, of the line and the term that were placed last, the
  /// latter with number `term`.
  SmallVector<Value> emitElements(OpBuilder &builder, const Unit &unit,
                                  Value term, AffineExpr dim, int64_t width);
  void readUnit(OpBuilder &builder, const Unit &unit,
                SmallVectorImpl<Value> &values);
  /// Stores a unit, whose values it drops from `values`.
  void writeUnit(OpBuilder &builder, const Unit &unit, ArrayRef<Value> &values);
  /// Shares a vector of elements of `line`, from `term` on.
  void emitStore(OpBuilder &builder, Value line, Value term, Value vector);

  KernelBuilder &kernel;
  TileGeometry &geometry;
  ElementEmitter &emitter;
  const TileSide &side;
  const Element &element;
  Type shared;
  const ::convoy::MatrixStage &stage;
  int64_t items;
  Reading reading = Reading::Single;
  int64_t unitTerms;
  int64_t longReads = 1; ///< vectors that are read at once
  int64_t buffers;
  Value buffer;
  Value first; ///< element of the step's buffer; null for that of the first
};

/// The operations that wait for what those behind `start` in its block load, in
/// their order.
SetVector<Operation *> getUsersOfLoads(Operation *start);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_MATRIXFACTOR_H
