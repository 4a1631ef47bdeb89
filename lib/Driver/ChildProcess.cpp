//===- ChildProcess.cpp - Work that may crash -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/ChildProcess.h"

#include "llvm/Support/Signals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::convoy;

void TextSender::send(StringRef text) {
  uint64_t size = text.size();
  os.write(reinterpret_cast<const char *>(&size), sizeof(size));
  os << text;
  os.flush();
}

/// The child's side; does not return.
[[noreturn]] static void runAsChild(int output, std::FILE *errors,
                                    unsigned seconds,
                                    function_ref<void(TextSender &)> work) {
  // Crashes are told by the parent, in a line and without a stack trace.
  llvm::sys::unregisterHandlers();
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    std::signal(number, SIG_DFL);
  rlimit noCore = {0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  ::dup2(::fileno(errors), STDERR_FILENO);
  ::dup2(::fileno(errors), STDOUT_FILENO);
  ::alarm(seconds);
  TextSender sender(output);
  work(sender);
  // Nothing of this copy is to be written or removed by what runs at exit.
  ::_exit(0);
}

static std::string readAll(int file) {
  std::string bytes;
  std::array<char, 65536> buffer;
  for (;;) {
    ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count > 0)
      bytes.append(buffer.data(), size_t(count));
    else if (count == 0 || errno != EINTR)
      return bytes;
  }
}

/// The texts in `bytes`; one that was cut off is left out.
static std::vector<std::string> readTexts(StringRef bytes) {
  std::vector<std::string> texts;
  uint64_t size = 0;
  while (bytes.size() >= sizeof(size)) {
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes = bytes.drop_front(sizeof(size));
    if (bytes.size() < size)
      break;
    texts.push_back(bytes.take_front(size).str());
    bytes = bytes.drop_front(size);
  }
  return texts;
}

/// The last line that was written to `errors`.
static std::string readLastLine(std::FILE *errors) {
  ::lseek(::fileno(errors), 0, SEEK_SET);
  std::string text = readAll(::fileno(errors));
  return StringRef(text).rtrim().rsplit('\n').second.empty()
             ? StringRef(text).rtrim().str()
             : StringRef(text).rtrim().rsplit('\n').second.str();
}

static std::string describeEnd(int status, unsigned seconds,
                               std::FILE *errors) {
  if (WIFEXITED(status))
    return WEXITSTATUS(status) == 0 ? ""
                                    : "ended the program with code " +
                                          std::to_string(WEXITSTATUS(status));
  int number = WTERMSIG(status);
  if (number == SIGALRM)
    return "did not end within " + std::to_string(seconds) + " seconds";
  std::string text = "was ended by signal " + std::to_string(number) + " (" +
                     ::strsignal(number) + ")";
  if (std::string line = readLastLine(errors); !line.empty())
    text += ": " + line;
  return text;
}

std::optional<ChildOutcome>
mlir::convoy::runInChild(unsigned seconds,
                         function_ref<void(TextSender &)> work,
                         std::string &error) {
  auto fail = [&](const std::string &what) {
    error = what + ": " + std::strerror(errno);
    return std::nullopt;
  };
  int ends[2];
  std::FILE *errors = std::tmpfile();
  if (!errors)
    return fail("cannot make a temporary file");
  if (::pipe(ends) != 0) {
    std::fclose(errors);
    return fail("cannot make a pipe");
  }
  llvm::outs().flush();
  pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    runAsChild(ends[1], errors, seconds, work);
  }
  ::close(ends[1]);
  ChildOutcome outcome;
  int status = 0;
  if (child > 0) {
    outcome.texts = readTexts(readAll(ends[0]));
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
    outcome.crash = describeEnd(status, seconds, errors);
    outcome.timedOut = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  }
  ::close(ends[0]);
  std::fclose(errors);
  if (child < 0)
    return fail("cannot start a process");
  return outcome;
}
