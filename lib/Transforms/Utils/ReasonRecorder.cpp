//===- ReasonRecorder.cpp - Keeps why patterns did not match ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/ReasonRecorder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::convoy;

void ReasonRecorder::notifyMatchFailure(
    Location loc, function_ref<void(Diagnostic &)> reasonCallback) {
  Diagnostic diagnostic(loc, DiagnosticSeverity::Note);
  reasonCallback(diagnostic);
  SmallVector<std::string> &known = reasons[loc];
  std::string reason = diagnostic.str();
  if (!llvm::is_contained(known, reason))
    known.push_back(std::move(reason));
}

void ReasonRecorder::attachTo(InFlightDiagnostic &diagnostic,
                              Operation *op) const {
  if (auto *it = reasons.find(op->getLoc()); it != reasons.end())
    for (const std::string &reason : it->second)
      diagnostic.attachNote(op->getLoc()) << reason;
}

void ReasonRecorder::emitLeftBehind(Operation *op, StringRef done) const {
  InFlightDiagnostic diagnostic = op->emitOpError() << "was not " << done;
  attachTo(diagnostic, op);
}

void ReasonRecorder::emitWarning(Operation *op, StringRef done) const {
  InFlightDiagnostic diagnostic = op->emitWarning() << "'" << op->getName()
                                                    << "' op was not " << done;
  attachTo(diagnostic, op);
}
