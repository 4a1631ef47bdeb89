//===- CPUModule.h - Kernels in memory, ready to be called ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TARGET_CPUMODULE_H
#define CONVOY_TARGET_CPUMODULE_H

#include "convoy/Target/CPUChoice.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlir::convoy {

/// A function of this process that kernels call by its name.
struct HostFunction {
  StringRef name;
  void *address;
};

/// Compiled kernels, loaded into this process.
class CPUModule {
public:
  CPUModule(CPUModule &&);
  CPUModule &operator=(CPUModule &&);
  ~CPUModule();

  /// Compiles `module`, which is in LLVM's dialect, for `cpu`, one of this
  /// machine's, at level `optLevel` and loads it beside `functions`. Errors are
  /// reported at `module`.
  static FailureOr<CPUModule> load(ModuleOp module, const CPUChoice &cpu,
                                   unsigned optLevel,
                                   ArrayRef<HostFunction> functions = {});
  /// Loads `object`, the bytes of an object file with `kernels`.
  static FailureOr<CPUModule>
  loadObject(std::unique_ptr<llvm::MemoryBuffer> object,
             SmallVector<KernelInterface> kernels,
             function_ref<InFlightDiagnostic()> emitError,
             ArrayRef<HostFunction> functions = {});

  ArrayRef<KernelInterface> getKernels() const { return kernels; }
  /// Address of the function `name`, or null where there is none.
  void *lookup(StringRef name) const;
  /// Bytes of machine code, all kernels together.
  int64_t getCodeBytes() const { return codeBytes; }

private:
  CPUModule(std::unique_ptr<llvm::orc::LLJIT> jit,
            SmallVector<KernelInterface> kernels, int64_t codeBytes);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  SmallVector<KernelInterface> kernels;
  int64_t codeBytes;
};

} // namespace mlir::convoy

#endif // CONVOY_TARGET_CPUMODULE_H
