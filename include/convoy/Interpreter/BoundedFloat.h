//===- BoundedFloat.h - Floats, and how far off they may be -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_INTERPRETER_BOUNDEDFLOAT_H
#define CONVOY_INTERPRETER_BOUNDEDFLOAT_H

#include "convoy/Interpreter/Algebra.h"
#include "convoy/Runtime/ErrorBound.h"

#include "llvm/ADT/bit.h"

namespace mlir::convoy {

/// What a target promises of what it computes.
struct TargetMath {
  ::convoy::TargetArithmetic arithmetic;
  /// Divisions and functions are as exact as Vulkan asks them to be
  /// (docs/Numerics.md), and not as C's libraries are.
  bool isVulkan = false;
};

/// A float in double, exact but for rounding in double, and how far a target's
/// may be from it: an infinite error where nothing is known.
struct BoundedFloat {
  double value = 0, error = 0;

  BoundedFloat(double value, double error) : value(value), error(error) {}
  explicit BoundedFloat(const Scalar &scalar)
      : value(llvm::bit_cast<double>(scalar.number)), error(scalar.error) {}
  operator Scalar() const { return {llvm::bit_cast<int64_t>(value), error}; }
};

} // namespace mlir::convoy

#endif // CONVOY_INTERPRETER_BOUNDEDFLOAT_H
