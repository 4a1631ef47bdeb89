//===- CPUChoice.h - The CPU that code is for -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TARGET_CPUCHOICE_H
#define CONVOY_TARGET_CPUCHOICE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::convoy {

/// What stands for the CPU that this program runs on, wherever one is named.
inline constexpr StringLiteral kHostCPU = "host";

/// Which CPU code is for, and on which system.
struct CPUChoice {
  /// As in LLVM's -mcpu, or `host`; empty where none is chosen.
  std::string name = {};
  /// As in LLVM's -mtriple; empty for the system that this program runs on.
  std::string triple = {};

  bool empty() const { return name.empty(); }
};

} // namespace mlir::convoy

#endif // CONVOY_TARGET_CPUCHOICE_H
