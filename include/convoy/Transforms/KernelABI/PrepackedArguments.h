//===- PrepackedArguments.h - What callers hand over packed -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_KERNELABI_PREPACKEDARGUMENTS_H
#define CONVOY_TRANSFORMS_KERNELABI_PREPACKEDARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Value.h"

namespace mlir::convoy {

/// The arguments of `function` that are marked `convoy.prepacked`.
SmallVector<BlockArgument> getPrepackedArguments(func::FuncOp function);

/// The argument marked `convoy.prepacked` that `value` depends on, if it
/// depends on one alone and on nothing else; else null.
BlockArgument getPrepackedArgument(Value value);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_KERNELABI_PREPACKEDARGUMENTS_H
