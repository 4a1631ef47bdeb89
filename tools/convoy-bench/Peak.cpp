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

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace convoy {

/// Chains of operations that do not wait for each other: latency times
/// throughput of today's CPUs is at most 10.
static constexpr int Chains = 12;

/// Defines a function that runs `Chains` chains of `count` operations
/// `step(sum, factor, term)` on vectors, compiled for `features`. Each round
/// the empty assembly makes the compiler believe that the sums are looked at.
#define CONVOY_PEAK_LOOP(name, Vector, splat, step, features, in)              \
  features static void name(int64_t count) {                                   \
    Vector factor = splat(1.0000001f), term = splat(1e-9f);                    \
    Vector a = splat(1), b = a, c = a, d = a, e = a, f = a;                    \
    Vector g = a, h = a, i = a, j = a, k = a, l = a;                           \
    __asm__ volatile("" : "+" in(factor), "+" in(term));                       \
    for (int64_t round = 0; round < count; ++round) {                          \
      a = step(a, factor, term), b = step(b, factor, term);                    \
      c = step(c, factor, term), d = step(d, factor, term);                    \
      e = step(e, factor, term), f = step(f, factor, term);                    \
      g = step(g, factor, term), h = step(h, factor, term);                    \
      i = step(i, factor, term), j = step(j, factor, term);                    \
      k = step(k, factor, term), l = step(l, factor, term);                    \
      __asm__ volatile(""                                                      \
                       : "+" in(a), "+" in(b), "+" in(c), "+" in(d),           \
                         "+" in(e), "+" in(f), "+" in(g), "+" in(h),           \
                         "+" in(i), "+" in(j), "+" in(k), "+" in(l));          \
    }                                                                          \
  }

#if defined(__x86_64__)
#define CONVOY_AVX512 __attribute__((target("avx512f")))
#define CONVOY_FMA __attribute__((target("avx2,fma")))
// Without fused operations, one of each.
#define CONVOY_SSE_F32(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
#define CONVOY_SSE_F64(a, b, c) _mm_add_pd(_mm_mul_pd(a, b), c)
CONVOY_PEAK_LOOP(loopF32x16, __m512, _mm512_set1_ps, _mm512_fmadd_ps,
                 CONVOY_AVX512, "v")
CONVOY_PEAK_LOOP(loopF64x8, __m512d, _mm512_set1_pd, _mm512_fmadd_pd,
                 CONVOY_AVX512, "v")
CONVOY_PEAK_LOOP(loopF32x8, __m256, _mm256_set1_ps, _mm256_fmadd_ps, CONVOY_FMA,
                 "x")
CONVOY_PEAK_LOOP(loopF64x4, __m256d, _mm256_set1_pd, _mm256_fmadd_pd,
                 CONVOY_FMA, "x")
CONVOY_PEAK_LOOP(loopF32x4, __m128, _mm_set1_ps, CONVOY_SSE_F32, , "x")
CONVOY_PEAK_LOOP(loopF64x2, __m128d, _mm_set1_pd, CONVOY_SSE_F64, , "x")
#elif defined(__aarch64__)
#define CONVOY_NEON_F32(a, b, c) vfmaq_f32(c, a, b)
#define CONVOY_NEON_F64(a, b, c) vfmaq_f64(c, a, b)
CONVOY_PEAK_LOOP(loopF32x4, float32x4_t, vdupq_n_f32, CONVOY_NEON_F32, , "w")
CONVOY_PEAK_LOOP(loopF64x2, float64x2_t, vdupq_n_f64, CONVOY_NEON_F64, , "w")
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
