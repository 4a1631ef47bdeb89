//===- CacheSizes.h - Sizes of a core's data caches -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_CACHESIZES_H
#define CONVOY_SUPPORT_CACHESIZES_H

#include <cstdint>
#include <filesystem>

namespace convoy {

/// How much of each data cache one core has, the size of a line of the first,
/// and how far apart addresses lie that share one of its sets: in bytes, and 0
/// where that is not known.
struct CacheSizes {
  int64_t l1 = 0, l2 = 0, line = 0, criticalStride = 0;
};

/// The caches that Linux lists for a CPU in `folder`, which is laid out as
/// /sys/devices/system/cpu/cpu0. Cores that share a cache have equal parts.
CacheSizes readCacheSizes(const std::filesystem::path &folder);

/// Those of the first CPU of this machine; known on Linux alone.
CacheSizes getHostCacheSizes();

} // namespace convoy

#endif // CONVOY_SUPPORT_CACHESIZES_H
