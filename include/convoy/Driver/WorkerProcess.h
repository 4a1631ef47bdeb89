//===- WorkerProcess.h - A program that answers in JSON ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_WORKERPROCESS_H
#define CONVOY_DRIVER_WORKERPROCESS_H

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace mlir::convoy {

/// A program that reads requests from its standard input and writes answers to
/// its standard output, each a JSON object in a line. It runs from the first
/// request until this is gone, and is started anew after it has ended. It is
/// killed where an answer takes too long.
class WorkerProcess {
public:
  /// `command` is one of the shell, `timeout` in seconds.
  WorkerProcess(std::string command, int timeout)
      : command(std::move(command)), timeout(timeout) {}
  ~WorkerProcess() { stop(); }
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// The answer to `request`. Where there is none, or it is an "error", returns
  /// nothing and puts one sentence into `error`.
  std::optional<llvm::json::Object> ask(llvm::json::Object request,
                                        std::string &error);

  /// How the worker ended when there was no answer: "hang" where that took too
  /// long, "SIGSEGV" or another signal, "exit 1"; empty after an answer.
  const std::string &getEnding() const { return ending; }

private:
  bool start(std::string &error);
  /// Returns what waiting for its end says.
  int stop();
  void send(const std::string &line);
  /// The next line, or nothing and one sentence in `error`.
  std::optional<std::string> receive(std::string &error);

  std::string command;
  int timeout;
  int process = -1, channel = -1;
  std::string received; ///< beyond the last answer
  std::string ending;
};

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_WORKERPROCESS_H
