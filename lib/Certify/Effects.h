//===- Effects.h - What functions do besides their results ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EFFECTS_H
#define CONVOY_LIB_CERTIFY_EFFECTS_H

#include "Evaluator/SymbolicEvaluator.h"

#include "convoy/Certify/Comparison/Certificate.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Whether `function` promises something of its arguments, its results or of
/// itself to LLVM.
bool makesPromises(FunctionOpInterface function);

/// Looks for effects that results do not show, and that are therefore not
/// compared: undecided are calls, accesses to memory other than buffers that
/// are arguments, and loops that may not end.
Certificate checkEffects(FunctionOpInterface function);

/// Looks for what is undefined although no result shows it: divisions of
/// integers by what may be zero whose results nothing uses, and shifts by as
/// many bits as there are. They are undecided.
Certificate checkUnused(FunctionOpInterface function);

/// Whether `after` promises nothing of its arguments, its results and itself to
/// LLVM, and nothing of what it writes, that `before` does not promise, is seen
/// from outside if that is, and overwrites no argument that either, or `origin`
/// if there is one, says not to be writable; else it is undecided.
Certificate checkPromises(FunctionOpInterface before, FunctionOpInterface after,
                          FunctionOpInterface origin);

bool hasAssertions(FunctionOpInterface function);

/// Whether `after` asserts nothing but what the assumptions imply, or `before`
/// asserts as well; else it is undecided.
Certificate checkAssertions(FunctionOpInterface before,
                            SymbolicEvaluator &evaluatorBefore,
                            FunctionOpInterface after,
                            SymbolicEvaluator &evaluatorAfter);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EFFECTS_H
