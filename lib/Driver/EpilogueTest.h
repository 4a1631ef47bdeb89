//===- EpilogueTest.h - Runs that tell sums apart ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DRIVER_EPILOGUETEST_H
#define CONVOY_LIB_DRIVER_EPILOGUETEST_H

#include "EpilogueChain.h"

#include "convoy/Driver/CheckedConv.h"
#include "convoy/Driver/IdentityPlan.h"

namespace mlir::convoy {

/// Draws an element of operand `number` of the epilogue of `conv`.
double drawEpilogueOperand(const CheckedConv &conv, EpilogueChain::Role role,
                           unsigned number, const IdentityTest::Data &data,
                           uint64_t seed, uint64_t position);

/// Chooses data and runs for `conv`, which has an epilogue: so many that each
/// element is likely to be told from others in enough of them. Nothing, with
/// what is in the way in `reason`, where that would take too many.
std::optional<IdentityTest> planEpilogueTest(const CheckedConv &conv,
                                             std::string &reason);

/// Compares results of an epilogue with what it should make of sums, and counts
/// the runs that tell these, and the epilogue's operands, from others.
class EpilogueRuns {
public:
  EpilogueRuns(const CheckedConv &conv, const IdentityTest &test);

  /// Takes what another run of `data` has drawn, of which `reference` has the
  /// sums.
  void take(const std::vector<::convoy::HostArray> &arguments,
            const ::convoy::ReferenceResult &reference,
            const IdentityTest::Data &data);
  /// The first element of `actual` that is not what that run should give, or
  /// "".
  std::string findWrong(const ::convoy::HostArray &actual) const;
  /// Which number was told apart in too few runs, or "".
  std::string findUntold() const;

private:
  const CheckedConv &conv;
  const IdentityTest &test;
  EpilogueChain chain;
  /// For each element, in the order of the reference.
  std::vector<EpilogueChain::Outcome> expected;
  /// For each of `test.told`, runs that told each element.
  std::vector<std::vector<unsigned>> counts;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_DRIVER_EPILOGUETEST_H
