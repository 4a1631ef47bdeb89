//===- Attempt.h - Passes on one text, in a process of its own --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_PASSFUZZ_ATTEMPT_H
#define CONVOY_TEST_PASSFUZZ_ATTEMPT_H

#include "Corpus.h"

#include <atomic>
#include <optional>

namespace mlir::convoy::test {

/// What one text may take of a process.
struct Limits {
  unsigned seconds = 20;
  uint64_t bytes = uint64_t(4) << 30;
};

/// How a process ended that had to be ended.
struct Crash {
  /// "SIGSEGV", "hang", "memory"
  std::string kind;
  /// The functions that were running, the innermost first, as
  /// `name` or `file+offset`.
  std::vector<std::string> frames;
  /// Whether there was IR for a pass.
  bool parsed = false;

  /// What crashes with one cause have in common.
  std::string key() const;
  /// Whether it crashed in MLIR's parser, or a verifier that this calls, before
  /// there was IR for any pass.
  bool isInUpstreamParser() const;
};

/// A memory that a process shares with the one that it was forked from.
struct Slot {
  static constexpr unsigned kMaxFrames = 48;
  /// The attempt that the process is at, and its first.
  std::atomic<uint64_t> attempt, first;
  std::atomic<bool> outOfMemory, parsed;
  std::atomic<unsigned> numFrames;
  void *frames[kMaxFrames];
};

/// What became of a text.
enum class Outcome { Unparsed, Refused, Passed };

/// Parses `text` and runs `passes`, in a context that has loaded nothing.
Outcome attempt(StringRef text, const PassList &passes,
                const DialectRegistry &registry);

/// Makes this process write into `slot` how it ends, and end at `limits`.
void limitProcess(Slot &slot, const Limits &limits);

/// Gives this process the whole time again.
void restartTime(const Limits &limits);

/// What `status`, from waitpid, and `slot` say of a process that has ended;
/// nothing where it ended by itself.
std::optional<Crash> readCrash(int status, const Slot &slot);

/// Runs `attempt` in a process of its own.
std::optional<Crash> attemptForked(StringRef text, const PassList &passes,
                                   const DialectRegistry &registry,
                                   const Limits &limits, Slot &slot);

/// What limitProcess installs; not static, so that reports know their names.
void onSignal(int signal);
[[noreturn]] void onOutOfMemory();
[[noreturn]] void onBadAllocation(void *, const char *, bool);

/// Memory that forked processes share, all 0.
void *allocateShared(size_t bytes);

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_PASSFUZZ_ATTEMPT_H
