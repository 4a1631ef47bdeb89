//===- BoundsCheck.h - Accesses within tensors ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BOUNDSCHECK_H
#define CONVOY_LIB_CERTIFY_BOUNDSCHECK_H

#include "Evaluator/SymbolicEvaluator.h"

#include "convoy/Certify/Comparison/Certificate.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Whether both functions access elements that exist, in every iteration. What
/// `before` does not define, `after` may do.
Certificate checkBounds(FunctionOpInterface before,
                        SymbolicEvaluator &evaluatorBefore,
                        FunctionOpInterface after,
                        SymbolicEvaluator &evaluatorAfter,
                        const Arguments &arguments);

/// Whether `function` reads single elements within their tensors alone, even
/// where no result depends on them, takes no index for a digit that is none,
/// and computes none that its op's flags rule out.
Certificate checkElements(FunctionOpInterface function,
                          SymbolicEvaluator &evaluator);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BOUNDSCHECK_H
