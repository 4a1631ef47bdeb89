//===- WaveProducts.h - Matrix instructions of AMD's GPUs -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_WAVEPRODUCTS_H
#define CONVOY_LIB_CERTIFY_WAVEPRODUCTS_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace mlir::convoy::certify {

/// Where a matrix lies that the lanes of a wave hold together. One of its
/// indices, the line, is a lane's number modulo 16; the other one, the
/// position, is made of two digits, of which one is the lane's number divided
/// by 16 and one counts the elements of a lane.
struct LaneLayout {
  int64_t size;   ///< of the lower digit
  bool isLaneLow; ///< whether that is the lane's
  int64_t volume; ///< positions
  int64_t getElements() const { return isLaneLow ? volume / size : size; }

  static constexpr int64_t kLines = 16;
};

/// An op by which a wave computes D = A B + C, of 16 x 16 elements. Rows of A,
/// and columns of B, C and D, are lines.
struct WaveProduct {
  Value a, b, c, result;
  int64_t lanes;
  LaneLayout factor, sum;
  /// Whether lanes 16 apart must hold the same of a factor.
  bool isReplicated;
  bool isUnsignedA, isUnsignedB;
};

/// What `op` computes, if that is known.
std::optional<WaveProduct> findWaveProduct(Operation *op);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_WAVEPRODUCTS_H
