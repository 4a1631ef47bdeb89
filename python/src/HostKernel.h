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

/// Scratch memory for calls: as many pieces as there were calls at once.
class Workspaces {
public:
  explicit Workspaces(int64_t bytes);

  /// Memory from `std::aligned_alloc`.
  using Piece = std::unique_ptr<std::byte, decltype(&std::free)>;

  /// A piece that nobody else has until `give`; null without memory.
  Piece take();
  void give(Piece piece);
  std::span<std::byte> getBytes(const Piece &piece) const {
    return {piece.get(), bytes};
  }

private:
  const size_t bytes;
  std::mutex mutex;
  std::vector<Piece> idle;
};

/// A kernel of the device "cpu". Threads may call it at once.
class HostKernel {
public:
  /// `device` outlives this, and so does the module of `function`.
  HostKernel(const Device &device, convoy::Kernel function,
             int64_t workspaceBytes)
      : device(device), function(function), workspaces(workspaceBytes) {}

  /// Calls it on arrays of `sizes` bytes at `addresses`. Throws.
  void call(const std::vector<uintptr_t> &addresses,
            const std::vector<size_t> &sizes);

private:
  const Device &device;
  convoy::Kernel function;
  Workspaces workspaces;
};

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_HOSTKERNEL_H
