//===- Functions.h - Functions that are compared ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_FUNCTIONS_H
#define CONVOY_CERTIFY_FUNCTIONS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string>

namespace mlir::convoy {

/// The name of `function` behind those of the modules around it, as in
/// `inner::f`. It stays the same when passes replace the op.
std::string getFunctionPath(FunctionOpInterface function);

/// Whether `function` has a body that computes: a schedule of the transform
/// dialect says how to rewrite others.
bool isComputation(FunctionOpInterface function);

/// Whether others call `function`, which nobody else sees: what it does is part
/// of what these do.
bool isPartOfCallers(FunctionOpInterface function);

/// The functions that use `function`, each as often as they do.
SmallVector<FunctionOpInterface> getCallers(FunctionOpInterface function);

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_FUNCTIONS_H
