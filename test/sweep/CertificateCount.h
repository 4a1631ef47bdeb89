//===- CertificateCount.h - How many proofs in how much time ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_SWEEP_CERTIFICATECOUNT_H
#define CONVOY_TEST_SWEEP_CERTIFICATECOUNT_H

#include "ProofTimes.h"

#include "convoy/Certify/Comparison/Certificate.h"

#include <array>

namespace mlir::convoy {

/// Counts certificates by what they say, and keeps their times.
class CertificateCount {
public:
  void add(Certificate::Verdict verdict, double seconds);
  /// One line: how many of each kind, and the distribution of times.
  void print(raw_ostream &os);

private:
  std::array<int64_t, 3> counts = {};
  ::convoy::ProofTimes times;
};

} // namespace mlir::convoy

#endif // CONVOY_TEST_SWEEP_CERTIFICATECOUNT_H
