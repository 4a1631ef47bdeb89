//===- SimulatedSums.h - Sums as targets form them -----------*- C++ -* -===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_RUNTIME_SIMULATEDSUMS_H
#define CONVOY_TEST_UNIT_RUNTIME_SIMULATEDSUMS_H

#include "ConvFixture.h"
#include "SimulatedArithmetic.h"

#include "convoy/Runtime/ErrorBound.h"

#include <random>
#include <vector>

namespace convoy {

/// How a simulated target adds the terms of a sum up.
struct SumMethod {
  enum Order { InOrder, Reversed, Shuffled, Tree, Split, Blocked } order;
  bool fused;     ///< product and addition are rounded once
  bool initFirst; ///< else the init is added last
};

/// Every order, fused or not, with the init first or last.
std::vector<SumMethod> allSumMethods();

/// Types and promises of a simulated target, and lengths of its sums.
struct SumTarget {
  ScalarType operands, accumulator, result;
  TargetArithmetic arithmetic;
  int64_t length;
};

/// How often a term is rounded that `method` adds up to a result of `target`.
std::vector<SumLevel> getSumLevels(const SumTarget &target, SumMethod method,
                                   bool hasInit);

/// One factor pair of a sum.
struct Term {
  double left, right;
};

/// Adds up sums as one target with one method would.
class SimulatedSum {
public:
  SimulatedSum(const SumTarget &target, SumMethod method, std::mt19937 &random)
      : operandArithmetic(target.operands, target.arithmetic),
        resultArithmetic(target.result, target.arithmetic),
        arithmetic(target.accumulator, target.arithmetic),
        sameType(target.accumulator == target.result), method(method),
        random(random) {}

  double sum(std::vector<Term> terms, const double *init);

private:
  double sumTerms(const std::vector<Term> &terms, double start);
  double sumTree(const Term *terms, size_t count);
  double accumulate(double sum, const Term &term);

  SimulatedArithmetic operandArithmetic, resultArithmetic, arithmetic;
  bool sameType;
  SumMethod method;
  std::mt19937 &random;
};

/// A convolution of `target.length` channels, one position, a batch of 2 and
/// `count` output channels: its results are plain sums.
ConvFixture makeSums(const SumTarget &target, int64_t count);

/// The same whose one sum in order, in f16, loses nearly as much as the bound
/// allows: 1 and then terms that each round away half a unit of the last place.
ConvFixture makeStagnatingSums();

/// Computes every result of `conv`, which makeSums made, as the target would.
void simulate(ConvFixture &conv, SimulatedSum sum);

} // namespace convoy

#endif // CONVOY_TEST_UNIT_RUNTIME_SIMULATEDSUMS_H
