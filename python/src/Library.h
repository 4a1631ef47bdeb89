//===- Library.h - Kernels in a shared object -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_LIBRARY_H
#define CONVOY_PYTHON_SRC_LIBRARY_H

#include "HostKernel.h"

#include <map>
#include <string>
#include <vector>

namespace convoy::python {

/// A shared object with kernels for the CPU, which its manifest describes.
class Library {
public:
  /// Loads the file `path`, whose SHA-256 is `sha256`, with code for `triple`
  /// that has instructions of `features`. Throws.
  Library(const std::string &path, const std::string &sha256,
          const std::string &triple, const std::vector<std::string> &features);

  /// Makes the kernel `name` ready, which needs so much workspace. Throws.
  void add(const std::string &name, int64_t workspaceBytes);
  /// Calls a kernel that was added on arrays of `sizes` bytes. Threads may call
  /// at once. Throws.
  void launch(const std::string &name, const std::vector<uintptr_t> &addresses,
              const std::vector<size_t> &sizes) {
    kernels.at(name).call(addresses, sizes);
  }

private:
  Device device;
  Module module;
  std::map<std::string, HostKernel> kernels;
};

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_LIBRARY_H
