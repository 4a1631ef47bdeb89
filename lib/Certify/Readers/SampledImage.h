//===- SampledImage.h - Images that samples are made of ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_SAMPLEDIMAGE_H
#define CONVOY_LIB_CERTIFY_READERS_SAMPLEDIMAGE_H

#include "../Evaluator/SymbolicEvaluator.h"
#include "SampleTerms.h"

namespace mlir::convoy::certify {

/// Values that are read together, and the case that they are read in.
using Values = Case<SmallVector<ExprRef>>;

/// `cases`, each with each of the values that `read` finds there behind its
/// own.
FailureOr<Cases<SmallVector<ExprRef>>>
readNext(const Cases<SmallVector<ExprRef>> &cases, const System &context,
         function_ref<FailureOr<Pieces>(const System &)> read);

/// The image `tensor`, whose dimensions are `letters`, that `op` samples along
/// `spatial`.
struct SampledImage {
  SymbolicEvaluator &evaluator;
  Operation *op;
  TypedValue<RankedTensorType> tensor;
  StringRef letters, spatial;

  /// Of the spatial dimensions, outermost first.
  FailureOr<SmallVector<int64_t>> getSizes() const;
  /// The sum of the products of `elements`, in f32, rounded to `type`;
  /// `getIndex` has the places along other dimensions.
  FailureOr<Pieces> readSample(SampleTerms &terms, ArrayRef<TapTerms> elements,
                               function_ref<LinearExpr(char)> getIndex,
                               Type type, const System &context) const;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_SAMPLEDIMAGE_H
