//===- NumberRange.h - Which numbers a value may hold -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_NUMERICS_NUMBERRANGE_H
#define CONVOY_TRANSFORMS_NUMERICS_NUMBERRANGE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::convoy {

/// The numbers that the elements of a value may be: zero, or numbers from `low`
/// to `high` that are not smaller than `smallest` in magnitude. Zero is among
/// them if it lies between the bounds. Where `isFinite` is false, infinities
/// and NaN are among them, too. Integers are read as signed.
struct NumberRange {
  double low = 0, high = 0;
  double smallest = 0; ///< positive, unless all are zero
  bool isFinite = true;

  bool operator==(const NumberRange &other) const = default;

  double getLargest() const;
  bool hasZero() const { return low <= 0 && high >= 0; }
  /// Whether it says more than `type`, a float or an integer.
  bool isNarrowerThan(Type type) const;

  /// From `low` to `high`.
  static NumberRange between(double low, double high);
  /// Only `value`.
  static NumberRange constant(double value) { return between(value, value); }
  /// All finite numbers of `type`: a float or an integer.
  static NumberRange allOf(Type type);
  /// Anything that `type` has.
  static NumberRange unknown(Type type);
  /// The elements of a constant, or nothing where they are not numbers that are
  /// at hand.
  static std::optional<NumberRange> ofConstant(Attribute value);
};

/// How the range of a value is looked up.
using RangeLookup = llvm::function_ref<NumberRange(Value)>;

/// What rounding to nearest changes numbers of `type` by at most, as a part of
/// them: 2^-p for p digits.
double getUnitRoundoff(FloatType type);
/// The smallest positive number of `type`, and the smallest normal one.
double getSmallest(FloatType type);
double getSmallestNormal(FloatType type);

/// The numbers of both.
NumberRange join(const NumberRange &a, const NumberRange &b);
/// The numbers of `a` that `b` allows; those of `a` if there are none.
NumberRange intersect(const NumberRange &a, const NumberRange &b);

/// What exact arithmetic makes of all pairs, bounds rounded outward.
NumberRange negate(const NumberRange &a);
NumberRange add(const NumberRange &a, const NumberRange &b);
NumberRange multiply(const NumberRange &a, const NumberRange &b);
/// Not finite where the divisor may be zero.
NumberRange divide(const NumberRange &a, const NumberRange &b);

/// Whether rounding to `type`, in any direction, may leave its finite numbers;
/// of integers, whether they may wrap around.
bool mayOverflow(const NumberRange &exact, Type type);
/// The numbers that computing `exact` in `type` gives, or reading numbers of
/// the type: rounded in any direction, with subnormal numbers kept or flushed.
NumberRange fit(const NumberRange &exact, Type type);

/// A sum of at most `length` terms and an init, in any order.
struct SumRange {
  double length = 0;    ///< how many products or other terms
  NumberRange term;     ///< each of them
  NumberRange init;     ///< what they are added to
  double magnitude = 0; ///< most that |init| and the magnitudes may add up to
  NumberRange exact;    ///< the sum without rounding

  /// `most` bounds the magnitudes of the terms together.
  SumRange(double length, const NumberRange &term, const NumberRange &init,
           double most = INFINITY);

  /// Terms whose roundings count.
  double getTerms() const { return length + (init.getLargest() != 0 ? 1 : 0); }
  /// More than any partial sum in `type`, however it rounds; infinite where
  /// there is no such bound.
  double getPeak(FloatType type) const;
  /// The sums that a target computes in `type`.
  NumberRange fitSum(Type type) const;
};

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_NUMERICS_NUMBERRANGE_H
