//===- SizesCheck.h - Sizes that ops take for equal -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_SIZESCHECK_H
#define CONVOY_LIB_CERTIFY_SIZESCHECK_H

#include "Evaluator/StatedSizes.h"
#include "Evaluator/SymbolicEvaluator.h"

#include "convoy/Certify/Comparison/Certificate.h"

namespace mlir::convoy::certify {

/// Checks that tensors have the sizes that ops take for granted or that types
/// say: nothing else checks that when a function runs.
class SizesCheck {
public:
  const Certificate &getCertificate() const { return certificate; }

protected:
  SizesCheck(SymbolicEvaluator &evaluator, const Arguments &arguments)
      : evaluator(evaluator), arguments(arguments),
        solver(evaluator.getSolver()), sizes(evaluator.getSizes()),
        scopes(evaluator.getScopes()) {}

  /// Whether `op` takes sizes for granted, or says some by its type.
  static bool statesSizes(Operation *op);
  /// Checks those of `op` where `scope` holds.
  WalkResult checkStated(const System &scope, Operation *op);
  /// Requires that `dim` has the size `stated` where `domain` holds.
  WalkResult requireSize(Operation *op, const System &domain,
                         const Dimension &dim, const Size &stated);
  /// Leaves the obstacle that was met at `op`.
  WalkResult stop(Operation *op);

  SymbolicEvaluator &evaluator;
  const Arguments &arguments;
  Solver &solver;
  SymbolicSizes &sizes;
  Scopes &scopes;
  Certificate certificate;

private:
  WalkResult checkPad(const System &scope, tensor::PadOp op);
  WalkResult checkPadded(const System &scope, tensor::PadOp op, int64_t dim);
  WalkResult checkExpand(const System &scope, tensor::ExpandShapeOp op);
  /// That no tensor of `op` is empty, so that it adds products.
  FailureOr<System> getNotEmpty(ConvolutionOpInterface op);
  WalkResult checkWindows(const System &scope, ConvolutionOpInterface op);
  WalkResult checkZeroPoints(const System &scope, ConvolutionOpInterface op);
  /// Ends the check at `op`, whose sizes do not agree.
  WalkResult refuse(Operation *op, bool isCertain, const Twine &reason);
};

/// Whether `function`, whose accesses were checked, makes no tensor of a
/// negative size.
Certificate checkSizes(FunctionOpInterface function,
                       SymbolicEvaluator &evaluator);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_SIZESCHECK_H
