//===- Measurements.h - Cost models' constants, measured --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FIT_COSTS_MEASUREMENTS_H
#define CONVOY_TOOLS_CONVOY_FIT_COSTS_MEASUREMENTS_H

#include "convoy/Dialect/Convoy/IR/CoreTraits.h"

#include <cstdint>
#include <string>
#include <vector>

namespace convoy {

/// A constant of the cost models, or a number of `#convoy.target`, and what
/// this machine takes instead.
struct Measurement {
  std::string constant, unit;
  double model, measured;
};

/// The machine, as far as the measurements know it.
struct MeasuredMachine {
  int64_t vectorBytes, l1Bytes, l2Bytes;
  mlir::convoy::CoreTraits core;
  double gigahertz; ///< cycles of integer additions in a nanosecond
};

/// Measures what a core takes for each of the constants that can be measured:
/// the best of `repetitions`, which take turns. `seconds` is the least time of
/// one.
std::vector<Measurement> measureCosts(int repetitions, double seconds,
                                      MeasuredMachine &machine);

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_FIT_COSTS_MEASUREMENTS_H
