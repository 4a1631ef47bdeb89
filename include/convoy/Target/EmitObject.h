//===- EmitObject.h - From LLVM's dialect to machine code -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TARGET_EMITOBJECT_H
#define CONVOY_TARGET_EMITOBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace mlir::convoy {

/// Registers the translation of LLVM's dialect to LLVM IR.
void registerTranslations(DialectRegistry &registry);

/// Translates `module`, a module or `gpu.module` in LLVM's dialect, to LLVM IR
/// for `machine`. Errors are reported at `module`.
FailureOr<std::unique_ptr<llvm::Module>>
translateFor(Operation *module, llvm::LLVMContext &context,
             llvm::TargetMachine &machine);

/// Optimizes `module` for `machine` at level `optLevel` (0 to 3, as in -O3);
/// loops stay as long as they are where not `unroll`. Fails where the work was
/// interrupted; what is left then is not optimized.
LogicalResult optimizeFor(llvm::Module &module, llvm::TargetMachine &machine,
                          unsigned optLevel, bool unroll = true);

/// Does both.
FailureOr<std::unique_ptr<llvm::Module>>
translateForCPU(ModuleOp module, llvm::LLVMContext &context,
                llvm::TargetMachine &machine, unsigned optLevel);

/// Writes `module` as assembly or as an object.
LogicalResult emitMachineCode(llvm::Module &module,
                              llvm::TargetMachine &machine,
                              llvm::CodeGenFileType kind,
                              llvm::raw_pwrite_stream &os,
                              function_ref<InFlightDiagnostic()> emitError);

/// The functions of C's mathematical library that `object`, the bytes of an
/// object file, calls.
FailureOr<std::vector<std::string>>
findMathFunctions(StringRef object,
                  function_ref<InFlightDiagnostic()> emitError);

/// `object`, the bytes of an object file for `triple`, linked into those of a
/// shared object. It names the libraries that `object` calls, LLVM's for OpenMP
/// and C's mathematical one; one for another system than this names none: the
/// program that loads it has them.
FailureOr<std::string>
linkSharedObject(StringRef object, const llvm::Triple &triple,
                 function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::convoy

#endif // CONVOY_TARGET_EMITOBJECT_H
