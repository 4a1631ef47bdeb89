//===- NoPolly.cpp - What the linker's optimizer asks for -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Config/llvm-config.h"
#include "llvm/Plugins/PassPlugin.h"

/// Where LLVM is built with Polly, its linker adds Polly's passes to those for
/// bitcode, but Debian has no archive of Polly. Kernels are never linked as
/// bitcode, so that no passes are missed.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", LLVM_VERSION_STRING,
          [](llvm::PassBuilder &) {}};
}
