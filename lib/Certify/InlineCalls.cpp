//===- InlineCalls.cpp - Functions without calls ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/InlineCalls.h"

#include "Effects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::convoy;

/// The callee of `call`, if that is one block, promises nothing to LLVM and is
/// in `active` not yet.
static func::FuncOp findCallee(func::CallOp call, Operation *symbols,
                               ArrayRef<Operation *> active) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      symbols, call.getCalleeAttr());
  bool isKnown = callee && !callee.isExternal() &&
                 callee.getBody().hasOneBlock() &&
                 !certify::makesPromises(callee) &&
                 !llvm::is_contained(active, callee.getOperation());
  return isKnown ? callee : func::FuncOp();
}

/// Inlines the calls among `ops`, and those in what takes their place; `active`
/// are the functions around.
static void inlineAll(ArrayRef<func::CallOp> calls, Operation *symbols,
                      SmallVector<Operation *> active) {
  for (func::CallOp call : calls) {
    func::FuncOp callee = findCallee(call, symbols, active);
    if (!callee)
      continue;
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(callee.getArguments(), call.getOperands());
    SmallVector<func::CallOp> inner;
    for (Operation &op : callee.front().without_terminator())
      builder.clone(op, mapping)->walk([&](func::CallOp nested) {
        inner.push_back(nested);
      });
    for (auto [result, value] : llvm::zip_equal(
             call.getResults(), callee.front().getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
    SmallVector<Operation *> deeper = active;
    deeper.push_back(callee);
    inlineAll(inner, symbols, std::move(deeper));
  }
}

void mlir::convoy::inlineCalls(FunctionOpInterface function,
                               Operation *symbols) {
  SmallVector<func::CallOp> calls;
  function->walk([&](func::CallOp call) { calls.push_back(call); });
  if (calls.empty())
    return;
  Operation *self = SymbolTable::lookupNearestSymbolFrom(
      symbols, StringAttr::get(function.getContext(), function.getName()));
  inlineAll(calls, symbols, {self});
}
