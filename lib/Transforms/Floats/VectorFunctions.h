//===- VectorFunctions.h - Functions of f32 in arithmetic -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_FLOATS_VECTORFUNCTIONS_H
#define CONVOY_LIB_TRANSFORMS_FLOATS_VECTORFUNCTIONS_H

#include "BitBuilder.h"

namespace mlir::convoy {

/// Builds functions of vectors of f32 from arithmetic that each CPU has in
/// vectors, as exact as docs/Numerics.md says whether a
/// product and a sum are rounded once or twice. NaN, infinities, signs of
/// zeros, subnormal numbers and what overflows are as in C's library.
class VectorFunctions {
public:
  VectorFunctions(Location loc, OpBuilder &builder, VectorType type)
      : bits(loc, builder, type) {}

  Value exp(Value x);
  Value exp2(Value x);
  Value expm1(Value x);
  Value log(Value x);
  Value log1p(Value x);
  Value tanh(Value x);
  Value erf(Value x);

private:
  /// x = n * log(2) + r, with |r| at most half of log(2).
  struct Reduced {
    Value n; ///< of i32
    Value r;
  };
  /// x = m * 2^n, with m from sqrt(1/2) to sqrt(2).
  struct Split {
    Value n; ///< of i32
    Value m;
  };

  Value number(float value) { return bits.number(value); }
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value select(arith::CmpFPredicate predicate, Value a, Value b, Value ifTrue,
               Value otherwise);
  /// a * b + c in one rounding or two.
  Value multiplyAdd(Value a, Value b, Value c);
  /// The number in [low, high] that is next to `x`; NaN of NaN.
  Value clamp(Value x, float low, float high);
  /// The polynomial with these coefficients, the lowest first.
  Value polynomial(Value x, ArrayRef<float> coefficients);
  /// x * P(x^2) / Q(x^2), which is odd and approaches 1, up to `end`; from
  /// there on 1.
  Value oddQuotient(Value x, ArrayRef<float> p, ArrayRef<float> q, float end);

  /// x + shift, rounded to a whole number, as i32.
  Value toInteger(Value shifted);
  Reduced reduce(Value x);
  Split split(Value x);
  /// exp(r) - 1.
  Value expm1OfRest(Value r);
  /// log(1 + f) + n * log(2).
  Value finishLog(Value f, Value n);
  /// 2^n for n from -127, where it is 0, to 127.
  Value power(Value n);
  /// y * 2^n for n from -252 to 254, rounded once.
  Value scale(Value y, Value n);
  /// `x` where its magnitude is so small that a function with slope 1 at zero
  /// is x, else `y`.
  Value keepSmall(Value x, Value y);

  BitBuilder bits;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_FLOATS_VECTORFUNCTIONS_H
