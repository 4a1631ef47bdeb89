//===- convoy-opt.cpp - MLIR's optimizer with our dialect and passes -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Transforms/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::convoy::registerConvoyConversionPasses();
  mlir::convoy::registerConvoyTransformsPasses();
  mlir::convoy::registerConvoyPipelines();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::convoy::ConvoyDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Convoy, a convolution lowering compiler\n", registry));
}
