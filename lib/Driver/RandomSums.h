//===- RandomSums.h - Sums whose terms have random signs --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DRIVER_RANDOMSUMS_H
#define CONVOY_LIB_DRIVER_RANDOMSUMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::convoy {

/// The ops of `function` that add products of which a factor is an argument
/// that is `drawn`, as it is or moved, each of its elements in one term of a
/// sum at most, and on which the other factor and the init do not depend. Where
/// its elements have random signs, so have these terms, whatever the other
/// factor is.
llvm::SmallPtrSet<Operation *, 8> findRandomSums(func::FuncOp function,
                                                 ArrayRef<bool> drawn);

} // namespace mlir::convoy

#endif // CONVOY_LIB_DRIVER_RANDOMSUMS_H
