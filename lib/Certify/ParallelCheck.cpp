//===- ParallelCheck.cpp - Iterations in any order --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParallelCheck.h"
#include "Comparison/ResultComparison.h"
#include "SharedAccesses.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

static void collectVars(const LinearExpr &expr, DenseSet<Var> &vars) {
  for (const auto &[var, factor] : expr.getTerms())
    vars.insert(var);
}

static DenseSet<Var> getVars(const System &system) {
  DenseSet<Var> vars;
  for (const Constraint &constraint : system.getConstraints())
    collectVars(constraint.expr, vars);
  return vars;
}

/// What `access` is in another iteration of `loop`, with `values` in the place
/// of unknowns.
static Access moveToOther(const Access &access, Operation *loop,
                          SymbolicEvaluator &evaluator,
                          DenseMap<Var, LinearExpr> &values) {
  Scopes &scopes = evaluator.getScopes();
  DenseSet<Var> vars = getVars(access.domain);
  for (const LinearExpr &index : access.place)
    collectVars(index, vars);
  vars.insert_range(scopes.getIterations(loop).getUnknowns());
  // All but what is the same outside of the loop.
  for (Var outside : getVars(scopes.getScope(loop)))
    vars.erase(outside);
  for (Var var : vars)
    values[var] = LinearExpr::var(evaluator.getSolver().makeVar());
  Access other = access;
  other.domain = access.domain.substitute(values);
  for (LinearExpr &index : other.place)
    index = index.substitute(values);
  return other;
}

/// Whether no two iterations of `loop` access one element by `first` and
/// `second`.
static bool areApart(const Access &first, const Access &second, Operation *loop,
                     SymbolicEvaluator &evaluator) {
  DenseMap<Var, LinearExpr> values;
  Access other = moveToOther(second, loop, evaluator, values);
  System both = first.domain & other.domain;
  for (auto [a, b] : llvm::zip_equal(first.place, other.place))
    both.addEqual(a, b);
  for (Var number : evaluator.getScopes().getIterations(loop).numbers)
    for (bool isLater : {true, false}) {
      System points = both;
      LinearExpr here = LinearExpr::var(number), there = values.at(number);
      points.addAtMost(isLater ? here + 1 : there + 1, isLater ? there : here);
      if (!evaluator.getSolver().isEmpty(points))
        return false;
    }
  return true;
}

/// One of `accesses` to what another iteration of `loop` writes, or null.
static Operation *findConflict(ArrayRef<Access> accesses, Operation *loop,
                               SymbolicEvaluator &evaluator) {
  for (const Access &write : accesses)
    if (write.isWrite)
      for (const Access &access : accesses)
        if (!areApart(write, access, loop, evaluator))
          return access.op;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Certificate checkShared(const SharedAccesses &accesses, bool isFound,
                               Operation *loop, SymbolicEvaluator &evaluator) {
  if (!isFound)
    return getUndecided(evaluator.getObstacle().get());
  if (Operation *op = findConflict(accesses.getAccesses(), loop, evaluator))
    return getUndecided(
        {op, "an element that an iteration in parallel may write meanwhile"});
  return Certificate();
}

static Certificate checkLoop(Operation *op, SymbolicEvaluator &evaluator) {
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    for (BlockArgument shared : forall.getRegionIterArgs()) {
      SharedAccesses accesses(evaluator, op, shared);
      bool isFound = succeeded(accesses.findInserted(forall));
      Certificate one = checkShared(accesses, isFound, op, evaluator);
      if (one.verdict != Certificate::Verdict::Certified)
        return one;
    }
    return Certificate();
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !loop->hasAttr(kInParallelAttrName))
    return Certificate();
  for (auto [shared, left] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    SharedAccesses accesses(evaluator, op, shared);
    bool isFound = succeeded(accesses.find(left));
    Certificate one = checkShared(accesses, isFound, op, evaluator);
    if (one.verdict != Certificate::Verdict::Certified)
      return one;
  }
  return Certificate();
}

Certificate certify::checkParallel(FunctionOpInterface function,
                                   SymbolicEvaluator &evaluator) {
  Certificate certificate;
  function->walk([&](Operation *op) {
    certificate = checkLoop(op, evaluator);
    return certificate.verdict == Certificate::Verdict::Certified
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return certificate;
}
