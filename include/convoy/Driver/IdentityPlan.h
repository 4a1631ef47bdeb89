//===- IdentityPlan.h - What is run on random integers ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_IDENTITYPLAN_H
#define CONVOY_DRIVER_IDENTITYPLAN_H

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::convoy {

/// Runs on integers that are drawn anew each time, each element on its own.
///
/// Each element of a result is a polynomial in the elements of the arguments.
/// If a kernel computes another one, again of degree 2 at most and with whole
/// coefficients, few draws give both the same value: J. T. Schwartz, "Fast
/// probabilistic algorithms for verification of polynomial identities", J. ACM
/// 27 (1980); R. Zippel (1979). Of what an epilogue makes of it, those runs
/// count in which no other number gives the same.
struct IdentityTest {
  /// What is drawn for one run.
  struct Data {
    /// The largest magnitude of floating-point elements. Bytes lie so far from
    /// their zero point, or are any that their type has if this is 128.
    int64_t limit = 0;
    /// The greatest probability that the run takes a wrong element for right,
    /// which an epilogue, if there is one, tells from all others.
    double missed = 1;
    /// Floating-point elements of the first operand, and what is added to
    /// sums, are multiples of 2 to this.
    int unit = 0;
    /// Bytes lie multiples of this from their zero point.
    int64_t step = 1;
    /// Factors are drawn from so many powers of 2, scales from this one on.
    int64_t factors = 1;
    int scale = 0;
  };

  /// What is known of an element of an operand of an epilogue, or of a sum that
  /// goes into one: what is counted are runs that tell it from all others.
  struct Told {
    double missed = 1;  ///< the greatest probability that one of them does
    unsigned least = 0; ///< how many there must be
  };

  /// Most runs have the first, which tell much, and some the others, in turn:
  /// small numbers, since bits of numbers that all have exponents alike may be
  /// mixed up unseen, and, where there is an epilogue, numbers as large as are
  /// exact, whose sums lie on both sides of its limits.
  std::vector<Data> data;
  /// The last one of so many runs has other numbers than most.
  unsigned interval = 2;
  /// Of the sums, and of each operand of an epilogue; empty without one.
  std::vector<Told> told;
  /// Results of a greater or the same magnitude are not compared: their type
  /// may round another number to theirs.
  double leastUnknown = 0;
  unsigned runs = 0;

  const Data &getData(unsigned run) const {
    return run % interval == interval - 1
               ? data[1 + run / interval % (data.size() - 1)]
               : data.front();
  }
  /// How many runs have data of the first kind.
  unsigned countMain() const { return runs - runs / interval; }
  /// The base-2 logarithm of the probability that all runs do.
  double getMissedExponent() const;
};

/// How many runs there are, and of what.
std::string toString(const IdentityTest &test);
/// The same, and with which probability they miss a wrong sum.
llvm::json::Object toJSON(const IdentityTest &test);

/// The base-2 logarithm of a bound (Chernoff's) of the probability that of
/// `runs` runs that take a wrong number for right with probability `missed` at
/// least `least` do.
double getTailExponent(unsigned runs, double missed, unsigned least);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_IDENTITYPLAN_H
