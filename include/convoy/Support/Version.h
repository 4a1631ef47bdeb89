//===- Version.h - Which Convoy this is -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_VERSION_H
#define CONVOY_SUPPORT_VERSION_H

#include <string>

namespace convoy {

/// `Convoy 0.1.0 (commit 0123456789ab)`; without the commit where it was built
/// outside of a repository.
std::string getVersion();

/// Raised by each change of what a program must do to call a kernel: its
/// arguments and their order, the workspace, what it returns, and what a
/// manifest's fields mean.
constexpr int kKernelABI = 1;

} // namespace convoy

#endif // CONVOY_SUPPORT_VERSION_H
