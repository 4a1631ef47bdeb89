//===- CoveringArray.h - Few rows that hold every combination  -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain C++. A space of parameters with few values each has too many rows to
// try them all; in most, any fault shows in the values of two or three.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_SWEEP_COVERINGARRAY_H
#define CONVOY_TEST_SWEEP_COVERINGARRAY_H

#include "convoy/Support/RandomNumbers.h"

#include <cstdint>
#include <vector>

namespace convoy {

/// One value number for each parameter.
using SweepRow = std::vector<int>;

/// Rows in which, for any `strength` parameters, every combination of their
/// values stands, parameter i having `counts[i]` values, none 0. Where such
/// parameters have more than `maxCombinations` combinations, every choice of
/// one parameter less among them is covered in their place. Built parameter by
/// parameter: Lei and Tai, "In-parameter-order: a test generation strategy for
/// pairwise testing", HASE 1998. The seed settles ties, what is free, and the
/// order of the rows.
std::vector<SweepRow> coveringArray(const std::vector<int> &counts,
                                    int strength, int64_t maxCombinations,
                                    uint64_t seed);

} // namespace convoy

#endif // CONVOY_TEST_SWEEP_COVERINGARRAY_H
