//===- Import.cpp - From other dialects to ours -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Pipelines/Pipelines.h"

#include "convoy/Transforms/Passes.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::buildConvoyImportPipeline(OpPassManager &pm) {
  pm.addPass(createCheckDialectsPass());
  // A kernel is one function.
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createRaiseLinalgPass());
  pm.addPass(createRaiseTosaPass());
  // What is left of TOSA: constants, elementwise ops, reshapes, pooling.
  pm.addPass(createTosaToArithPass());
  pm.addPass(createTosaToTensorPass());
  pm.addNestedPass<func::FuncOp>(tosa::createTosaToLinalgNamed());
  pm.addNestedPass<func::FuncOp>(tosa::createTosaToLinalg());
  // What rescaling leaves in the bodies.
  TosaToArithPassOptions scales;
  scales.includeApplyRescale = true;
  pm.addPass(createTosaToArithPass(scales));
  pm.addPass(createCanonicalizerPass());
}
