//===- IdentityTest.cpp - Kernels on random integers ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/IdentityTest.h"

#include "DrawNumbers.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

/// What one test may cost, and the probability that is small enough.
static constexpr unsigned MostRuns = 1024;
static constexpr double EnoughExponent = -64;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// The greatest probability that the magnitude of a sum of `count` products of
/// two whole numbers from -limit to limit reaches `bound`.
///
/// The moments of such a number x are those of sinh((2L + 1)s/2) / ((2L + 1)
/// sinh(s/2)), whose zeros are imaginary, so that E exp(sx) <= exp(s²σ²/2) with
/// σ² = L(L + 1)/3. Of a sum of x·w with given w it is Σ w²σ² <= count·L²·σ².
static double boundTail(double bound, double count, double limit) {
  double variance = count * limit * limit * limit * (limit + 1) / 3;
  return std::min(1.0, 2 * std::exp(-bound * bound / (2 * variance)));
}

/// The greatest probability that one run takes a wrong element for right where
/// magnitudes up to `limit` are drawn; 1 where sums may not be exact.
static double boundMissed(const CheckedConv &conv, double limit) {
  double count =
      double(std::max<int64_t>(1, productCount(conv.direction, conv.shape)));
  auto getLargest = [](ScalarType type) {
    return std::ldexp(1.0, floatFormat(type).precision);
  };
  ScalarType sum = conv.numerics.accumulator;
  ScalarType result = conv.numerics.type(directionRoles(conv.direction).result);
  // A wrong kernel may add each term twice; the init is one number.
  double exact = getLargest(sum) / 2 - limit;
  double partialSums = 4 * count;
  if (exact <= 0 ||
      partialSums * boundTail(exact, count, limit) > std::exp2(EnoughExponent))
    return 1;
  double isSame = 1 / (2 * limit + 1);
  double missed = 1 - (1 - isSame) * (1 - isSame);
  if (getLargest(result) < getLargest(sum))
    missed += boundTail(getLargest(result) - limit, count, limit);
  return missed;
}

/// Chooses the magnitudes of which a run tells the most.
static IdentityTest::Data chooseData(const CheckedConv &conv) {
  // Runs are few where this many numbers are drawn from.
  constexpr int64_t MostLimit = 4096;
  int64_t most = MostLimit;
  for (ScalarType type : conv.numerics.types)
    most = std::min(most, int64_t(1) << floatFormat(type).precision);
  IdentityTest::Data best;
  for (int64_t limit = 1; limit <= most; ++limit)
    if (double missed = boundMissed(conv, double(limit)); missed < best.missed)
      best = {limit, missed};
  return best;
}

/// Fills in what is drawn.
static void chooseAllData(const CheckedConv &conv, IdentityTest &test) {
  if (!isFloat(conv.numerics.accumulator)) {
    constexpr double isSame = 1.0 / 256;
    test.data.fill({0, 1 - (1 - isSame) * (1 - isSame)});
    test.leastUnknown = std::numeric_limits<double>::infinity();
    return;
  }
  test.data = {chooseData(conv), {1, boundMissed(conv, 1)}};
  ScalarType result = conv.numerics.type(directionRoles(conv.direction).result);
  test.leastUnknown = std::ldexp(1.0, floatFormat(result).precision);
}

double IdentityTest::getMissedExponent() const {
  double exponent = 0;
  for (unsigned run = 0; run < runs; ++run)
    exponent += std::log2(getData(run).missed);
  return exponent;
}

std::optional<IdentityTest>
mlir::convoy::planIdentityTest(const CheckedConv &conv, std::string &reason) {
  if (conv.epilogue) {
    reason = "runs on integers say nothing of an epilogue, which may be no "
             "polynomial";
    return std::nullopt;
  }
  IdentityTest test;
  chooseAllData(conv, test);
  if (test.data[0].missed >= 1) {
    reason = llvm::formatv(
        "runs on integers say nothing of sums of {0} products, which are not "
        "exact in {1}",
        productCount(conv.direction, conv.shape),
        scalarTypeName(conv.numerics.accumulator));
    return std::nullopt;
  }
  double exponent = 0;
  for (; test.runs < MostRuns && exponent > EnoughExponent; ++test.runs)
    exponent += std::log2(test.getData(test.runs).missed);
  return test;
}

