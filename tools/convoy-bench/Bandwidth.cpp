//===- Bandwidth.cpp - How fast a machine reads its memory ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bandwidth.h"

#include "Measure.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

namespace convoy {

/// Passes, of which the fastest counts: the first ones wait for pages.
static constexpr int Passes = 6;

/// Calls `work` with the number of each thread, on all of them at once.
static void runThreads(int threads, const std::function<void(size_t)> &work) {
  std::vector<std::thread> others;
  for (int number = 1; number < threads; ++number)
    others.emplace_back(work, static_cast<size_t>(number));
  work(0);
  for (std::thread &other : others)
    other.join();
}

double measureBandwidth(int threads, size_t bytes) {
  auto count = static_cast<size_t>(threads);
  size_t words = std::max<size_t>(1, bytes / sizeof(uint64_t) / count);
  std::vector<std::vector<uint64_t>> parts(count);
  // Memory lies near the thread that wrote it first.
  runThreads(threads, [&](size_t number) { parts[number].assign(words, 1); });
  std::atomic<uint64_t> sum = 0;
  auto read = [&](size_t number) {
    const std::vector<uint64_t> &part = parts[number];
    sum += std::accumulate(part.begin(), part.end(), uint64_t(0));
  };
  double best = timeCalls(1, [&] { runThreads(threads, read); });
  for (int pass = 1; pass < Passes; ++pass)
    best = std::min(best, timeCalls(1, [&] { runThreads(threads, read); }));
  return static_cast<double>(words * sizeof(uint64_t) * count) / best;
}

} // namespace convoy
