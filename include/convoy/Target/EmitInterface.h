//===- EmitInterface.h - C headers and manifests of kernels -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TARGET_EMITINTERFACE_H
#define CONVOY_TARGET_EMITINTERFACE_H

#include "convoy/Support/AnyProblem.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::convoy {

/// The interfaces of all kernels in `module`, in order.
SmallVector<KernelInterface> getKernelInterfaces(Operation *module);

/// What kernels compute that were compiled from problems, by their symbols.
using KernelProblems = llvm::StringMap<::convoy::AnyProblem>;

/// What a header says of kernels besides, by their symbols.
struct HeaderNotes {
  /// Lines at the top, none of which ends in a backslash.
  std::vector<std::string> opening;
  /// Lines above the kernel, none of which ends in a backslash.
  llvm::StringMap<std::vector<std::string>> lines;
  /// The kernels with constants for the numbers of elements of arguments.
  llvm::StringSet<> counted;
};

/// Writes a C header with the typed prototype of each kernel, its workspace and
/// the codes that it returns. `guard` is an identifier, `digest` the SHA-256 of
/// the file that has the kernels.
void emitHeader(ArrayRef<KernelInterface> kernels,
                const KernelProblems &problems, const HeaderNotes &notes,
                StringRef guard, StringRef digest, llvm::raw_ostream &os);

/// What a program needs to launch the kernels, as JSON: for each its symbol,
/// its problem, its arguments in order with types, shapes (null where dynamic)
/// and layouts, its workspace and, on a GPU, its launches in order.
llvm::json::Object makeManifest(ArrayRef<KernelInterface> kernels,
                                const KernelProblems &problems,
                                StringRef target, StringRef chip);

} // namespace mlir::convoy

#endif // CONVOY_TARGET_EMITINTERFACE_H
