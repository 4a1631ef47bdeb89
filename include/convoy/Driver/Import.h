//===- Import.h - Reads inputs, reports errors in a line --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_IMPORT_H
#define CONVOY_DRIVER_IMPORT_H

#include "convoy/Support/AnyProblem.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// `file:line:col: `, or nothing where `loc` is in no file.
std::string getPlace(Location loc);

/// While it lives, keeps the first error of its context as one line, shows
/// warnings and remarks as lines, each once, and swallows other errors. Notes
/// that give reasons end their line.
class FirstErrorHandler : public ScopedDiagnosticHandler {
public:
  using Show = std::function<void(DiagnosticSeverity, StringRef line)>;

  /// Shows lines on standard error.
  explicit FirstErrorHandler(MLIRContext *context);
  FirstErrorHandler(MLIRContext *context, Show show);

  /// `file:line:col: text`, without the place where there is none; empty where
  /// no error was reported.
  const std::string &getError() const { return error; }
  /// `problem: ` where the error is of one problem, else empty.
  const std::string &getProblem() const { return problem; }
  void clear() {
    error.clear();
    problem.clear();
  }

private:
  std::string error, problem;
  llvm::StringSet<> shown;
};

/// Reads the module in the file `path` as it is. Errors are reported to the
/// context's handlers.
OwningOpRef<ModuleOp> readModule(MLIRContext *context, StringRef path);

/// Runs the passes of `pm`. Fails where the work is interrupted: some may have
/// been left out then.
LogicalResult runAllPasses(PassManager &pm, ModuleOp module);

/// Raises the convolutions of `module`, which may hold linalg, TOSA and convoy
/// ops (`convoy-import-pipeline`). Errors are reported to the context's
/// handlers. `configure` is called with the pass manager before it runs.
LogicalResult
importModule(ModuleOp module,
             const std::function<LogicalResult(PassManager &)> &configure = {});

/// The problems that `input` holds, which is a problem or `@FILE` with one a
/// line. Where it is wrong or has none, returns nothing and puts one sentence
/// into `error`.
std::optional<std::vector<::convoy::Problem>>
readProblems(StringRef input, const ::convoy::ProblemDefaults &defaults,
             std::string &error);

/// The same for problems of all kinds.
std::optional<std::vector<::convoy::AnyProblem>>
readAnyProblems(StringRef input, const ::convoy::ProblemDefaults &defaults,
                std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_IMPORT_H
