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
#include "convoy/Target/EmitInterface.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::convoy {

/// What is written, and what is known of the kernels in it.
struct Compiled {
  std::string output;
  SmallVector<KernelInterface> kernels;
  /// What kernels of code objects take of a chip.
  std::vector<KernelResources> resources;
  /// What objects for CPUs call of C's mathematical library.
  std::vector<std::string> mathFunctions;
};

/// What is written into the file `path`, or, where that is `-`, to standard
/// output.
struct OutputFile {
  std::string path;
  std::string text;
};

/// Writes all of `files`; where a file cannot be written, none. Standard output
/// comes last. Here and below errors are reported to the context's handlers.
LogicalResult writeOutputs(MLIRContext *context, ArrayRef<OutputFile> files);

/// Makes what `options` ask for from a module in LLVM's dialect: LLVM IR,
/// assembly, an object, a static archive or a shared object; and, for the
/// manifest, what it calls.
LogicalResult emitCPUKernels(ModuleOp module, llvm::TargetMachine &machine,
                             const Options &options, Compiled &compiled);

/// What `options` ask for, made from a module with SPIR-V: a binary or its
/// text.
FailureOr<std::string> emitSPIRVKernels(ModuleOp module,
                                        const Options &options);

/// Makes what `options` ask for from a module with kernels in ROCDL: LLVM IR,
/// assembly or a code object; and, for the manifest, what its kernels take.
LogicalResult emitRocmKernels(ModuleOp module, const Options &options,
                              Compiled &compiled);

/// The header and the manifest, where they are asked for, of the kernels in the
/// file with the content `output`, which compute `problems`; the manifest says
/// what was certified, where that is asked for.
SmallVector<OutputFile> makeInterfaces(const Compiled &compiled,
                                       const KernelProblems &problems,
                                       StringRef output, const Options &options,
                                       const CertifiedChanges &changes);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_COMPILE_OUTPUT_H
