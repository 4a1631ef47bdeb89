//===- DrawNumbers.h - Numbers that follow from their place -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DRIVER_DRAWNUMBERS_H
#define CONVOY_LIB_DRIVER_DRAWNUMBERS_H

#include "convoy/Runtime/Generate.h"
#include "convoy/Runtime/HostArray.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace mlir::convoy {

/// Where a drawn value stands.
struct DrawnPlace {
  uint64_t seed, argument, position;
};

/// Numbers that follow from where they are (SplitMix64).
class DrawnNumbers {
public:
  explicit DrawnNumbers(const DrawnPlace &place)
      : state(mix(mix(mix(place.seed) + place.argument) + place.position)) {}

  uint64_t next() { return state = mix(state); }
  /// From `low` to `high`, both included.
  int64_t whole(int64_t low, int64_t high) {
    return low + int64_t(next() % uint64_t(high - low + 1));
  }
  /// From -1 to 1.
  double uniform() { return double(next() >> 11) * 0x1p-52 - 1; }
  /// Half the sum of 12 uniform numbers: mean 0, variance 1.
  double normal();

private:
  static uint64_t mix(uint64_t state) {
    state += 0x9E3779B97F4A7C15;
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
    return state ^ (state >> 31);
  }

  uint64_t state;
};

/// An element of an argument of a function. `kind` is any but special.
double drawFloat(::convoy::DataKind kind, const DrawnPlace &place);

/// Fills an array whose dimensions are called `layout`. `draw` is called with a
/// number for each element, which its index gives in the order of `letters`,
/// those that the layout lacks left out.
void fillByPlace(::convoy::HostArray &array, llvm::StringRef layout,
                 llvm::StringRef letters,
                 llvm::function_ref<double(uint64_t position)> draw);

/// What an array takes.
double getBytes(::convoy::ScalarType type, const std::vector<int64_t> &shape);

} // namespace mlir::convoy

#endif // CONVOY_LIB_DRIVER_DRAWNUMBERS_H
