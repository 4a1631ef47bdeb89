//===- Fuzzer.cpp - Draws, tries and shrinks cases --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzzer.h"

#include "ShrinkCase.h"

#include "convoy/Runtime/FileIO.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <span>
#include <thread>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ExitCode;
using ::convoy::FuzzCase;

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

double Fuzzer::secondsSinceStart() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

bool Fuzzer::takeCase(uint64_t &number) {
  if (options.seconds > 0 && secondsSinceStart() > options.seconds)
    return false;
  uint64_t taken = next++;
  number = options.first + taken;
  return options.cases == 0 || taken < options.cases;
}

std::optional<FuzzCase> Fuzzer::draw(uint64_t number, CaseRunner &runner) {
  ::convoy::RandomNumbers seeds(options.seed);
  uint64_t seed = seeds.next() ^ (number * 0xd1342543de82ef95);
  // What came later has numbers of its own, so that all else is as before.
  ::convoy::RandomNumbers random(seed), later(~seed), last(~seed + 1),
      newest(~seed + 2), ops(~seed + 3), ranges(~seed + 4);
  FuzzCase drawn;
  // Some ops have few types, or few numbers of dimensions.
  constexpr int Tries = 1000;
  for (int i = 0; i < Tries; ++i) {
    drawn = ::convoy::drawCase(random, options.draw);
    ::convoy::drawKnowledge(drawn, later, options.draw);
    ::convoy::drawEpilogue(drawn, last);
    ::convoy::drawAlgorithm(drawn, newest, options.draw);
    ::convoy::drawOp(drawn, ops, options.draw);
    ::convoy::drawRanges(drawn, ranges);
    if (llvm::is_contained(options.draw.ops, drawn.op))
      break;
  }
  if (!llvm::is_contained(options.draw.ops, drawn.op))
    return std::nullopt;
  drawn.tile.assign(options.tile.begin(), options.tile.end());
  // Each target's tiles settle the sizes of some cases.
  FuzzCase tiled = ::convoy::forTarget(
      drawn, options.targets[number % options.targets.size()]);
  Outcome outcome = runner.tile(tiled);
  if (outcome.isFinding()) {
    report(number, tiled, outcome,
           [&](const FuzzCase &other) { return runner.tile(other); });
    return std::nullopt;
  }
  std::vector<int64_t> steps = ::convoy::getSteps(outcome.remarks);
  ::convoy::moveToEdges(drawn, steps, random, options.draw);
  ::convoy::drawRuns(drawn, steps, later, options.draw);
  ::convoy::moveRangesToEdge(drawn, ranges);
  return drawn;
}

void Fuzzer::work() {
  CaseRunner runner(options.workerCommand, options.caseSeconds,
                    !options.report.empty());
  for (uint64_t number; takeCase(number);) {
    std::optional<FuzzCase> drawn = draw(number, runner);
    for (const std::string &target : options.targets) {
      if (!drawn)
        break;
      FuzzCase fuzzCase = ::convoy::forTarget(*drawn, target);
      Outcome outcome = runner.run(fuzzCase);
      count(fuzzCase, outcome);
      if (outcome.isFinding())
        report(number, fuzzCase, outcome,
               [&](const FuzzCase &other) { return runner.run(other); });
    }
  }
}

