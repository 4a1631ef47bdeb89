//===- RandomNumbers.h - Numbers that a seed settles ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_RANDOMNUMBERS_H
#define CONVOY_SUPPORT_RANDOMNUMBERS_H

#include <cstdint>

namespace convoy {

/// Numbers that depend on the seed alone, on every platform.
class RandomNumbers {
public:
  explicit RandomNumbers(uint64_t seed) : state(seed) {}

  /// The next number of SplitMix64.
  uint64_t next();
  /// A number of 0 to `count` - 1.
  int below(int64_t count) {
    return static_cast<int>(next() % static_cast<uint64_t>(count));
  }

private:
  uint64_t state;
};

} // namespace convoy

#endif // CONVOY_SUPPORT_RANDOMNUMBERS_H
