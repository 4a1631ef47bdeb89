//===- EmitSPIRV.h - From SPIR-V's dialect to binaries ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TARGET_EMITSPIRV_H
#define CONVOY_TARGET_EMITSPIRV_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <string>

namespace mlir::convoy {

/// The binary of the one `spirv.module` in `module`, valid for the Vulkan
/// version of the module's `#convoy.vulkan_profile`: what SPIRV-Tools'
/// validator finds wrong is an error at `module`. A validator that does not
/// know cooperative matrices, as those before 2023.4, does not see modules that
/// have them.
FailureOr<SmallVector<uint32_t>> emitSPIRV(ModuleOp module);

/// `binary`, which is valid, as text. An error where SPIRV-Tools does not know
/// what is in it.
FailureOr<std::string>
disassembleSPIRV(ArrayRef<uint32_t> binary,
                 function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::convoy

#endif // CONVOY_TARGET_EMITSPIRV_H
