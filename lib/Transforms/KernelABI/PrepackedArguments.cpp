//===- PrepackedArguments.cpp - What callers hand over packed ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/PrepackedArguments.h"

#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::convoy;

SmallVector<BlockArgument>
mlir::convoy::getPrepackedArguments(func::FuncOp function) {
  SmallVector<BlockArgument> packed;
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), kPrepackedAttrName))
      packed.push_back(argument);
  return packed;
}

/// What `value` is computed from: arguments of blocks and results of ops that
/// do more than compute.
static SetVector<Value> getLeaves(Value value) {
  SetVector<Value> seen, leaves;
  seen.insert(value);
  for (unsigned next = 0; next < seen.size(); ++next) {
    Operation *op = seen[next].getDefiningOp();
    if (!op || !isMemoryEffectFree(op)) {
      leaves.insert(seen[next]);
      continue;
    }
    seen.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), seen);
  }
  return leaves;
}

BlockArgument mlir::convoy::getPrepackedArgument(Value value) {
  SetVector<Value> leaves = getLeaves(value);
  if (leaves.size() != 1)
    return {};
  auto argument = dyn_cast<BlockArgument>(leaves[0]);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  bool isPacked = function && function.getArgAttr(argument.getArgNumber(),
                                                  kPrepackedAttrName);
  return isPacked ? argument : BlockArgument();
}
