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

/// One of the elements that a sample is made of.
struct SampleElement {
  /// Its number along each spatial dimension, outermost first: an i32 inside of
  /// the image.
  SmallVector<Value, 3> place;
  Value isInside; ///< whether it is there; null where it always is
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

/// Emits which elements `op` reads at `coordinates`, of which there is one for
/// each spatial dimension, outermost first, in an image of `sizes`: in the
/// order of their places.
SmallVector<SampleElement> emitElements(OpBuilder &builder, Location loc,
                                        GridSampleOp op, ValueRange coordinates,
                                        ArrayRef<OpFoldResult> sizes);

/// Emits the sample that `op` makes of `elements`, which `read` reads; they are
/// of the image's type.
Value emitSample(OpBuilder &builder, Location loc, GridSampleOp op,
                 ArrayRef<SampleElement> elements,
                 function_ref<Value(const SampleElement &)> read);

/// Emits `element` where `isInside`, else zero; null for what always is.
Value emitInside(OpBuilder &builder, Location loc, Value isInside,
                 Value element);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CONVOLUTION_SAMPLEPOSITION_H
