//===- JudgeStage.h - Does a stage mean what was meant? ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_BISECT_JUDGESTAGE_H
#define CONVOY_LIB_BISECT_JUDGESTAGE_H

#include "PassRecording.h"

#include <map>

namespace mlir::convoy {

/// Says of the stages of a recording whether they compute what its input does.
class StageJudge {
public:
  /// All of these outlive this.
  StageJudge(MLIRContext *context, const PassRecording &recording,
             const BisectOptions &options)
      : context(context), recording(recording), options(options) {}

  /// By a certificate, or else by a run. Known from then on.
  const StageVerdict &judge(size_t stage);
  /// By a run.
  StageVerdict run(size_t stage);

  size_t getNumJudged() const { return verdicts.size(); }

private:
  enum class Method { Prove, Run };

  /// Judges `stage` in a child process.
  StageVerdict judgeInChild(size_t stage, Method method);
  /// The latest stage up to `stage` that launches kernels on buffers, if any.
  OwningOpRef<ModuleOp> readLaunchingStage(size_t stage);

  MLIRContext *context;
  const PassRecording &recording;
  const BisectOptions &options;
  std::map<size_t, StageVerdict> verdicts;
};

/// Proves that the public functions of `input` and `stage` compute the same, as
/// far as that can be decided in `seconds` for each.
StageVerdict proveStage(ModuleOp input, ModuleOp stage, double seconds);

/// Finishes `stage` and runs it; the results must be what the public functions
/// of `input` give on the same data. `launching` says how kernels are launched
/// where `stage` no longer does, and may be null. `willRun` is called before
/// anything that was compiled runs.
StageVerdict runStage(ModuleOp input, ModuleOp stage, ModuleOp launching,
                      const BisectOptions &options,
                      llvm::function_ref<void()> willRun);

} // namespace mlir::convoy

#endif // CONVOY_LIB_BISECT_JUDGESTAGE_H
