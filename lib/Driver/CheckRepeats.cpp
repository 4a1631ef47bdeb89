//===- CheckRepeats.cpp - Whether results are the same again ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckRepeats.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;

/// Where the first differing bytes of the results `actual` lie, and both
/// values; empty where there are none.
static std::string describeDifference(PlaceNamer getPlace,
                                      ArrayRef<HostArray> expected,
                                      ArrayRef<HostArray> actual) {
  for (auto [number, arrays] :
       llvm::enumerate(llvm::zip_equal(expected, actual))) {
    auto &[wanted, found] = arrays;
    auto [left, right] = std::ranges::mismatch(wanted.bytes, found.bytes);
    if (left == wanted.bytes.end())
      continue;
    int64_t position = (left - wanted.bytes.begin()) /
                       int64_t(::convoy::scalarSize(wanted.type));
    return llvm::formatv("element {0} is {1}, but {2}",
                         getPlace(number, wanted, position), found.at(position),
                         wanted.at(position));
  }
  return "";
}

void mlir::convoy::checkRepeats(PlaceNamer getPlace,
                                ArrayRef<RepeatedKernel> kernels,
                                const std::vector<HostArray> &arguments,
                                unsigned runs, CheckResult &result) {
  if (!result.error.empty() || result.results.empty())
    return;
  for (const auto &[kernel, name] : kernels)
    for (unsigned run = 1; run <= runs; ++run) {
      // The first kernel's first run gave the result.
      if (run == 1 && &kernel == &kernels.front().kernel)
        continue;
      KernelOutcome outcome = runKernel(kernel, arguments, 1);
      std::string where = llvm::formatv("run {0} with {1}: ", run, name);
      for (const std::string &fault : outcome.faults)
        result.faults.push_back(where + fault);
      std::string difference =
          outcome.error.empty()
              ? describeDifference(getPlace, result.results, outcome.results)
              : outcome.error;
      if (difference.empty())
        continue;
      if (outcome.error.empty())
        difference += " in run 1 with " + kernels.front().name;
      result.faults.push_back(where + difference);
      break;
    }
}
