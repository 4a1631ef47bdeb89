//===- BoundedNumbers.h - Numbers, and how far off they may be --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_INTERPRETER_BOUNDEDNUMBERS_H
#define CONVOY_INTERPRETER_BOUNDEDNUMBERS_H

#include "convoy/Interpreter/BoundedFloat.h"
#include "convoy/Runtime/HostArray.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::convoy {

/// Numbers with an error bound, by running error analysis (N. J. Higham,
/// "Accuracy and Stability of Numerical Algorithms", section 3.3): floats as
/// BoundedFloat, integers wrapped as their types do. A sum has the bound of
/// section 3.1 for any order of its terms. What is exact in the type, as sums
/// of small integers are, has no error.
class BoundedNumbers : public Algebra {
public:
  /// Elements of arguments are those of `arguments`; integers are signed. The
  /// target computes convolutions with `convoy.winograd` by Winograd's
  /// algorithm if it `followsAlgorithms`, else as it does others.
  BoundedNumbers(const std::vector<::convoy::HostArray> &arguments,
                 TargetMath target, bool followsAlgorithms = false)
      : arguments(arguments), target(target),
        followsAlgorithms(followsAlgorithms) {}

  Scalar getUndefined(Type type) override;
  FailureOr<Scalar> getConstant(TypedAttr value) override;
  Scalar getElement(unsigned argument, int64_t position, Type type) override;
  FailureOr<Function> resolve(StringRef name, DictionaryAttr attributes,
                              Type type, ArrayRef<Type> types) override;
  std::unique_ptr<Sums> startSums(Type type,
                                  std::vector<Scalar> inits) override;
  void followWinograd(const ConvolutionTerms &terms, ArrayRef<int64_t> tile,
                      MutableArrayRef<Scalar> sums) override;
  std::unique_ptr<Sampler> startSampling(const Sampling &sampling) override;

protected:
  const std::vector<::convoy::HostArray> &arguments;
  TargetMath target;
  bool followsAlgorithms;
};

/// The same with errors that are exceeded but for a rare chance, where the
/// terms of sums have random signs (docs/Numerics.md).
class ProbableNumbers final : public BoundedNumbers {
public:
  /// Ops of `randomSums` make such sums; they outlive this.
  ProbableNumbers(const std::vector<::convoy::HostArray> &arguments,
                  TargetMath target, bool followsAlgorithms,
                  const llvm::SmallPtrSetImpl<Operation *> &randomSums)
      : BoundedNumbers(arguments, target, followsAlgorithms),
        randomSums(randomSums) {}

  std::unique_ptr<Sums> startSumsOf(Operation *op, Type type,
                                    std::vector<Scalar> inits) override;

private:
  const llvm::SmallPtrSetImpl<Operation *> &randomSums;
};

} // namespace mlir::convoy

#endif // CONVOY_INTERPRETER_BOUNDEDNUMBERS_H
