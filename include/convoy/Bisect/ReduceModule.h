//===- ReduceModule.h - The smallest IR with a fault ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_BISECT_REDUCEMODULE_H
#define CONVOY_BISECT_REDUCEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace mlir::convoy {

/// What is simpler than `module` by one step, and verifies, the simplest first:
/// without one of its functions, results or ops, with an op's result as the
/// function's or as an argument, or with a dimension of tensors made smaller.
std::vector<OwningOpRef<ModuleOp>> getSmallerModules(ModuleOp module);

/// Goes from `module` to a simpler one for which `hasFault` holds, as long as
/// there is one, and asks it at most `mostTries` times.
OwningOpRef<ModuleOp> reduceModule(OwningOpRef<ModuleOp> module,
                                   unsigned mostTries,
                                   llvm::function_ref<bool(ModuleOp)> hasFault);

} // namespace mlir::convoy

#endif // CONVOY_BISECT_REDUCEMODULE_H
