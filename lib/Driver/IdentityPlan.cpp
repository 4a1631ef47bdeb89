//===- IdentityPlan.cpp - What is run on random integers --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/IdentityPlan.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

double mlir::convoy::getTailExponent(unsigned runs, double missed,
                                     unsigned least) {
  double part = double(least) / runs;
  if (runs == 0 || part <= missed)
    return 0;
  auto getShare = [](double a, double b) {
    return a > 0 ? a * std::log2(a / b) : 0;
  };
  return -double(runs) *
         (getShare(part, missed) + getShare(1 - part, 1 - missed));
}

double IdentityTest::getMissedExponent() const {
  double exponent = told.empty() ? 0 : -HUGE_VAL;
  for (const Told &one : told)
    exponent =
        std::max(exponent, getTailExponent(countMain(), one.missed, one.least));
  for (unsigned run = 0; told.empty() && run < runs; ++run)
    exponent += std::log2(getData(run).missed);
  return exponent;
}

std::string mlir::convoy::toString(const IdentityTest &test) {
  std::string text =
      llvm::formatv("{0} runs on random integers", test.runs).str();
  if (!test.told.empty())
    text +=
        llvm::formatv(", of which the epilogue tells each sum in {0} or more",
                      test.told.front().least);
  return text;
}

llvm::json::Object mlir::convoy::toJSON(const IdentityTest &test) {
  llvm::json::Object object{{"runs", test.runs},
                            {"missed_log2", test.getMissedExponent()}};
  if (!test.told.empty())
    object["told"] = test.told.front().least;
  return object;
}
