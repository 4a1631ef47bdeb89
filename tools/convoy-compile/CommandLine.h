//===- CommandLine.h - What the user asked for ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_COMPILE_COMMANDLINE_H
#define CONVOY_TOOLS_CONVOY_COMPILE_COMMANDLINE_H

#include "convoy/Driver/KernelFiles.h"
#include "convoy/Driver/ToolOptions.h"

#include <string>

namespace mlir::convoy {

/// The command line, checked.
struct Options : CommonOptions, KernelFileOptions {
  /// For that target; without a value, the device of this machine.
  std::optional<::convoy::VulkanProfile> vulkan;
  std::string chip; ///< for rocm
  /// Of the kernels of problems, in the place of their layers'.
  std::optional<std::string> name;
};

/// Reads the command line. Where it is wrong, returns false and puts one
/// sentence into `error`. Ends the program for `--help` and `--version`.
bool parseCommandLine(int argc, char **argv, Options &options,
                      std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_COMPILE_COMMANDLINE_H
