//===- Memory.h - How much memory is left -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_MEMORY_H
#define CONVOY_DRIVER_MEMORY_H

#include <optional>
#include <string>

namespace mlir::convoy {

/// Bytes that this process can still allocate: the least of what the machine,
/// the control group and the limit on the address space leave.
double getAvailableMemory();

/// One sentence where `bytes` for `what` are more than is available.
std::optional<std::string> checkMemory(double bytes, const std::string &what);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_MEMORY_H
