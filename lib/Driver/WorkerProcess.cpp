//===- WorkerProcess.cpp - A program that answers in JSON -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/WorkerProcess.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::convoy;

extern char **environ;

bool WorkerProcess::start(std::string &error) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    error = std::string("cannot start the worker: ") + std::strerror(errno);
    return false;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string shell = "sh", option = "-c", text = "exec " + command;
  char *arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t child = -1;
  int code =
      posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (code != 0) {
    close(ends[0]);
    error = std::string("cannot start the worker: ") + std::strerror(code);
    return false;
  }
  process = child;
  channel = ends[0];
  received.clear();
  return true;
}

int WorkerProcess::stop() {
  int status = 0;
  if (process < 0)
    return status;
  // Without requests the worker ends by itself.
  close(channel);
  waitpid(process, &status, 0);
  process = channel = -1;
  return status;
}

static std::string describeEnding(int status) {
  if (WIFSIGNALED(status))
    return std::string("SIG") + sigabbrev_np(WTERMSIG(status));
  return "exit " + std::to_string(WEXITSTATUS(status));
}

void WorkerProcess::send(const std::string &line) {
  size_t sent = 0;
  while (sent < line.size()) {
    // A worker that has ended is no reason for a signal.
    ssize_t count =
        ::send(channel, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    sent += static_cast<size_t>(count);
  }
}

std::optional<std::string> WorkerProcess::receive(std::string &error) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline = Clock::now() + std::chrono::seconds(timeout);
  size_t end;
  while ((end = received.find('\n')) == std::string::npos) {
    auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd event = {channel, POLLIN, 0};
    int ready = poll(&event, 1, int(std::max<int64_t>(0, left.count())));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready == 0) {
      kill(process, SIGKILL);
      ending = "hang";
      error = "the worker took more than " + std::to_string(timeout) +
              " s for an answer";
      return std::nullopt;
    }
    char bytes[4096];
    ssize_t count = read(channel, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      error = "the worker ended without an answer";
      return std::nullopt;
    }
    received.append(bytes, static_cast<size_t>(count));
  }
  std::string line = received.substr(0, end);
  received.erase(0, end + 1);
  return line;
}

std::optional<llvm::json::Object> WorkerProcess::ask(llvm::json::Object request,
                                                     std::string &error) {
  ending.clear();
  if (process < 0 && !start(error))
    return std::nullopt;
  std::string line;
  llvm::raw_string_ostream(line)
      << llvm::json::Value(std::move(request)) << '\n';
  // Where it cannot be sent, the worker has ended, which receiving finds.
  send(line);
  std::optional<std::string> text = receive(error);
  if (!text) {
    int status = stop();
    if (ending.empty())
      ending = describeEnding(status);
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> answer = llvm::json::parse(*text);
  if (!answer || !answer->getAsObject()) {
    llvm::consumeError(answer.takeError());
    stop();
    error = "expected a JSON object from the worker, but got '" + *text + "'";
    return std::nullopt;
  }
  llvm::json::Object object = std::move(*answer->getAsObject());
  if (auto text = object.getString("error")) {
    error = text->str();
    return std::nullopt;
  }
  return object;
}
