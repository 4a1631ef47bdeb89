//===- SampleRule.h - What samples are made by ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_SAMPLING_SAMPLERULE_H
#define CONVOY_TRANSFORMS_SAMPLING_SAMPLERULE_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::convoy {

/// How elements make a sample, and what lies around images.
struct SampleRule {
  SampleMode mode;
  SamplePadding padding;
  bool alignCorners;

  /// That of samples or of a gradient of them.
  template <typename OpTy>
  static SampleRule get(OpTy op) {
    return {op.getMode(), op.getPadding(), op.getAlignCorners()};
  }
};

/// A position along one dimension, in whole elements and the rest.
struct SamplePosition {
  Value whole; ///< i32
  Value rest;  ///< f32, from 0 to 1
};

/// Emits an op of arith on floats that is rounded by itself on every target.
template <typename OpTy>
Value emitUncontracted(OpBuilder &builder, Location loc, Value a, Value b) {
  auto op = OpTy::create(builder, loc, a, b);
  op->setAttr(kUncontractedAttrName, builder.getUnitAttr());
  return op;
}

/// Emits `value` in f32.
inline Value emitWide(OpBuilder &builder, Location loc, Value value) {
  Type f32 = builder.getF32Type();
  if (value.getType() == f32)
    return value;
  return arith::ExtFOp::create(builder, loc, f32, value);
}

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_SAMPLING_SAMPLERULE_H
