//===- Library.cpp - Kernels in a shared object -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include "Error.h"

#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/SharedObject.h"

#include "llvm/TargetParser/Triple.h"

using namespace convoy;
using namespace convoy::python;

Library::Library(const std::string &path, const std::string &sha256,
                 const std::string &triple,
                 const std::vector<std::string> &features) {
  std::string other =
      mlir::convoy::findOtherMachine(llvm::Triple(triple), features);
  if (!other.empty())
    throwError("expected kernels for this machine, but '" + path +
               "' has some for " + other);
  throwIfFailed(Device::open("cpu", device));
  mlir::convoy::openOpenMPFor(path);
  throwIfFailed(device.loadFile(path, sha256, module));
}

void Library::add(const std::string &name, int64_t workspaceBytes) {
  convoy::Kernel function;
  throwIfFailed(module.findKernel(name, function));
  kernels.try_emplace(name, device, function, workspaceBytes);
}
