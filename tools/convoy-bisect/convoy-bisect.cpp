//===- convoy-bisect.cpp - Names the pass that is at fault ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BisectMain.h"

int main(int argc, char **argv) {
  return mlir::convoy::runBisectMain(argc, argv);
}
