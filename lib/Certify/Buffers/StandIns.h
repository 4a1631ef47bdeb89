//===- StandIns.h - Tensors in the place of memory --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_STANDINS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_STANDINS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::convoy::certify {

/// On ops on tensors that stand for others: an index outside of a tensor proves
/// no difference.
constexpr llvm::StringLiteral kMayBeOutsideAttrName = "certify.may_be_outside";

/// The tensor type of what `memref` holds.
inline RankedTensorType getTensorType(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// Lets `op` access what its tensors lack; returns its result.
inline Value allowOutside(Operation *op) {
  op->setAttr(kMayBeOutsideAttrName, UnitAttr::get(op->getContext()));
  return op->getResult(0);
}

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_STANDINS_H
