//===- CertificateCount.cpp - How many proofs, and their times -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CertificateCount.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;

void CertificateCount::add(Certificate::Verdict verdict, double seconds) {
  ++counts[static_cast<size_t>(verdict)];
  times.push_back(seconds);
}

void CertificateCount::print(raw_ostream &os) {
  std::sort(times.begin(), times.end());
  auto getMilliseconds = [&](size_t percent) {
    size_t rank = (times.size() * percent + 99) / 100;
    return times.empty() ? 0 : times[rank - 1] * 1e3;
  };
  using Verdict = Certificate::Verdict;
  auto getCount = [&](Verdict verdict) {
    return counts[static_cast<size_t>(verdict)];
  };
  os << llvm::formatv(
      "certificates: {0} certified, {1} undecided, {2} different; {3:f1} ms in "
      "the middle, {4:f1} ms at 95 %, {5:f1} ms at most\n",
      getCount(Verdict::Certified), getCount(Verdict::Undecided),
      getCount(Verdict::Different), getMilliseconds(50), getMilliseconds(95),
      getMilliseconds(100));
}
