//===- HostKernel.h - A kernel of the CPU, called in place ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_HOSTKERNEL_H
#define CONVOY_PYTHON_SRC_HOSTKERNEL_H

#include "convoy/Runtime/Device.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

namespace convoy::python {

/// Scratch memory for calls: as many pieces as there were calls at once. All
/// kernels share it, so that one finds in the caches what the last one used.
class Workspaces {
public:
  /// The only one, which is there as long as somebody has it.
  static std::shared_ptr<Workspaces> get();

  /// Memory from `std::aligned_alloc`.
  struct Piece {
    std::unique_ptr<std::byte, decltype(&std::free)> memory;
    size_t bytes;

    std::span<std::byte> getBytes() const { return {memory.get(), bytes}; }
  };

  /// A piece of at least so many bytes that nobody else has until `give`; null
  /// without memory.
  Piece take(int64_t bytes);
  void give(Piece piece);

private:
  std::mutex mutex;
  std::vector<Piece> idle;
};

/// A kernel of the device "cpu". Threads may call it at once.
class HostKernel {
public:
  /// `device` outlives this, and so does the module of `function`.
  HostKernel(const Device &device, convoy::Kernel function,
             int64_t workspaceBytes)
      : device(device), function(function), workspaceBytes(workspaceBytes) {}

  /// Calls it on arrays of `bytes` at `addresses`. Throws.
  void call(const std::vector<uintptr_t> &addresses,
            const std::vector<size_t> &bytes) {
    call(addresses, bytes, workspaceBytes, {});
  }
  /// The same for a kernel of dynamic `sizes`, for which it needs so much
  /// workspace. Throws.
  void call(const std::vector<uintptr_t> &addresses,
            const std::vector<size_t> &bytes, int64_t workspaceBytes,
            const std::vector<int64_t> &sizes);

private:
  const Device &device;
  convoy::Kernel function;
  const int64_t workspaceBytes;
  std::shared_ptr<Workspaces> workspaces = Workspaces::get();
};

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_HOSTKERNEL_H
