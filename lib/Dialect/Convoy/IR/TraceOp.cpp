//===- TraceOp.cpp - Checks of traces ---------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

LogicalResult TraceOp::verify() {
  if (!isIdentifier(getName()))
    return emitOpError() << "expected an identifier of letters, digits and _, "
                            "but got "
                         << getNameAttr();
  return success();
}
