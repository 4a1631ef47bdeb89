//===- CodeRunner.h - Mutants of machine code, run --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_MUTATECODE_CODERUNNER_H
#define CONVOY_TEST_MUTATECODE_CODERUNNER_H

#include "CodeMutations.h"

#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include <map>
#include <optional>
#include <string>

namespace mlir::convoy::test {

struct CodeOptions {
  int64_t count = 200;
  uint64_t seed = 0;
};

/// Compiles small convolutions for this machine's CPU, makes mutants of their
/// machine code, and compares what runs on random integers say of each with
/// what it makes of other data.
class CodeRunner {
public:
  explicit CodeRunner(const CodeOptions &options);

  /// Prints a table, and each mutant that the test misses; returns their
  /// number, or nothing where a kernel cannot be tested.
  std::optional<int64_t> run();

private:
  /// One convolution with its machine code.
  struct Subject {
    std::string text;
    CheckedConv conv;
    SmallVector<KernelInterface> kernels;
    std::string object;
    int64_t elementBytes = 0;
    std::vector<std::vector<::convoy::HostArray>> inputs; ///< other data
    std::vector<CheckResult> expected;                    ///< of these
  };
  /// What became of the mutants of one kind.
  struct Counts {
    int64_t found = 0, crashed = 0, same = 0, missed = 0;
  };
  enum class Finding { Found, Crashed, Same, Missed };

  /// One that runs on integers say something of.
  std::optional<::convoy::Problem> drawProblem();
  bool compile(const ::convoy::Problem &problem, llvm::TargetMachine &machine,
               Subject &subject);
  /// What `subject` with the machine code `object` returns for its inputs, and
  /// whether it passes the test on integers.
  std::vector<CheckResult> runAll(const Subject &subject,
                                  const std::string &object, bool &passes);
  Finding judge(const Subject &subject, const std::string &object);
  void printTable();

  const CodeOptions &options;
  Random random;
  MLIRContext context;
  ::convoy::Device device;
  std::map<std::string, Counts> counts;
};

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_MUTATECODE_CODERUNNER_H
