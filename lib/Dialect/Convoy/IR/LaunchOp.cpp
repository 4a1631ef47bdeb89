//===- LaunchOp.cpp - Checks and effects of launches ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

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
  for (Value operand : getOperands()) {
    auto buffer = dyn_cast<MemRefType>(operand.getType());
    if (buffer && !buffer.getLayout().isIdentity())
      return emitOpError() << "expected buffers without gaps, but got "
                           << buffer;
    if (!cast<ShapedType>(operand.getType()).hasStaticShape())
      return emitOpError() << "expected operands of static shape, but got "
                           << operand.getType();
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(*this, getKernelAttr()));
  if (!kernel)
    return emitOpError() << "expected a kernel, but " << getKernel()
                         << " is none";
  if (kernel.getNumArguments() != getNumOperands())
    return emitOpError() << "expected " << kernel.getNumArguments()
                         << " operands, as the kernel has, but got "
                         << getNumOperands();
  for (auto [argument, operand] :
       llvm::zip_equal(kernel.getArgumentTypes(), getOperandTypes())) {
    auto shaped = cast<ShapedType>(operand);
    auto flat =
        MemRefType::get({shaped.getNumElements()}, shaped.getElementType());
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
