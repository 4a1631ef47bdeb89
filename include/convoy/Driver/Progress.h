//===- Progress.h - How far a long run is -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_PROGRESS_H
#define CONVOY_DRIVER_PROGRESS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <condition_variable>
#include <string>
#include <thread>

namespace mlir::convoy {

/// How far a long run is: one line on standard error, which is written anew for
/// each case and each second, and erased when the run ends.
///
///   [12/318] 0:41 mb1_ic64ih56iw56_oc64oh56ow56_kh3kw3_ph1pw1
///
/// Nothing is written where standard error is no terminal. A process has one at
/// a time.
class Progress {
public:
  Progress() : start(std::chrono::steady_clock::now()) {}
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Says that case `number` of `total`, counted from 1, is at hand; of 0 where
  /// nobody knows how many there are. Of a title that the terminal is too
  /// narrow for, the end is shown.
  void show(size_t number, size_t total, StringRef title);

private:
  void draw() const;
  /// Draws the line each second while it is there.
  void tick();

  std::chrono::steady_clock::time_point start;
  std::string counter, title;
  bool isOver = false;
  std::condition_variable ended;
  std::thread ticker;
};

/// Erases what a run's progress has on the terminal, until its next case.
/// Called before anything else is printed there.
void eraseProgress();

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_PROGRESS_H
