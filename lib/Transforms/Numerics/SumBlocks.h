//===- SumBlocks.h - Sums in blocks of reduced channels ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_NUMERICS_SUMBLOCKS_H
#define CONVOY_LIB_TRANSFORMS_NUMERICS_SUMBLOCKS_H

#include "convoy/Transforms/Numerics/RangeAnalysis.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::convoy {

/// Blocks of a convolution's reduced channels, whose sums a narrow type holds.
struct SumBlocks {
  FloatType narrow;     ///< f32 adds the blocks' sums
  int64_t channels = 0; ///< of a block; the last may have fewer
  int64_t count = 0;
  double terms = 0; ///< of a block's sum at most
  double peak = 0;  ///< more than any partial sum of a block
};

/// How a convolution of floats sums.
struct SumChoice {
  FloatType type; ///< of the sum, or of that of the blocks' sums
  std::optional<SumBlocks> blocks = std::nullopt;
  /// The most results that tiles of Winograd's algorithm have along each
  /// dimension, where it may sum the products in f32; else 0.
  int64_t winogradResults = 0;

  /// Whether all of it is summed in a type below f32.
  bool isNarrow() const { return FloatType(type).getWidth() < 32; }
};
using SumChoices = llvm::DenseMap<Operation *, SumChoice>;

/// `sums in 'f16'`, or how it sums in blocks.
std::string describeSums(const SumChoice &choice);

/// All ways to sum `op` in 2 to 8 blocks whose sums in `narrow` lose nothing
/// but precision, the one with the fewest blocks first.
SmallVector<SumBlocks> findSumBlocks(ConvolutionOpInterface op,
                                     FloatType narrow, RangeAnalysis &ranges);

/// Replaces `op` with a convolution for each of its `blocks`, whose results are
/// added in f32:
/// ```mlir
/// %r = convoy.conv ins(%x, %w : …) outs(%init : …)
/// ```
/// becomes
/// ```mlir
/// %x0 = tensor.extract_slice %x …   // channels of the first block
/// %w0 = tensor.extract_slice %w …
/// %s0 = convoy.conv ins(%x0, %w0 : …) outs(%zeros : …) numerics(policy = low)
/// %r0 = linalg.generic …            // ext(%init) + ext(%s0), and so on
/// %r = linalg.generic …             // rounded to the type of %init
/// ```
void sumInBlocks(ConvolutionOpInterface op, const SumBlocks &blocks);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_NUMERICS_SUMBLOCKS_H
