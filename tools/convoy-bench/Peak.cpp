//===- Peak.cpp - The fastest that a CPU multiplies and adds ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peak.h"

#include <algorithm>
#include <chrono>
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

using Loop = void (*)(int64_t);

/// The loop on vectors of `vectorBytes`, or null where this CPU has none.
static Loop findLoop(int64_t vectorBytes, bool isDouble) {
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

static double secondsOf(Loop loop, int64_t count) {
  auto start = std::chrono::steady_clock::now();
  loop(count);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

double measurePeak(int64_t vectorBytes, bool isDouble, int threads) {
  static constexpr int Repetitions = 20;
  static constexpr int64_t Count = 1 << 20;
  Loop loop = findLoop(vectorBytes, isDouble);
  if (!loop)
    return 0;
  double lanes =
      static_cast<double>(vectorBytes) / (isDouble ? sizeof(double) : 4);
  double operations = 2.0 * lanes * Chains * static_cast<double>(Count);
  double best = 0;
  for (int repetition = 0; repetition < Repetitions; ++repetition) {
    std::vector<double> seconds(static_cast<size_t>(threads));
    std::vector<std::thread> others;
    for (size_t i = 1; i < seconds.size(); ++i)
      others.emplace_back([&, i] { seconds[i] = secondsOf(loop, Count); });
    seconds[0] = secondsOf(loop, Count);
    for (std::thread &other : others)
      other.join();
    double sum = 0;
    for (double time : seconds)
      sum += operations / time;
    best = std::max(best, sum);
  }
  return best;
}

} // namespace convoy
