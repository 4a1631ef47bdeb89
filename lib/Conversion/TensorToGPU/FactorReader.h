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
  /// `itemGroups`: where a work-item reads so many groups in place, and longer
  /// vectors are worth it; else 0.
  FactorReader(KernelBuilder &kernel, TileGeometry &geometry,
               ElementEmitter &emitter, const TileSide &side,
               const Element &element, int64_t itemGroups = 0)
      : kernel(kernel), geometry(geometry), emitter(emitter), side(side),
        element(element) {
    chooseReading(itemGroups);
  }

  /// How many terms, along the fastest loop, are read at once.
  int64_t getTermsAtOnce() const {
    return reading == Reading::AlongTerms ? vectors * kVectorLanes : 1;
  }
  /// How many groups, next to each other, are.
  int64_t getGroupsAtOnce() const {
    return reading == Reading::AlongSide ? vectors : 1;
  }
  /// How many reads a group of so many terms takes.
  int64_t getNumReads() const {
    return reading == Reading::AlongSide ? 1 : kVectorLanes;
  }
  /// Emits the reads of group number `group`, the first of getGroupsAtOnce(),
  /// of the term that was placed last, the first of getTermsAtOnce(). Returns a
  /// vector for each.
  SmallVector<Value> emitRead(OpBuilder &builder, Value group);

private:
  /// How groups are read from memory.
  enum class Reading {
    AlongSide,  ///< a vector is a group
    AlongTerms, ///< a vector is an element of several terms
    Single      ///< one by one
  };
  void chooseReading(int64_t itemGroups);
  bool canRead(Reading way, int64_t count) const;
  Value emitGuard(OpBuilder &builder);

  KernelBuilder &kernel;
  TileGeometry &geometry;
  ElementEmitter &emitter;
  const TileSide &side;
  const Element &element;
  Reading reading = Reading::Single;
  int64_t vectors = 1; ///< side by side, that are read at once
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_FACTORREADER_H
