//===- ThreadLoops.h - Loops that threads share -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_THREADLOOPS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_THREADLOOPS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Makes an `scf.parallel` of each `omp.parallel` of `function` in which
/// threads do nothing but share the iterations of one loop nest.
void raiseThreadLoops(FunctionOpInterface function);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_THREADLOOPS_H
