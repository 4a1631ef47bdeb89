//===- Transforms.h - Patterns and functions behind the passes --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_TRANSFORMS_H
#define CONVOY_TRANSFORMS_TRANSFORMS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Support/RocmChip.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// The type that the policy of `op` lets products and sums be formed in. Where
/// that is not the declared one although the policy is `low`, one sentence in
/// `reason` says why.
Type getPolicyAccumulator(ConvolutionOpInterface op, std::string &reason);

/// Turns convoy.conv_backward_data and convoy.conv_backward_filter into
/// convoy.conv of the same tensors with renamed dimensions.
void populateDecomposeBackwardPatterns(RewritePatternSet &patterns);

/// Turns convoy.conv with input dilation into dense ones on slices.
void populateSplitPhasesPatterns(RewritePatternSet &patterns);

/// Turns convoy.conv without input dilation into im2col and a contraction.
void populateConvToIm2colPatterns(RewritePatternSet &patterns);

/// Pads the input of im2cols whose windows leave it.
void populatePadIm2colPatterns(RewritePatternSet &patterns);

/// Turns named ops of linalg, arithmetic on tensors and their like into
/// linalg.generic, slices, pads and reshapes.
void populateGeneralizeOpsPatterns(RewritePatternSet &patterns);

/// Computes elements of linalg.generic where they are used, if that is once.
void populateFuseElementwisePatterns(RewritePatternSet &patterns);

/// Turns im2cols into slices and gathers.
void populateDecomposeIm2colPatterns(RewritePatternSet &patterns);

/// Converts between f64 and floats of 16 bits through f32.
void populateSplitF64ConversionsPatterns(RewritePatternSet &patterns);

/// Converts between f16 and f32 by integer arithmetic.
void populateExpandF16Patterns(RewritePatternSet &patterns);

/// Registers how convoy.launch on tensors becomes one on buffers.
void registerLaunchBufferization(DialectRegistry &registry);

/// Accesses buffers of single elements one by one.
void populateScalarizeAccessesPatterns(RewritePatternSet &patterns);

/// Puts on `module` the profile and what follows from it for SPIR-V and tiles;
/// for a device that is present, `profile` holds what it says of itself.
void attachVulkanProfile(Operation *module, VulkanProfileAttr profile);

/// Puts on `module` the name of a chip and what tiles are made for.
LogicalResult attachRocmChip(Operation *module, StringRef chip);

/// The chip of the module around `op`; null where it has none, which is an
/// error at `op`.
const ::convoy::RocmChip *findRocmChip(Operation *op);

/// Elements that a buffer of a kernel may have for indices to have 32 bits:
/// half of what fits, for indices beyond its end that are masked later. Who
/// launches kernels sees to it that buffers of dynamic size have no more.
constexpr int64_t kMaxNarrowElements = int64_t(1) << 30;

/// Whether the kernels in `module` need indices of 64 bits.
bool needsWideIndex(Operation *module);

/// The type of a flat buffer with the most elements that it may have in the
/// place of a dynamic size: what is of such a type is passed as its address.
MemRefType getLargestType(MemRefType buffer);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_TRANSFORMS_H
