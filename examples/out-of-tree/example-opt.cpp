//===- example-opt.cpp - An optimizer with an own pass ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialects and passes of MLIR, those of Convoy with its pipelines, and the
// passes of this project.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "convoy/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::convoy::registerAllPasses();
  example::registerExamplePasses();
  mlir::DialectRegistry registry;
  mlir::convoy::registerAllDialects(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "An optimizer on top of Convoy\n", registry));
}
