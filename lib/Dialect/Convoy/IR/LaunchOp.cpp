//===- LaunchOp.cpp - Checks and effects of launches ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/KernelSignature.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;

LogicalResult LaunchOp::verify() {
  ArrayRef<int64_t> grid = getGrid();
  if (grid.size() != 3 ||
      llvm::any_of(grid, [](int64_t size) { return size < 1; }))
    return emitOpError() << "expected three positive sizes of the grid, but "
                            "got ["
                         << grid << "]";
  if (std::optional<ArrayRef<int64_t>> groups = getGroups();
      groups &&
      (groups->size() != 2 || groups->front() < 1 || groups->back() < 1))
    return emitOpError() << "expected two positive numbers of groups, but got ["
                         << *groups << "]";
  if (getGroups() && !getBatch())
    return emitOpError("expected a batch, on which the grid depends");
  for (Value operand : getBuffers()) {
    auto buffer = dyn_cast<MemRefType>(operand.getType());
    if (buffer && !buffer.getLayout().isIdentity())
      return emitOpError() << "expected buffers without gaps, but got "
                           << buffer;
    auto type = cast<ShapedType>(operand.getType());
    if (type.getNumDynamicDims() > (getBatch() ? 1 : 0))
      return emitOpError() << "expected operands of static shape"
                           << (getBatch() ? " but for the batch" : "")
                           << ", but got " << operand.getType();
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(*this, getKernelAttr()));
  if (!kernel)
    return emitOpError() << "expected a kernel, but " << getKernel()
                         << " is none";
  if (takesBatch(kernel.getArgumentTypes()) && !getBatch())
    return emitOpError("expected a batch, which the kernel takes");
  TypeRange arguments = getBufferTypes(kernel.getArgumentTypes());
  if (arguments.size() != getBuffers().size())
    return emitOpError() << "expected " << arguments.size()
                         << " operands, as the kernel has, but got "
                         << getBuffers().size();
  for (auto [argument, operand] :
       llvm::zip_equal(arguments, getBuffers().getTypes())) {
    MemRefType flat = getFlatType(cast<ShapedType>(operand));
    if (argument != flat)
      return emitOpError() << "expected a kernel that takes " << flat << " for "
                           << operand << ", but got " << argument;
  }
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
