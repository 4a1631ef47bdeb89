//===- CheckFunction.h - A function, and what it should give ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_CHECKFUNCTION_H
#define CONVOY_DRIVER_CHECKFUNCTION_H

#include "convoy/Driver/CheckedConv.h"
#include "convoy/Driver/Specialize.h"
#include "convoy/Interpreter/BoundedNumbers.h"

#include <map>

namespace mlir::convoy {

/// The element at `position` of a function's result of `shape`, which is called
/// `result 0 [1,2,3]`.
::convoy::ElementPlace getResultPlace(size_t result, int64_t position,
                                      ArrayRef<int64_t> shape);

/// What a function means, as it was written: an interpreter runs it op by op on
/// numbers with error bounds.
class FunctionReference {
public:
  /// `function` outlives this. Where its arguments are drawn, with signs that
  /// are random, what is suspicious is known of results. Convolutions are
  /// computed as `applyAlgorithms` wrote on them if it `followsAlgorithms`.
  explicit FunctionReference(func::FuncOp function, bool areDrawn = false,
                             bool followsAlgorithms = false)
      : FunctionReference(
            function, SmallVector<bool>(function.getNumArguments(), areDrawn)) {
    this->followsAlgorithms = followsAlgorithms;
  }

  /// The same where only some arguments are drawn so; what made the others does
  /// not depend on these.
  FunctionReference(func::FuncOp function, SmallVector<bool> drawn)
      : function(function), drawn(std::move(drawn)) {}

  /// Compares `results`, which a target has made of `inputs`. Every element
  /// must lie within its bound; what has no bound is an overflow. Where the
  /// function cannot be interpreted, or nothing of a result was checked, the
  /// report says why as a refusal. A survey is made where one is wanted.
  ::convoy::CompareReport
  compare(const std::vector<::convoy::HostArray> &inputs,
          const std::vector<::convoy::HostArray> &results, TargetMath target,
          bool survey = false);

  /// The same with a report for each result.
  std::vector<::convoy::CompareReport>
  compareEach(const std::vector<::convoy::HostArray> &inputs,
              const std::vector<::convoy::HostArray> &results,
              TargetMath target, bool survey = false);

  /// Compares what `function`, with the same arguments and results, means for
  /// `inputs`. An element is right where any number that its own bound allows
  /// is.
  ::convoy::CompareReport
  compareWith(func::FuncOp function,
              const std::vector<::convoy::HostArray> &inputs);

  /// The elements of the only result in row-major order: floats to the
  /// precision of f64, or integers of at most 32 bits. On failure returns
  /// nothing and puts one sentence into `error`.
  std::optional<std::vector<double>>
  compute(const std::vector<::convoy::HostArray> &inputs, std::string &error);

private:
  struct Expected;

  /// The results in row-major order, or a sentence why there are none.
  const Expected &evaluate(const std::vector<::convoy::HostArray> &inputs,
                           TargetMath target);

  func::FuncOp function;
  SmallVector<bool> drawn; ///< by argument
  bool followsAlgorithms = false;
  /// By what counts of a target.
  std::map<std::array<bool, 3>, std::shared_ptr<Expected>> expected;
};

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_CHECKFUNCTION_H
