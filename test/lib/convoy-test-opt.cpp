//===- convoy-test-opt.cpp - convoy-opt with passes of tests ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"
#include "TestPasses.h"

int main(int argc, char **argv) {
  mlir::convoy::test::registerTestPasses();
  return mlir::convoy::runOptMain(argc, argv);
}
