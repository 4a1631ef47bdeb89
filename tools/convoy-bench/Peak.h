//===- Peak.h - The fastest that a CPU multiplies and adds ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_PEAK_H
#define CONVOY_TOOLS_CONVOY_BENCH_PEAK_H

#include "Measure.h"

#include <cstdint>
#include <memory>

namespace convoy {

/// Fused multiply-adds, and nothing else, on `threads` threads, each with
/// enough vectors of `vectorBytes` in registers that none waits for another.
/// Elements are f64 or f32.
class PeakLoop final : public Timed {
public:
  /// Null where this CPU has no such vectors.
  static std::unique_ptr<PeakLoop> create(int64_t vectorBytes, bool isDouble,
                                          int threads);

  /// The time that all threads need for one's run at their common speed.
  std::optional<double> run(int64_t count, std::string &error) override;
  /// Operations of a run, all threads together, a multiply-add being two.
  double getOperations() const { return operations; }

private:
  using Loop = void (*)(int64_t);

  PeakLoop(Loop loop, int threads, double operations)
      : loop(loop), threads(threads), operations(operations) {}

  /// The loop on vectors of `vectorBytes`, or null where this CPU has none.
  static Loop findLoop(int64_t vectorBytes, bool isDouble);

  Loop loop;
  int threads;
  double operations;
};

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_PEAK_H
