//===- Peak.h - The fastest that a CPU multiplies and adds ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_PEAK_H
#define CONVOY_TOOLS_CONVOY_BENCH_PEAK_H

#include <cstdint>

namespace convoy {

/// Operations a second, a fused multiply-add being two, of `threads` threads
/// that do nothing else, each with enough vectors of `vectorBytes` in registers
/// that none waits for another. Elements are f64 or f32. 0 where this CPU has
/// no such vectors.
double measurePeak(int64_t vectorBytes, bool isDouble, int threads);

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_PEAK_H
