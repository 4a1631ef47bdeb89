//===- GPUToSPIRV.h - Converts kernels to SPIR-V ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_GPUTOSPIRV_H
#define CONVOY_CONVERSION_GPUTOSPIRV_H

namespace mlir {
class RewritePatternSet;
class SPIRVTypeConverter;
} // namespace mlir

namespace mlir::convoy {

/// What upstream's patterns lack or do otherwise: see
/// `convoy-convert-gpu-to-spirv`.
void populateConvertGPUToSPIRVPatterns(const SPIRVTypeConverter &converter,
                                       RewritePatternSet &patterns);

} // namespace mlir::convoy

#endif // CONVOY_CONVERSION_GPUTOSPIRV_H
