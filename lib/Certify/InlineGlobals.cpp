//===- InlineGlobals.cpp - Functions without constants elsewhere ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineGlobals.h"

#include "convoy/Certify/MemoryStates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::convoy;

/// What the memory that `op` gets always holds, or null.
static TypedAttr findConstant(memref::GetGlobalOp op, Operation *symbols) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      symbols, op.getNameAttr());
  if (!global || !global.getConstant() ||
      !op.getType().getLayout().isIdentity())
    return {};
  auto elements = dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr());
  return dyn_cast_or_null<TypedAttr>(elements);
}

/// Puts a buffer that holds `constant` in the place of `op`, and `constant` in
/// that of a tensor that is made of it.
static void inlineConstant(memref::GetGlobalOp op, TypedAttr constant) {
  OpBuilder builder(op);
  auto tensor = arith::ConstantOp::create(builder, op.getLoc(), constant);
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (auto read = dyn_cast<bufferization::ToTensorOp>(user);
        read && read.getType() == tensor.getType()) {
      read.getResult().replaceAllUsesWith(tensor.getResult());
      read.erase();
    }
  auto buffer = bufferization::ToBufferOp::create(
      builder, op.getLoc(), op.getType(), tensor, /*read_only=*/true);
  op.getResult().replaceAllUsesWith(buffer.getResult());
  op.erase();
}

void certify::inlineGlobals(FunctionOpInterface function, Operation *symbols) {
  SmallVector<memref::GetGlobalOp> globals;
  function->walk([&](memref::GetGlobalOp op) { globals.push_back(op); });
  if (!globals.empty())
    loadMemoryDialects(*function.getContext());
  for (memref::GetGlobalOp op : globals)
    if (TypedAttr constant = findConstant(op, symbols))
      inlineConstant(op, constant);
}
