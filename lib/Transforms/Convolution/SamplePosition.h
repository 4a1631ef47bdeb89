//===- SamplePosition.h - Which elements a sample is made of ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CONVOLUTION_SAMPLEPOSITION_H
#define CONVOY_LIB_TRANSFORMS_CONVOLUTION_SAMPLEPOSITION_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::convoy {

/// One of the elements along a dimension that a sample is made of.
struct SampleTap {
  Value place;    ///< an index inside of the image
  Value isInside; ///< whether the element is there; null where it always is
  Value weight;   ///< f32; null where it is 1
};

/// `hw` or `dhw`.
inline StringRef getSpatialLetters(SampleLayoutAttr layout) {
  std::string_view letters = ::convoy::spatialLetters(layout.getSpatialRank());
  return {letters.data(), letters.size()};
}

/// Emits an op of arith on floats that is rounded by itself on every target.
template <typename OpTy>
Value emitUncontracted(OpBuilder &builder, Location loc, Value a, Value b) {
  auto op = OpTy::create(builder, loc, a, b);
  op->setAttr(kUncontractedAttrName, builder.getUnitAttr());
  return op;
}

/// Emits the taps of `op` at `coordinate` along a dimension of the image that
/// has `size`, in the order of their places.
SmallVector<SampleTap> emitTaps(OpBuilder &builder, Location loc,
                                GridSampleOp op, Value coordinate,
                                OpFoldResult size);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CONVOLUTION_SAMPLEPOSITION_H
