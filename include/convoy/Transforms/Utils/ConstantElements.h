//===- ConstantElements.h - Tensors whose elements are known ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_CONSTANTELEMENTS_H
#define CONVOY_TRANSFORMS_UTILS_CONSTANTELEMENTS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Value.h"

namespace mlir::convoy {

/// The tensor whose elements `value` holds in the same order.
Value peelReshapes(Value value);

/// The elements of `tensor` where they are constant or filled with a constant,
/// possibly reshaped: an `ElementsAttr`, or the number that is all of them.
/// Otherwise null.
Attribute getConstantElements(Value tensor);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_CONSTANTELEMENTS_H
