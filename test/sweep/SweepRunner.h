//===- SweepRunner.h - Compiles and checks many problems -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_SWEEP_SWEEPRUNNER_H
#define CONVOY_TEST_SWEEP_SWEEPRUNNER_H

#include "CertificateCount.h"
#include "SweepSpace.h"

#include "convoy/Driver/Compile.h"
#include "convoy/Runtime/Generate.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace mlir::convoy {

struct SweepOptions {
  /// Problems compiled together, as kernels of one module.
  int64_t batch = 32;
  /// Threads, each with a context of its own.
  unsigned jobs = 1;
  /// Threads that each kernel runs in.
  int threads = 1;
  /// How convolutions are computed, and in which data kernels run: integers
  /// where all must be exact.
  std::string algorithm = "direct";
  ::convoy::DataKind data = ::convoy::DataKind::Int;
  /// Whether kernels take their filters packed.
  bool packedFilters = false;
  /// Tiles for the host in place of small ones.
  bool hostTile = false;
  /// LLVM's optimization level, 0 to 3.
  unsigned optLevel = 0;
  /// Of so many modules one is verified after each pass; 0: none.
  int64_t verifyEvery = 64;
  /// Prove each case from problem to tiles, and whether to run it as well.
  bool certify = false, run = true;
  uint64_t seed = 0;
  /// Where to run, a name of `convoy_device_open`.
  std::string target = "cpu";
  /// What Vulkan devices kernels are compiled for, if not the one they run on.
  std::optional<::convoy::VulkanProfile> vulkan;
};

/// Tries problems on a target, compares them exactly or within their bounds,
/// certifies them, and prints what fails.
class SweepRunner {
public:
  SweepRunner(const ::convoy::SweepSpace &space,
              const ::convoy::SweepRows &rows, const SweepOptions &options)
      : space(space), rows(rows), options(options) {}

  /// Tries every row; returns the number that failed.
  int64_t run();

private:
  class Worker;

  /// The next rows to try, none when all are taken.
  std::pair<int64_t, int64_t> takeBatch();
  void reportFailure(const ::convoy::Problem &problem, StringRef text);
  void count(const Certificate &certificate, double seconds);
  void reportBatch(int64_t passed);
  double secondsSinceStart() const;

  const ::convoy::SweepSpace &space;
  const ::convoy::SweepRows &rows;
  const SweepOptions &options;
  std::atomic<int64_t> nextRow = 0;
  std::mutex mutex; ///< of what follows
  int64_t passed = 0, numFailed = 0;
  CertificateCount certificates;
  std::chrono::steady_clock::time_point start;
  double nextReport = 0; ///< in seconds since `start`
};

} // namespace mlir::convoy

#endif // CONVOY_TEST_SWEEP_SWEEPRUNNER_H
