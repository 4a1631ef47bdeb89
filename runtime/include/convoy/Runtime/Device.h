//===- Device.h - Running kernels on devices, in C++ ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Owners for the objects of convoy_runtime.h. Nothing here adds meaning.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_DEVICE_H
#define CONVOY_RUNTIME_DEVICE_H

#include "convoy/Runtime/ErrorBound.h"
#include "convoy/Runtime/Poison.h"
#include "convoy/Runtime/convoy_runtime.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Support/VulkanProfile.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace convoy {

/// How a call of the runtime ended.
struct [[nodiscard]] Status {
  int code = CONVOY_OK;
  std::string text; ///< one sentence where `code` is not CONVOY_OK

  bool ok() const { return code == CONVOY_OK; }

  /// The status that a C function has just returned on this thread.
  static Status of(int code) {
    return {code, code == CONVOY_OK ? "" : convoy_error_text()};
  }
};

/// Releases an object of the runtime.
template <typename Object, void (*Release)(Object *)>
struct Releaser {
  void operator()(Object *object) const { Release(object); }
};
template <typename Object, void (*Release)(Object *)>
using Owner = std::unique_ptr<Object, Releaser<Object, Release>>;

inline TargetArithmetic toArithmetic(const convoy_arithmetic &arithmetic) {
  return {arithmetic.rounds_to_nearest != 0,
          arithmetic.flushes_subnormals != 0};
}

/// Memory of a device.
class Buffer {
public:
  Buffer() = default;
  explicit Buffer(convoy_buffer *buffer) : buffer(buffer) {}

  convoy_buffer *get() const { return buffer.get(); }

  Status write(std::span<const std::byte> bytes, size_t offset = 0) {
    return Status::of(
        convoy_buffer_write(buffer.get(), offset, bytes.data(), bytes.size()));
  }
  Status read(std::span<std::byte> bytes, size_t offset = 0) const {
    return Status::of(
        convoy_buffer_read(buffer.get(), offset, bytes.data(), bytes.size()));
  }
  /// Fills the buffer with poisoned elements of `type`.
  Status poison(ScalarType type) {
    uint64_t bits = poisonBits(type);
    return Status::of(convoy_buffer_fill(
        buffer.get(), &bits, static_cast<size_t>(scalarSize(type))));
  }
  /// CONVOY_WRONG where a kernel wrote outside of the buffer.
  Status check() const { return Status::of(convoy_buffer_check(buffer.get())); }

private:
  Owner<convoy_buffer, convoy_buffer_destroy> buffer;
};

/// A function of a module, which owns it.
class Kernel {
public:
  Kernel() = default;
  explicit Kernel(convoy_kernel *kernel) : kernel(kernel) {}

  convoy_kernel *get() const { return kernel; }

  Status arithmetic(TargetArithmetic &result) const {
    convoy_arithmetic arithmetic = {};
    int code = convoy_kernel_arithmetic(kernel, &arithmetic);
    result = toArithmetic(arithmetic);
    return Status::of(code);
  }

  Status launch(const convoy_launch &launch) const {
    return Status::of(convoy_kernel_launch(kernel, &launch));
  }
  /// Launches a kernel that needs no grid.
  Status launch(const std::vector<convoy_buffer *> &buffers,
                convoy_buffer *workspace = nullptr,
                const std::vector<int64_t> &sizes = {}) const {
    convoy_launch arguments = {};
    arguments.buffers = buffers.data();
    arguments.buffer_count = buffers.size();
    arguments.workspace = workspace;
    arguments.sizes = sizes.data();
    arguments.size_count = sizes.size();
    return launch(arguments);
  }

private:
  convoy_kernel *kernel = nullptr;
};

/// Compiled kernels on a device.
class Module {
public:
  Module() = default;
  explicit Module(convoy_module *module) : module(module) {}

  Status findKernel(const std::string &name, Kernel &kernel) const {
    convoy_kernel *found = nullptr;
    int code = convoy_module_kernel(module.get(), name.c_str(), &found);
    kernel = Kernel(found);
    return Status::of(code);
  }

private:
  Owner<convoy_module, convoy_module_unload> module;
};

