//===- Views.h - Buffers that are parts of buffers --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_VIEWS_H
#define CONVOY_TRANSFORMS_UTILS_VIEWS_H

#include "mlir/IR/Value.h"

namespace mlir::convoy {

/// `buffer` and what it is a view of, the whole buffer first.
SmallVector<Value> getViews(Value buffer);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_VIEWS_H
