//===- Measure.cpp - Timing several kernels in turns ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <unistd.h>

namespace convoy {

double timeCalls(int64_t count, const std::function<void()> &function) {
  auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < count; ++i)
    function();
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

size_t Measurement::bestTurn() const {
  return static_cast<size_t>(std::min_element(seconds.begin(), seconds.end()) -
                             seconds.begin());
}

double Measurement::median() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle]
                           : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::vector<size_t> roundOrder(size_t count, int round) {
  std::vector<size_t> order(count);
  for (size_t i = 0; i < count; ++i)
    order[i] = (i + static_cast<size_t>(round)) % count;
  return order;
}

namespace {
/// One contestant with its measurement.
class Turns {
public:
  Turns(Timed &timed, const MeasureOptions &options)
      : timed(timed), options(options) {}

  /// Runs it until it is warm; finds out how many runs make a turn.
  void calibrate();
  bool hasTurn(int round) const { return round < turns; }
  void takeTurn();

  Measurement measurement;

private:
  /// Seconds of one run among `count`; 0 after an error, which ends all turns
  /// and makes those before it void.
  double timeRun(int64_t count);
  /// The same as a turn that counts.
  void timeTurn(int64_t count);

  Timed &timed;
  const MeasureOptions &options;
  int turns = 0;
};
} // namespace

double Turns::timeRun(int64_t count) {
  std::optional<double> seconds = timed.run(count, measurement.error);
  if (!seconds) {
    turns = 0;
    measurement.seconds.clear();
  }
  return seconds ? *seconds / static_cast<double>(count) : 0;
}

void Turns::timeTurn(int64_t count) {
  measurement.runsPerTurn = count;
  std::clock_t start = std::clock();
  double seconds = timeRun(count);
  std::clock_t end = std::clock();
  if (!measurement.error.empty())
    return;
  measurement.seconds.push_back(seconds);
  measurement.cpuSeconds.push_back(
      static_cast<double>(end - start) /
      (CLOCKS_PER_SEC * static_cast<double>(count)));
}

void Turns::calibrate() {
  static constexpr double MaxRuns = 1e6;
  timeTurn(1);
  // One that takes all its time at once is not run again.
  if (!measurement.error.empty() || measurement.best() > options.maxTime)
    return;
  double first = measurement.best();
  measurement.seconds.clear();
  measurement.cpuSeconds.clear();
  // The first run meets cold caches; slow ones are not run again for that.
  double second = first > options.minTime ? first : timeRun(1);
  double time = std::max(1e-9, std::min(first, second));
  double runs = std::clamp(std::ceil(options.minTime / time), 1.0, MaxRuns);
  measurement.runsPerTurn = static_cast<int64_t>(runs);
  double affordable = options.maxTime / (time * runs);
  turns = static_cast<int>(
      std::clamp(affordable, 1.0, static_cast<double>(options.repetitions)));
}

/// Whether another thread of this process runs, or would if it had a processor:
/// see proc_pid_stat(5).
static bool isOtherThreadRunning() {
  const std::string self = std::to_string(gettid());
  std::error_code error;
  for (const auto &thread :
       std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::string stat;
    std::getline(std::ifstream(thread.path() / "stat"), stat);
    // After the name in parentheses, which may hold some itself.
    size_t state = stat.rfind(") ");
    if (state != std::string::npos && stat.substr(state + 2, 1) == "R" &&
        thread.path().filename() != self)
      return true;
  }
  return false;
}

/// Waits until no other thread of this process runs, for `seconds` at most.
/// What threads of other processes do is not seen: they have a moment at least.
static void rest(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr auto Step = std::chrono::milliseconds(1), Least = 2 * Step;
  auto start = Clock::now();
  auto end = start + std::chrono::duration<double>(seconds);
  while (Clock::now() < end &&
         (Clock::now() < start + Least || isOtherThreadRunning()))
    std::this_thread::sleep_for(Step);
}

void Turns::takeTurn() {
  rest(options.restTime);
  // What ran before has filled the caches with its data.
  bool isLong = measurement.runsPerTurn == 1;
  if (!isLong)
    timeRun(1);
  if (!measurement.error.empty())
    return;
  timeTurn(measurement.runsPerTurn);
}

std::vector<Measurement>
measureInTurns(std::span<const std::unique_ptr<Timed>> contestants,
               const MeasureOptions &options) {
  std::vector<Turns> all;
  for (const std::unique_ptr<Timed> &timed : contestants) {
    all.emplace_back(*timed, options);
    all.back().calibrate();
  }
  for (int round = 0; round < options.repetitions; ++round)
    for (size_t place : roundOrder(all.size(), round))
      if (all[place].hasTurn(round))
        all[place].takeTurn();
  std::vector<Measurement> measurements;
  for (Turns &turns : all)
    measurements.push_back(std::move(turns.measurement));
  return measurements;
}

double geometricMean(std::span<const double> numbers) {
  if (numbers.empty())
    return 1;
  double sum = 0;
  for (double number : numbers)
    sum += std::log(number);
  return std::exp(sum / static_cast<double>(numbers.size()));
}

} // namespace convoy
