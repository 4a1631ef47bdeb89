//===- MutationRunner.h - Mutants against the certifier ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_MUTATE_MUTATIONRUNNER_H
#define CONVOY_TEST_MUTATE_MUTATIONRUNNER_H

#include "Mutations.h"
#include "Oracle.h"
#include "ProofTimes.h"
#include "SweepSpace.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <atomic>
#include <mutex>

namespace mlir::convoy::test {

struct MutationOptions {
  int64_t count = 300;
  uint64_t seed = 0;
  /// Threads, each with a context of its own.
  unsigned jobs = 1;
};

/// How many mutants of one kind, or of all kinds, came to what.
struct MutantCounts {
  int64_t rejected = 0;       ///< different, and found to be
  int64_t undecided = 0;      ///< different, but not found to be
  int64_t equalUndecided = 0; ///< equal, but not proved to be
  int64_t equal = 0;          ///< equal, and proved to be

  MutantCounts &operator+=(const MutantCounts &other);
};

/// Makes mutants of lowered convolutions and compares what the certifier says
/// of each with what the oracle says. Prints what is wrong, and tables.
class MutationRunner {
public:
  explicit MutationRunner(const MutationOptions &options) : options(options) {}

  /// Returns the number of wrong verdicts, and of proofs of single
  /// convolutions' lowerings that are undecided.
  int64_t run();

private:
  class Worker;

  /// The number of the next problem, or nothing when all are taken.
  std::optional<int64_t> takeProblem();
  void reportWrong(const Twine &text);
  /// Of a lowering of a single convolution, which is not proved right, and is.
  void reportUndecided(const Twine &text);
  void add(StringRef kind, StringRef level, const MutantCounts &counts,
           StringRef reason);
  void addTime(double seconds);
  /// Counts a lowering of layers that was not proved right, and is.
  void addUndecidedProof();
  void printTables();

  static constexpr int64_t MutantsOfProblem = 8;

  const MutationOptions &options;
  std::atomic<int64_t> nextProblem = 0;
  std::mutex mutex; ///< of what follows
  std::map<std::string, MutantCounts> kinds, levels;
  std::map<std::string, int64_t> reasons; ///< why mutants are undecided
  ::convoy::ProofTimes times;
  int64_t wrong = 0, lowerings = 0, undecidedProofs = 0, undecidedLowerings = 0;
};

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_MUTATE_MUTATIONRUNNER_H
