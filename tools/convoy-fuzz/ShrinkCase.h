//===- ShrinkCase.h - Makes findings small ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_SHRINKCASE_H
#define CONVOY_TOOLS_CONVOY_FUZZ_SHRINKCASE_H

#include "FuzzCase.h"

#include <functional>

namespace convoy {

/// How much a reader has to understand of a case: its sizes, what differs from
/// what convoy-run does where nothing is said, and how far.
int64_t getComplexity(const FuzzCase &fuzzCase);

/// The cases that are one step away from `fuzzCase` and simpler, simplest
/// first. Steps of sizes go to the least, half way or by 1; where `isFine`,
/// also to what is near the least and near the size.
std::vector<FuzzCase> getSimplerCases(const FuzzCase &fuzzCase, bool isFine);

/// Takes steps to simpler cases for which `isFinding` holds, fine ones where no
/// other is left, as long as there is one, or for `maxTries` tries.
FuzzCase shrink(FuzzCase fuzzCase,
                const std::function<bool(const FuzzCase &)> &isFinding,
                int maxTries);

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_SHRINKCASE_H
