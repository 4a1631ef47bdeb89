//===- ElementEmitter.h - Elements as instructions --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENTEMITTER_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENTEMITTER_H

#include "Element.h"

namespace mlir::convoy {

/// Turns elements into instructions of a kernel.
class ElementEmitter {
public:
  /// The buffer in the kernel that holds a tensor, which is read at an address.
  using GetBuffer = function_ref<Value(Value base, AffineExpr address)>;

  ElementEmitter(IndexSpace &space, GetBuffer getBuffer)
      : space(space), getBuffer(getBuffer) {}

  /// Emits `element`. Where `guard` is given and false, its value does not
  /// matter, but nothing outside of buffers is read.
  Value emit(OpBuilder &builder, Location loc, const Element &element,
             Value guard = {});
  /// Emits `width` elements whose index differs in `dim`, from the value that
  /// it has now, a multiple of `width`.
  Value emitVector(OpBuilder &builder, Location loc, const Element &element,
                   AffineExpr dim, int64_t width, Value guard = {});
  /// Emits `count` such vectors, which lie side by side, and reads them at
  /// once.
  SmallVector<Value> emitVectors(OpBuilder &builder, Location loc,
                                 const Element &element, AffineExpr dim,
                                 int64_t width, int64_t count,
                                 Value guard = {});
  /// Whether they can be read as vectors.
  bool isVector(const Element &element, AffineExpr dim, int64_t width) const;

  /// Emits the body of `element`'s op, where `arguments` stand for its
  /// operands: scalars, or vectors of the same length. Returns what it yields.
  SmallVector<Value> emitBody(OpBuilder &builder, const Element &element,
                              ValueRange arguments, Value guard = {});

  /// Stores an element, or vector of elements, in `buffer`.
  void store(OpBuilder &builder, Location loc, Value value, Value buffer,
             AffineExpr address);

  /// The value of elements that are given, a scalar or a vector.
  void setGiven(Value value) { given = value; }

private:
  Value emitEach(OpBuilder &builder, Location loc, const Element &element,
                 AffineExpr dim, int64_t width, Value guard);
  Value emitAddress(OpBuilder &builder, Location loc, const Element &element,
                    Value guard);
  Value emitLoad(OpBuilder &builder, Location loc, const Element &element,
                 Value guard);
  SmallVector<Value> loadVectors(OpBuilder &builder, Location loc,
                                 const Element &element, int64_t width,
                                 int64_t count, Value guard);
  /// A loop for each vector.
  SmallVector<Value> reduceVectors(OpBuilder &builder, Location loc,
                                   const Element &element, AffineExpr dim,
                                   int64_t width, int64_t count, Value guard);
  Value emitGuarded(OpBuilder &builder, Location loc, const Element &element,
                    Value guard);
  /// Emits what is the same in all of the kernel, once, at its start.
  Value emitScalar(Location loc, const Element &element);
  /// Emits the loops of a reduction; `emitPart` emits what they take.
  Value emitReduced(OpBuilder &builder, Location loc, const Element &element,
                    Value guard, function_ref<Value(const Element &)> emitPart);

  IndexSpace &space;
  GetBuffer getBuffer;
  Value given;
  llvm::DenseMap<Value, Value> scalars; ///< by what they are outside
};

/// Whether all conditions of `element` hold, as a value; null if they always
/// do.
Value emitConditions(OpBuilder &builder, Location loc, const IndexSpace &space,
                     const Element &element);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENTEMITTER_H
