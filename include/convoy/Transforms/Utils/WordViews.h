//===- WordViews.h - Words of elements that lie side by side ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_WORDVIEWS_H
#define CONVOY_TRANSFORMS_UTILS_WORDVIEWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// A copy of a tensor as words whose bytes are those of the tensor: each of
/// `count` elements that lie side by side in its last dimension.
struct WordView {
  mutable linalg::GenericOp op;
  int64_t count;

  Value getElements() const { return op.getDpsInputs()[0]; }
  Type getElementType() const {
    return getElementTypeOrSelf(getElements().getType());
  }
};

/// The copy whose result `words` is, if it is that of one.
std::optional<WordView> matchWordView(Value words);

/// The elements of `words`, the result of such a copy or a slice of one, as the
/// same slice of the tensor that it copies, created where the slices of words
/// are; null where there is none.
Value getElementsOfWords(OpBuilder &builder, Value words);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_WORDVIEWS_H
