//===- EmitHsaco.h - Code objects for AMD's GPUs ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TARGET_EMITHSACO_H
#define CONVOY_TARGET_EMITHSACO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace mlir::convoy {

/// How far kernels are taken.
enum class HsacoStage { LLVM, Assembly, CodeObject };

/// Compiles the one `gpu.module` of `module`, which is in ROCDL for the
/// module's `convoy.rocm_chip`, at LLVM's level `optLevel` (0 to 3). Returns
/// optimized LLVM IR, assembly or a linked code object. Errors are reported at
/// `module`.
FailureOr<std::string> emitHsaco(ModuleOp module, unsigned optLevel,
                                 HsacoStage stage);

/// What one kernel takes of a chip.
struct KernelResources {
  std::string symbol;
  int64_t wave;            ///< work-items that run in step
  int64_t workgroupItems;  ///< at most
  int64_t workgroupBytes;  ///< of LDS
  int64_t scratchBytes;    ///< of memory for each work-item
  int64_t argumentBytes;   ///< of the block of arguments
  int64_t vgprs, sgprs;    ///< registers of a work-item and of a wave
  int64_t allocatedVgprs;  ///< `vgprs`, rounded up to what a wave is given
  int64_t matrixRegisters; ///< among `vgprs`
  int64_t vgprSpills, sgprSpills;
};

/// What the metadata of the code object `hsaco` says of each kernel, in the
/// order of their symbols. Errors are reported at `module`.
FailureOr<std::vector<KernelResources>> readResources(ModuleOp module,
                                                      StringRef hsaco);

/// The same for a manifest.
llvm::json::Array toJSON(ArrayRef<KernelResources> kernels);

} // namespace mlir::convoy

#endif // CONVOY_TARGET_EMITHSACO_H
