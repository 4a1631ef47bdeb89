//===- CompileProgress.h - How far compiling problems is --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_COMPILE_COMPILEPROGRESS_H
#define CONVOY_TOOLS_CONVOY_COMPILE_COMPILEPROGRESS_H

#include "convoy/Driver/Progress.h"
#include "convoy/Target/EmitInterface.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::convoy {

/// Shows on a terminal which pass runs on the kernel of which problem, where
/// there are several.
class CompileProgress {
public:
  explicit CompileProgress(const KernelProblems &problems)
      : problems(problems) {}

  /// Shows the passes of `pm` as they run.
  void addTo(PassManager &pm);
  /// Says that what passes left becomes code.
  void startEmission();

private:
  class Instrumentation;

  const KernelProblems &problems;
  llvm::StringMap<size_t> numbers; ///< of kernels that were seen, from 1
  Progress progress;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_COMPILE_COMPILEPROGRESS_H
