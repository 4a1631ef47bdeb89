//===- CertificateCount.cpp - How many proofs, and their times -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CertificateCount.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::convoy;

void CertificateCount::add(Certificate::Verdict verdict, double seconds) {
  ++counts[static_cast<size_t>(verdict)];
  times.add(seconds);
}

void CertificateCount::print(raw_ostream &os) {
  using Verdict = Certificate::Verdict;
  auto getCount = [&](Verdict verdict) {
    return counts[static_cast<size_t>(verdict)];
  };
  os << llvm::formatv(
      "certificates: {0} certified, {1} undecided, {2} different; {3}\n",
      getCount(Verdict::Certified), getCount(Verdict::Undecided),
      getCount(Verdict::Different), times.describe());
}
