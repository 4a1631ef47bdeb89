//===- KernelMutants.h - Mutants of kernels, run ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_MUTATE_KERNELMUTANTS_H
#define CONVOY_TEST_MUTATE_KERNELMUTANTS_H

#include "MutantSource.h"
#include "Mutations.h"

#include "convoy/Certify/Comparison/Certificate.h"
#include "convoy/Driver/Compile.h"

#include "convoy/Support/RandomNumbers.h"

#include <map>

namespace mlir::convoy::test {

struct KernelOptions {
  int64_t count = 100;
  uint64_t seed = 0;
};

/// Makes mutants of what passes leave below tiles on tensors: vectors, memory,
/// loops in threads, and kernels of GPUs. Compares what the certifier says of
/// each with what it computes: finished by the plain passes of convoy-bisect,
/// and run on the CPU or in a simulator that looks for faults.
class KernelMutants {
public:
  explicit KernelMutants(const KernelOptions &options);

  /// Prints tables, and each mutant that is certified and computes something
  /// else; returns their number.
  int64_t run();

private:
  /// What running a mutant says of it.
  enum class Outcome { Same, Other, NotRun };
  /// What became of the mutants of one kind.
  struct Counts {
    int64_t equal = 0;     ///< certified, and the same numbers
    int64_t different = 0; ///< found to be different, and other numbers
    /// The same, but the numbers are those: what was accessed outside, or
    /// what these data do not show.
    int64_t unseen = 0;
    int64_t undecided = 0;
    int64_t notRun = 0; ///< certified or different, and does not compile
    int64_t wrong = 0;

    Counts &operator+=(const Counts &other);
  };
  /// A convolution on its way down.
  struct Subject {
    std::string text; ///< the problem, and for what
    OwningOpRef<ModuleOp> input;
    bool isLowered = false;
    std::vector<Stage> stages; ///< that mutants are made of
    CompileOptions compile;
  };

  Subject makeSubject(int64_t number);
  /// A mutant of `original` that verifies; null if none is found.
  OwningOpRef<ModuleOp> mutate(ModuleOp original, std::string &kind,
                               std::string &text);
  void judge(const Subject &subject, const Stage &stage, ModuleOp mutant,
             const std::string &kind, const std::string &text);
  /// The verdict on `mutant` of `original`, said in `message`; nothing if the
  /// certifier crashes.
  std::optional<Certificate::Verdict>
  certify(ModuleOp original, ModuleOp mutant, std::string &message);
  /// Compares with the numbers of the input; says why in `message`.
  Outcome compute(const Subject &subject, ModuleOp mutant,
                  std::string &message);
  void printTables();

  const KernelOptions &options;
  ::convoy::RandomNumbers random;
  DialectRegistry registry;
  MLIRContext context;
  std::map<std::string, Counts> kinds, levels;
  int64_t numFailed = 0; ///< lowerings whose stages are not right themselves
};

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_MUTATE_KERNELMUTANTS_H
