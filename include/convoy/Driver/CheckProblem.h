//===- CheckProblem.h - Runs a problem and checks its numbers ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_CHECKPROBLEM_H
#define CONVOY_DRIVER_CHECKPROBLEM_H

#include "convoy/Driver/CheckedConv.h"
#include "convoy/Driver/IdentityTest.h"
#include "convoy/Support/ExitCode.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// What one kernel did.
struct CheckResult {
  ::convoy::CompareReport report;
  /// Faults other than wrong numbers, each a sentence: a guard that was
  /// touched, elements not written, an error returned.
  std::vector<std::string> faults;
  /// Why the kernel could not be run, or its numbers not be judged; else empty.
  std::string error;
  /// What tools end with where there is an error.
  ::convoy::ExitCode errorCode = ::convoy::ExitCode::BadInput;
  double seconds = 0; ///< of the shortest run
  /// What the kernel promises.
  ::convoy::TargetArithmetic arithmetic;
  /// What the kernel returned.
  std::vector<::convoy::HostArray> results;
  /// The runs on drawn integers that it passed.
  std::optional<IdentityTest> identity;

  bool passed() const {
    return error.empty() && faults.empty() && report.passed();
  }
};

/// One sentence where there is not enough memory to run `conv` and, if wanted,
/// to compare it with the reference.
std::optional<std::string> checkMemoryFor(const CheckedConv &conv,
                                          bool compare);

/// Compares what other targets returned with the first one's results: those
/// that differ are at fault. Zeros of both signs are equal.
void compareTargets(ArrayRef<LoadedKernel> kernels,
                    std::vector<CheckResult> &results);

/// Runs `kernel` as `runKernel` does, and looks at nothing but what it did not
/// write and where it should not have written.
CheckResult runUncompared(const LoadedKernel &kernel,
                          const std::vector<::convoy::HostArray> &arguments,
                          int runs);

/// Runs `kernels`, which are one kernel compiled for several targets, on
/// `arguments`, in buffers filled with poison between guard zones. Where sums
/// are exact (CheckOptions::isExact), the results of all must be equal; those
/// that differ from the first one's are at fault. Then they run on drawn
/// integers, where the options ask for that.
std::vector<CheckResult>
checkKernels(const CheckedConv &conv, ArrayRef<LoadedKernel> kernels,
             const std::vector<::convoy::HostArray> &arguments,
             const CheckOptions &options);

/// The same of one kernel on generated data.
CheckResult checkProblem(const ::convoy::Problem &problem,
                         const LoadedKernel &kernel,
                         const CheckOptions &options);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_CHECKPROBLEM_H
