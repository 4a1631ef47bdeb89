//===- Scopes.h - What holds where an op runs -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_SCOPES_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_SCOPES_H

#include "../Buffers/Marks.h"
#include "SymbolicIndices.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy::certify {

/// The iterations of a loop: one for each point of `range`, in which `numbers`
/// count them.
struct Iterations {
  SmallVector<Var> numbers;
  System range;
  /// Of numbers that the iteration determines.
  SmallVector<Var> quotients;

  SmallVector<Var> getUnknowns() const {
    SmallVector<Var> unknowns = numbers;
    llvm::append_range(unknowns, quotients);
    return unknowns;
  }
};

/// On an scf.for whose tensors are buffers that iterations in parallel write:
/// what it makes of them in turn is what these do if none accesses what another
/// writes. Then each iteration also finds what it would find as the first.
constexpr llvm::StringLiteral kInParallelAttrName = "certify.in_parallel";

/// Keeps what iterations loops have, and finds what that and the conditions of
/// branches say where an op runs.
class Scopes {
public:
  Scopes(const Arguments &arguments, SymbolicIndices &indices,
         FirstObstacle &obstacle)
      : arguments(arguments), indices(indices), obstacle(obstacle) {}

  void addLoop(Operation *loop, Iterations iterations);
  bool hasLoop(Operation *loop) const { return loops.contains(loop); }
  Iterations getIterations(Operation *loop) const { return loops.lookup(loop); }

  /// What the loops around `op` that were entered say about their iterations.
  System getLoops(Operation *op) const;
  /// The same and, where one
  /// system can say it, the conditions of its branches.
  System getScope(Operation *op);
  /// All that is known where `op` runs, as cases.
  SmallVector<System> getScopes(Operation *op);
  /// Whether that is all that there is to know.
  bool isScopeKnown(Operation *op);

private:
  /// The cases in which the branch of `op` runs that holds `inside`.
  FailureOr<ConditionCases> getBranchCases(scf::IfOp op, Operation *inside);

  const Arguments &arguments;
  SymbolicIndices &indices;
  FirstObstacle &obstacle;
  DenseMap<Operation *, Iterations> loops;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_SCOPES_H
