//===- ReasonRecorder.h - Keeps why patterns did not match ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_REASONRECORDER_H
#define CONVOY_TRANSFORMS_UTILS_REASONRECORDER_H

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::convoy {

/// A listener that keeps what `notifyMatchFailure` says, per op and in order,
/// so that a pass can tell the user why an op was left behind.
class ReasonRecorder : public RewriterBase::Listener {
public:
  void
  notifyMatchFailure(Location loc,
                     function_ref<void(Diagnostic &)> reasonCallback) override;

  /// Attaches the reasons recorded at `op`'s location to `diagnostic`.
  void attachTo(InFlightDiagnostic &diagnostic, Operation *op) const;

  /// Emits the error `was not <done>` at `op` with its reasons as notes.
  void emitLeftBehind(Operation *op, StringRef done) const;

  /// Emits the warning `was not <done>` at `op` with its reasons as notes,
  /// where the op may stay.
  void emitWarning(Operation *op, StringRef done) const;

private:
  llvm::MapVector<Location, SmallVector<std::string>> reasons;
};

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_REASONRECORDER_H
