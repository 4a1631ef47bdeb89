//===- Network.h - Networks as files for other programs ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_NETWORK_H
#define CONVOY_PYTHON_SRC_NETWORK_H

#include "Kernel.h"

#include "convoy/Target/CPUChoice.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace convoy::python {

/// Kernels of a network, and functions that call them.
struct Network {
  std::string text; ///< of MLIR, see `takeChains`
  std::string name; ///< that errors call it by
  /// Where the resources lie that the text names, and their bytes.
  std::map<std::string, std::pair<uintptr_t, size_t>> constants;
  std::string model; ///< what a manifest says of the whole, as JSON
};

/// How a network is compiled.
struct NetworkSettings {
  mlir::convoy::CPUChoice cpu;
  int threads = 1;
  std::string algorithm; ///< of convolutions
};

/// Compiles `network` and writes `files`, and with them `others`, content by
/// name: all or none. Returns what the compiler warned of. Throws.
std::vector<std::string>
saveNetwork(const Network &network, const NetworkSettings &settings,
            const SavedFiles &files,
            const std::map<std::string, std::string> &others);

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_NETWORK_H
