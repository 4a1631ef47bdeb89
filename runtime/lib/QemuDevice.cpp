//===- QemuDevice.cpp - CPUs of ARM, emulated, as a device ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBuffer.h"
#include "QemuAgent.h"

#include "convoy/Runtime/FileIO.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

using namespace convoy;

namespace {

class QemuModule;

class QemuKernel final : public convoy_kernel {
public:
  QemuKernel(convoy_device *owner, QemuModule &module, std::string name)
      : owner(owner), module(module), name(std::move(name)) {}

  convoy_device *device() const override { return owner; }
  convoy_arithmetic arithmetic() const override { return owner->arithmetic(); }
  int launch(const convoy_launch &launch, double &seconds);

private:
  convoy_device *owner;
  QemuModule &module;
  std::string name;
};

/// A shared object, in an emulator of its own.
class QemuModule final : public convoy_module {
public:
  QemuModule(convoy_device *owner, const std::vector<std::string> &command,
             std::span<const std::byte> image)
      : owner(owner), command(command), image(image.begin(), image.end()) {}

  /// Starts the emulator, if it does not run.
  int start() {
    return agent.isRunning() ? int(CONVOY_OK) : agent.start(command, image);
  }

  int findKernel(const std::string &name, convoy_kernel **kernel) override {
    auto found = kernels.find(name);
    if (found == kernels.end()) {
      bool isThere = false;
      if (int status = start())
        return status;
      if (int status = agent.find(name, isThere))
        return status;
      if (!isThere)
        return fail(CONVOY_INVALID, "the module has no kernel '" + name + "'");
      auto made = std::make_unique<QemuKernel>(owner, *this, name);
      found = kernels.emplace(name, std::move(made)).first;
    }
    *kernel = found->second.get();
    return CONVOY_OK;
  }

  QemuAgent agent;

private:
  convoy_device *owner;
  std::vector<std::string> command;
  std::vector<std::byte> image;
  std::map<std::string, std::unique_ptr<QemuKernel>> kernels;
};

class QemuDevice final : public convoy_device {
public:
  QemuDevice(std::string cpu, std::vector<std::string> command)
      : cpu(std::move(cpu)), command(std::move(command)) {}

  convoy_arithmetic arithmetic() const override {
    return {/*rounds_to_nearest=*/1, /*flushes_subnormals=*/0};
  }
  std::optional<std::string> emulatedCpu() const override { return cpu; }

  int createBuffer(size_t size, convoy_buffer **buffer) override {
    return HostBuffer::create(this, size, buffer);
  }

  int loadFile(const std::string &path, convoy_module **module) override {
    std::string error;
    std::optional<std::vector<std::byte>> image =
        readFile(path, error, kMaxModuleBytes);
    return image ? loadImage(*image, module) : fail(CONVOY_INVALID, error);
  }

  int loadImage(std::span<const std::byte> image,
                convoy_module **module) override {
    auto loaded = std::make_unique<QemuModule>(this, command, image);
    if (int status = loaded->start())
      return status;
    *module = loaded.release();
    return CONVOY_OK;
  }

  int fromFunctions(std::span<const convoy_function> functions,
                    convoy_module **module) override {
    return fail(CONVOY_INVALID, "the device 'qemu' runs no functions of this "
                                "process");
  }

  int run(std::span<const convoy_step> steps) override {
    lastSeconds = 0;
    for (const convoy_step &step : steps) {
      double seconds = 0;
      if (int status = static_cast<QemuKernel *>(step.kernel)
                           ->launch(step.launch, seconds))
        return status;
      lastSeconds += seconds;
    }
    return CONVOY_OK;
  }

  double seconds() const override { return lastSeconds; }

private:
  std::string cpu;
  std::vector<std::string> command;
  double lastSeconds = 0;
};

} // namespace

int QemuKernel::launch(const convoy_launch &launch, double &seconds) {
  constexpr size_t MaxBuffers = 32, MaxSizes = 24;
  if (launch.buffer_count > MaxBuffers || launch.size_count > MaxSizes)
    return fail(CONVOY_INVALID, "kernel '" + name + "' takes at most " +
                                    std::to_string(MaxBuffers) +
                                    " buffers and " + std::to_string(MaxSizes) +
                                    " sizes");
  // Buffers travel with the zones that guard them.
  std::vector<convoy_buffer *> buffers;
  std::vector<std::span<std::byte>> regions;
  std::vector<QemuAgent::Argument> arguments;
  for (size_t i = 0; i < countOperands(launch); ++i) {
    BoundBuffer operand = getOperand(launch, i);
    auto found = std::ranges::find(buffers, operand.buffer);
    arguments.push_back({size_t(found - buffers.begin()),
                         GuardedBuffer::GuardSize + operand.offset});
    if (found != buffers.end())
      continue;
    buffers.push_back(operand.buffer);
    regions.push_back(static_cast<HostBuffer *>(operand.buffer)->whole());
  }
  const uint64_t number = regions.size();
  if (!launch.workspace)
    arguments.push_back({number, 0});
  for (size_t i = 0; i < launch.size_count; ++i)
    arguments.push_back({number, uint64_t(launch.sizes[i])});
  if (int status = module.start())
    return status;
  int code = 0;
  if (int status = module.agent.launch(name, regions, arguments, code, seconds))
    return status;
  return code == 0 ? int(CONVOY_OK)
                   : fail(CONVOY_INVALID, "kernel '" + name +
                                              "' refused its arguments with "
                                              "code " +
                                              std::to_string(code));
}

int convoy::openQemuDevice(std::string_view choice, convoy_device **device) {
  std::vector<std::string> command = QemuAgent::getCommand(choice);
  if (command.empty())
    return fail(CONVOY_NO_DEVICE,
                "there is no qemu-aarch64, or this build had no C library for "
                "ARM (Debian's qemu-user and libc6-dev-arm64-cross)");
  *device = new QemuDevice(std::string(choice), std::move(command));
  return CONVOY_OK;
}
