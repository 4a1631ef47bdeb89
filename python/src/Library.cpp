//===- Library.cpp - Kernels in a shared object -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include "Error.h"

#include "convoy/Target/SharedObject.h"

using namespace convoy;
using namespace convoy::python;

Library::Library(const std::string &path, const std::string &sha256) {
  throwIfFailed(Device::open("cpu", device));
  mlir::convoy::openOpenMPFor(path);
  throwIfFailed(device.loadFile(path, sha256, module));
}

void Library::add(const std::string &name, int64_t workspaceBytes) {
  convoy::Kernel function;
  throwIfFailed(module.findKernel(name, function));
  kernels.try_emplace(name, device, function, workspaceBytes);
}
