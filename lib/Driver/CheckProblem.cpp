//===- CheckProblem.cpp - Runs a problem and checks its numbers -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckProblem.h"

#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

std::optional<std::string> mlir::convoy::checkMemoryFor(const CheckedConv &conv,
                                                        bool compare) {
  double bytes = 0;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    // Operands lie in host memory and on the device, results are read back.
    int copies = operand == directionRoles(conv.direction).result ? 3 : 2;
    double count = double(conv.shape.elementCount(operand).value_or(INT64_MAX));
    bytes += copies * count * double(scalarSize(conv.numerics.type(operand)));
  }
  for (const CheckedOperand &operand : conv.epilogueOperands) {
    double count = double(scalarSize(operand.type));
    for (int64_t size : conv.shapes[operand.argument])
      count *= double(size);
    bytes += 2 * count;
  }
  if (!compare)
    return checkMemory(bytes, "the convolution");
  // An interpreter has sums, results and operands with their errors.
  constexpr double BytesOfScalar = 16;
  if (conv.epilogue)
    bytes +=
        BytesOfScalar * double(2 + conv.epilogueOperands.size()) *
        double(conv.shape.elementCount(directionRoles(conv.direction).result)
                   .value_or(INT64_MAX));
  return checkMemory(bytes + referenceBytes(conv.direction, conv.shape),
                     "the convolution with its reference");
}

/// Compares what kernels returned with one reference.
static void compareAll(const CheckedConv &conv,
                       const std::vector<HostArray> &arguments,
                       const CheckOptions &options,
                       ArrayRef<LoadedKernel> kernels,
                       std::vector<CheckResult> &results) {
  bool isNeeded = false, flushed = false;
  for (const CheckResult &result : results)
    isNeeded |= result.error.empty() && result.faults.empty();
  if (!isNeeded)
    return;
  if (conv.epilogue && options.data == DataKind::Special && !options.areGiven) {
    for (CheckResult &result : results)
      result.error = "special data is for problems without an epilogue";
    return;
  }
  for (const CheckResult &result : results)
    flushed |= result.arithmetic.flushesSubnormals;
  ReferenceResult reference =
      computeReferenceOf(conv, arguments, options.threads, flushed);
  for (auto [kernel, result] : llvm::zip_equal(kernels, results)) {
    if (!result.error.empty() || !result.faults.empty())
      continue;
    result.report = compareWithReferenceOf(
        conv, arguments, reference, result.results[0].data(),
        options.getCompareOptions(result.arithmetic,
                                  getSumLevels(kernel.interface)),
        isVulkan(kernel.getTarget()) ? FunctionMath::Vulkan : FunctionMath::Own,
        getWinogradTile(kernel.interface));
    result.error = result.report.refusal;
  }
}

/// The first element that differs, or nothing; zeros of both signs are equal.
static std::optional<int64_t> findDifference(const HostArray &a,
                                             const HostArray &b) {
  size_t width = scalarSize(a.type);
  for (int64_t number = 0; number < a.elementCount(); ++number) {
    auto isSame = std::equal(a.bytes.begin() + number * width,
                             a.bytes.begin() + (number + 1) * width,
                             b.bytes.begin() + number * width);
    bool areZeros = isFloat(a.type) && a.at(number) == 0 && b.at(number) == 0;
    if (!isSame && !areZeros)
      return number;
  }
  return std::nullopt;
}

void mlir::convoy::compareTargets(ArrayRef<LoadedKernel> kernels,
                                  std::vector<CheckResult> &results) {
  const CheckResult *first = nullptr;
  StringRef firstTarget;
  for (auto [kernel, result] : llvm::zip_equal(kernels, results)) {
    if (!result.error.empty() || result.results.empty())
      continue;
    if (!first) {
      first = &result;
      firstTarget = kernel.getTarget();
      continue;
    }
    const HostArray &expected = first->results[0], &actual = result.results[0];
    std::optional<int64_t> place = findDifference(expected, actual);
    if (!place)
      continue;
    result.faults.push_back(llvm::formatv("element {0} is {1}, but {2} on {3}",
                                          *place, actual.at(*place),
                                          expected.at(*place), firstTarget));
  }
}

/// `outcome` as what a check finds, before numbers are compared.
static CheckResult takeOutcome(KernelOutcome outcome) {
  CheckResult result;
  result.error = std::move(outcome.error);
  result.errorCode = outcome.errorCode;
  result.faults = std::move(outcome.faults);
  result.seconds = outcome.seconds;
  result.arithmetic = outcome.arithmetic;
  result.results = std::move(outcome.results);
  return result;
}

CheckResult mlir::convoy::runUncompared(const LoadedKernel &kernel,
                                        const std::vector<HostArray> &arguments,
                                        int runs) {
  KernelOutcome outcome = runKernel(kernel, arguments, runs);
  findUnwritten(outcome);
  return takeOutcome(std::move(outcome));
}

/// Runs those of `kernels` on drawn integers whose results are right so far.
static void testIdentity(const CheckedConv &conv,
                         ArrayRef<LoadedKernel> kernels,
                         const std::vector<HostArray> &arguments,
                         const CheckOptions &options,
                         std::vector<CheckResult> &results) {
  std::vector<LoadedKernel> tested;
  std::vector<CheckResult *> ofTested;
  for (auto [kernel, result] : llvm::zip_equal(kernels, results)) {
    if (!result.error.empty() || !result.faults.empty() ||
        (options.compare && !result.report.passed()))
      continue;
    tested.push_back(kernel);
    ofTested.push_back(&result);
  }
  std::vector<IdentityResult> found =
      runIdentityTest(conv, tested, arguments, options);
  for (auto [result, one] : llvm::zip_equal(ofTested, found)) {
    result->identity = one.passed;
    if (!one.fault.empty())
      result->faults.push_back(one.fault);
    if (one.error.empty())
      continue;
    result->error = one.error;
    result->errorCode = one.errorCode;
  }
}

std::vector<CheckResult> mlir::convoy::checkKernels(
    const CheckedConv &conv, ArrayRef<LoadedKernel> kernels,
    const std::vector<HostArray> &arguments, const CheckOptions &options) {
  std::vector<CheckResult> results;
  for (const LoadedKernel &kernel : kernels) {
    KernelOutcome outcome = runKernel(kernel, arguments, options.runs);
    // The comparison tells more of elements that were not written.
    if (outcome.error.empty() && (!options.compare || !outcome.faults.empty()))
      findUnwritten(outcome);
    results.push_back(takeOutcome(std::move(outcome)));
  }
  if (options.compare)
    compareAll(conv, arguments, options, kernels, results);
  // What an epilogue or Winograd's algorithm rounds may differ.
  bool sumsProducts = llvm::all_of(kernels, [](const LoadedKernel &kernel) {
    return getWinogradTile(kernel.interface).empty();
  });
  if (options.isExact() && !conv.epilogue && sumsProducts)
    compareTargets(kernels, results);
  if (options.identity)
    testIdentity(conv, kernels, arguments, options, results);
  return results;
}

CheckResult mlir::convoy::checkProblem(const Problem &problem,
                                       const LoadedKernel &kernel,
                                       const CheckOptions &options) {
  CheckedConv conv = describeProblem(problem);
  return checkKernels(conv, kernel, generateArguments(conv, options), options)
      .front();
}
