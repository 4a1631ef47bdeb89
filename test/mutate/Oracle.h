//===- Oracle.h - Whether two functions are equal, by running ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_MUTATE_ORACLE_H
#define CONVOY_TEST_MUTATE_ORACLE_H

#include "OracleAlgebras.h"

#include "convoy/Interpreter/Interpreter.h"

namespace mlir::convoy::test {

/// Runs functions with the arguments of one, on terms and on numbers.
class Oracle {
public:
  struct Verdict {
    bool areEqual = true;        ///< on terms: for all finite values
    bool areNumbersEqual = true; ///< on the numbers that were tried
    std::string message;         ///< the first difference
    std::string error;           ///< why the oracle cannot tell, if it cannot
  };

  /// For functions that mean what `function` does, whose convolutions say what
  /// its zero points are.
  Oracle(func::FuncOp function, uint64_t seed);

  /// Why the oracle's own function cannot be run; empty if it can.
  const std::string &getError() const { return error; }
  Verdict judge(func::FuncOp function);

private:
  /// The results, in normal form; what is illegal has none.
  FailureOr<std::vector<Tensor>> run(Algebra &algebra, func::FuncOp function,
                                     Fault &fault);

  TermAlgebra terms;
  NumberAlgebra numbers;
  std::vector<Tensor> expectedTerms, expectedNumbers;
  std::string error;
};

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_MUTATE_ORACLE_H
