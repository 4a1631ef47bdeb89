//===- SharedFactor.h - A factor in the memory of a workgroup ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_SHAREDFACTOR_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_SHAREDFACTOR_H

#include "FactorReader.h"

namespace mlir::convoy {

/// One factor of a contraction as a workgroup shares it: term after term, each
/// with the groups of its side, for one step or for two in turn.
class SharedFactor {
public:
  /// `items` is the number of work-items that fill it.
  SharedFactor(KernelBuilder &kernel, TileGeometry &geometry,
               ElementEmitter &emitter, const TileSide &side,
               const Element &element, int64_t items);

  /// Emits what the work-item `item` does to fill half `half` (a value 0 or 1)
  /// with the step that was placed last.
  void emitFill(OpBuilder &builder, Value item, Value half);
  /// Emits the load of a group of a term.
  Value emitLoad(OpBuilder &builder, Value half, Value term, Value group);

private:
  /// Fills group `group` of term number `term`, or of the terms that follow it
  /// in a vector.
  void fillGroup(OpBuilder &builder, Value half, Value term, Value group);
  void emitStore(OpBuilder &builder, Value half, Value term, Value group,
                 Value vector);
  Value emitAddress(OpBuilder &builder, Value half, Value term, Value group);

  KernelBuilder &kernel;
  TileGeometry &geometry;
  const TileSide &side;
  const Element &element;
  int64_t items;
  FactorReader reader;
  Value buffer;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_SHAREDFACTOR_H
