//===- convoy-test-bisect.cpp - convoy-bisect with tests' passes *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BisectMain.h"
#include "TestPasses.h"

int main(int argc, char **argv) {
  mlir::convoy::test::registerTestPasses();
  return mlir::convoy::runBisectMain(argc, argv);
}
