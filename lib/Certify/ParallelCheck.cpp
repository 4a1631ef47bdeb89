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

//===----------------------------------------------------------------------===//
// Loops of one phase
//===----------------------------------------------------------------------===//

namespace {
/// The tensors that some loops, one after the other, access, each as one with
/// what the loops before left of it.
struct SharedTensors {
  /// The first of the tensors that each one is.
  DenseMap<Value, Value> first;
  /// What each loop accesses of these.
  llvm::MapVector<Value, SmallVector<SmallVector<Access, 0>>> accesses;

  Value getFirst(Value tensor) const {
    auto it = first.find(tensor);
    return it == first.end() ? tensor : it->second;
  }
};
} // namespace

/// Whether of `tensor` each iteration accesses elements of its own.
static bool isOfEach(Value tensor) {
  while (auto carried = dyn_cast<BlockArgument>(tensor)) {
    auto loop = dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(carried) : nullptr;
    if (!init)
      return false;
    tensor = init->get();
  }
  Operation *op = tensor.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return isOfEach(
        loop.getInitArgs()[cast<OpResult>(tensor).getResultNumber()]);
  return op->hasAttr(kOfEachAttrName);
}

/// The tensors from outside of `loop` that are used in it.
static llvm::SetVector<Value> findOutside(scf::ForOp loop) {
  llvm::SetVector<Value> outside;
  loop->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (op != loop && isa<RankedTensorType>(operand.getType()) &&
          !loop->isAncestor(operand.getParentRegion()->getParentOp()))
        outside.insert(operand);
  });
  return outside;
}

/// Adds what the loop with the number `number` of `count` accesses to `shared`.
static LogicalResult addLoop(scf::ForOp loop, unsigned number, unsigned count,
                             SharedTensors &shared,
                             SymbolicEvaluator &evaluator) {
  auto add = [&](Value tensor, Value inLoop, Value left) -> LogicalResult {
    if (isOfEach(tensor))
      return success();
    SharedAccesses accesses(evaluator, loop, inLoop);
    if (failed(accesses.find(left)))
      return failure();
    auto &all = shared.accesses[shared.getFirst(tensor)];
    all.resize(count);
    llvm::append_range(all[number], accesses.getAccesses());
    return success();
  };
  for (Value tensor : findOutside(loop))
    if (failed(add(tensor, tensor, /*left=*/{})))
      return failure();
  for (auto [argument, init, result, left] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs(),
                       loop.getResults(), loop.getYieldedValues())) {
    shared.first[result] = shared.getFirst(init);
    if (failed(add(init, argument, left)))
      return failure();
  }
  return success();
}

/// Whether `first` and `second`, of two loops, are never of one element.
static bool areApart(const Access &first, const Access &second,
                     SymbolicEvaluator &evaluator) {
  System both = first.domain & second.domain;
  for (auto [a, b] : llvm::zip_equal(first.place, second.place))
    both.addEqual(a, b);
  return evaluator.getSolver().isEmpty(both);
}

/// Whether none of `loops` accesses an element that another one writes.
static Certificate checkPhase(ArrayRef<scf::ForOp> loops,
                              SymbolicEvaluator &evaluator) {
  SharedTensors shared;
  for (auto [number, loop] : llvm::enumerate(loops))
    if (failed(addLoop(loop, number, loops.size(), shared, evaluator)))
      return getUndecided(evaluator.getObstacle().get());
  for (const auto &[tensor, accesses] : shared.accesses)
    for (size_t number = 0; number < accesses.size(); ++number)
      for (size_t later = number + 1; later < accesses.size(); ++later)
        for (const Access &first : accesses[number])
          for (const Access &second : accesses[later])
            if ((first.isWrite || second.isWrite) &&
                !areApart(first, second, evaluator))
              return getUndecided(
                  {second.op,
                   "an element that others may write, or access, meanwhile"});
  return Certificate();
}

static Certificate checkPhases(Block &block, SymbolicEvaluator &evaluator) {
  llvm::MapVector<Attribute, SmallVector<scf::ForOp>> phases;
  for (auto loop : block.getOps<scf::ForOp>())
    if (Attribute phase = loop->getAttr(kPhaseAttrName))
      phases[phase].push_back(loop);
  for (const auto &[phase, loops] : phases) {
    Certificate certificate = checkPhase(loops, evaluator);
    if (certificate.verdict != Certificate::Verdict::Certified)
      return certificate;
  }
  return Certificate();
}

bool certify::hasPhases(FunctionOpInterface function) {
  return function
      ->walk([](scf::ForOp loop) {
        return loop->hasAttr(kPhaseAttrName) ? WalkResult::interrupt()
                                             : WalkResult::advance();
      })
      .wasInterrupted();
}

Certificate certify::checkParallel(FunctionOpInterface function,
                                   SymbolicEvaluator &evaluator) {
  Certificate certificate;
  auto isRight = [&](const Certificate &one) {
    certificate = one;
    return one.verdict == Certificate::Verdict::Certified;
  };
  function->walk([&](Operation *op) {
    bool areRight = isRight(checkLoop(op, evaluator));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        areRight = areRight && isRight(checkPhases(block, evaluator));
    return areRight ? WalkResult::advance() : WalkResult::interrupt();
  });
  return certificate;
}
