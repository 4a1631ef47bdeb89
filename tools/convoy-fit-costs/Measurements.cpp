//===- Measurements.cpp - Cost models' constants, measured ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measurements.h"

#include "Loops.h"

#include "convoy/Support/CacheSizes.h"
#include "convoy/Transforms/Costs/CycleCosts.h"

#include "llvm/Support/Process.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

namespace convoy {
using namespace mlir::convoy;

/// What stays in no cache.
static constexpr int64_t kMemoryBytes = int64_t(256) << 20;
/// Runs of loops whose data stays in registers or in the L1 cache.
static constexpr int64_t kNearCount = 4096;

const Loops &getWidestLoops() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return kLoops64;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return kLoops32;
#endif
  return kLoops16;
}

namespace {
/// Keeps the shortest time of each benchmark, in nanoseconds a run: that of the
/// thread, so that other programs on the machine take none of it.
class BestTimes final : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> &runs) override {
    for (const Run &run : runs) {
      if (run.run_type != Run::RT_Iteration)
        continue;
      double time =
          run.cpu_accumulated_time * 1e9 / static_cast<double>(run.iterations);
      auto [best, isNew] = times.emplace(run.run_name.function_name, time);
      best->second = std::min(best->second, time);
    }
  }

  std::map<std::string, double> times;
};

/// Loops and what they go through.
class Measurer {
public:
  explicit Measurer(MeasuredMachine &machine);

  std::vector<Measurement> measure(int repetitions, double seconds);

private:
  /// Adds a loop that runs `count` times over the first `bytes` of memory.
  void add(const char *name, Loop loop, int64_t count,
           std::vector<int32_t> offsets = {});
  void addAll();
  void run(int repetitions, double seconds);
  std::vector<Measurement> getMeasurements() const;
  /// Cycles for each time that the loop `name` ran.
  double cycles(const char *name) const {
    const Timed &timed = *loops.at(name);
    return times.at(name) * machine.gigahertz /
           static_cast<double>(timed.data.count);
  }
  /// The same for each line of vectors that follow each other.
  double lineCycles(const char *name) const {
    return cycles(name) * static_cast<double>(machine.core.lineBytes) /
           static_cast<double>(width.vectorBytes);
  }
  int64_t countVectors(int64_t bytes) const {
    return bytes / width.vectorBytes;
  }
  /// The first places of `count` pieces of so many bytes, in random order.
  std::vector<int32_t> shuffle(int64_t count, int64_t bytes) const;
  /// Places of lines in so many pages, in turn.
  std::vector<int32_t> takeTurns(int64_t count, int64_t pages,
                                 int64_t pageBytes) const;

  struct Timed {
    Loop loop;
    LoopData data;
    std::vector<int32_t> offsets;
  };
  struct Free {
    void operator()(float *memory) const { std::free(memory); }
  };

  MeasuredMachine &machine;
  const Loops &width;
  int64_t farBytes; ///< what the last level holds, and the L2 cache does not
  std::unique_ptr<float, Free> memory, target;
  std::map<std::string, std::unique_ptr<Timed>> loops;
  std::map<std::string, double> times;
};
} // namespace

/// What the targets of this machine hold of it.
static CoreTraits askCore(const CacheSizes &caches) {
  CoreTraits core;
  if (caches.line > 0)
    core.lineBytes = caches.line;
  core.pageBytes = llvm::sys::Process::getPageSizeEstimate();
  return core;
}

static float *allocate(int64_t bytes) {
  auto *memory = static_cast<float *>(std::aligned_alloc(
      llvm::sys::Process::getPageSizeEstimate(), static_cast<size_t>(bytes)));
  std::fill_n(memory, bytes / static_cast<int64_t>(sizeof(float)), 0.0f);
  return memory;
}

Measurer::Measurer(MeasuredMachine &machine)
    : machine(machine), width(getWidestLoops()), memory(allocate(kMemoryBytes)),
      target(allocate(llvm::sys::Process::getPageSizeEstimate())) {
  CacheSizes caches = getHostCacheSizes();
  machine.vectorBytes = width.vectorBytes;
  machine.l1Bytes = caches.l1 > 0 ? caches.l1 : 32 << 10;
  machine.l2Bytes = caches.l2 > 0 ? caches.l2 : 256 << 10;
  machine.core = askCore(caches);
  farBytes = std::min(4 * machine.l2Bytes, kMemoryBytes);
}

std::vector<int32_t> Measurer::shuffle(int64_t count, int64_t bytes) const {
  std::vector<int32_t> offsets;
  for (int64_t i = 0; i < count; ++i)
    offsets.push_back(
        static_cast<int32_t>(i * bytes / static_cast<int64_t>(sizeof(float))));
  std::shuffle(offsets.begin(), offsets.end(), std::mt19937());
  return offsets;
}

std::vector<int32_t> Measurer::takeTurns(int64_t count, int64_t pages,
                                         int64_t pageBytes) const {
  std::vector<int32_t> offsets;
  for (int64_t i = 0; i < count; ++i) {
    // Neighbours lie in different sets of a cache.
    int64_t line = (i / pages + i % pages) * machine.core.lineBytes % pageBytes;
    offsets.push_back(static_cast<int32_t>((i % pages * pageBytes + line) /
                                           int64_t(sizeof(float))));
  }
  return offsets;
}

void Measurer::add(const char *name, Loop loop, int64_t count,
                   std::vector<int32_t> offsets) {
  auto timed = std::make_unique<Timed>();
  timed->loop = loop;
  timed->offsets = std::move(offsets);
  timed->data = {memory.get(), target.get(), timed->offsets.data(), count};
  loops[name] = std::move(timed);
}

