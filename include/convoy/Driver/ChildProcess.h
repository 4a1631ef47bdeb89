//===- ChildProcess.h - Work that may crash ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_CHILDPROCESS_H
#define CONVOY_DRIVER_CHILDPROCESS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// What a child process left behind.
struct ChildOutcome {
  /// The texts that it has sent, in order, all of them whole.
  std::vector<std::string> texts;
  /// How it ended before its work did, as a clause such as `was ended by signal
  /// 11 (Segmentation fault)`; empty where it did all of its work.
  std::string crash;
  bool timedOut = false; ///< whether it was still working
};

/// Sends texts from a child process.
class TextSender {
public:
  explicit TextSender(int file) : os(file, /*shouldClose=*/false) {}

  /// Sends `text` at once, so that it arrives whatever happens next.
  void send(StringRef text);

private:
  llvm::raw_fd_ostream os;
};

/// Runs `work` in a copy of this process, which may crash or run on for ever:
/// after `seconds` it is ended. What it prints is not seen, but for the last
/// line of standard error before a crash, which may be an assertion. This
/// process must have one thread. Fails, with one sentence in `error`, where
/// there is no such copy.
std::optional<ChildOutcome>
runInChild(unsigned seconds, llvm::function_ref<void(TextSender &)> work,
           std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_CHILDPROCESS_H
