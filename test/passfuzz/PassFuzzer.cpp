//===- PassFuzzer.cpp - Mutants through passes ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassFuzzer.h"

#include "Mutations.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::convoy::test;

/// A process ends after so many mutants, for what is never freed.
static constexpr unsigned kAttemptsOfProcess = 400;

static double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

PassFuzzer::PassFuzzer(FuzzOptions givenOptions, const Corpus &corpus,
                       const DialectRegistry &registry)
    : options(std::move(givenOptions)), corpus(corpus), registry(registry),
      allPasses(listPasses()), startTime(now()), lastProgress(startTime) {
  if (!options.passes.empty())
    llvm::erase_if(allPasses, [&](const std::string &pass) {
      return !options.passes.contains(pass);
    });
  if (options.ofAttribute) {
    attributes = findOwnAttributes(corpus);
    options.tries =
        std::min(options.tries, options.ofAttribute * attributes.size());
  }
  counts = new (allocateShared(sizeof(Counts))) Counts();
  counts->next = options.first;
  slots =
      static_cast<Slot *>(allocateShared(sizeof(Slot) * (options.jobs + 1)));
}

//===----------------------------------------------------------------------===//
// Mutants
//===----------------------------------------------------------------------===//

/// Changes any piece of a test.
static const Seed &mutateAny(std::string &text, Random &random,
                             const Corpus &corpus) {
  const Seed &seed = random.pick(corpus.seeds);
  text = seed.text;
  mutate(text, random, corpus);
  return seed;
}

Mutant PassFuzzer::makeMutant(uint64_t index) const {
  Random random(Random(options.seed).next() ^ (index * 0xd1342543de82ef95));
  Mutant mutant;
  const Seed &seed = attributes.empty()
                         ? mutateAny(mutant.text, random, corpus)
                         : mutateOwn(attributes[index % attributes.size()],
                                     mutant.text, random, corpus);
  mutant.file = seed.file;
  size_t choice = random.below(4);
  if (choice && !seed.runs.empty() && options.passes.empty()) {
    mutant.passes = random.pick(seed.runs);
    // One pass of several meets what the others would have refused.
    if (choice == 1)
      mutant.passes = {random.pick(mutant.passes)};
  } else {
    mutant.passes = {random.pick(allPasses)};
  }
  return mutant;
}

void PassFuzzer::listAttributes() const {
  llvm::outs() << "fuzz: " << attributes.size() << " attributes\n";
  for (const OwnAttr &attr : attributes)
    llvm::outs() << "  " << attr.name << ": " << attr.places.size()
                 << " places\n";
  llvm::outs().flush();
}

std::string mlir::convoy::test::printFlags(const PassList &passes) {
  std::string flags;
  for (StringRef pass : passes) {
    auto [name, options] = pass.split('{');
    flags += " --" + name.str();
    if (options.consume_back("}"))
      flags += "='" + options.str() + "'";
  }
  return flags;
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

bool PassFuzzer::isDone() const {
  return counts->next >= options.first + options.tries ||
         (options.minutes && now() - startTime > options.minutes * 60);
}

void PassFuzzer::work(Slot &slot) {
  limitProcess(slot, options.limits);
  for (unsigned i = 0; i < kAttemptsOfProcess && !isDone(); ++i) {
    uint64_t index = counts->next++;
    if (index >= options.first + options.tries)
      break;
    slot.attempt = index;
    if (i == 0)
      slot.first = index;
    ++counts->tried;
    restartTime(options.limits);
    Mutant mutant = makeMutant(index);
    Outcome outcome = attempt(mutant.text, mutant.passes, registry);
    counts->parsed += outcome != Outcome::Unparsed;
    counts->passed += outcome == Outcome::Passed;
    // Where its body does not parse, MLIR frees the op's values, but not their
    // uses, which it writes to later.
    if (outcome == Outcome::Unparsed &&
        mutant.text.find("linalg.generic {") != std::string::npos)
      break;
  }
  _exit(0);
}

void PassFuzzer::start(unsigned job) {
  pid_t child = fork();
  if (child == 0)
    work(slots[job]);
  if (child < 0)
    llvm::report_fatal_error("cannot start a process");
  jobOfProcess[child] = job;
}

unsigned PassFuzzer::run() {
  for (unsigned job = 0; job < options.jobs; ++job)
    start(job);
  while (!jobOfProcess.empty()) {
    int status;
    pid_t child = wait(&status);
    auto it = jobOfProcess.find(child);
    if (it == jobOfProcess.end())
      continue;
    unsigned job = it->second;
    jobOfProcess.erase(it);
    std::optional<Crash> crash = readCrash(status, slots[job]);
    if (crash && !crash->isInUpstreamParser()) {
      ++counts->parsed;
      report(slots[job], *crash);
    }
    reportProgress();
    if (!isDone())
      start(job);
  }
  llvm::outs() << "fuzz: " << counts->tried << " tries, " << counts->parsed
               << " reached a pass, " << counts->passed << " came through, "
               << findings.size() << " findings in "
               << llvm::format("%.0f s\n", now() - startTime);
  return findings.size();
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

void PassFuzzer::reportProgress() {
  if (now() - lastProgress < 30)
    return;
  lastProgress = now();
  llvm::errs() << "fuzz: " << counts->tried << " tries, " << counts->parsed
               << " reached a pass, " << findings.size() << " findings after "
               << llvm::format("%.0f s\n", now() - startTime);
}

void PassFuzzer::report(const Slot &slot, const Crash &crash) {
  uint64_t index = slot.attempt;
  Mutant mutant = makeMutant(index);
  std::string key = crash.key();
  if (key == "hang")
    key += printFlags(mutant.passes);
  if (findings[key]++)
    return;
  Slot &spare = slots[options.jobs];
  bool isAlone =
      attemptForked(mutant.text, mutant.passes, registry, options.limits, spare)
          .has_value();
  if (options.shrink && isAlone)
    shrink(mutant, crash, registry, options.limits, spare);
  std::string path = options.folder + "/" + std::to_string(options.seed) + "-" +
                     std::to_string(index) + ".mlir";
  std::error_code error = llvm::sys::fs::create_directories(options.folder);
  llvm::raw_fd_ostream file(path, error);
  if (error)
    llvm::errs() << "cannot write " << path << ": " << error.message() << '\n';
  else
    file << mutant.text;
  llvm::outs() << crash.kind << ": try " << index << ", from " << mutant.file
               << "\n  convoy-opt --allow-unregistered-dialect " << path
               << printFlags(mutant.passes) << '\n';
  if (!isAlone)
    llvm::outs() << "  not by itself, but behind others from --first="
                 << slot.first << " on\n";
  for (StringRef frame : ArrayRef(crash.frames).take_front(8))
    llvm::outs() << "    " << frame << '\n';
  llvm::outs().flush();
}
