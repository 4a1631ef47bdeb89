//===- SimulatedArithmetic.h - Arithmetic of other targets ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_RUNTIME_SIMULATEDARITHMETIC_H
#define CONVOY_TEST_UNIT_RUNTIME_SIMULATEDARITHMETIC_H

#include "convoy/Runtime/ErrorBound.h"
#include "convoy/Runtime/ScalarType.h"

namespace convoy {

/// Correctly rounded arithmetic in f32, f16 or bf16, to nearest or towards
/// zero, with or without subnormal numbers; or in f64 to nearest with subnormal
/// numbers. Operands are numbers of such a type.
class SimulatedArithmetic {
public:
  SimulatedArithmetic(ScalarType type, TargetArithmetic target)
      : type(type), target(target) {}

  double multiply(double left, double right) const;
  double add(double left, double right) const;
  /// left * right + addend, rounded once.
  double fusedMultiplyAdd(double left, double right, double addend) const;
  /// A number of another type.
  double convert(double value) const;
  /// An operand as the target reads it.
  double read(double value) const;

private:
  double round(double value) const;

  ScalarType type;
  TargetArithmetic target;
};

} // namespace convoy

#endif // CONVOY_TEST_UNIT_RUNTIME_SIMULATEDARITHMETIC_H
