//===- ForEachInThreads.h - Counts in several threads -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_FOREACHINTHREADS_H
#define CONVOY_RUNTIME_LIB_FOREACHINTHREADS_H

#include "convoy/Support/Interruption.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace convoy {

/// Counts from 0 to below `count` in so many threads, each with a worker of its
/// own, which `makeWorker` makes: a function of a number. Where the work is
/// interrupted, what is left is not counted.
template <typename MakeWorker>
void forEachInThreads(int64_t count, int threads,
                      const MakeWorker &makeWorker) {
  // Small pieces, so that no thread is left alone for long.
  int64_t piece = std::max<int64_t>(1, count / (int64_t(threads) * 64));
  std::atomic<int64_t> next = 0;
  std::atomic<bool> isOver = false;
  auto work = [&] {
    auto worker = makeWorker();
    for (int64_t begin; (begin = next.fetch_add(piece)) < count;)
      for (int64_t i = begin; i < std::min(begin + piece, count); ++i) {
        // The thread that has the others is told alone.
        if (isOver || isInterrupted()) {
          isOver = true;
          return;
        }
        worker(i);
      }
  };
  std::vector<std::thread> helpers;
  for (int64_t i = 1; i < std::min<int64_t>(threads, count); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
}

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_FOREACHINTHREADS_H
