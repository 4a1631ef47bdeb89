//===- Loops.h - What a core is timed with ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FIT_COSTS_LOOPS_H
#define CONVOY_TOOLS_CONVOY_FIT_COSTS_LOOPS_H

#include <cstdint>

namespace convoy {

/// What a loop goes through. Places are numbers of elements, multiples of a
/// vector's.
struct LoopData {
  float *source = nullptr;
  float *target = nullptr;          ///< where copies go
  const int32_t *offsets = nullptr; ///< places in the source, in their order
  int64_t count = 0;                ///< how often the loop runs
};

using Loop = void (*)(const LoopData &);

/// Multiply-adds in a step of the loops that imitate register tiles, which is
/// as many chains of sums, and loads.
inline constexpr int64_t kStepMultiplyAdds = 12, kStepLoads = 6;

/// Loops over vectors of f32 of one width.
struct Loops {
  int64_t vectorBytes;
  Loop addIntegers;  ///< each waits for the one before
  Loop chain;        ///< multiply-adds that wait for the one before
  Loop multiplyAdds; ///< four steps at a time
  Loop steps;        ///< the same one by one
  Loop loadingSteps; ///< the same with loads
  Loop load;         ///< vectors that follow each other
  Loop loadAt;       ///< vectors at the offsets
  Loop update;       ///< adds to vectors that follow each other
  Loop updateAt;     ///< adds to vectors at the offsets
  Loop scatter;      ///< adds to elements that lie two apart, one by one
  Loop copy;         ///< vectors that follow each other
  Loop gather;       ///< puts vectors together from elements a line apart
};

/// The loops over the widest vectors that this CPU has.
const Loops &getWidestLoops();

extern const Loops kLoops16;
#ifdef __x86_64__
extern const Loops kLoops32, kLoops64;
#endif

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_FIT_COSTS_LOOPS_H
