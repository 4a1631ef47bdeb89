//===- Element.h - How elements of tensors come about -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENT_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENT_H

#include "IndexSpace.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <vector>

namespace mlir::convoy {

/// How an element of a tensor comes about, as far back as tensors that lie in
/// memory.
struct Element {
  enum class Kind {
    Load,     ///< of `base` at `address`
    Given,    ///< the value that the emitter is given for elements of `base`
    Constant, ///< `constant`
    Index,    ///< the number `address`
    Scalar,   ///< `base`, one number for the whole kernel: by `op` from `parts`
    Guarded,  ///< the first part where it is `inside`, else the second
    Gathered, ///< the part, where `place` has the values that `op` says
    Computed, ///< by the body of `op`, from its operands
    Reduced   ///< the same, over all of the reduction loops `loops`
  };
  Element(Kind kind, Type type) : kind(kind), type(type) {}

  Kind kind;
  Type type;
  Value base;
  AffineExpr address; ///< counts elements, row-major
  TypedAttr constant;
  /// Expressions that must not be negative, and below a size each.
  SmallVector<std::pair<AffineExpr, int64_t>> inside;
  SmallVector<AffineExpr> place;
  Operation *op = nullptr;
  unsigned result = 0;                               ///< which one of `op`
  SmallVector<std::pair<AffineExpr, int64_t>> loops; ///< with their sizes
  /// Of a body: its operands, and what else it takes, as `captured` says.
  std::vector<Element> parts;
  /// Values that a body takes from outside, and its ops that ask for a place.
  SmallVector<Value> captured;

  linalg::GenericOp getGeneric() const { return cast<linalg::GenericOp>(op); }
  /// The parts that are operands of a body.
  ArrayRef<Element> getOperands() const;
};

/// Whether the elements of `value` are computed where they are used, and never
/// stored.
bool isInlined(Value value);

/// Whether `tensor` lies in memory, as it is: as an argument, as what a launch
/// has written or as a reshape of such.
bool isInMemory(Value tensor);

/// The element of `tensor` at `index`: what `tensor`'s op computes even if it
/// is not inlined. Elements of `given` are not followed further. Fails, with an
/// error at an op, where it is not known what the element is.
FailureOr<Element> resolveElement(IndexSpace &space, Value tensor,
                                  ArrayRef<AffineExpr> index, Value given = {});

/// The body of `op` without its operands: what it takes from outside, at an
/// iteration of its loops. Fails, with an error, where it is more than
/// arithmetic on elements.
FailureOr<Element> resolveBody(IndexSpace &space, linalg::GenericOp op,
                               ArrayRef<AffineExpr> loops);

/// Appends the addresses of all loads that `element` is made of.
void appendAddresses(const Element &element,
                     SmallVectorImpl<AffineExpr> &addresses);

/// Row-major position of `index` in a tensor of type `type`.
AffineExpr getAddress(ShapedType type, ArrayRef<AffineExpr> index);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_ELEMENT_H
