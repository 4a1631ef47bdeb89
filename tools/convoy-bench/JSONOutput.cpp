//===- JSONOutput.cpp - What was measured, as JSON --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JSONOutput.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <benchmark/benchmark.h>

#include <sstream>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;
using Run = benchmark::BenchmarkReporter::Run;

/// The best turn as one of Google Benchmark's runs.
static Run makeRun(const CaseResult &result, const std::string &contestant,
                   const Measurement &measurement) {
  Run run;
  run.run_name.function_name = ::convoy::toString(result.problem);
  run.run_name.args = contestant;
  run.run_name.threads = "threads:" + std::to_string(result.threads);
  run.threads = result.threads;
  run.repetitions = 1;
  run.repetition_index = 0;
  run.family_index = run.per_family_instance_index = 0;
  run.statistics = nullptr;
  run.time_unit = benchmark::kMicrosecond;
  run.iterations = measurement.runsPerTurn;
  double runs = double(measurement.runsPerTurn);
  run.real_accumulated_time = measurement.best() * runs;
  run.cpu_accumulated_time =
      measurement.cpuSeconds[measurement.bestTurn()] * runs;
  run.counters["turns"] = double(measurement.seconds.size());
  run.counters["median_us"] = 1e6 * measurement.median();
  if (result.getConvolution())
    run.counters["gflops"] = 1e-9 * result.getSpeed(measurement);
  return run;
}

static std::vector<Run> makeRuns(const std::vector<CaseResult> &cases) {
  std::vector<Run> runs;
  for (const CaseResult &result : cases) {
    if (!result.wasTimed())
      continue;
    Run &ours =
        runs.emplace_back(makeRun(result, "convoy", result.measurement));
    ours.counters["compile_ms"] = 1e3 * result.compileSeconds;
    ours.counters["code_bytes"] = double(result.codeBytes);
    ours.counters["workspace_bytes"] = double(result.workspaceBytes);
    for (const PeerResult &peer : result.peers) {
      if (peer.measurement.seconds.empty())
        continue;
      runs.push_back(makeRun(result, peer.name, peer.measurement));
      runs.back().report_label = peer.implementation;
    }
  }
  for (auto [number, run] : llvm::enumerate(runs))
    run.family_index = int64_t(number);
  return runs;
}

/// What Google Benchmark's own reporter writes.
static llvm::json::Object writeRuns(const std::vector<CaseResult> &cases) {
  std::ostringstream stream, errors;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&stream);
  reporter.SetErrorStream(&errors);
  benchmark::BenchmarkReporter::Context::executable_name = "convoy-bench";
  reporter.ReportContext(benchmark::BenchmarkReporter::Context());
  if (std::vector<Run> runs = makeRuns(cases); !runs.empty())
    reporter.ReportRuns(runs);
  reporter.Finalize();
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(stream.str());
  if (!value)
    llvm::report_fatal_error(value.takeError());
  return std::move(*value->getAsObject());
}

static llvm::json::Object toObject(const CaseResult &result,
                                   const CandidateResult &candidate) {
  llvm::json::Object object{{"tiles", candidate.tiles},
                            {"cycles_per_lane", candidate.estimate}};
  if (candidate.reason.empty())
    object["gflops"] = 1e-9 * result.getSpeed(candidate.measurement);
  else
    object["error"] = candidate.reason;
  return object;
}

/// The command that times one case again.
static std::string getReproduction(const CaseResult &result,
                                   const Options &options) {
  std::string problem = ::convoy::toString(result.problem);
  std::vector<std::string> words;
  for (StringRef word : llvm::split(problem, ' '))
    words.push_back(word.str());
  if (options.isForCPU())
    words.push_back("--threads=" + std::to_string(result.threads));
  return getCaseCommand(options, words,
                        {"json", "layouts", "quiet", "report", "threads"});
}

static llvm::json::Object toObject(const CaseResult &result,
                                   const Options &options) {
  llvm::json::Object object{{"problem", ::convoy::toString(result.problem)},
                            {"target", result.target},
                            {"threads", result.threads},
                            {"reproduce", getReproduction(result, options)}};
  if (result.isFilterPacked)
    object["filter"] = "packed";
  if (result.algorithm != "direct")
    object["algorithm"] = result.algorithm;
  if (!result.winogradTile.empty())
    object["winograd_tile"] = llvm::json::Array(result.winogradTile);
  if (!result.error.empty()) {
    object["error"] = result.error;
    return object;
  }
  if (result.getConvolution())
    object["gflops"] = 1e-9 * result.getSpeed(result.measurement);
  object["gbs"] = 1e-9 * result.getByteSpeed();
  object["compile_ms"] = 1e3 * result.compileSeconds;
  object["code_bytes"] = result.codeBytes;
  object["workspace_bytes"] = result.workspaceBytes;
  if (result.peak > 0) {
    object["peak_gflops"] = 1e-9 * result.peak;
    object["peak_fraction"] = result.getPeakFraction();
  }
  if (result.bandwidth > 0)
    object["bandwidth_gbs"] = 1e-9 * result.bandwidth;
  if (!result.getConvolution() && result.bandwidth > 0)
    object["bandwidth_fraction"] = result.getBandwidthFraction();
  if (double intensity = result.getIntensity(); intensity > 0)
    object["intensity"] = intensity;
  llvm::json::Object ratios, speeds, reasons;
  for (const PeerResult &peer : result.peers) {
    if (!peer.reason.empty()) {
      reasons[peer.name] = peer.reason;
      continue;
    }
    ratios[peer.name] = result.getRatio(peer);
    speeds[peer.name] = 1e-9 * result.getSpeed(peer.measurement);
  }
  llvm::json::Array candidates;
  for (const CandidateResult &candidate : result.candidates)
    candidates.push_back(toObject(result, candidate));
  if (!candidates.empty())
    object["candidates"] = std::move(candidates);
  object["ratio"] = std::move(ratios);
  object["peer_gflops"] = std::move(speeds);
  object["peer_reason"] = std::move(reasons);
  return object;
}

static llvm::json::Object
toObject(const std::vector<const CaseResult *> &group) {
  GroupMeans means = getMeans(group);
  llvm::json::Object ratios;
  for (auto [peer, ratio] : llvm::zip_equal(group.front()->peers, means.ratios))
    if (ratio > 0)
      ratios[peer.name] = ratio;
  llvm::json::Object object{{"cases", int64_t(means.cases)},
                            {"ratio", std::move(ratios)}};
  if (means.peakFraction > 0)
    object["peak_fraction"] = means.peakFraction;
  if (!group.front()->getConvolution() && means.bandwidthFraction > 0)
    object["bandwidth_fraction"] = means.bandwidthFraction;
  return object;
}

llvm::json::Object
mlir::convoy::makeDocument(const std::vector<CaseResult> &cases,
                           const Options &options) {
  llvm::json::Object all = writeRuns(cases);
  llvm::json::Array list;
  for (const CaseResult &result : cases)
    list.push_back(toObject(result, options));
  llvm::json::Object means;
  for (const std::vector<const CaseResult *> &group : groupCases(cases))
    means[group.front()->getGroup()] = toObject(group);
  all["cases"] = std::move(list);
  all["geomean"] = std::move(means);
  return all;
}
