//===- DeviceBackend.h - What a kind of device provides ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The opaque types of convoy_runtime.h as abstract classes. A kind of device
// implements them in a file of its own and has one line in Device.cpp. The
// entry points there have checked that arguments are not null and that ranges
// are within the buffer.
//
// Functions that return an int return a convoy_status and, where it is not
// CONVOY_OK, have set the error text through `fail`.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_DEVICEBACKEND_H
#define CONVOY_RUNTIME_LIB_DEVICEBACKEND_H

#include "convoy/Runtime/GuardedBuffer.h"
#include "convoy/Runtime/convoy_runtime.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Support/VulkanProfile.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

/// Sets this thread's error text to `sentence` and returns `status`.
int fail(convoy_status status, std::string sentence);

/// Copies of `pattern` side by side, without one that is cut: about `size`
/// bytes, at least one copy.
std::vector<std::byte> repeat(std::span<const std::byte> pattern, size_t size);

/// CONVOY_WRONG where there are any.
int report(const std::vector<GuardViolation> &violations);

} // namespace convoy

struct convoy_device {
  virtual ~convoy_device() = default;
  /// Whether work that was submitted still runs and may not end: then nothing
  /// of the device is released. The same for buffers and modules.
  virtual bool isStuck() const { return false; }
  virtual convoy_arithmetic arithmetic() const = 0;
  virtual int createBuffer(size_t size, convoy_buffer **buffer) = 0;
  /// Makes a buffer of memory of the caller's, where kernels can use it in
  /// place.
  virtual int wrapBuffer(std::span<std::byte> memory, convoy_buffer **buffer);
  /// Loads what the file holds as `loadImage` does.
  virtual int loadFile(const std::string &path, convoy_module **module);
  virtual int loadImage(std::span<const std::byte> image,
                        convoy_module **module) = 0;
  virtual int fromFunctions(std::span<const convoy_function> functions,
                            convoy_module **module) = 0;
  /// Runs `steps`, whose kernels and buffers are this device's.
  virtual int run(std::span<const convoy_step> steps) = 0;
  /// Seconds that the last `run` took.
  virtual double seconds() const = 0;
  /// What kernels can be compiled for, where it is Vulkan's or simulates one.
  virtual std::optional<convoy::VulkanProfile> vulkanProfile() const {
    return std::nullopt;
  }
  /// Which chip kernels are compiled for, where it is one of AMD's or simulates
  /// one.
  virtual const convoy::RocmChip *rocmChip() const { return nullptr; }
  /// Which CPU kernels are compiled for, where it emulates one; "" if it names
  /// none.
  virtual std::optional<std::string> emulatedCpu() const {
    return std::nullopt;
  }
  /// What the device and its driver are called; "" of hosts and simulators.
  virtual std::string description() const { return ""; }
};

struct convoy_buffer {
  virtual ~convoy_buffer() = default;
  virtual bool isStuck() const { return false; }
  virtual const convoy_device *device() const = 0;
  virtual size_t size() const = 0;
  virtual int write(size_t offset, std::span<const std::byte> source) = 0;
  virtual int read(size_t offset, std::span<std::byte> target) const = 0;
  virtual int fill(std::span<const std::byte> pattern) = 0;
  virtual int check() const = 0;
};

struct convoy_kernel {
  virtual ~convoy_kernel() = default;
  virtual convoy_device *device() const = 0;
  virtual convoy_arithmetic arithmetic() const = 0;
};

struct convoy_module {
  virtual ~convoy_module() = default;
  virtual bool isStuck() const { return false; }
  virtual int findKernel(const std::string &name, convoy_kernel **kernel) = 0;
};

namespace convoy {

/// Counts the buffers and modules of a device. One that was lost is opened anew
/// when these are gone, which are of what was lost.
class DeviceChild {
public:
  template <typename Device>
  explicit DeviceChild(const Device &device) : count(device.children) {
    ++count;
  }
  DeviceChild(const DeviceChild &) = delete;
  DeviceChild &operator=(const DeviceChild &) = delete;
  ~DeviceChild() { --count; }

private:
  size_t &count;
};

/// An operand of a launch: bytes of a buffer.
struct BoundBuffer {
  convoy_buffer *buffer;
  size_t offset, size;
};

/// The operand `number` of `launch`; the workspace, if there is one, comes
/// last.
size_t countOperands(const convoy_launch &launch);
BoundBuffer getOperand(const convoy_launch &launch, size_t number);

/// Opens the CPU that this process runs on. There is no `choice`.
int openCpuDevice(std::string_view choice, convoy_device **device);

/// Opens the device of HIP with the number `choice` or that text in its name or
/// chip; empty: the first that kernels are compiled for.
int openHipDevice(std::string_view choice, convoy_device **device);

/// Opens the emulator of ARM's CPUs as what kernels for the CPU `choice` run
/// on; empty: any.
int openQemuDevice(std::string_view choice, convoy_device **device);

/// Opens the Vulkan device with the number `choice` or that text in its name;
/// empty: the one that the environment names, or the first GPU, or else the
/// first other device.
int openVulkanDevice(std::string_view choice, convoy_device **device);

/// Opens the host as what executes kernels made for AMD's chip `choice`; empty:
/// for gfx942.
int openSimulatedDevice(std::string_view choice, convoy_device **device);

/// Opens the host as what executes kernels made for Vulkan devices with the
/// profile `choice`; empty: nvidia.
int openSimulatedVulkanDevice(std::string_view choice, convoy_device **device);

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_DEVICEBACKEND_H
