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
#include "convoy/Driver/IdentityPlan.h"
#include "convoy/Support/ExitCode.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// Chooses data and as many runs as take a wrong element for right with a
/// probability of at most 2^-64. Nothing, with a sentence in `reason`, where
/// runs on integers say nothing of `conv`, or too little.
std::optional<IdentityTest> planIdentityTest(const CheckedConv &conv,
                                             std::string &reason);

/// Fills those of `arguments`, a kernel's of `conv`, that it reads, with what
/// `data` allows.
void drawIdentityArguments(const CheckedConv &conv,
                           const IdentityTest::Data &data, uint64_t seed,
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
