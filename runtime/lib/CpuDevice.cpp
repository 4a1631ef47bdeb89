//===- CpuDevice.cpp - The CPU as a device --------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBuffer.h"

#include "convoy/Runtime/Poison.h"
#include "convoy/Support/TileRegisters.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

// Kernels have from 1 (the workspace alone) to 33 pointers and up to 24 sizes.
static constexpr size_t MaxBuffers = 32, MaxSizes = 24;

using Caller = int (*)(void *address, void *const *pointers,
                       const int64_t *sizes);

template <size_t>
using Pointer = void *;
template <size_t>
using Size = int64_t;

/// Calls a kernel with one pointer for each of `P` and one size for each of
/// `S`. The kernel's own type says pointers to elements, which are passed
/// alike.
template <size_t... P, size_t... S>
static int callKernel(void *address, void *const *pointers,
                      const int64_t *sizes, std::index_sequence<P...>,
                      std::index_sequence<S...>) {
  auto kernel = reinterpret_cast<int (*)(Pointer<P>..., Size<S>...)>(address);
  return kernel(pointers[P]..., sizes[S]...);
}

template <size_t PointerCount, size_t SizeCount>
static int callWith(void *address, void *const *pointers,
                    const int64_t *sizes) {
  return callKernel(address, pointers, sizes,
                    std::make_index_sequence<PointerCount>(),
                    std::make_index_sequence<SizeCount>());
}

template <size_t Buffers, size_t... S>
static constexpr std::array<Caller, MaxSizes + 1>
makeCallers(std::index_sequence<S...>) {
  return {callWith<Buffers + 1, S>...};
}

template <size_t... B>
static constexpr std::array<std::array<Caller, MaxSizes + 1>, MaxBuffers + 1>
makeAllCallers(std::index_sequence<B...>) {
  return {makeCallers<B>(std::make_index_sequence<MaxSizes + 1>())...};
}

/// Callers[b][s] calls a kernel of b buffers, the workspace and s sizes.
static constexpr auto Callers =
    makeAllCallers(std::make_index_sequence<MaxBuffers + 1>());

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

namespace {

class CpuKernel final : public convoy_kernel {
public:
  CpuKernel(convoy_device *owner, std::string name, void *address)
      : owner(owner), name(std::move(name)), address(address) {}

  convoy_device *device() const override { return owner; }
  convoy_arithmetic arithmetic() const override { return owner->arithmetic(); }

  int launch(const convoy_launch &launch) {
    if (launch.buffer_count > MaxBuffers)
      return refuse("buffers", MaxBuffers, launch.buffer_count);
    if (launch.size_count > MaxSizes)
      return refuse("sizes", MaxSizes, launch.size_count);
    std::array<void *, MaxBuffers + 1> pointers = {};
    for (size_t i = 0; i < launch.buffer_count; ++i)
      pointers[i] = addressOf(launch.buffers[i]) +
                    (launch.ranges ? launch.ranges[i].offset : 0);
    pointers[launch.buffer_count] =
        launch.workspace ? addressOf(launch.workspace) : nullptr;
    Caller caller = Callers[launch.buffer_count][launch.size_count];
    PoisonedRegisters::fill();
    int code = caller(address, pointers.data(), launch.sizes);
    if (code == 0)
      return CONVOY_OK;
    return fail(CONVOY_INVALID, "kernel '" + name +
                                    "' refused its arguments "
                                    "with code " +
                                    std::to_string(code));
  }

private:
  static std::byte *addressOf(convoy_buffer *buffer) {
    return static_cast<HostBuffer *>(buffer)->data();
  }

  int refuse(const char *what, size_t limit, size_t count) const {
    return fail(CONVOY_INVALID, "kernel '" + name + "' takes at most " +
                                    std::to_string(limit) + ' ' + what +
                                    ", but got " + std::to_string(count));
  }

  convoy_device *owner;
  std::string name;
  void *address;
};

/// A file that exists in memory alone.
class MemoryFile {
public:
  MemoryFile() = default;
  explicit MemoryFile(const char *name)
      : descriptor(memfd_create(name, MFD_CLOEXEC)) {}
  MemoryFile(MemoryFile &&other)
      : descriptor(std::exchange(other.descriptor, -1)) {}
  ~MemoryFile() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

