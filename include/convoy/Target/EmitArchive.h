//===- EmitArchive.h - From LLVM IR to static archives ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TARGET_EMITARCHIVE_H
#define CONVOY_TARGET_EMITARCHIVE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <string>

namespace mlir::convoy {

/// The bytes of a static archive of `module`: an object, `NAME.o`, for each
/// function that others can call, with what it needs and has no symbol, and the
/// table of symbols. A program that is linked with it takes the objects that it
/// calls and no others.
FailureOr<std::string>
emitArchive(const llvm::Module &module, llvm::TargetMachine &machine,
            function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::convoy

#endif // CONVOY_TARGET_EMITARCHIVE_H
