//===- IdentityTest.cpp - Kernels on random integers ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/IdentityTest.h"

#include "DrawNumbers.h"
#include "EpilogueTest.h"
#include "IdentityDraws.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static bool isByte(ScalarType type) {
  return type == ScalarType::I8 || type == ScalarType::U8;
}

/// Why runs on integers say nothing of what `conv` sums, or "".
static std::string findObstacle(const CheckedConv &conv) {
  DirectionRoles roles = directionRoles(conv.direction);
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
                     (conv.epilogue || getResultType(conv) == ScalarType::I32);
  return isSupported ? ""
                     : "integers other than sums in i32 of products of bytes";
}

std::optional<IdentityTest>
mlir::convoy::planIdentityTest(const CheckedConv &conv, std::string &reason) {
  auto refuse = [&](const std::string &what) {
    reason = "runs on integers say nothing of " + what;
    return std::nullopt;
  };
  if (std::string obstacle = findObstacle(conv); !obstacle.empty())
    return refuse(obstacle);
  if (conv.epilogue) {
    std::string obstacle;
    std::optional<IdentityTest> test = planEpilogueTest(conv, obstacle);
    return test ? test : refuse(obstacle);
  }
  IdentityTest test;
  if (isFloat(conv.numerics.accumulator)) {
    test.data = {chooseFloats(conv), {1, boundMissed(conv, 1)}};
    test.leastUnknown = getLargest(getResultType(conv));
  } else {
    test.data.assign(2, chooseBytes(conv));
    test.leastUnknown = std::numeric_limits<double>::infinity();
  }
  double exponent = 0;
  for (; test.runs < MostRuns && exponent > EnoughExponent; ++test.runs)
    exponent += std::log2(test.getData(test.runs).missed);
  if (exponent <= EnoughExponent)
    return test;
  return refuse(llvm::formatv("sums of {0} products, most of which {1} rounds",
                              productCount(conv.direction, conv.shape),
                              scalarTypeName(getResultType(conv))));
}

/// Fills what the epilogue of `conv` takes.
static void drawEpilogueOperands(const CheckedConv &conv,
                                 const IdentityTest::Data &data, uint64_t seed,
                                 std::vector<HostArray> &arguments) {
  std::string reason;
  std::optional<EpilogueChain> chain;
  if (conv.epilogue)
    chain = EpilogueChain::create(*conv.epilogue, reason);
  if (!chain)
    return;
  for (auto [number, role] : llvm::enumerate(chain->getRoles())) {
    HostArray &array = arguments[conv.epilogueOperands[number].argument];
    for (int64_t i = 0; i < array.elementCount(); ++i)
      array.set(i, drawEpilogueOperand(conv, role, unsigned(number), data, seed,
                                       uint64_t(i)));
  }
}

void mlir::convoy::drawIdentityArguments(const CheckedConv &conv,
                                         const IdentityTest::Data &data,
                                         uint64_t seed,
                                         std::vector<HostArray> &arguments) {
  DirectionRoles roles = directionRoles(conv.direction);
  size_t numOperands = conv.epilogueOperands.size();
  for (auto [number, array] : llvm::enumerate(arguments)) {
    bool isOfEpilogue = numOperands > 0 &&
                        number >= conv.epilogueOperands.front().argument &&
                        number <= conv.epilogueOperands.back().argument;
    if (isOfEpilogue || number == conv.arguments[size_t(roles.result)])
      continue;
    Interval drawn = getInterval(conv, unsigned(number), data);
    for (int64_t i = 0; i < array.elementCount(); ++i)
      array.set(i, drawn.origin +
                       drawn.unit *
                           double(DrawnNumbers({seed, number, uint64_t(i)})
                                      .whole(drawn.low, drawn.high)));
  }
  drawEpilogueOperands(conv, data, seed, arguments);
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
static void runOnce(const LoadedKernel &kernel,
                    const std::vector<HostArray> &arguments,
                    function_ref<std::string(const HostArray &)> findFault,
                    IdentityResult &result) {
  KernelOutcome outcome = runKernel(kernel, arguments, 1);
  result.error = outcome.error;
  result.errorCode = outcome.errorCode;
  if (!outcome.error.empty())
    return;
  result.fault = outcome.faults.empty() ? findFault(outcome.results[0])
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
  std::optional<EpilogueRuns> epilogue;
  if (test && conv.epilogue)
    epilogue.emplace(conv, *test);
  for (unsigned run = 0; llvm::any_of(results, isOpen) && run < test->runs;
       ++run) {
    uint64_t seed = options.seed + run;
    const IdentityTest::Data &data = test->getData(run);
    drawIdentityArguments(conv, data, seed, arguments);
    ReferenceResult reference =
        computeReferenceOf(conv, arguments, options.threads);
    if (epilogue)
      epilogue->take(arguments, reference, data);
    auto findFault = [&](const HostArray &actual) {
      return epilogue ? epilogue->findWrong(actual)
                      : findWrong(conv, *test, reference, actual);
    };
    for (auto [kernel, result] : llvm::zip_equal(kernels, results)) {
      if (!result.isOpen())
        continue;
      runOnce(kernel, arguments, findFault, result);
      if (!result.fault.empty())
        result.fault = llvm::formatv("run {0} on integers (--seed={1}): {2}",
                                     run + 1, options.seed, result.fault);
    }
  }
  std::string untold = epilogue ? epilogue->findUntold() : "";
  for (IdentityResult &result : results) {
    if (!result.isOpen())
      continue;
    result.error = untold;
    result.errorCode = untold.empty() ? ExitCode::Ok : ExitCode::Undecided;
    if (untold.empty())
      result.passed = test;
  }
  return results;
}
