//===- convoy-opt.cpp - MLIR's optimizer with our passes --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CertifiedMain.h"

#include "convoy/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

#ifdef CONVOY_INCLUDE_TESTS
#include "TestPasses.h"
#endif

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::convoy::registerAllPasses();
#ifdef CONVOY_INCLUDE_TESTS
  mlir::convoy::test::registerTestPasses();
#endif
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::convoy::registerAllDialects(registry);
  return mlir::convoy::runOptMain(argc, argv, registry);
}