void Fuzzer::count(const FuzzCase &fuzzCase, const Outcome &outcome) {
  std::lock_guard<std::mutex> lock(mutex);
  ++numRuns;
  TargetCounts &target = counts[fuzzCase.target];
  ++target.runs;
  target.passed += outcome.kind == OutcomeKind::Passed;
  if (!outcome.verdict.empty())
    ++target.verdicts[outcome.verdict];
  if (outcome.errors)
    target.errors.merge(*outcome.errors);
  if (outcome.kind == OutcomeKind::Refused) {
    ++target.refused;
    ++refusals[hideNumbers(outcome.text)];
  }
  edges.add({fuzzCase, outcome.remarks});
  progress.show(numRuns, options.cases * options.targets.size(),
                toString(fuzzCase));
  constexpr double SecondsBetweenReports = 30;
  if (llvm::errs().is_displayed() || secondsSinceStart() < nextReport)
    return;
  nextReport = secondsSinceStart() + SecondsBetweenReports;
  llvm::errs() << llvm::formatv("fuzz: {0} runs, {1} findings after {2:f0} s\n",
                                numRuns, findings.size(), secondsSinceStart());
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

/// So many findings of a kind are made small; there may be hundreds of a cause.
static constexpr int MostOfKind = 5;

bool Fuzzer::takesTime(const FuzzCase &fuzzCase, const Outcome &outcome) {
  std::lock_guard<std::mutex> lock(mutex);
  exitCode = combine(exitCode, ExitCode::WrongNumbers);
  bool isTaken =
      numShrunk[fuzzCase.target + " " + outcome.getKey()]++ < MostOfKind;
  numMore += !isTaken;
  return isTaken;
}

template <typename Try>
void Fuzzer::report(uint64_t number, const FuzzCase &drawn,
                    const Outcome &outcome, Try tryCase) {
  if (!takesTime(drawn, outcome))
    return;
  Finding finding{number, drawn, drawn, outcome};
  std::string key = outcome.getKey();
  double end = secondsSinceStart() + options.shrinkSeconds;
  auto isFinding = [&](const FuzzCase &other) {
    if (secondsSinceStart() > end)
      return false;
    Outcome found = tryCase(other);
    if (found.getKey() != key)
      return false;
    finding.outcome = std::move(found);
    return true;
  };
  finding.smallest = ::convoy::shrink(drawn, isFinding, options.shrinkTries);
  std::lock_guard<std::mutex> lock(mutex);
  if (!known.insert(toString(finding.smallest)).second)
    return;
  ++counts[drawn.target].findings;
  print(finding);
  findings.push_back(std::move(finding));
}

std::string mlir::convoy::getTestName(const Finding &finding) {
  std::string name = "fuzz-" + getName(finding.outcome.kind).str() + "-" +
                     std::to_string(finding.number) + "-" +
                     finding.smallest.target + ".test";
  for (char &c : name)
    if (c == ' ' || c == ':')
      c = '-';
  return name;
}

std::string mlir::convoy::makeTest(const Finding &finding, uint64_t seed) {
  return llvm::formatv(
      "Was {0}: {1}.\nFound by convoy-fuzz --seed={2}, as case "
      "{3}.\n\nRUN: {4}\n",
      getName(finding.outcome.kind), finding.outcome.text, seed, finding.number,
      toString(finding.smallest));
}

void Fuzzer::print(const Finding &finding) {
  eraseProgress();
  getStream() << getName(finding.outcome.kind) << ": case " << finding.number
              << ": " << finding.outcome.text << "\n  "
              << toString(finding.smallest) << "\n";
  if (finding.drawn != finding.smallest)
    getStream() << "  drawn as: " << toString(finding.drawn) << "\n";
  getStream().flush();
  if (options.testFolder.empty())
    return;
  SmallString<128> path(options.testFolder);
  llvm::sys::path::append(path, getTestName(finding));
  std::string test = makeTest(finding, options.seed), error;
  if (::convoy::writeFile(path.str().str(),
                          std::as_bytes(std::span(test.data(), test.size())),
                          error))
    return;
  addError(error);
}

void Fuzzer::addError(const std::string &sentence) {
  llvm::errs() << "convoy-fuzz: " << sentence << "\n";
  exitCode = combine(exitCode, ExitCode::BadInput);
}

//===----------------------------------------------------------------------===//
// The whole run
//===----------------------------------------------------------------------===//

void Fuzzer::printSummary() {
  eraseProgress();
  int64_t numPassed = 0, numRefused = 0;
  std::map<std::string, int64_t> verdicts;
  for (const auto &[target, ofTarget] : counts) {
    numPassed += ofTarget.passed;
    numRefused += ofTarget.refused;
    for (const auto &[verdict, number] : ofTarget.verdicts)
      verdicts[verdict] += number;
  }
  getStream() << "fuzz: " << numRuns << " runs, " << numPassed << " passed";
  for (const auto &[verdict, number] : verdicts)
    getStream() << ", " << number << " " << verdict;
  getStream() << llvm::formatv(", {0} refused, {1} findings in {2:f0} s\n",
                               numRefused, findings.size(),
                               secondsSinceStart());
  if (numMore)
    getStream() << "  " << numMore << " more of kinds that were found "
                << MostOfKind << " times\n";
  for (const auto &[text, number] : refusals)
    getStream() << llvm::formatv("  refused {0}: {1}\n", number, text);
  if (options.listEdges)
    getStream() << "runs that reached each edge, and others:\n"
                << edges.toString();
  getStream().flush();
}

ExitCode Fuzzer::openTargets() {
  CaseRunner runner(options.workerCommand, options.caseSeconds);
  ExitCode code = ExitCode::Ok;
  FuzzCase fuzzCase;
  fuzzCase.problem.shape.spatial.resize(1);
  fuzzCase.problem.layouts = ::convoy::getUsualLayouts(1);
  for (const std::string &target : options.targets) {
    fuzzCase.target = target;
    Outcome outcome = runner.open(fuzzCase);
    if (outcome.kind == OutcomeKind::Passed)
      continue;
    llvm::errs() << "convoy-fuzz: " << outcome.text << "\n";
    code = combine(code, outcome.kind == OutcomeKind::NoDevice
                             ? ExitCode::NoDevice
                             : ExitCode::BadInput);
  }
  return code;
}

ExitCode Fuzzer::run() {
  start = std::chrono::steady_clock::now();
  if (ExitCode code = openTargets(); code != ExitCode::Ok)
    return code;
  std::vector<std::thread> threads;
  for (unsigned job = 0; job < options.jobs; ++job)
    threads.emplace_back([this] { work(); });
  for (std::thread &thread : threads)
    thread.join();
  printSummary();
  llvm::json::Object document = makeDocument();
  if (!options.json.empty())
    writeJSON(document);
  if (!options.report.empty())
    writePage(std::move(document));
  return exitCode;
}
