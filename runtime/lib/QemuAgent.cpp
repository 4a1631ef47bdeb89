//===- QemuAgent.cpp - The process that calls kernels in QEMU -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QemuAgent.h"

#include "DeviceBackend.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <spawn.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace convoy;

extern char **environ;

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

#ifdef CONVOY_QEMU_AGENT
asm(".pushsection .rodata\n"
    ".balign 16\n"
    ".hidden convoy_qemu_agent_begin\n"
    ".global convoy_qemu_agent_begin\n"
    "convoy_qemu_agent_begin:\n"
    ".incbin \"" CONVOY_QEMU_AGENT "\"\n"
    ".hidden convoy_qemu_agent_end\n"
    ".global convoy_qemu_agent_end\n"
    "convoy_qemu_agent_end:\n"
    ".popsection\n");

extern "C" {
extern const char convoy_qemu_agent_begin[], convoy_qemu_agent_end[];
}

static std::string_view getProgram() {
  return {convoy_qemu_agent_begin,
          size_t(convoy_qemu_agent_end - convoy_qemu_agent_begin)};
}
#else
static std::string_view getProgram() { return {}; }
#endif

static constexpr const char *Emulator = "qemu-aarch64";

/// The file `name` on the path, or empty.
static std::string findProgram(const std::string &name) {
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = (std::filesystem::path(folder) / name).string();
    if (access(file.c_str(), X_OK) == 0)
      return file;
  }
  return {};
}

/// Whether `emulator` lists the CPU `name`.
static bool knows(const std::string &emulator, std::string_view name) {
  std::unique_ptr<FILE, int (*)(FILE *)> list(
      popen((emulator + " -cpu help").c_str(), "r"), pclose);
  char line[256];
  while (list && std::fgets(line, sizeof(line), list.get())) {
    std::istringstream words(line);
    if (std::string word; words >> word && word == name)
      return true;
  }
  return false;
}

std::vector<std::string> QemuAgent::getCommand(std::string_view name) {
  std::string emulator = findProgram(Emulator);
  if (emulator.empty() || getProgram().empty())
    return {};
  std::vector<std::string> command = {
      emulator, "-cpu", knows(emulator, name) ? std::string(name) : "max"};
  if (!std::getenv("QEMU_LD_PREFIX")) {
    command.push_back("-L");
    command.push_back("/usr/aarch64-linux-gnu");
  }
  return command;
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

/// What a launch may take, as on Vulkan.
static constexpr int TimeoutSeconds = 600;

int QemuAgent::start(const std::vector<std::string> &command,
                     std::span<const std::byte> image) {
  auto failWith = [](const std::string &text) {
    return ::convoy::fail(CONVOY_NO_DEVICE,
                          "cannot start the emulator: " + text);
  };
  std::string_view program = getProgram();
  int file = memfd_create("convoy-agent", MFD_CLOEXEC), ends[2];
  if (file < 0 ||
      write(file, program.data(), program.size()) != ssize_t(program.size()))
    return failWith(std::strerror(errno));
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    close(file);
    return failWith(std::strerror(errno));
  }
  constexpr int Inherited = 3;
  std::vector<std::string> words = command;
  words.push_back("/proc/self/fd/" + std::to_string(Inherited));
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, file, Inherited);
  // What it says of a signal is said by us.
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                   O_WRONLY, 0);
  pid_t child = -1;
  int code = posix_spawn(&child, words[0].c_str(), &actions, nullptr,
                         arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  close(file);
  if (code != 0) {
    close(ends[0]);
    return failWith(std::strerror(code));
  }
  process = child;
  channel = ends[0];
  timeval timeout = {TimeoutSeconds, 0};
  setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));

  send(image.size());
  send(image);
  uint64_t length = 0;
  if (!receive(length))
    return fail("loading a module");
  std::string error(length, ' ');
  if (!receive(std::as_writable_bytes(std::span(error))))
    return fail("loading a module");
  return error.empty() ? int(CONVOY_OK)
                       : ::convoy::fail(CONVOY_INVALID,
                                        "cannot load the module: " + error);
}

void QemuAgent::stop() {
  if (!isRunning())
    return;
  // Without requests it ends by itself.
  close(channel);
  waitpid(process, nullptr, 0);
  process = channel = -1;
}

int QemuAgent::fail(const std::string &during) {
  int status = 0;
  bool hasEnded = waitpid(process, &status, WNOHANG) == process;
  for (int i = 0; !hasEnded && i < 100; ++i) {
    usleep(10000);
    hasEnded = waitpid(process, &status, WNOHANG) == process;
  }
  if (!hasEnded) {
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
  }
  close(channel);
  process = channel = -1;
  if (!hasEnded)
    return ::convoy::fail(CONVOY_NO_DEVICE, during + " took more than " +
                                                std::to_string(TimeoutSeconds) +
                                                " s");
  std::string ending = WIFSIGNALED(status)
                           ? std::string("SIG") + sigabbrev_np(WTERMSIG(status))
                           : "exit " + std::to_string(WEXITSTATUS(status));
  return ::convoy::fail(CONVOY_WRONG,
                        "the emulator ended by " + ending + ", " + during);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void QemuAgent::send(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    // A process that has ended is no reason for a signal.
    ssize_t count = ::send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    bytes = bytes.subspan(size_t(count));
  }
}

void QemuAgent::send(uint64_t number) {
  send(std::as_bytes(std::span(&number, 1)));
}

void QemuAgent::send(Request request, const std::string &name) {
  send(uint64_t(request));
  send(name.size());
  send(std::as_bytes(std::span(name)));
}

bool QemuAgent::receive(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t count = recv(channel, bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes = bytes.subspan(size_t(count));
  }
  return true;
}

bool QemuAgent::receive(uint64_t &number) {
  return receive(std::as_writable_bytes(std::span(&number, 1)));
}

int QemuAgent::find(const std::string &name, bool &isFound) {
  send(Found, name);
  uint64_t answer = 0;
  if (!receive(answer))
    return fail("looking for a kernel");
  isFound = answer != 0;
  return CONVOY_OK;
}

int QemuAgent::launch(const std::string &name,
                      std::span<const std::span<std::byte>> regions,
                      std::span<const Argument> arguments, int &code,
                      double &seconds) {
  send(Launched, name);
  send(regions.size());
  for (std::span<std::byte> region : regions) {
    send(region.size());
    send(region);
  }
  send(arguments.size());
  for (const Argument &argument : arguments) {
    send(argument.region);
    send(argument.value);
  }
  uint64_t answer = 0;
  bool isComplete = receive(answer) &&
                    receive(std::as_writable_bytes(std::span(&seconds, 1)));
  for (std::span<std::byte> region : regions)
    isComplete = isComplete && receive(region);
  if (!isComplete)
    return fail("running kernel '" + name + "'");
  code = int(answer);
  return CONVOY_OK;
}
