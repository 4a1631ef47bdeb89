//===- Runner.h - Compiles, checks and times problems -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_RUNNER_H
#define CONVOY_TOOLS_CONVOY_BENCH_RUNNER_H

#include "CommandLine.h"
#include "ConvoyKernel.h"
#include "Peak.h"
#include "Peers.h"
#include "Results.h"

#include "convoy/Driver/Progress.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir::convoy {

/// `problem` in each of the layouts that the words of `--layouts` ask for; as
/// it is where there are none.
std::vector<::convoy::Problem>
expandLayouts(const ::convoy::Problem &problem,
              const std::vector<std::string> &words);

/// What our kernels of a problem are compared with whose sums the ranges of its
/// arguments decide.
struct RangedReference {
  OwningOpRef<ModuleOp> module;
  FunctionReference function;
  /// The types of its sums, where it is one convolution.
  std::optional<CheckedConv> conv;
};

/// Times problems one after the other.
class Runner {
public:
  explicit Runner(const Options &options);

  /// Makes the user's target ready, on which all run.
  ::convoy::Status openTarget() { return compiler.openTarget(); }
  /// Checks that the ranges of the options are of arguments of `problems`; else
  /// one sentence in `error`.
  bool checkRanges(const std::vector<::convoy::AnyProblem> &problems,
                   std::string &error) {
    return checkProblemRanges(compiler.getContext(), problems, options.ranges,
                              error);
  }
  /// Times `problems` in all layouts and on all numbers of threads.
  void run(const std::vector<::convoy::AnyProblem> &problems);

  const std::vector<::convoy::CaseResult> &getResults() const {
    return results;
  }
  std::vector<::convoy::PeerTitle> getTitles() const;

private:
  /// Times one problem. `reference` is computed where it is not there yet: all
  /// layouts share it.
  void runLayout(const ::convoy::Problem &problem,
                 std::optional<::convoy::ReferenceResult> &reference);
  /// Keeps `arguments` in the ranges that the user declares, and finds out how
  /// `problem`, which `conv` describes, is summed. False, with one sentence in
  /// `error`, where that fails.
  bool keepRanges(const ::convoy::Problem &problem, const CheckedConv &conv,
                  std::vector<::convoy::HostArray> &arguments,
                  std::string &error);
  /// Runs `kernel` once; what is wrong, as one sentence, or nothing.
  std::optional<std::string> check(ConvoyKernel &kernel, const PeerTask &task,
                                   const ::convoy::ReferenceResult &reference);
  /// Times a problem that is no convolution, on which no peer is tried.
  void runOther(const ::convoy::AnyProblem &problem);
  /// Compiles, checks and times the problem of `result`, which is one.
  void runOther(::convoy::CaseResult result,
                const std::vector<::convoy::HostArray> &arguments,
                FunctionReference &reference);
  /// A case of `problem`, whose tensors take `bytes`, and which is shown as
  /// that at hand.
  ::convoy::CaseResult startCase(const ::convoy::AnyProblem &problem,
                                 double bytes, int threads);
  /// Keeps of `result` what `kernel` costs besides time.
  static void addCosts(const ConvoyKernel &kernel,
                       ::convoy::CaseResult &result);
  /// Compiles, checks and times one problem on one number of threads.
  void runThreads(::convoy::CaseResult result, const PeerTask &task,
                  const ::convoy::ReferenceResult &reference);
  /// Times `kernels`: ours, then its candidates, those that there are.
  void measure(::convoy::CaseResult result,
               const std::vector<std::unique_ptr<ConvoyKernel>> &kernels,
               const PeerTask &task,
               const ::convoy::ReferenceResult &reference);
  /// Kernels of `task` by other register tiles than ours, ready and checked;
  /// null where one is not, of which `result` then says why.
  std::vector<std::unique_ptr<ConvoyKernel>>
  prepareCandidates(::convoy::CaseResult &result, const PeerTask &task,
                    const ::convoy::ReferenceResult &reference);
  void addError(::convoy::CaseResult result, const std::string &error);
  /// The peer of `result`, ready and checked; null where it is not.
  std::unique_ptr<PeerRun>
  preparePeer(Peer &peer, const PeerTask &task,
              const ::convoy::ReferenceResult &reference,
              ::convoy::PeerResult &result);
  /// The loop whose speed is the peak for `problem`; null where there is none.
  std::unique_ptr<::convoy::PeakLoop>
  createPeak(const ::convoy::Problem &problem, int threads) const;
  double getPeak(const ::convoy::CaseResult &result) const;
  void add(::convoy::CaseResult result);
  /// Measures how fast memory is read, by each number of threads.
  void addBandwidths();

  const Options &options;
  KernelCompiler compiler;
  int64_t vectorBytes;
  std::vector<std::unique_ptr<Peer>> peers;
  /// Of the problem at hand, where the user declares ranges.
  std::optional<RangedReference> ranged;
  /// The best measured, by whether elements are f64, and threads.
  std::map<std::pair<bool, int>, double> peaks;
  std::vector<::convoy::CaseResult> results;
  size_t caseCount = 0;
  Progress progress; ///< where no lines tell it
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_RUNNER_H
