//===- ScalarType.h - Types of elements in memory ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types that elements have in host memory, and the floating-point formats'
// parameters from which error bounds are built.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_SCALARTYPE_H
#define CONVOY_RUNTIME_SCALARTYPE_H

#include "convoy/Support/Problem.h"

#include <cstdint>
#include <string_view>

namespace convoy {

/// Type of one element in memory. U8 is an i8 that is read as unsigned. I16 and
/// I64 are of no operand of a problem.
enum class ScalarType { F64, F32, F16, BF16, I8, U8, I16, I32, I64 };

/// "f64", "f32", "f16", "bf16", "i8", "u8", "i16", "i32" or "i64".
std::string_view scalarTypeName(ScalarType type);

/// Size of one element in bytes.
int64_t scalarSize(ScalarType type);

bool isFloat(ScalarType type);

/// The type of an operand of a problem of type `type`.
ScalarType operandScalarType(ElementType type, bool isSigned = true);

/// The type of the result of a problem of type `type`: I32 for I8.
ScalarType resultScalarType(ElementType type);

/// The type of an operand or a result of an epilogue.
ScalarType dataScalarType(DataType type);

/// Element `index` of the array at `data`: exact, but for an I64 beyond 2^53,
/// which is rounded to nearest.
double loadDouble(ScalarType type, const void *data, int64_t index);

/// Element `index` of an integer array.
int64_t loadInteger(ScalarType type, const void *data, int64_t index);

/// Stores `value` as element `index`, rounded to nearest, ties to even. Integer
/// types take the nearest value that they hold; NaN becomes 0.
void storeDouble(ScalarType type, void *data, int64_t index, double value);

/// What storeDouble makes of `value`.
double roundTo(ScalarType type, double value);

/// A binary floating-point format with gradual underflow.
struct FloatFormat {
  int precision;   ///< p, in bits, the leading one included
  int minExponent; ///< of the smallest normal number
  int maxExponent; ///< of the largest number

  /// u = 2^-p: largest relative error of rounding to nearest.
  double unitRoundoff() const;
  /// lambda = 2^minExponent.
  double smallestNormal() const;
  /// eta = 2^(minExponent - p + 1).
  double smallestSubnormal() const;
  /// (2 - 2^(1-p)) * 2^maxExponent.
  double largest() const;
  /// Distance between neighbours in the binade of `value`, a finite number; eta
  /// below the smallest normal number.
  double ulp(double value) const;
};

/// The format of a floating-point type.
FloatFormat floatFormat(ScalarType type);

} // namespace convoy

#endif // CONVOY_RUNTIME_SCALARTYPE_H
