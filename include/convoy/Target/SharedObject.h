//===- SharedObject.h - What shared objects call ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TARGET_SHAREDOBJECT_H
#define CONVOY_TARGET_SHAREDOBJECT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::convoy {

/// Opens LLVM's OpenMP library if the kernels of the shared object at `path`
/// call it: the loader takes it from there, which does not look everywhere that
/// Convoy finds it. Where there is none, or no such file, the loader says so.
void openOpenMPFor(StringRef path);

/// Lets the threads that share kernels with the calling one wait for so many
/// milliseconds for the next, each on a core that others lack then, before they
/// sleep. Nothing where there is no OpenMP library of LLVM.
void setWaitOfThreads(int milliseconds);

} // namespace mlir::convoy

#endif // CONVOY_TARGET_SHAREDOBJECT_H
