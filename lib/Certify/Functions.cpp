//===- Functions.cpp - Functions that are compared --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Functions.h"

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
