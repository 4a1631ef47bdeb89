//===- InlineCalls.h - Functions without calls ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_INLINECALLS_H
#define CONVOY_CERTIFY_INLINECALLS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy {

/// Puts what `function` calls in the place of the calls, where that is a
/// function of one block that `symbols`, an op in its module, can see. What
/// calls itself stays a call.
void inlineCalls(FunctionOpInterface function, Operation *symbols);

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_INLINECALLS_H
