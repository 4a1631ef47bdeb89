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

namespace mlir::convoy {

/// Numbers with an error bound, by running error analysis (N. J. Higham,
/// "Accuracy and Stability of Numerical Algorithms", section 3.3): floats as
/// BoundedFloat, integers wrapped as their types do. A sum has the bound of
/// section 3.1 for any order of its terms. What is exact in the type, as sums
/// of small integers are, has no error.
class BoundedNumbers : public Algebra {
public:
  /// Elements of arguments are those of `arguments`; integers are signed.
  BoundedNumbers(const std::vector<::convoy::HostArray> &arguments,
                 TargetMath target)
      : arguments(arguments), target(target) {}

  Scalar getUndefined(Type type) override;
  FailureOr<Scalar> getConstant(TypedAttr value) override;
  Scalar getElement(unsigned argument, int64_t position, Type type) override;
  FailureOr<Function> resolve(StringRef name, DictionaryAttr attributes,
                              Type type, ArrayRef<Type> types) override;
  std::unique_ptr<Sums> startSums(Type type,
                                  std::vector<Scalar> inits) override;
  std::unique_ptr<Sampler> startSampling(const Sampling &sampling) override;

private:
  const std::vector<::convoy::HostArray> &arguments;
  TargetMath target;
};

} // namespace mlir::convoy

#endif // CONVOY_INTERPRETER_BOUNDEDNUMBERS_H
