//===- Output.h - What convoy-compile writes --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_COMPILE_OUTPUT_H
#define CONVOY_TOOLS_CONVOY_COMPILE_OUTPUT_H

#include "CommandLine.h"

#include "convoy/Certify/CertifyEach.h"
#include "convoy/Target/EmitHsaco.h"
#include "convoy/Transforms/KernelInterface.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::convoy {

/// What is written, and what is known of the kernels in it.
struct Compiled {
  std::string output;
  SmallVector<KernelInterface> kernels;
  /// What kernels of code objects take of a chip.
  std::vector<KernelResources> resources;
};

/// Writes the file `path`, or standard output where it is `-`. Here and below
/// errors are reported to the context's handlers.
LogicalResult writeOutput(MLIRContext *context, StringRef path, StringRef text);

/// What `options` ask for, made from a module in LLVM's dialect: LLVM IR,
/// assembly, an object or a shared object.
FailureOr<std::string> emitKernels(ModuleOp module,
                                   llvm::TargetMachine &machine,
                                   const Options &options);

/// What `options` ask for, made from a module with SPIR-V: a binary or its
/// text.
FailureOr<std::string> emitSPIRVKernels(ModuleOp module,
                                        const Options &options);

/// Makes what `options` ask for from a module with kernels in ROCDL: LLVM IR,
/// assembly or a code object; and, for the manifest, what its kernels take.
LogicalResult emitRocmKernels(ModuleOp module, const Options &options,
                              Compiled &compiled);

/// Writes the header and the manifest, where they are asked for; the manifest
/// says what was certified, where that is asked for.
LogicalResult writeInterfaces(MLIRContext *context, const Compiled &compiled,
                              const Options &options,
                              const CertifiedChanges &changes);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_COMPILE_OUTPUT_H
