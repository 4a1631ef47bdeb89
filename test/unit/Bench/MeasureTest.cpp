//===- MeasureTest.cpp - Turns, best times and means ---------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace convoy;
using testing::ElementsAre;

TEST(MeasureTest, GeometricMean) {
  EXPECT_EQ(geometricMean({}), 1);
  std::vector<double> one = {0.3}, several = {0.5, 8, 2};
  EXPECT_DOUBLE_EQ(geometricMean(one), 0.3);
  EXPECT_DOUBLE_EQ(geometricMean(several), 2);
}

TEST(MeasureTest, GeometricMeanPassesNoLimit) {
  std::vector<double> large(1000, 1e300), small(1000, 1e-300);
  EXPECT_NEAR(geometricMean(large) / 1e300, 1, 1e-9);
  EXPECT_NEAR(geometricMean(small) / 1e-300, 1, 1e-9);
}

TEST(MeasureTest, BestAndMedian) {
  Measurement measurement;
  measurement.seconds = {5, 2, 9};
  EXPECT_EQ(measurement.bestTurn(), 1u);
  EXPECT_EQ(measurement.best(), 2);
  EXPECT_EQ(measurement.median(), 5);
  measurement.seconds.push_back(7);
  EXPECT_EQ(measurement.median(), 6);
}

TEST(MeasureTest, EachGoesFirstInTurn) {
  EXPECT_THAT(roundOrder(3, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(roundOrder(3, 1), ElementsAre(1, 2, 0));
  EXPECT_THAT(roundOrder(3, 2), ElementsAre(2, 0, 1));
  EXPECT_THAT(roundOrder(3, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(roundOrder(1, 7), ElementsAre(0));
  EXPECT_THAT(roundOrder(0, 7), ElementsAre());
}

namespace {
/// Says that each run takes the same time, and writes down its runs.
class Fake final : public Timed {
public:
  Fake(char name, double seconds, std::string &log, int failAfter = -1)
      : name(name), seconds(seconds), log(log), runsLeft(failAfter) {}

  std::optional<double> run(int64_t count, std::string &error) override {
    if (runsLeft-- == 0) {
      error = "broke";
      return std::nullopt;
    }
    log += name + std::to_string(count) + ' ';
    return seconds * static_cast<double>(count);
  }

private:
  char name;
  double seconds;
  std::string &log;
  int runsLeft;
};

struct Contest {
  std::string log;
  std::vector<std::unique_ptr<Timed>> contestants;

  void add(char name, double seconds, int failAfter = -1) {
    contestants.push_back(
        std::make_unique<Fake>(name, seconds, log, failAfter));
  }
};
} // namespace

TEST(MeasureTest, TakesTurns) {
  Contest contest;
  contest.add('a', 0.001);
  contest.add('b', 0.004);
  std::vector<Measurement> results = measureInTurns(
      contest.contestants, {.repetitions = 2, .minTime = 0.008, .maxTime = 1});
  // Two runs to calibrate, then in each turn one to fill the caches.
  EXPECT_EQ(contest.log, "a1 a1 b1 b1 a1 a8 b1 b2 b1 b2 a1 a8 ");
  EXPECT_EQ(results[0].runsPerTurn, 8);
  EXPECT_EQ(results[1].runsPerTurn, 2);
  EXPECT_THAT(results[0].seconds, ElementsAre(0.001, 0.001));
  EXPECT_THAT(results[1].seconds, ElementsAre(0.004, 0.004));
  EXPECT_EQ(results[0].cpuSeconds.size(), 2u);
}

TEST(MeasureTest, SlowOnesHaveFewerTurns) {
  Contest contest;
  contest.add('a', 0.01);
  contest.add('b', 10);
  contest.add('c', 0.4);
  std::vector<Measurement> results = measureInTurns(
      contest.contestants, {.repetitions = 3, .minTime = 0.01, .maxTime = 1});
  EXPECT_EQ(contest.log, "a1 a1 b1 c1 a1 c1 c1 a1 a1 ");
  EXPECT_EQ(results[0].seconds.size(), 3u);
  EXPECT_EQ(results[1].seconds.size(), 1u);
  EXPECT_EQ(results[2].seconds.size(), 2u);
}

TEST(MeasureTest, OneThatBreaksStops) {
  for (int runs : {0, 1, 3, 4, 5}) {
    Contest contest;
    contest.add('a', 0.001, runs);
    contest.add('b', 0.001);
    std::vector<Measurement> results =
        measureInTurns(contest.contestants,
                       {.repetitions = 4, .minTime = 0.002, .maxTime = 1});
    EXPECT_EQ(results[0].error, "broke");
    EXPECT_TRUE(results[0].seconds.empty()) << runs;
    EXPECT_EQ(results[1].error, "");
    EXPECT_EQ(results[1].seconds.size(), 4u);
  }
}

TEST(MeasureTest, CallsAreTimed) {
  int calls = 0;
  EXPECT_GE(timeCalls(7, [&] { ++calls; }), 0);
  EXPECT_EQ(calls, 7);
}

namespace {
/// Leaves a thread that waits for work in a loop, as OpenMP's do.
class Waiting final : public Timed {
public:
  explicit Waiting(std::atomic<int> &numWaiting) : numWaiting(numWaiting) {}
  ~Waiting() override {
    for (std::thread &thread : threads)
      thread.join();
  }

  std::optional<double> run(int64_t, std::string &) override {
    ++numWaiting;
    threads.emplace_back([this] {
      auto end =
          std::chrono::steady_clock::now() + std::chrono::milliseconds(7);
      while (std::chrono::steady_clock::now() < end)
        ;
      --numWaiting;
    });
    return 1;
  }

private:
  std::atomic<int> &numWaiting;
  std::vector<std::thread> threads;
};

/// Writes down whether others' threads run when its turn starts.
class Witness final : public Timed {
public:
  Witness(std::atomic<int> &numWaiting, std::vector<int> &seen)
      : numWaiting(numWaiting), seen(seen) {}

  std::optional<double> run(int64_t, std::string &) override {
    seen.push_back(numWaiting);
    return 1;
  }

private:
  std::atomic<int> &numWaiting;
  std::vector<int> &seen;
};
} // namespace

TEST(MeasureTest, TurnsStartWhenThreadsOfTheLastOneRest) {
  std::atomic<int> numWaiting = 0;
  std::vector<int> seen;
  std::vector<std::unique_ptr<Timed>> contestants;
  contestants.push_back(std::make_unique<Waiting>(numWaiting));
  contestants.push_back(std::make_unique<Witness>(numWaiting, seen));
  MeasureOptions options;
  options.repetitions = 3;
  options.maxTime = 100;
  options.restTime = 10;
  measureInTurns(contestants, options);
  ASSERT_GT(seen.size(), 3u);
  // The first is not a turn: it finds out how long runs take.
  for (size_t turn = seen.size() - 3; turn < seen.size(); ++turn)
    EXPECT_EQ(seen[turn], 0) << "in turn " << turn;
}
