//===- CommonValues.h - What two functions both compute ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_COMPARISON_COMMONVALUES_H
#define CONVOY_LIB_CERTIFY_COMPARISON_COMMONVALUES_H

#include "ResultComparison.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Proves functions of several layers layer by layer. Where an op sums over
/// what is a sum itself, as a convolution behind a convolution does, the values
/// that it sums over are looked for in the second function. Those that are
/// proved equal are elements of one more argument from then on, in both
/// functions: the sum has no sum within it.
class CommonValues {
public:
  CommonValues(Solver &solver, const Arguments &arguments,
               SymbolicEvaluator &before, SymbolicEvaluator &after)
      : solver(solver), arguments(arguments), evaluatorBefore(before),
        evaluatorAfter(after), comparison(solver, arguments, before, after) {}

  /// Finds them from the top of the functions to their ends. What this proves
  /// is added to `all`.
  void find(FunctionOpInterface before, FunctionOpInterface after,
            Certificate &all);

private:
  /// The elements of `tensor`, which all have a meaning; else nothing.
  std::optional<CommonValue> read(SymbolicEvaluator &evaluator, Value tensor);
  /// Whether an element of `tensor` is a sum of what has sums in it.
  bool hasNestedSums(Value tensor);
  /// Looks for what `tensor` is made of in the second function, then for
  /// itself.
  void findOperand(Value tensor, Certificate &all);
  void findEqual(Value tensor, const CommonValue &value, Certificate &all);
  /// What is known already to be equal to `tensor`, or null.
  std::shared_ptr<const CommonValue> findKnown(Value tensor,
                                               const CommonValue &value);

  Solver &solver;
  const Arguments &arguments;
  SymbolicEvaluator &evaluatorBefore, &evaluatorAfter;
  ResultComparison comparison;
  /// Tensors of the second function that may be looked for.
  SmallVector<Value> candidates;
  /// Those of the first function that were found.
  SmallVector<std::pair<Value, std::shared_ptr<const CommonValue>>> known;
  DenseSet<Value> tried;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_COMPARISON_COMMONVALUES_H
