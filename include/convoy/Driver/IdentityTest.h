//===- IdentityTest.h - Kernels on random integers --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polynomial identity testing of what a compiler made, down to machine code.
// docs/Certificates.md has the claim and its proof.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_IDENTITYTEST_H
#define CONVOY_DRIVER_IDENTITYTEST_H

#include "convoy/Driver/CheckedConv.h"
#include "convoy/Support/ExitCode.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// Runs on integers that are drawn anew each time, each element on its own.
///
/// Each element of a result is a polynomial in the elements of the arguments.
/// If a kernel computes another one, again of degree 2 at most and with whole
/// coefficients, few draws give both the same value: J. T. Schwartz, "Fast
/// probabilistic algorithms for verification of polynomial identities", J. ACM
/// 27 (1980); R. Zippel (1979).
struct IdentityTest {
  /// What is drawn for one run.
  struct Data {
    /// The largest magnitude of floating-point elements. Bytes lie so far from
    /// their zero point, or are any that their type has if this is 128.
    int64_t limit = 0;
    /// The greatest probability that the run takes a wrong element for right.
    double missed = 1;
  };

  /// Every other run has the first, which tell much, or the second, small
  /// numbers: bits of numbers that all have exponents alike may be mixed up
  /// unseen.
  std::array<Data, 2> data;
  /// Results of a greater or the same magnitude are not compared: their type
  /// may round another number to theirs.
  double leastUnknown = 0;
  unsigned runs = 0;

  const Data &getData(unsigned run) const { return data[run % data.size()]; }
  /// The base-2 logarithm of the probability that all runs do.
  double getMissedExponent() const;
};

/// Chooses data and as many runs as take a wrong element for right with a
/// probability of at most 2^-64. Nothing, with a sentence in `reason`, where
/// runs on integers say nothing of `conv`, or too little.
std::optional<IdentityTest> planIdentityTest(const CheckedConv &conv,
                                             std::string &reason);

/// Fills those of `arguments`, a kernel's of `conv`, that it reads, as far as
/// `limit` (IdentityTest::Data).
void drawIdentityArguments(const CheckedConv &conv, int64_t limit,
                           uint64_t seed,
                           std::vector<::convoy::HostArray> &arguments);

/// What drawn integers say of one kernel.
struct IdentityResult {
  std::optional<IdentityTest> passed;
  std::string fault; ///< the first wrong element
  /// Why the kernel could not be run, or nothing can be said of it.
  std::string error;
  ::convoy::ExitCode errorCode = ::convoy::ExitCode::Ok;

  bool isOpen() const { return fault.empty() && error.empty(); }
};

/// Runs `kernels`, which are one kernel compiled for several targets, on drawn
/// integers in arrays such as `arguments`.
std::vector<IdentityResult>
runIdentityTest(const CheckedConv &conv, ArrayRef<LoadedKernel> kernels,
                std::vector<::convoy::HostArray> arguments,
                const CheckOptions &options);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_IDENTITYTEST_H