void mlir::convoy::drawIdentityArguments(const CheckedConv &conv, int64_t limit,
                                         uint64_t seed,
                                         std::vector<HostArray> &arguments) {
  unsigned result =
      conv.arguments[size_t(directionRoles(conv.direction).result)];
  for (auto [number, array] : llvm::enumerate(arguments)) {
    if (number == result)
      continue;
    int64_t low = -limit, high = limit;
    if (!isFloat(conv.numerics.accumulator)) {
      // Zero points of channels are numbers of the filter's type.
      ScalarType type =
          conv.getOperand(number) ? array.type
          : conv.filterZeroPoints && conv.filterZeroPoints->argument == number
              ? conv.numerics.type(Operand::Filter)
              : ScalarType::I8;
      low = type == ScalarType::U8 ? 0 : -128;
      high = low + 255;
    }
    for (int64_t i = 0; i < array.elementCount(); ++i)
      array.set(
          i,
          double(DrawnNumbers({seed, number, uint64_t(i)}).whole(low, high)));
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// The first element of `actual` that is not what `reference` has, or "".
static std::string findWrong(const CheckedConv &conv, const IdentityTest &test,
                             const ReferenceResult &reference,
                             const HostArray &actual) {
  const OperandIndex &lies =
      conv.indices[size_t(directionRoles(conv.direction).result)];
  bool isOfFloats = reference.integer.empty();
  std::string wrong;
  int64_t next = 0;
  forEachIndex(reference.index.sizes, [&](const LogicalIndex &index) {
    int64_t number = next++;
    if (!wrong.empty())
      return;
    double expected = isOfFloats ? reference.value[number]
                                 : double(int32_t(reference.integer[number]));
    double found = actual.at(lies.offset(index));
    if (found == expected || std::abs(expected) >= test.leastUnknown)
      return;
    wrong =
        llvm::formatv("{0} is {1}, but {2} in the reference",
                      toString(index, reference.index.sizes), found, expected);
  });
  return wrong;
}

/// Runs `kernel` once on `arguments`; what is wrong goes into `result`.
static void runOnce(const CheckedConv &conv, const IdentityTest &test,
                    const LoadedKernel &kernel,
                    const std::vector<HostArray> &arguments,
                    const ReferenceResult &reference, IdentityResult &result) {
  KernelOutcome outcome = runKernel(kernel, arguments, 1);
  result.error = outcome.error;
  result.errorCode = outcome.errorCode;
  if (!outcome.error.empty())
    return;
  result.fault = outcome.faults.empty()
                     ? findWrong(conv, test, reference, outcome.results[0])
                     : outcome.faults[0];
}

std::vector<IdentityResult> mlir::convoy::runIdentityTest(
    const CheckedConv &conv, ArrayRef<LoadedKernel> kernels,
    std::vector<HostArray> arguments, const CheckOptions &options) {
  std::vector<IdentityResult> results(kernels.size());
  std::string reason;
  std::optional<IdentityTest> test = planIdentityTest(conv, reason);
  for (auto [kernel, result] : llvm::zip_equal(kernels, results)) {
    result.errorCode = ExitCode::Undecided;
    if (!test)
      result.error = reason;
    else if (usesWinograd(kernel.interface))
      result.error = "runs on integers say nothing of Winograd's algorithm, "
                     "whose sums are not exact";
  }
  auto isOpen = [](const IdentityResult &result) { return result.isOpen(); };
  for (unsigned run = 0; llvm::any_of(results, isOpen) && run < test->runs;
       ++run) {
    uint64_t seed = options.seed + run;
    drawIdentityArguments(conv, test->getData(run).limit, seed, arguments);
    ReferenceResult reference =
        computeReferenceOf(conv, arguments, options.threads);
    for (auto [kernel, result] : llvm::zip_equal(kernels, results)) {
      if (!result.isOpen())
        continue;
      runOnce(conv, *test, kernel, arguments, reference, result);
      if (!result.fault.empty())
        result.fault = llvm::formatv("run {0} on integers (--seed={1}): {2}",
                                     run + 1, seed, result.fault);
    }
  }
  for (IdentityResult &result : results)
    if (result.isOpen())
      result.passed = test;
  return results;
}
