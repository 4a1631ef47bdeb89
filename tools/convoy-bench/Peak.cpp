//===- Peak.cpp - The fastest that a CPU multiplies and adds ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peak.h"

#include <functional>
#include <thread>
#include <vector>

namespace convoy {

/// Chains of operations that do not wait for each other: latency times
/// throughput of today's CPUs is at most 10.
static constexpr int Chains = 12;

/// Defines a function that runs `Chains` chains of `count` multiply-adds on
/// vectors of `bytes` bytes, compiled for `features`. Every round the empty
/// assembly makes the compiler believe that the accumulators are looked at.
#define CONVOY_PEAK_LOOP(name, Element, bytes, features, constraint)           \
  features static void name(int64_t count) {                                   \
    using Vector [[gnu::vector_size(bytes)]] = Element;                        \
    Vector sums[Chains], factor, term;                                         \
    for (Vector &sum : sums)                                                   \
      sum = Vector{} + Element(1);                                             \
    factor = Vector{} + Element(1.0000001);                                    \
    term = Vector{} + Element(1e-9);                                           \
    __asm__ volatile("" : "+" constraint(factor), "+" constraint(term));       \
    for (int64_t i = 0; i < count; ++i) {                                      \
      _Pragma("GCC unroll 12") for (int j = 0; j < Chains; ++j) sums[j] =      \
          sums[j] * factor + term;                                             \
      _Pragma("GCC unroll 12") for (int j = 0; j < Chains;                     \
                                    ++j) __asm__ volatile("" :                 \
                                                          "+" constraint(      \
                                                              sums[j]));       \
    }                                                                          \
  }

#if defined(__clang__)
#pragma clang fp contract(fast)
#endif

#if defined(__x86_64__)
#define CONVOY_AVX512 __attribute__((target("avx512f")))
#define CONVOY_FMA __attribute__((target("avx2,fma")))
CONVOY_PEAK_LOOP(loopF32x16, float, 64, CONVOY_AVX512, "v")
CONVOY_PEAK_LOOP(loopF64x8, double, 64, CONVOY_AVX512, "v")
CONVOY_PEAK_LOOP(loopF32x8, float, 32, CONVOY_FMA, "x")
CONVOY_PEAK_LOOP(loopF64x4, double, 32, CONVOY_FMA, "x")
CONVOY_PEAK_LOOP(loopF32x4, float, 16, , "x")
CONVOY_PEAK_LOOP(loopF64x2, double, 16, , "x")
#elif defined(__aarch64__)
CONVOY_PEAK_LOOP(loopF32x4, float, 16, , "w")
CONVOY_PEAK_LOOP(loopF64x2, double, 16, , "w")
#endif

PeakLoop::Loop PeakLoop::findLoop(int64_t vectorBytes, bool isDouble) {
#if defined(__x86_64__)
  if (vectorBytes == 64 && __builtin_cpu_supports("avx512f"))
    return isDouble ? loopF64x8 : loopF32x16;
  if (vectorBytes == 32 && __builtin_cpu_supports("fma"))
    return isDouble ? loopF64x4 : loopF32x8;
#endif
#if defined(__x86_64__) || defined(__aarch64__)
  if (vectorBytes == 16)
    return isDouble ? loopF64x2 : loopF32x4;
#endif
  return nullptr;
}

/// Rounds of a run: some ten microseconds.
static constexpr int64_t Rounds = 1 << 13;

std::unique_ptr<PeakLoop> PeakLoop::create(int64_t vectorBytes, bool isDouble,
                                           int threads) {
  Loop loop = findLoop(vectorBytes, isDouble);
  if (!loop)
    return nullptr;
  int64_t lanes = vectorBytes / (isDouble ? 8 : 4);
  double operations =
      static_cast<double>(2 * lanes * Chains * Rounds) * threads;
  return std::unique_ptr<PeakLoop>(new PeakLoop(loop, threads, operations));
}

std::optional<double> PeakLoop::run(int64_t count, std::string &) {
  std::vector<double> seconds(static_cast<size_t>(threads));
  auto runOne = [&](double &time) {
    time = timeCalls(1, [&] { loop(count * Rounds); });
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < seconds.size(); ++i)
    others.emplace_back(runOne, std::ref(seconds[i]));
  runOne(seconds[0]);
  for (std::thread &other : others)
    other.join();
  double speed = 0;
  for (double time : seconds)
    speed += 1 / time;
  return threads / speed;
}

} // namespace convoy
