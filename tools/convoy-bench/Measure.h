//===- Measure.h - Timing several kernels in turns --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_MEASURE_H
#define CONVOY_TOOLS_CONVOY_BENCH_MEASURE_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace convoy {

/// Something that can be run and timed.
class Timed {
public:
  virtual ~Timed() = default;
  /// Runs `count` times in a row; returns the seconds that all took, or nothing
  /// and one sentence in `error`.
  virtual std::optional<double> run(int64_t count, std::string &error) = 0;
};

/// Seconds that `count` calls of `function` take.
double timeCalls(int64_t count, const std::function<void()> &function);

struct MeasureOptions {
  /// Rounds, in each of which everyone has a turn.
  int repetitions = 20;
  /// Seconds of a turn: as many runs as fit are timed as one.
  double minTime = 0.005;
  /// Seconds that all turns of one may take; slow ones have fewer turns, but
  /// at least one.
  double maxTime = 2;
  /// Seconds that a turn is put off at most until threads of the one before
  /// stop to wait for work in loops.
  double restTime = 0;
};

/// The times of one.
struct Measurement {
  int64_t runsPerTurn = 0;
  std::vector<double> seconds; ///< of a run, by turn
  /// The same of this process's processors: less than `seconds` where another
  /// process did the work.
  std::vector<double> cpuSeconds;
  std::string error; ///< why there are none; else empty

  /// The place of the shortest turn.
  size_t bestTurn() const;
  double best() const { return seconds[bestTurn()]; }
  double median() const;
};

/// The order of `count` in round `round`: each goes first in turn, so that none
/// always follows the same one's heat.
std::vector<size_t> roundOrder(size_t count, int round);

/// Times all of `contestants` in turns, after a run of each that warms it up.
std::vector<Measurement>
measureInTurns(std::span<const std::unique_ptr<Timed>> contestants,
               const MeasureOptions &options);

/// The geometric mean of positive numbers; 1 of none.
double geometricMean(std::span<const double> numbers);

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_MEASURE_H
