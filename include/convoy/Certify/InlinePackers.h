//===- InlinePackers.h - Kernels with what packs their filters --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_INLINEPACKERS_H
#define CONVOY_CERTIFY_INLINEPACKERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy {

/// Whether `function` takes an argument as another function packs it.
bool takesPackedArgument(FunctionOpInterface function);

/// Whether the same functions pack the same arguments of `a` and `b`.
bool haveSamePackers(FunctionOpInterface a, FunctionOpInterface b);

/// Lets `function`, a kernel, take what users have in the place of arguments
/// that other kernels pack, and do first what these do, where that is a
/// function of one block that `symbols`, an op in its module, can see.
void inlinePackers(FunctionOpInterface function, Operation *symbols);

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_INLINEPACKERS_H
