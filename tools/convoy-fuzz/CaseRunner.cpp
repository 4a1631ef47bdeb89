//===- CaseRunner.cpp - Tries cases and survives it -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"

using namespace mlir;
using namespace mlir::convoy;

Outcome CaseRunner::ask(StringRef request, const ::convoy::FuzzCase &fuzzCase) {
  llvm::json::Object object = toJSON(fuzzCase);
  object["do"] = request;
  object["survey"] = survey;
  std::string error;
  std::optional<llvm::json::Object> answer =
      worker.ask(std::move(object), error);
  std::optional<Outcome> outcome;
  if (answer)
    outcome = readOutcome(*answer);
  if (outcome)
    return *outcome;
  if (worker.getEnding() == "hang")
    return {OutcomeKind::Hang,
            "takes more than " + std::to_string(seconds) + " s",
            "",
            {}};
  return {OutcomeKind::Crash,
          worker.getEnding().empty() ? error : worker.getEnding(),
          "",
          {}};
}