  /// Appends all bytes; false with errno set where that fails.
  bool write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
      if (count < 0)
        return false;
      bytes = bytes.subspan(static_cast<size_t>(count));
    }
    return true;
  }

private:
  int descriptor = -1;
};

/// Functions by name, and the shared object that they come from, if any.
class CpuModule final : public convoy_module {
public:
  /// `image`: the file that `library` was loaded from, where it is ours. It
  /// stays open, for the loader takes equal paths for equal files.
  CpuModule(convoy_device *owner, void *library, MemoryFile image)
      : owner(owner), image(std::move(image)), library(library, dlclose) {}
  CpuModule(convoy_device *owner, std::span<const convoy_function> functions)
      : owner(owner), library(nullptr, dlclose) {
    for (const convoy_function &function : functions)
      addKernel(function.name, function.address);
  }

  int findKernel(const std::string &name, convoy_kernel **kernel) override {
    auto found = kernels.find(name);
    void *address = nullptr;
    if (found == kernels.end() && library)
      address = dlsym(library.get(), name.c_str());
    if (address)
      found = addKernel(name, address);
    if (found == kernels.end())
      return fail(CONVOY_INVALID, "the module has no kernel '" + name + "'");
    *kernel = found->second.get();
    return CONVOY_OK;
  }

private:
  using KernelMap = std::map<std::string, std::unique_ptr<CpuKernel>>;

  KernelMap::iterator addKernel(const std::string &name, void *address) {
    return kernels
        .insert_or_assign(name,
                          std::make_unique<CpuKernel>(owner, name, address))
        .first;
  }

  convoy_device *owner;
  MemoryFile image;
  std::unique_ptr<void, int (*)(void *)> library;
  KernelMap kernels;
};

class CpuDevice final : public convoy_device {
public:
  convoy_arithmetic arithmetic() const override {
    return {/*rounds_to_nearest=*/1, /*flushes_subnormals=*/0};
  }

  int createBuffer(size_t size, convoy_buffer **buffer) override {
    return HostBuffer::create(this, size, buffer);
  }

  int wrapBuffer(std::span<std::byte> memory, convoy_buffer **buffer) override {
    return HostBuffer::wrap(this, memory, buffer);
  }

  int loadFile(const std::string &path, convoy_module **module) override {
    // The loader searches its own folders for a name without a slash.
    bool isPath = path.find('/') != std::string::npos;
    std::string file = isPath ? path : "./" + path;
    void *known = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!known)
      return load(file, MemoryFile(), module);
    // It would be given back again, whatever the file holds by now.
    dlclose(known);
    return convoy_device::loadFile(path, module);
  }

  int loadImage(std::span<const std::byte> image,
                convoy_module **module) override {
    // The loader reads files only.
    MemoryFile file("convoy-module");
    if (!file.write(image))
      return fail(CONVOY_INVALID, std::string("cannot store the module: ") +
                                      std::strerror(errno));
    std::string path = file.path();
    return load(path, std::move(file), module);
  }

  int fromFunctions(std::span<const convoy_function> functions,
                    convoy_module **module) override {
    *module = new CpuModule(this, functions);
    return CONVOY_OK;
  }

  int run(std::span<const convoy_step> steps) override {
    auto start = std::chrono::steady_clock::now();
    for (const convoy_step &step : steps)
      if (int status =
              static_cast<CpuKernel *>(step.kernel)->launch(step.launch))
        return status;
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    lastSeconds = time.count();
    return CONVOY_OK;
  }

  double seconds() const override { return lastSeconds; }

private:
  int load(const std::string &path, MemoryFile image, convoy_module **module) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return fail(CONVOY_INVALID,
                  std::string("cannot load the module: ") + dlerror());
    *module = new CpuModule(this, library, std::move(image));
    return CONVOY_OK;
  }

  std::atomic<double> lastSeconds = 0; ///< written by any thread
};

} // namespace

int convoy::openCpuDevice(std::string_view choice, convoy_device **device) {
  if (!choice.empty())
    return fail(CONVOY_NO_DEVICE, "there is one device 'cpu', but got 'cpu:" +
                                      std::string(choice) + "'");
  // Kernels may use them; without permission they are those of another CPU.
  requestTileRegisters();
  *device = new CpuDevice();
  return CONVOY_OK;
}
