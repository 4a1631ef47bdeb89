//===- WordPlan.h - Convolutions multiplied in words ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CONVOLUTION_WORDPLAN_H
#define CONVOY_LIB_TRANSFORMS_CONVOLUTION_WORDPLAN_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/WordProducts.h"

namespace mlir::convoy {

/// An operand as it is multiplied.
struct WordFactor {
  Value tensor;
  bool isUnsigned = false;
  int64_t zeroPoint = 0;
  /// What is subtracted from its elements: the zero point, or what makes them
  /// fit a part.
  int64_t subtracted = 0;

  /// What is left of the zero point.
  int64_t getRest() const { return zeroPoint - subtracted; }
};

/// A convolution whose operands become words of neighbours along a dimension of
/// its sums.
struct WordPlan {
  char dim = 'c';   ///< or a spatial dimension, along which taps are neighbours
  WordParts parts;  ///< `a` is the input
  WordFactor input; ///< with a rest that fits a part, or none
  WordFactor filter; ///< with no rest
};

/// How `op` is multiplied in words on `target`, written into `plan`; or why it
/// is not.
std::optional<Choice> planWords(ConvOp op, TargetAttr target, WordPlan &plan);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CONVOLUTION_WORDPLAN_H
