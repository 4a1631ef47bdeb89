//===- SampleTerms.h - Positions and weights of samples ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stated here from docs/Sampling.md alone, in the order of operations that it
// pins: nothing of the passes is used.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_SAMPLETERMS_H
#define CONVOY_LIB_CERTIFY_READERS_SAMPLETERMS_H

#include "../Terms/Places.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy::certify {

/// A position along one dimension: k, an i32, and t, an f32.
struct PositionTerms {
  ExprRef whole, rest;
};

/// One of the elements that a sample is made of, along one dimension or all.
struct TapTerms {
  SmallVector<ExprRef> places; ///< i32, inside of the image
  ExprRef isInside;            ///< whether it is there; null where it always is
  ExprRef weight;              ///< f32; null where it is 1
};

/// Makes the terms of positions and weights.
class SampleTerms {
public:
  SampleTerms(MLIRContext *context, SampleMode mode, SamplePadding padding,
              bool alignCorners)
      : builder(context), f32(builder.getF32Type()), i32(builder.getI32Type()),
        mode(mode), padding(padding), alignCorners(alignCorners) {}

  /// The position that `coordinate` stands for in `size` elements.
  PositionTerms getGridPosition(const ExprRef &coordinate, int64_t size);
  /// The position that lies `offset` beside element `start`.
  PositionTerms getOffsetPosition(const ExprRef &offset, const ExprRef &start);
  /// The elements of the sample at `positions` in an image of `sizes`, in their
  /// order. Weights are multiplied with `factor`, unless that is null.
  SmallVector<TapTerms> getElements(ArrayRef<PositionTerms> positions,
                                    ArrayRef<int64_t> sizes,
                                    const ExprRef &factor = {});
  /// `value` in f32.
  ExprRef widen(const ExprRef &value);
  /// The product in f32.
  ExprRef multiply(const ExprRef &a, const ExprRef &b) {
    return apply("arith.mulf", f32, {widen(a), widen(b)});
  }
  /// What `element` adds to the sample, where the image has `value` there.
  ExprRef getTerm(const TapTerms &element, const ExprRef &value);

private:
  ExprRef number(double value);
  ExprRef integer(int64_t value);
  ExprRef apply(StringRef name, Type type, ArrayRef<ExprRef> operands);
  /// An op that is rounded by itself.
  ExprRef round(StringRef name, const ExprRef &a, const ExprRef &b);
  ExprRef compare(StringRef name, int64_t predicate, const ExprRef &a,
                  const ExprRef &b);
  ExprRef select(const ExprRef &condition, const ExprRef &a, const ExprRef &b);
  /// `value` from -limit to limit.
  ExprRef limit(const ExprRef &value, double limit);
  /// `value` in f32, or `otherwise` for what is no number.
  ExprRef takeNumber(const ExprRef &value, double otherwise);
  PositionTerms split(const ExprRef &position);
  ExprRef getNearest(const PositionTerms &position);
  ExprRef getReflected(const ExprRef &whole, int64_t size);
  TapTerms getTap(const ExprRef &whole, const ExprRef &weight, int64_t size);
  SmallVector<ExprRef> getWeights(const ExprRef &rest);
  SmallVector<TapTerms> getTaps(const PositionTerms &position, int64_t size);

  Builder builder;
  Type f32, i32;
  SampleMode mode;
  SamplePadding padding;
  bool alignCorners;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_SAMPLETERMS_H
