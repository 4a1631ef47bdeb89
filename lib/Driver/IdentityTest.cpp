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

/// Stands for any bytes that the type has.
static constexpr int64_t AllBytes = 128;

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
  if (bound <= 0)
    return 1;
  double variance = count * limit * limit * limit * (limit + 1) / 3;
  return std::min(1.0, 2 * std::exp(-bound * bound / (2 * variance)));
}

static double countProducts(const CheckedConv &conv) {
  return double(std::max<int64_t>(1, productCount(conv.direction, conv.shape)));
}

static ScalarType getResultType(const CheckedConv &conv) {
  return conv.numerics.type(directionRoles(conv.direction).result);
}

/// Below this, `type` holds all whole numbers.
static double getLargest(ScalarType type) {
  return std::ldexp(1.0, floatFormat(type).precision);
}

/// The largest magnitude that sums start from if `limit` is that of arguments.
static double getLargestInit(const CheckedConv &conv, double limit) {
  if (!conv.init)
    return 0;
  return conv.init->argument ? limit : std::abs(conv.init->constant);
}

/// Whether sums of floats are exact, but for a probability that is small
/// enough, where magnitudes up to `limit` are drawn.
static bool areExact(const CheckedConv &conv, double limit) {
  // A wrong kernel may add each term twice; the init is one number.
  double exact =
      getLargest(conv.numerics.accumulator) / 2 - getLargestInit(conv, limit);
  double count = countProducts(conv), partialSums = 4 * count;
  return partialSums * boundTail(exact, count, limit) <=
         std::exp2(EnoughExponent);
}

/// The greatest probability that one run takes a wrong element for right where
/// one of `values` numbers is drawn for each element: Schwartz and Zippel's,
/// for polynomials of degree 2.
static double boundMissed(double values) { return std::min(1.0, 2 / values); }

/// The same where magnitudes of floats up to `limit` are drawn, and results are
/// not compared that their type may have rounded; 1 where sums may not be
/// exact.
static double boundMissed(const CheckedConv &conv, double limit) {
  if (!areExact(conv, limit))
    return 1;
  double missed = boundMissed(2 * limit + 1);
  double largest = getLargest(getResultType(conv));
  if (largest < getLargest(conv.numerics.accumulator))
    missed += boundTail(largest - getLargestInit(conv, limit),
                        countProducts(conv), limit);
  return std::min(1.0, missed);
}

/// Chooses the magnitudes of floats of which a run misses least.
static IdentityTest::Data chooseFloats(const CheckedConv &conv) {
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

/// Chooses how far bytes are from their zero points, so that sums modulo 2^32
/// differ where sums do, even if a wrong kernel adds each term twice.
static IdentityTest::Data chooseBytes(const CheckedConv &conv) {
  constexpr double Modulus = 0x1p32, MostFactor = 255;
  double factor = std::sqrt(Modulus / (4 * countProducts(conv)));
  if (factor >= MostFactor)
    return {AllBytes, boundMissed(256)};
  int64_t limit = int64_t(factor / 2);
  return {limit, boundMissed(double(2 * limit + 1))};
}

static bool isByte(ScalarType type) {
  return type == ScalarType::I8 || type == ScalarType::U8;
}

/// Why runs on integers say nothing of what `conv` sums, or "".
static std::string findObstacle(const CheckedConv &conv) {
  DirectionRoles roles = directionRoles(conv.direction);
  if (conv.epilogue)
    return "an epilogue, which may be no polynomial";
  if (isFloat(conv.numerics.accumulator)) {
    bool isConstant = conv.init && !conv.init->argument;
    if (isConstant && std::trunc(conv.init->constant) != conv.init->constant)
      return "sums that start from a constant that is no whole number";
    if (!areExact(conv, 1))
      return llvm::formatv("sums of {0} products, which are not exact in {1}",
                           productCount(conv.direction, conv.shape),
                           scalarTypeName(conv.numerics.accumulator));
    return "";
  }
  bool isSupported = isByte(conv.numerics.type(roles.first)) &&
                     isByte(conv.numerics.type(roles.second)) &&
                     conv.numerics.accumulator == ScalarType::I32 &&
                     getResultType(conv) == ScalarType::I32;
  return isSupported ? ""
                     : "integers other than sums in i32 of products of bytes";
}

double IdentityTest::getMissedExponent() const {
  double exponent = 0;
  for (unsigned run = 0; run < runs; ++run)
    exponent += std::log2(getData(run).missed);
  return exponent;
}

std::optional<IdentityTest>
mlir::convoy::planIdentityTest(const CheckedConv &conv, std::string &reason) {
  reason = findObstacle(conv);
  IdentityTest test;
  if (reason.empty() && isFloat(conv.numerics.accumulator)) {
    test.data = {chooseFloats(conv), {1, boundMissed(conv, 1)}};
    test.leastUnknown = getLargest(getResultType(conv));
  } else if (reason.empty()) {
    test.data.fill(chooseBytes(conv));
    test.leastUnknown = std::numeric_limits<double>::infinity();
  }
  double exponent = 0;
  for (; test.runs < MostRuns && exponent > EnoughExponent; ++test.runs)
    exponent += std::log2(test.getData(test.runs).missed);
  if (reason.empty() && exponent > EnoughExponent)
    reason = llvm::formatv("sums of {0} products, most of which {1} rounds",
                           productCount(conv.direction, conv.shape),
                           scalarTypeName(getResultType(conv)));
  if (reason.empty())
    return test;
  reason = "runs on integers say nothing of " + reason;
  return std::nullopt;
}

/// The whole numbers from `low` to `high`.
struct Interval {
  int64_t low, high;
};

/// What is drawn of bytes of `type` whose zero point is `zeroPoint`.
static Interval getBytes(ScalarType type, int64_t zeroPoint, int64_t limit) {
  int64_t low = type == ScalarType::U8 ? 0 : -128, high = low + 255;
  if (limit == AllBytes)
    return {low, high};
  int64_t middle = std::clamp(zeroPoint, low + limit, high - limit);
  return {middle - limit, middle + limit};
}

/// What is drawn of elements of argument `number`.
static Interval getInterval(const CheckedConv &conv, unsigned number,
                            int64_t limit) {
  if (isFloat(conv.numerics.accumulator))
    return {-limit, limit};
  if (std::optional<Operand> operand = conv.getOperand(number))
    return getBytes(conv.numerics.type(*operand),
                    conv.numerics.zeroPoint(*operand), limit);
  // Zero points of channels are numbers of the filter's type.
  bool isZeroPoint =
      conv.filterZeroPoints && conv.filterZeroPoints->argument == number;
  return getBytes(isZeroPoint ? conv.numerics.type(Operand::Filter)
                              : ScalarType::I8,
                  0, limit);
}

void mlir::convoy::drawIdentityArguments(const CheckedConv &conv, int64_t limit,
                                         uint64_t seed,
                                         std::vector<HostArray> &arguments) {
  unsigned result =
      conv.arguments[size_t(directionRoles(conv.direction).result)];
  for (auto [number, array] : llvm::enumerate(arguments)) {
    if (number == result)
      continue;
    Interval drawn = getInterval(conv, unsigned(number), limit);
    for (int64_t i = 0; i < array.elementCount(); ++i)
      array.set(i, double(DrawnNumbers({seed, number, uint64_t(i)})
                              .whole(drawn.low, drawn.high)));
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
                                     run + 1, options.seed, result.fault);
    }
  }
  for (IdentityResult &result : results)
    if (result.isOpen())
      result.passed = test;
  return results;
}
