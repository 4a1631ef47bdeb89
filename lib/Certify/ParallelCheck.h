//===- ParallelCheck.h - Iterations in any order ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_PARALLELCHECK_H
#define CONVOY_LIB_CERTIFY_PARALLELCHECK_H

#include "Evaluator/SymbolicEvaluator.h"

#include "convoy/Certify/Comparison/Certificate.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Whether iterations in parallel do what they do in turn
/// (kInParallelAttrName), for each such loop of `function`, whose accesses were
/// checked, and for loops of one phase (kPhaseAttrName) together; and whether
/// no two iterations of an scf.forall insert one element.
Certificate checkParallel(FunctionOpInterface function,
                          SymbolicEvaluator &evaluator);

/// Whether loops of `function` are those of one phase, so that their order is
/// one of many.
bool hasPhases(FunctionOpInterface function);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_PARALLELCHECK_H
