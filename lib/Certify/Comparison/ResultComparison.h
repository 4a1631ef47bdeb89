//===- ResultComparison.h - Whether two tensors are equal -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_COMPARISON_RESULTCOMPARISON_H
#define CONVOY_LIB_CERTIFY_COMPARISON_RESULTCOMPARISON_H

#include "../Evaluator/SymbolicEvaluator.h"

#include "convoy/Certify/Comparison/Certificate.h"

namespace mlir::convoy::certify {

Certificate getUndecided(const Obstacle &obstacle);
Certificate getDifferent(const Twine &message, Operation *op);
/// Adds to `all`, which is certified, what else was compared.
void merge(Certificate &all, const Certificate &other);

/// Whether results of `type` can be compared: tensors, indices, integers of 64
/// bits, and conditions.
bool isComparable(Type type);

/// Compares results of one type, which isComparable, of the first function with
/// those of the second.
class ResultComparison {
public:
  ResultComparison(Solver &solver, const Arguments &arguments,
                   SymbolicEvaluator &before, SymbolicEvaluator &after)
      : solver(solver), arguments(arguments), evaluatorBefore(before),
        evaluatorAfter(after) {}

  /// Whether `before` and `after` are equal: of tensors all elements, and their
  /// sizes.
  Certificate compare(Value before, Value after);
  /// Whether tensors whose `element` within `bounds` is `before` and `after`,
  /// each of which covers all, are equal.
  Certificate compare(const Pieces &before, const Pieces &after,
                      ArrayRef<LinearExpr> element, const System &bounds);

  /// Whether the operands of each op of `function`, the second, that are said
  /// to be equal (kMustBeEqualAttrName) are.
  Certificate checkEqualOperands(FunctionOpInterface function);

  /// Whether `pieces` leave no element within `bounds` without a meaning. They
  /// should not; a certificate does not take it for granted.
  bool coverAll(const Pieces &pieces, const System &bounds);

private:
  Certificate compareTensors(Value before, Value after);
  /// Compares indices, integers and conditions that depend on no data.
  Certificate compareNumbers(Value before, Value after);
  /// Compares the elements of tensors, where `scope` holds.
  Certificate compareElements(Value before, Value after,
                              const System &scope = {});
  /// Compares the sizes that types do not tell.
  Certificate compareSizes(Value before, Value after);
  Certificate compareSize(Value before, Value after, int64_t dim);
  Solver &solver;
  const Arguments &arguments;
  SymbolicEvaluator &evaluatorBefore, &evaluatorAfter;
  /// Whether the last certificate says where a term of each function stands.
  bool saysBothPlaces = false;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_COMPARISON_RESULTCOMPARISON_H
