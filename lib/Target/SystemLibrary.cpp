//===- SystemLibrary.cpp - Libraries that kernels call ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SystemLibrary.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>
#include <link.h>

using namespace mlir::convoy;

void *mlir::convoy::openSystemLibrary(const char *path) {
  if (void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL))
    return library;
  std::string name = llvm::sys::path::filename(path).str();
  return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::string mlir::convoy::getLibraryPath(void *library) {
  link_map *entry = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &entry) != 0)
    llvm_unreachable("every library that was opened has an entry");
  return entry->l_name;
}
