//===- Bisect.h - Finds the pass that is at fault ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_BISECT_BISECT_H
#define CONVOY_BISECT_BISECT_H

#include "convoy/Driver/CheckedConv.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Support/AnyProblem.h"

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// A pass that runs on an op.
struct PassRun {
  size_t number = 0;    ///< of the pass in its pipeline, from 1
  std::string pass;     ///< its name with its options
  std::string pipeline; ///< the same alone, for --pass-pipeline
  std::string op;       ///< its name and symbol, as in `func.func @conv`
};

struct BisectOptions {
  /// The passes, from `builtin.module` on.
  std::string pipeline;
  /// For what IR is finished that is run.
  CompileOptions compile;
  /// On what data it runs.
  CheckOptions check;
  /// On what sizes: those that arguments of a function leave open, in order.
  std::vector<int64_t> sizes;
  /// The problem that is no convolution and that the function was made of,
  /// whose data it runs on, or null.
  const ::convoy::AnyProblem *problem = nullptr;
  /// The time for a pipeline, a proof or a run, after which it is ended.
  unsigned seconds = 60;
};

/// What is known of IR after some passes.
struct StageVerdict {
  enum class Kind { Right, Wrong, Undecided };

  Kind kind = Kind::Undecided;
  /// Whether a proof says so; else a run.
  bool isProved = false;
  /// The function that is wrong or undecided.
  std::string function;
  /// What is wrong, or why it is undecided.
  std::string message;
  /// The op that this is about, as text; empty where none is known.
  std::string op;
};

/// What came of a search.
struct BisectResult {
  enum class Kind {
    Nothing,   ///< all passes are right
    Wrong,     ///< what `suspects` leave computes something else
    Failed,    ///< the suspect reports an error, or leaves invalid IR
    Crashed,   ///< the suspect ends the process, or does not end
    Undecided, ///< `verdict` says why the last stages cannot be judged
  };

  Kind kind = Kind::Nothing;
  /// How many passes the pipeline has.
  size_t numPasses = 0;
  /// Several where what lies between them cannot be judged; those that changed
  /// nothing are left out.
  std::vector<PassRun> suspects;
  /// Why what is after the suspects is wrong.
  StageVerdict verdict;
  /// What the suspect says that failed or crashed, or the pass that did so on
  /// wrong IR.
  std::string message;
  /// The module before the suspects and after them, as text; the latter is
  /// empty where the suspect failed or crashed.
  std::string before, after;
  /// How many stages were judged, to say what the search has cost.
  size_t numJudged = 0;
  /// What passes warn of, as of convolutions that are not raised; each a line.
  std::vector<std::string> warnings;
};

/// The passes of `pipeline`, which is text from `builtin.module` on. Fails,
/// with one sentence in `error`, where that is no pipeline.
FailureOr<OpPassManager> parsePipeline(StringRef pipeline, std::string &error);

/// The passes of `pipeline`, which is text from `builtin.module` on, each alone
/// in the ops that it is nested in, such as `func.func(cse)`. Fails, with one
/// sentence in `error`, where that is no pipeline.
std::optional<std::vector<std::string>> splitPipeline(StringRef pipeline,
                                                      std::string &error);

/// The pipeline of these passes.
std::string joinPipeline(ArrayRef<std::string> passes);

/// Finds the first pass after which public functions of `module` compute
/// something else than before all passes, or which fails or crashes. What
/// certificates cannot decide is run on data. That all stages after a wrong one
/// are wrong is taken for granted. Returns nothing, with one sentence in
/// `error`, where the pipeline does not run at all.
std::optional<BisectResult>
bisectPasses(ModuleOp module, const BisectOptions &options, std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_BISECT_BISECT_H
