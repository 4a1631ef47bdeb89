//===- VaryingValues.cpp - What differs among work-items --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VaryingValues.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether the results of `op` vary, whatever its operands are.
static bool isSource(Operation *op) {
  return isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::GlobalIdOp,
             memref::AllocaOp, memref::AtomicRMWOp, CallOpInterface>(op);
}

VaryingValues::VaryingValues(gpu::GPUFuncOp kernel) {
  for (BlockArgument buffer : kernel.getPrivateAttributions())
    add(buffer);
  kernel.walk([&](Operation *op) {
    if (isSource(op))
      add(op->getResults());
  });
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val().getUses())
      follow(use);
}

void VaryingValues::add(Value value) {
  if (varying.insert(value).second)
    pending.push_back(value);
}

void VaryingValues::add(ValueRange values) {
  for (Value value : values)
    add(value);
}

void VaryingValues::addAll(Operation *op) {
  add(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      add(block.getArguments());
}

void VaryingValues::follow(OpOperand &use) {
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  for (Block *successor : user->getSuccessors())
    add(successor->getArguments());
  if (user->hasTrait<OpTrait::IsTerminator>())
    return followYielded(user, number);
  auto loop = dyn_cast<scf::ForOp>(user);
  if (loop && number >= loop.getNumControlOperands()) {
    unsigned carried = number - loop.getNumControlOperands();
    add(loop.getRegionIterArg(carried));
    return add(loop.getResult(carried));
  }
  addAll(user);
}

void VaryingValues::followYielded(Operation *terminator, unsigned number) {
  Operation *parent = terminator->getParentOp();
  if (isa<scf::IfOp>(parent))
    return add(parent->getResult(number));
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    add(loop.getRegionIterArg(number));
    return add(loop.getResult(number));
  }
  if (!isa<gpu::GPUFuncOp>(parent))
    addAll(parent);
}

bool VaryingValues::isBranch(Operation *op) const {
  auto varies = [&](Value value) { return varying.contains(value); };
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return varies(loop.getLowerBound()) || varies(loop.getUpperBound()) ||
           varies(loop.getStep());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return varies(loop.getConditionOp().getCondition());
  return llvm::any_of(op->getOperands(), varies);
}
