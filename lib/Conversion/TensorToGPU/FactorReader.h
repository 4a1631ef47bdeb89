//===- FactorReader.h - Reads of a factor's elements ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_FACTORREADER_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_FACTORREADER_H

#include "ElementEmitter.h"
#include "TileGeometry.h"

namespace mlir::convoy {

/// Reads one factor of a contraction where it lies, in groups of its side, by
/// vectors wherever it lies so that there are any.
class FactorReader {
public:
  FactorReader(KernelBuilder &kernel, TileGeometry &geometry,
               ElementEmitter &emitter, const TileSide &side,
               const Element &element)
      : kernel(kernel), geometry(geometry), emitter(emitter), side(side),
        element(element), reading(chooseReading()) {}

  /// How many terms, along the fastest loop, are read at once.
  int64_t getTermsAtOnce() const {
    return reading == Reading::AlongTerms ? kVectorLanes : 1;
  }
  /// How many reads a group of so many terms takes.
  int64_t getNumReads() const {
    return reading == Reading::AlongSide ? 1 : kVectorLanes;
  }
  /// Emits the reads of group number `group` of the term that was placed last,
  /// the first of getTermsAtOnce(). Returns a vector for each.
  SmallVector<Value> emitRead(OpBuilder &builder, Value group);

private:
  /// How groups are read from memory.
  enum class Reading {
    AlongSide,  ///< a vector is a group
    AlongTerms, ///< a vector is an element of several terms
    Single      ///< one by one
  };
  Reading chooseReading() const;
  Value emitGuard(OpBuilder &builder);

  KernelBuilder &kernel;
  TileGeometry &geometry;
  ElementEmitter &emitter;
  const TileSide &side;
  const Element &element;
  Reading reading;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_FACTORREADER_H