/// What `device` can do where it is Vulkan's; nothing for other kinds.
std::optional<VulkanProfile> getVulkanProfile(const convoy_device &device);

/// What `device` and its driver are called, as in `llvmpipe (LLVM 15.0.6, 256
/// bits), llvmpipe Mesa 22.3.6 (LLVM 15.0.6)`; "" of hosts and simulators.
std::string describeDevice(const convoy_device &device);

/// The chip of `device` where it is one of AMD's, or simulates one; else null.
const RocmChip *getRocmChip(const convoy_device &device);

/// Which CPU of ARM kernels are compiled for that `device`, which emulates one,
/// runs; "" if it names none.
std::optional<std::string> getEmulatedCpu(const convoy_device &device);

/// A device, which outlives its buffers and modules.
class Device {
public:
  static Status open(const std::string &name, Device &device) {
    convoy_device *opened = nullptr;
    int code = convoy_device_open(name.c_str(), &opened);
    device.device.reset(opened);
    return Status::of(code);
  }

  Status arithmetic(TargetArithmetic &result) const {
    convoy_arithmetic arithmetic = {};
    int code = convoy_device_arithmetic(device.get(), &arithmetic);
    result = toArithmetic(arithmetic);
    return Status::of(code);
  }

  std::optional<VulkanProfile> vulkanProfile() const {
    return getVulkanProfile(*device);
  }

  const RocmChip *rocmChip() const { return getRocmChip(*device); }

  std::optional<std::string> emulatedCpu() const {
    return getEmulatedCpu(*device);
  }

  std::string description() const { return describeDevice(*device); }

  Status createBuffer(size_t size, Buffer &buffer) const {
    convoy_buffer *created = nullptr;
    int code = convoy_buffer_create(device.get(), size, &created);
    buffer = Buffer(created);
    return Status::of(code);
  }

  /// A buffer of the caller's `memory`, which outlives it; on "cpu" alone.
  Status wrapBuffer(std::span<std::byte> memory, Buffer &buffer) const {
    convoy_buffer *wrapped = nullptr;
    int code = convoy_buffer_wrap(device.get(), memory.data(), memory.size(),
                                  &wrapped);
    buffer = Buffer(wrapped);
    return Status::of(code);
  }

  Status loadFile(const std::string &path, Module &module) const {
    convoy_module *loaded = nullptr;
    int code = convoy_module_load_file(device.get(), path.c_str(), &loaded);
    module = Module(loaded);
    return Status::of(code);
  }

  /// Loads the file that the manifest or header with this SHA-256 describes.
  Status loadFile(const std::string &path, const std::string &sha256,
                  Module &module) const {
    convoy_module *loaded = nullptr;
    int code = convoy_module_load_file_of(device.get(), path.c_str(),
                                          sha256.c_str(), &loaded);
    module = Module(loaded);
    return Status::of(code);
  }

  Status loadImage(std::span<const std::byte> image, Module &module) const {
    convoy_module *loaded = nullptr;
    int code = convoy_module_load_image(device.get(), image.data(),
                                        image.size(), &loaded);
    module = Module(loaded);
    return Status::of(code);
  }

  /// Functions of this process, for the device "cpu".
  Status fromFunctions(std::span<const convoy_function> functions,
                       Module &module) const {
    convoy_module *made = nullptr;
    int code = convoy_module_from_functions(device.get(), functions.data(),
                                            functions.size(), &made);
    module = Module(made);
    return Status::of(code);
  }

  /// Runs a sequence of kernels.
  Status run(std::span<const convoy_step> steps) const {
    return Status::of(
        convoy_device_run(device.get(), steps.data(), steps.size()));
  }

  /// Seconds that the last launch or sequence took.
  Status seconds(double &result) const {
    return Status::of(convoy_device_seconds(device.get(), &result));
  }

private:
  Owner<convoy_device, convoy_device_close> device;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_DEVICE_H
