//===- InlineSymbols.cpp - Functions without their modules ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/InlineSymbols.h"
#include "InlineGlobals.h"

#include "convoy/Certify/InlineCalls.h"
#include "convoy/Certify/InlineKernels.h"
#include "convoy/Certify/InlinePackers.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::inlineSymbols(FunctionOpInterface function,
                                 Operation *symbols) {
  // Before functions of other modules are here, with names that they see.
  certify::inlineGlobals(function, symbols);
  inlinePackers(function, symbols);
  inlineCalls(function, symbols);
  inlineKernels(function, symbols);
}
