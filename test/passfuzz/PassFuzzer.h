//===- PassFuzzer.h - Mutants through passes --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_PASSFUZZ_PASSFUZZER_H
#define CONVOY_TEST_PASSFUZZ_PASSFUZZER_H

#include "Attempt.h"

#include <map>
#include <set>

namespace mlir::convoy::test {

struct FuzzOptions {
  uint64_t seed = 0;
  uint64_t tries = 0;
  /// The first of the tries.
  uint64_t first = 0;
  /// 0: without a limit.
  double minutes = 0;
  /// How many mutants of each of the dialect's own attributes there are, in
  /// turns; 0: mutants of anything.
  uint64_t ofAttribute = 0;
  unsigned jobs = 1;
  /// Where the findings' files go.
  std::string folder;
  /// Only these passes, if any.
  std::set<std::string> passes;
  bool shrink = true;
  Limits limits;
};

/// A text, and the passes that it is given to.
struct Mutant {
  std::string file;
  std::string text;
  PassList passes;
};

/// Runs passes on mutants of the corpus in forked processes; a process goes on
/// from mutant to mutant until one of them ends it.
class PassFuzzer {
public:
  PassFuzzer(FuzzOptions options, const Corpus &corpus,
             const DialectRegistry &registry);

  /// Returns the number of findings.
  unsigned run();

  /// The mutant of try `index`, the same at each call.
  Mutant makeMutant(uint64_t index) const;

  /// Prints the dialect's own attributes, and in how many places they stand.
  void listAttributes() const;

private:
  struct Counts {
    std::atomic<uint64_t> next, tried, parsed, passed;
  };

  [[noreturn]] void work(Slot &slot);
  void start(unsigned job);
  bool isDone() const;
  void report(const Slot &slot, const Crash &crash);
  void reportProgress();

  FuzzOptions options;
  const Corpus &corpus;
  const DialectRegistry &registry;
  std::vector<std::string> allPasses;
  std::vector<OwnAttr> attributes;
  Counts *counts;
  Slot *slots;
  std::map<int, unsigned> jobOfProcess;
  std::map<std::string, unsigned> findings;
  double startTime, lastProgress;
};

/// Makes `mutant` as short as it can be with a crash of the same key.
void shrink(Mutant &mutant, const Crash &crash, const DialectRegistry &registry,
            const Limits &limits, Slot &slot);

/// Runs each pass alone on an empty module and on 14 tiny ones. Returns the
/// number of findings.
unsigned tryTinyModules(const DialectRegistry &registry, const Limits &limits);

/// `passes` as flags of convoy-opt.
std::string printFlags(const PassList &passes);

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_PASSFUZZ_PASSFUZZER_H
