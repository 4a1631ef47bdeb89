//===- Bandwidth.h - How fast a machine reads its memory --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_BANDWIDTH_H
#define CONVOY_TOOLS_CONVOY_BENCH_BANDWIDTH_H

#include <cstddef>

namespace convoy {

/// What is read where nothing else is said: more than caches hold.
inline constexpr size_t kBandwidthBytes = size_t(1) << 28;

/// Bytes a second that `threads` threads read together, each from a part of
/// its own of `bytes` bytes; the best of a few passes.
double measureBandwidth(int threads, size_t bytes = kBandwidthBytes);

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_BANDWIDTH_H
