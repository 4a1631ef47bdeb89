//===- SystemLibrary.h - Libraries that kernels call ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TARGET_SYSTEMLIBRARY_H
#define CONVOY_LIB_TARGET_SYSTEMLIBRARY_H

#include <string>

namespace mlir::convoy {

/// Opens the library at `path`, where it was when Convoy was built, or else one
/// of the same name, where the loader looks for what this code needs. No other
/// code sees its names. It is null if there is none, and is never closed.
void *openSystemLibrary(const char *path);

/// Where a library that `openSystemLibrary` opened is.
std::string getLibraryPath(void *library);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TARGET_SYSTEMLIBRARY_H
