//===- OpenMPRuntime.cpp - The library of kernels with threads --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenMPRuntime.h"

#include "SystemLibrary.h"

#include "convoy/Target/SharedObject.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/DynamicLibrary.h"

#include <dlfcn.h>

using namespace mlir;
using namespace mlir::convoy;

/// Whether one of `symbols` is LLVM's OpenMP library's.
template <typename Symbols>
static bool haveOpenMP(Symbols symbols) {
  for (const llvm::object::SymbolRef &symbol : symbols) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (name && name->starts_with("__kmpc_"))
      return true;
    llvm::consumeError(name.takeError());
  }
  return false;
}

bool mlir::convoy::callsOpenMP(const llvm::object::ObjectFile &object) {
  return haveOpenMP(object.symbols());
}

void mlir::convoy::openOpenMPFor(StringRef path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file)
    return llvm::consumeError(file.takeError());
  auto *object = dyn_cast<llvm::object::ELFObjectFileBase>(file->getBinary());
  if (object && haveOpenMP(object->getDynamicSymbolIterators()))
    (void)openOpenMP();
}

void *mlir::convoy::openOpenMP() {
  static void *library = openSystemLibrary(CONVOY_OPENMP_LIBRARY);
  return library;
}

void mlir::convoy::setWaitOfThreads(int milliseconds) {
  void *library = openOpenMP();
  void *address = library ? dlsym(library, "kmp_set_blocktime") : nullptr;
  if (address)
    reinterpret_cast<void (*)(int)>(address)(milliseconds);
}

llvm::Error mlir::convoy::makeOpenMPError() {
  return llvm::createStringError(
      "kernels with several threads need LLVM's OpenMP library, but '" //
      CONVOY_OPENMP_LIBRARY "' cannot be opened");
}

llvm::Error mlir::convoy::addOpenMP(llvm::orc::LLJIT &jit) {
  void *library = openOpenMP();
  if (!library)
    return makeOpenMPError();
  jit.getMainJITDylib().addGenerator(
      std::make_unique<llvm::orc::DynamicLibrarySearchGenerator>(
          llvm::sys::DynamicLibrary(library),
          jit.getDataLayout().getGlobalPrefix()));
  return llvm::Error::success();
}
