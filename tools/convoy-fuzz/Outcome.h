//===- Outcome.h - What became of a case ------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_OUTCOME_H
#define CONVOY_TOOLS_CONVOY_FUZZ_OUTCOME_H

#include "FuzzCase.h"

#include "convoy/Runtime/ErrorSurvey.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// What became of a case.
enum class OutcomeKind {
  Passed,
  Refused,     ///< with the reason; no finding
  Suspicious,  ///< within the error bound, but not likely
  Wrong,       ///< beyond the error bound
  Fault,       ///< a guard touched, an element not written, a device lost
  NotCompiled, ///< an error of a pass
  Crash,       ///< the process ended
  Hang,        ///< the process had to be ended
  NoDevice
};

struct Outcome {
  OutcomeKind kind = OutcomeKind::Passed;
  /// What is wrong, in one line.
  std::string text;
  /// Of numbers that were compared.
  std::string verdict;
  /// What the compiler said of its choices.
  std::vector<std::string> remarks;
  /// How error/bound is distributed, where a survey was asked for.
  std::optional<::convoy::ErrorHistogram> errors = std::nullopt;

  bool isFinding() const {
    return kind != OutcomeKind::Passed && kind != OutcomeKind::Refused &&
           kind != OutcomeKind::NoDevice;
  }
  /// What findings with one cause have in common, as far as is known: the kind,
  /// and the text without numbers where it names a cause.
  std::string getKey() const;
};

/// "passed", "not compiled", ...
StringRef getName(OutcomeKind kind);

/// `text` with `N` for each number.
std::string hideNumbers(StringRef text);

llvm::json::Object toJSON(const Outcome &outcome);
/// What toJSON wrote, or nothing.
std::optional<Outcome> readOutcome(const llvm::json::Object &object);

llvm::json::Object toJSON(const ::convoy::FuzzCase &fuzzCase);
/// What toJSON wrote, or nothing.
std::optional<::convoy::FuzzCase> readCase(const llvm::json::Object &object);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_OUTCOME_H
