//===- KernelFiles.h - Kernels as files for other programs ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_KERNELFILES_H
#define CONVOY_DRIVER_KERNELFILES_H

#include "convoy/Certify/CertifyEach.h"
#include "convoy/Driver/Chains.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Emission.h"
#include "convoy/Target/EmitInterface.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {

/// Which files are made of kernels.
struct KernelFileOptions {
  Target target = Target::CPU;
  Emission emission = Emission::Object;
  std::string output;
  /// Empty where not asked for.
  std::string header, manifest;
  /// Whether every change down to tiles is proved, and as many below as can be:
  /// the manifest says how far.
  bool certify = false;
  /// Whether kernels for this machine's CPU run on random integers, too.
  bool deep = false;
};

/// Whether the certificate that `options` ask for can be had for what is
/// written; else `error` says why not.
bool checkCertificate(const KernelFileOptions &options, std::string &error);

/// A file's content. Where the path is `-`, it is for standard output.
struct OutputFile {
  std::string path;
  std::string text;
};

/// Writes all of `files`; where a file cannot be written, none. Standard output
/// comes last. Here and below errors are reported to the context's handlers.
LogicalResult writeOutputs(MLIRContext *context, ArrayRef<OutputFile> files);

/// Lowers `module`, in which `problems` are kernels, as `lowering` says, and
/// makes what `options` ask for. `source` is what its user calls the input.
/// `changes` hold what was proved where `lowering` configures that, and the
/// verdict of runs on random integers where these are wrong or say nothing.
/// `startEmission` is called between the passes and LLVM. `chains`, which were
/// in `module`, become kernels of the CPU.
FailureOr<SmallVector<OutputFile>> makeKernelFiles(
    ModuleOp module, const KernelProblems &problems, StringRef source,
    const KernelFileOptions &options, const CompileOptions &lowering,
    CertifiedChanges &changes, function_ref<void()> startEmission = [] {},
    ChainModule *chains = nullptr);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_KERNELFILES_H
