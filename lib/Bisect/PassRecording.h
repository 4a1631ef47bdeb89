//===- PassRecording.h - What each pass of a pipeline leaves ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_BISECT_PASSRECORDING_H
#define CONVOY_LIB_BISECT_PASSRECORDING_H

#include "convoy/Bisect/Bisect.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::convoy {

/// A pass that ran, and the module after it.
struct RecordedRun {
  PassRun run;
  std::string bytecode; ///< of the module
  bool hasChanged = false;
};

/// What became of a pipeline.
struct PassRecording {
  enum class End { Completed, Failed, Crashed };

  size_t numPasses = 0; ///< of the pipeline
  std::string input;    ///< the module before the first pass, as bytecode
  std::vector<RecordedRun> runs;
  End end = End::Completed;
  /// The pass that failed or crashed, and its error or the end of its process.
  PassRun last;
  std::string message;
  std::vector<std::string> warnings; ///< of all passes, each a line

  /// The module after as many runs as `stage` says.
  const std::string &getBytecode(size_t stage) const {
    return stage == 0 ? input : runs[stage - 1].bytecode;
  }
};

/// Reads what a recording holds of a module.
OwningOpRef<ModuleOp> readStage(MLIRContext *context,
                                const std::string &bytecode);

/// Runs the passes of `pipeline`, which can be parsed, on `module` in a child
/// process of at most `seconds`. Returns nothing, with one sentence in `error`,
/// where no pass can be made responsible.
std::optional<PassRecording> recordPasses(ModuleOp module, StringRef pipeline,
                                          unsigned seconds, std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_LIB_BISECT_PASSRECORDING_H
