//===- Functions.cpp - Functions that are compared --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Functions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::convoy;

std::string mlir::convoy::getFunctionPath(FunctionOpInterface function) {
  std::string path = function.getName().str();
  for (Operation *op = function->getParentOp(); op; op = op->getParentOp())
    if (auto name =
            op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      path = (name.getValue() + "::" + path).str();
  return path;
}

bool mlir::convoy::isComputation(FunctionOpInterface function) {
  return !function.isExternal() &&
         function->getName().getDialectNamespace() != "transform";
}

bool mlir::convoy::isPartOfCallers(FunctionOpInterface function) {
  if (function.isPublic() || !function.getFunctionBody().hasOneBlock())
    return false;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, function->getParentOp());
  if (!uses || uses->empty())
    return false;
  return llvm::all_of(*uses, [&](const SymbolTable::SymbolUse &use) {
    return isa<func::CallOp>(use.getUser()) &&
           !function->isProperAncestor(use.getUser());
  });
}

SmallVector<FunctionOpInterface>
mlir::convoy::getCallers(FunctionOpInterface function) {
  SmallVector<FunctionOpInterface> callers;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, function->getParentOp());
  if (uses)
    for (const SymbolTable::SymbolUse &use : *uses)
      if (auto caller = use.getUser()->getParentOfType<FunctionOpInterface>())
        callers.push_back(caller);
  return callers;
}
