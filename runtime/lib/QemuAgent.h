//===- QemuAgent.h - The process that calls kernels in QEMU -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_QEMUAGENT_H
#define CONVOY_RUNTIME_LIB_QEMUAGENT_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

/// The program of ../qemu/agent.c in an emulator, with the kernels of one
/// shared object. Numbers are sent as 64 bits:
///
/// - At first the object's size and bytes are sent; the answer is what was
///   wrong, its length before it.
/// - Found: 1, and the name's length and bytes; the answer is whether it is
///   there.
/// - Launched: 2, the name, the regions of memory (how many, and the size and
///   bytes of each), and the arguments (how many, and a region and an offset of
///   each, or the number of regions and a number); the answer is the kernel's
///   code, the seconds, and the bytes of all regions.
///
/// Functions that return an int return a convoy_status.
class QemuAgent {
public:
  QemuAgent() = default;
  QemuAgent(const QemuAgent &) = delete;
  QemuAgent &operator=(const QemuAgent &) = delete;
  ~QemuAgent() { stop(); }

  /// What `qemu-aarch64` is called for the CPU `name`, or for one with all
  /// extensions where it knows none of this name; empty where it is missing, or
  /// where this build has no agent.
  static std::vector<std::string> getCommand(std::string_view name);

  bool isRunning() const { return process > 0; }
  int start(const std::vector<std::string> &command,
            std::span<const std::byte> image);

  /// A pointer into a region, or a number.
  struct Argument {
    uint64_t region, value;
  };

  int find(const std::string &name, bool &isFound);
  /// Calls the kernel `name`, which is there.
  int launch(const std::string &name,
             std::span<const std::span<std::byte>> regions,
             std::span<const Argument> arguments, int &code, double &seconds);

private:
  enum Request : uint64_t { Found = 1, Launched = 2 };

  void stop();
  void send(std::span<const std::byte> bytes);
  void send(uint64_t number);
  void send(Request request, const std::string &name);
  /// False where the process has ended, or takes too long.
  bool receive(std::span<std::byte> bytes);
  bool receive(uint64_t &number);
  /// Says how the process has ended.
  int fail(const std::string &during);

  int process = -1, channel = -1;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_QEMUAGENT_H
