//===- CaseRunner.h - Tries cases and survives it ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_CASERUNNER_H
#define CONVOY_TOOLS_CONVOY_FUZZ_CASERUNNER_H

#include "Outcome.h"

#include "convoy/Driver/WorkerProcess.h"

namespace mlir::convoy {

/// Tries cases in a process that may crash or hang.
class CaseRunner {
public:
  /// `command` is one of the shell that runs serveCases; `seconds` are what a
  /// case may take; with `survey` outcomes hold the errors of all elements.
  CaseRunner(const std::string &command, int seconds, bool survey = false)
      : worker(command, seconds), seconds(seconds), survey(survey) {}

  /// Opens the target of `fuzzCase`, and does nothing else.
  Outcome open(const ::convoy::FuzzCase &fuzzCase) {
    return ask("open", fuzzCase);
  }
  /// Lowers the case to tiles.
  Outcome tile(const ::convoy::FuzzCase &fuzzCase) {
    return ask("tile", fuzzCase);
  }
  /// Compiles, runs and checks the case.
  Outcome run(const ::convoy::FuzzCase &fuzzCase) {
    return ask("run", fuzzCase);
  }

private:
  Outcome ask(StringRef request, const ::convoy::FuzzCase &fuzzCase);

  WorkerProcess worker;
  int seconds;
  bool survey;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_CASERUNNER_H
