//===- OpenMPRuntime.h - The library of kernels with threads ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TARGET_OPENMPRUNTIME_H
#define CONVOY_LIB_TARGET_OPENMPRUNTIME_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Object/ObjectFile.h"

namespace mlir::convoy {

/// Whether `object` calls LLVM's OpenMP library.
bool callsOpenMP(const llvm::object::ObjectFile &object);

/// The library, opened once, or null. It is never closed: its threads stay.
void *openOpenMP();

/// Says that it cannot be opened.
llvm::Error makeOpenMPError();

/// Lets code of `jit` call LLVM's OpenMP library. That is loaded where nothing
/// else in this process sees it: it also has the names of GNU's, and oneDNN
/// would run on it.
llvm::Error addOpenMP(llvm::orc::LLJIT &jit);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TARGET_OPENMPRUNTIME_H
