//===- ShrinkProblem.h - The smallest problem with a fault ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_BISECT_SHRINKPROBLEM_H
#define CONVOY_BISECT_SHRINKPROBLEM_H

#include "convoy/Support/Problem.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace mlir::convoy {

/// `problem` with one of its sizes smaller: 1, or less by a half, a quarter and
/// so on, and by 1; those without output positions are left out.
std::vector<::convoy::Problem>
getSmallerProblems(const ::convoy::Problem &problem);

/// Makes `problem` smaller, one size at a time and all in turn, as long as
/// `hasFault`, which is asked at most `mostTries` times.
::convoy::Problem
shrinkProblem(::convoy::Problem problem, unsigned mostTries,
              llvm::function_ref<bool(const ::convoy::Problem &)> hasFault);

} // namespace mlir::convoy

#endif // CONVOY_BISECT_SHRINKPROBLEM_H
