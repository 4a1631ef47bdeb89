//===- CheckProblem.cpp - Runs a problem and checks its numbers -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckProblem.h"

#include "convoy/Driver/Memory.h"

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
  if (!compare)
    return checkMemory(bytes, "the convolution");
  return checkMemory(bytes + referenceBytes(conv.direction, conv.shape),
                     "the convolution with its reference");
}

CheckResult mlir::convoy::checkKernel(const CheckedConv &conv,
                                      const LoadedKernel &kernel,
                                      const std::vector<HostArray> &arguments,
                                      const CheckOptions &options, bool exact,
                                      std::vector<HostArray> *results) {
  CheckResult result;
  KernelOutcome outcome = runKernel(kernel, arguments, options.runs);
  result.error = outcome.error;
  result.seconds = outcome.seconds;
  if (!result.error.empty())
    return result;
  // The comparison tells more of elements that were not written.
  if (options.compare && outcome.faults.empty()) {
    result.report = compareConvolution(conv, arguments, outcome.results[0],
                                       options.threads, exact);
    result.error = result.report.refusal;
  } else {
    findUnwritten(outcome);
  }
  result.faults = std::move(outcome.faults);
  if (results)
    *results = std::move(outcome.results);
  return result;
}

CheckResult mlir::convoy::checkProblem(const Problem &problem,
                                       const LoadedKernel &kernel,
                                       const CheckOptions &options) {
  CheckedConv conv = describeProblem(problem);
  return checkKernel(conv, kernel, generateArguments(conv, options), options,
                     options.data == DataKind::Int);
}
