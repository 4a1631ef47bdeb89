//===- LinkELF.h - LLVM's linker, in this process ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TARGET_LINKELF_H
#define CONVOY_LIB_TARGET_LINKELF_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace mlir::convoy {

/// Calls the linker with `arguments`, which are those of ld.lld, in one thread;
/// the error is its first complaint. Calls of several threads take turns.
llvm::Error linkELF(ArrayRef<const char *> arguments);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TARGET_LINKELF_H
