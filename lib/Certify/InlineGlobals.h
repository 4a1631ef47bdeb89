//===- InlineGlobals.h - Functions without constants elsewhere --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_INLINEGLOBALS_H
#define CONVOY_LIB_CERTIFY_INLINEGLOBALS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Puts buffers of constants in the place of the constant global memory that
/// `function` gets, where `symbols`, an op in its module, can see what that
/// holds.
void inlineGlobals(FunctionOpInterface function, Operation *symbols);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_INLINEGLOBALS_H
