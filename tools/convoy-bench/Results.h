//===- Results.h - What was measured, as a table ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_RESULTS_H
#define CONVOY_TOOLS_CONVOY_BENCH_RESULTS_H

#include "Measure.h"

#include "convoy/Support/AnyProblem.h"

#include <string>
#include <vector>

namespace convoy {

/// How one peer did in a case.
struct PeerResult {
  std::string name; ///< as in `--peers`
  Measurement measurement;
  std::string implementation;
  std::string reason; ///< why it was not timed; else empty
};

/// How one choice of register tiles did in a case.
struct CandidateResult {
  std::string tiles;   ///< in words
  double estimate = 0; ///< cycles for a multiply-add of one lane
  Measurement measurement;
  std::string reason; ///< why it was not timed; else empty
};

/// One problem in one layout on some threads.
struct CaseResult {
  AnyProblem problem;
  std::string target = "cpu";       ///< as in `--target`
  int threads = 1;                  ///< of the CPU's
  bool isFilterPacked = false;      ///< before ours is timed
  std::string algorithm = "direct"; ///< of ours, as in `--algorithm`
  /// Results of a tile along each spatial dimension where ours is computed by
  /// Winograd's algorithm; else empty.
  std::vector<int64_t> winogradTile;
  double peak = 0; ///< operations a second; 0 where it was not measured
  /// Bytes a second that the memory gives; 0 where it was not measured.
  double bandwidth = 0;
  double bytes = 0; ///< of operands and result
  /// Ours. An error where the kernel could not be compiled or was wrong.
  std::string error;
  bool isWrong = false;
  Measurement measurement;
  double compileSeconds = 0;
  int64_t codeBytes = 0, workspaceBytes = 0;
  std::vector<PeerResult> peers;
  /// Those that were asked for, by their estimates, ours first; else empty.
  std::vector<CandidateResult> candidates;

  bool wasTimed() const { return !measurement.seconds.empty(); }
  /// The convolution, or null for other problems, of which bytes count instead
  /// of operations, and which no peer is timed beside.
  const Problem *getConvolution() const {
    return std::get_if<Problem>(&problem);
  }
  /// Two for each multiply-add, padding included; 0 of what is no convolution.
  double getOperations() const;
  /// Operations a second; 0 where it was not timed.
  double getSpeed(const Measurement &measurement) const;
  /// Bytes of operands and result a second, each counted once; 0 where it was
  /// not timed.
  double getByteSpeed() const;
  /// The part of the memory's bandwidth that this is; 0 where that was not
  /// measured.
  double getBandwidthFraction() const;
  /// How often as fast as a peer ours is; 0 where one was not timed.
  double getRatio(const PeerResult &peer) const;
  double getPeakFraction() const;
  /// Operations for each byte of operands and result.
  double getIntensity() const;
  /// Operations a second of the fastest candidate, ours among them.
  double getBestSpeed() const;
  /// Where it ran and how: the threads of the CPU with what was chosen for it,
  /// or the target.
  std::string getPlace() const;
  /// Direction, type, layouts and place, which cases of one table share.
  std::string getGroup() const;
};

/// What stands at the head of all tables.
struct PeerTitle {
  std::string name, title;
};

/// Geometric means over one group.
struct GroupMeans {
  size_t cases = 0; ///< that were timed
  double peakFraction = 0, bandwidthFraction = 0;
  /// By peer; 0 where it was never timed.
  std::vector<double> ratios;
};
GroupMeans getMeans(const std::vector<const CaseResult *> &group);

/// Cases of equal groups together, in the order of their first.
std::vector<std::vector<const CaseResult *>>
groupCases(const std::vector<CaseResult> &cases);

/// A table for each group, then why peers were not timed.
std::string printTables(const std::vector<CaseResult> &cases,
                        const std::vector<PeerTitle> &peers);

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_RESULTS_H
