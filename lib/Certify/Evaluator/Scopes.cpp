//===- Scopes.cpp - What holds where an op runs -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scopes.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

void Scopes::addLoop(Operation *loop, Iterations iterations) {
  loops[loop] = std::move(iterations);
}

FailureOr<ConditionCases> Scopes::getBranchCases(scf::IfOp op,
                                                 Operation *inside) {
  FailureOr<ConditionCases> cases = obstacle.ignoreIn(
      [&] { return indices.evaluateCondition(op.getCondition()); });
  if (failed(cases))
    return failure();
  bool isThen = op.getThenRegion().isAncestor(inside->getParentRegion());
  llvm::erase_if(*cases,
                 [&](const Case<bool> &one) { return one.value != isThen; });
  return cases;
}

System Scopes::getLoops(Operation *op) const {
  System scope;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (auto it = loops.find(parent); it != loops.end())
      scope.append(it->second.range);
  return scope;
}

System Scopes::getScope(Operation *op) {
  System scope = arguments.getScope() & getLoops(op);
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (!branch)
      continue;
    FailureOr<ConditionCases> cases = getBranchCases(branch, op);
    if (succeeded(cases) && cases->empty())
      scope.addAtMost(1, 0); // it never runs
    if (succeeded(cases) && cases->size() == 1)
      scope.append(cases->front().domain);
  }
  return scope;
}

SmallVector<System> Scopes::getScopes(Operation *op) {
  SmallVector<System> scopes = {getScope(op)};
  for (auto branch = op->getParentOfType<scf::IfOp>(); branch;
       branch = branch->getParentOfType<scf::IfOp>()) {
    FailureOr<ConditionCases> cases = getBranchCases(branch, op);
    if (failed(cases) || cases->size() < 2)
      continue;
    SmallVector<System> finer;
    for (const System &scope : scopes)
      for (const Case<bool> &one : *cases)
        finer.push_back(scope & one.domain);
    scopes = std::move(finer);
  }
  return scopes;
}

bool Scopes::isScopeKnown(Operation *op) {
  for (auto branch = op->getParentOfType<scf::IfOp>(); branch;
       branch = branch->getParentOfType<scf::IfOp>())
    if (failed(getBranchCases(branch, op)))
      return false;
  return true;
}
