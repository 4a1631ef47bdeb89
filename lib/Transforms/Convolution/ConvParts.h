//===- ConvParts.h - Convolutions computed in parts -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CONVOLUTION_CONVPARTS_H
#define CONVOY_LIB_TRANSFORMS_CONVOLUTION_CONVPARTS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {

/// A convolution whose result is computed part by part, with what gives its
/// init for it alone, as a fill or a bias does, and with what computes each
/// element of its result further, if nothing else reads that. So the parts are
/// whole before another one begins, and none is written twice.
class ConvParts {
public:
  /// Without `isFinished`, the result is left to what reads it.
  ConvParts(RewriterBase &rewriter, ConvOp op, bool isFinished = true);

  /// What parts are inserted into, one after the other.
  Value getDestination();
  /// The op before which all that parts read is there.
  Operation *getRoot() {
    return finisher ? finisher.getOperation() : op.getOperation();
  }
  /// The part that goes to `box`, a slice of the destination or of what parts
  /// before have left of it. `convolve` adds the part's products to an init.
  Value compute(const TensorSlice &box,
                function_ref<Value(Value init)> convolve);
  /// Puts the destination with all parts in the place of what was there.
  void replaceBy(Value result);

private:
  /// `other` for `box` of its result alone, written into `init`; `sums` take
  /// the place of those of the whole.
  Value computeElements(linalg::LinalgOp other, const TensorSlice &box,
                        Value init, Value sums = {});

  RewriterBase &rewriter;
  ConvOp op;
  linalg::LinalgOp start, finisher;
  unsigned sumsNumber = 0; ///< which operand of the finisher has the sums
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CONVOLUTION_CONVPARTS_H
