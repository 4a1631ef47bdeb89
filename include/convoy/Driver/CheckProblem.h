//===- CheckProblem.h - Runs a kernel and checks its numbers ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_CHECKPROBLEM_H
#define CONVOY_DRIVER_CHECKPROBLEM_H

#include "convoy/Runtime/Compare.h"
#include "convoy/Runtime/Generate.h"
#include "convoy/Support/Problem.h"
#include "convoy/Transforms/KernelInterface.h"

#include <string>
#include <vector>

namespace mlir::convoy {

struct CheckOptions {
  ::convoy::DataKind data = ::convoy::DataKind::Normal;
  uint64_t seed = 0;
  /// Threads of the reference; 0: one for each processor.
  int threads = 0;
  /// Without, the kernel runs on the data and its result is not looked at,
  /// except for what it did not write and where it should not have written.
  bool compare = true;
  /// Runs of which the shortest is reported.
  int runs = 1;
};

/// What one kernel did.
struct CheckResult {
  ::convoy::CompareReport report;
  /// Faults other than wrong numbers, each a sentence: a guard that was
  /// touched, elements not written, an error returned.
  std::vector<std::string> faults;
  double seconds = 0; ///< of the shortest run

  bool passed() const { return faults.empty() && report.passed(); }
};

/// Runs the kernel at `function` on generated data, in buffers filled with
/// poison between guard zones, and compares its result with the reference.
CheckResult checkProblem(const ::convoy::Problem &problem,
                         const KernelInterface &kernel, void *function,
                         const CheckOptions &options);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_CHECKPROBLEM_H
