//===- InlineSymbols.h - Functions without their modules --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_INLINESYMBOLS_H
#define CONVOY_CERTIFY_INLINESYMBOLS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy {

/// Puts what `function` names in the place of the names, where `symbols`, an op
/// in its module, can see it: what packs its arguments, constants in memory,
/// the functions that it calls, and the kernels that it launches.
void inlineSymbols(FunctionOpInterface function, Operation *symbols);

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_INLINESYMBOLS_H
