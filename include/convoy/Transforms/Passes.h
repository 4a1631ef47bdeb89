//===- Passes.h - All passes on functions and their tiles -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_PASSES_H
#define CONVOY_TRANSFORMS_PASSES_H

#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/CPUTiles/Passes.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Floats/Passes.h"
#include "convoy/Transforms/GPUKernels/Passes.h"
#include "convoy/Transforms/GPUTiles/Passes.h"
#include "convoy/Transforms/KernelABI/Passes.h"
#include "convoy/Transforms/Numerics/Passes.h"
#include "convoy/Transforms/Packing/Passes.h"
#include "convoy/Transforms/Sampling/Passes.h"
#include "convoy/Transforms/Targets/Passes.h"
#include "convoy/Transforms/TensorOps/Passes.h"
#include "convoy/Transforms/Threads/Passes.h"
#include "convoy/Transforms/Winograd/Passes.h"

namespace mlir::convoy {

/// Registers the passes of every folder of lib/Transforms.
inline void registerConvoyTransformsPasses() {
  registerConvoyBuffersPasses();
  registerConvoyCPUTilesPasses();
  registerConvoyConvolutionPasses();
  registerConvoyFloatsPasses();
  registerConvoyGPUKernelsPasses();
  registerConvoyGPUTilesPasses();
  registerConvoyKernelABIPasses();
  registerConvoyNumericsPasses();
  registerConvoyPackingPasses();
  registerConvoySamplingPasses();
  registerConvoyTargetsPasses();
  registerConvoyTensorOpsPasses();
  registerConvoyThreadsPasses();
  registerConvoyWinogradPasses();
}

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_PASSES_H
