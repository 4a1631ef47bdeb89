//===- InitAll.h - Register what Convoy brings ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_INITALL_H
#define CONVOY_INITALL_H

#include "convoy/Conversion/Passes.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Transforms/Buffers/CompareSlices.h"
#include "convoy/Transforms/KernelABI/BufferizeLaunch.h"
#include "convoy/Transforms/Passes.h"

namespace mlir::convoy {

/// Registers every pass and pipeline of Convoy as a flag.
inline void registerAllPasses() {
  registerConvoyConversionPasses();
  registerConvoyTransformsPasses();
  registerConvoyPipelines();
}

/// Registers the dialects of Convoy and what upstream's passes ask of them.
/// Call it before mlir::registerAllDialects: see registerSliceComparison.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<ConvoyDialect>();
  registerLaunchBufferization(registry);
  registerSliceComparison(registry);
}

} // namespace mlir::convoy

#endif // CONVOY_INITALL_H
