//===- Evaluation.h - Values of expressions at one element ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_EVALUATION_H
#define CONVOY_LIB_CERTIFY_TERMS_EVALUATION_H

#include "Arguments.h"
#include "Numbers.h"

namespace mlir::convoy::certify {

/// Small integers for all elements of all arguments.
struct Assignment {
  enum class Kind {
    Constant, ///< N + 2 in argument N
    Negative, ///< -N - 2 in argument N; scalars as above
    Place,    ///< N + 2 and the sum of the element's indices
    Mixed,    ///< from -4 to 4, without an order
    Bits,     ///< the same, but integers of up to 16 bits any, without an order
  };

  Kind kind;
  /// Of Mixed and Bits there are several.
  int64_t draw = 0;
  /// Whose unknowns the scalars are that are indices as well: these have the
  /// values of the point. May be null.
  const Arguments *arguments = nullptr;

  int64_t getElement(BlockArgument argument, ArrayRef<int64_t> indices) const;
  /// As the end of a sentence.
  StringRef describe() const;
};

/// The value of `expr` where unknowns have the values of `point`, with floating
/// point taken for real numbers. Nothing if that takes too long, is no integer
/// of 64 bits, overflows, or needs an op that is not known.
std::optional<Number> evaluate(const ExprRef &expr,
                               const DenseMap<Var, int64_t> &point,
                               Assignment assignment);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_EVALUATION_H