void Measurer::addAll() {
  int64_t nearVectors = countVectors(machine.l1Bytes / 2);
  int64_t l2Vectors = countVectors(machine.l2Bytes / 2);
  int64_t farVectors = countVectors(farBytes);
  int64_t lineBytes = machine.core.lineBytes,
          pageBytes = machine.core.pageBytes;
  int64_t farLines = farBytes / lineBytes, farPages = farBytes / pageBytes;
  int64_t l2Lines = machine.l2Bytes / 2 / lineBytes;
  // More than are prefetched.
  int64_t streams = 2 * machine.core.prefetchStreams;
  add("cycle", width.addIntegers, kNearCount);
  add("chain", width.chain, kNearCount);
  add("multiply-adds", width.multiplyAdds, kNearCount);
  add("steps", width.steps, kNearCount);
  add("loading steps", width.loadingSteps, kNearCount);
  add("load", width.load, nearVectors);
  add("load, L2", width.load, l2Vectors);
  add("load, L2, streams", width.loadAt, l2Lines,
      takeTurns(l2Lines, streams, machine.l2Bytes / 2 / streams));
  // As many lines of the L2 cache in many pages and in few.
  int64_t pages = machine.l2Bytes / 2 / lineBytes / 8;
  add("load, many pages", width.loadAt, pages,
      takeTurns(pages, pages, pageBytes));
  add("load, few pages", width.loadAt, pages, shuffle(pages, lineBytes));
  add("load, far", width.load, farVectors);
  add("load, memory", width.load, countVectors(kMemoryBytes));
  add("load, far, alone", width.loadAt, farLines, shuffle(farLines, lineBytes));
  add("update", width.update, nearVectors);
  add("update, L2", width.update, l2Vectors);
  add("update, far", width.update, farVectors);
  add("update, far, pages", width.updateAt, farLines,
      takeTurns(farLines, farPages, pageBytes));
  add("scatter", width.scatter, nearVectors / 2);
  add("copy", width.copy, nearVectors);
  add("copy, far", width.copy, farVectors);
  add("gather", width.gather, kNearCount);
}

void Measurer::run(int repetitions, double seconds) {
  char name[] = "convoy-fit-costs",
       interleaved[] = "--benchmark_enable_random_interleaving=true";
  char *arguments[] = {name, interleaved};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  for (const auto &[name, timed] : loops)
    benchmark::RegisterBenchmark(name.c_str(),
                                 [&timed = *timed](benchmark::State &state) {
                                   for (auto _ : state)
                                     timed.loop(timed.data);
                                 })
        ->Repetitions(repetitions)
        ->MinTime(seconds);
  BestTimes best;
  benchmark::RunSpecifiedBenchmarks(&best);
  benchmark::Shutdown();
  times = std::move(best.times);
  machine.gigahertz = static_cast<double>(kNearCount) / times.at("cycle");
}

std::vector<Measurement> Measurer::getMeasurements() const {
  double multiplyAdd =
      cycles("multiply-adds") / static_cast<double>(kStepMultiplyAdds);
  double lanes = static_cast<double>(width.vectorBytes) / sizeof(float);
  double step = cycles("steps"), loadingStep = cycles("loading steps");
  const char *vector = "cycles a vector", *line = "cycles a line",
             *element = "cycles an element";
  double units = static_cast<double>(machine.core.vectorUnits);
  return {
      {"vector_units, multiply-adds", "a cycle", units, 1 / multiplyAdd},
      {"vector_units, loads", "a cycle", units, 1 / cycles("load")},
      {"fma_latency", "cycles", static_cast<double>(machine.core.fmaLatency),
       cycles("chain")},
      {"kStepOverhead", "cycles a step", kStepOverhead,
       std::max(0.0, step - cycles("multiply-adds"))},
      {"kLoadOverhead", "cycles a load", kLoadOverhead,
       std::max(0.0, loadingStep - step) / static_cast<double>(kStepLoads)},
      {"kNearVectorCycles", vector, kNearVectorCycles, cycles("load, L2")},
      {"kSlowVectorCycles", vector, kSlowVectorCycles,
       cycles("load, L2, streams")},
      {"kSlowInPlace", "factor", kSlowInPlace,
       cycles("load, many pages") / cycles("load, few pages")},
      {"kPrefetchedLineCycles", line, kPrefetchedLineCycles,
       lineCycles("load, far")},
      {"kMemoryLineCycles", line, kMemoryLineCycles,
       lineCycles("load, memory")},
      {"kAwaitedLineCycles", line, kAwaitedLineCycles,
       cycles("load, far, alone")},
      {"kUpdateCycles", vector, kUpdateCycles, cycles("update")},
      {"kLineUpdateCycles", line, kLineUpdateCycles, lineCycles("update, L2")},
      {"kFarUpdateCycles", line, kFarUpdateCycles, lineCycles("update, far")},
      {"kPagesUpdateCycles", line, kPagesUpdateCycles,
       cycles("update, far, pages")},
      {"kScatteredCycles", element, kScatteredCycles,
       cycles("scatter") / lanes},
      {"kPackCycles", vector, kPackCycles, cycles("copy")},
      {"kPackElementCycles", element, kPackElementCycles,
       cycles("gather") / lanes},
      {"kPackLineCycles", line, kPackLineCycles,
       std::max(0.0, lineCycles("copy, far") - lineCycles("copy"))},
  };
}

std::vector<Measurement> Measurer::measure(int repetitions, double seconds) {
  addAll();
  run(repetitions, seconds);
  return getMeasurements();
}

std::vector<Measurement> measureCosts(int repetitions, double seconds,
                                      MeasuredMachine &machine) {
  return Measurer(machine).measure(repetitions, seconds);
}

} // namespace convoy
