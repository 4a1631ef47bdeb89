//===- ElementReader.h - Elements of tensors, as computed -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENTREADER_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENTREADER_H

#include "IndexSpace.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <vector>

namespace mlir::convoy {

/// How an element of a tensor comes about, as far back as tensors that lie in
/// memory.
struct Element {
  enum class Kind {
    Load,     ///< of `base` at `address`
    Constant, ///< `constant`
    Guarded,  ///< the first part where it is `inside`, else the second
    Computed, ///< by the body of `op`, from its operands
    Reduced   ///< the same, over all of the reduction loops `loops`
  };
  Element(Kind kind, Type type) : kind(kind), type(type) {}

  Kind kind;
  Type type;
  Value base;
  AffineExpr address; ///< counts elements, row-major
  TypedAttr constant;
  /// Expressions that must not be negative, and below a number each.
  SmallVector<std::pair<AffineExpr, int64_t>> inside;
  linalg::GenericOp op;
  SmallVector<std::pair<AffineExpr, int64_t>> loops; ///< with their sizes
  std::vector<Element> parts;
};

/// Whether the elements of `value` are computed where they are used, and never
/// stored.
bool isInlined(Value value);

/// The element of `tensor` at `index`: what `tensor`'s op computes even if it
/// is not inlined. Fails, with an error at an op, where that is not known.
FailureOr<Element> resolveElement(IndexSpace &space, Value tensor,
                                  ArrayRef<AffineExpr> index);

/// Row-major position of `index` in a tensor of type `type`, which is static.
AffineExpr getAddress(ShapedType type, ArrayRef<AffineExpr> index);

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

private:
  Value emitLoad(OpBuilder &builder, Location loc, const Element &element,
                 Value guard);
  Value emitGuarded(OpBuilder &builder, Location loc, const Element &element,
                    Value guard);
  Value emitReduced(OpBuilder &builder, Location loc, const Element &element,
                    Value guard);

  IndexSpace &space;
  GetBuffer getBuffer;
};

/// Emits the body of `op` for `arguments`, which are scalars or vectors of the
/// same length; returns what it yields.
Value emitBody(OpBuilder &builder, linalg::GenericOp op, ValueRange arguments);

/// Whether all conditions of `element` hold, as a value; null if they always
/// do.
Value emitConditions(OpBuilder &builder, Location loc, const IndexSpace &space,
                     const Element &element);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENTREADER_H
