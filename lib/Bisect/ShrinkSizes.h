//===- ShrinkSizes.h - Smaller tensors in functions -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_BISECT_SHRINKSIZES_H
#define CONVOY_LIB_BISECT_SHRINKSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace mlir::convoy {

/// The shape of each tensor in a function: of its arguments, then of the
/// results of its ops. Those of other values are empty.
using SizeChange = std::vector<SmallVector<int64_t>>;

/// What is left where one size in `function` is made smaller, and with it all
/// that are known to go with it: to 1, to half of it and by 1.
std::vector<SizeChange> findSizeChanges(func::FuncOp function);

/// Lets tensors in a copy of that function have the shapes of `change`. The
/// function's type stays, and what does not verify any more.
void changeSizes(func::FuncOp function, const SizeChange &change);

} // namespace mlir::convoy

#endif // CONVOY_LIB_BISECT_SHRINKSIZES_H
