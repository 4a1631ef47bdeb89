//===- PackConstants.h - What kernels take packed ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DRIVER_PACKCONSTANTS_H
#define CONVOY_LIB_DRIVER_PACKCONSTANTS_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {

/// A constant as a kernel takes it.
struct PackedConstant {
  /// Kernel that packs it, or nothing where it stays as it is.
  std::string packer;
  ElementsAttr elements;
};

/// The bytes of each of `constants`. Kernels that pack are compiled for this
/// machine's CPU, whatever CPU `module`, which is in LLVM's dialect, is lowered
/// for, and run.
FailureOr<std::vector<AsmResourceBlob>>
packConstants(ModuleOp module, ArrayRef<PackedConstant> constants);

} // namespace mlir::convoy

#endif // CONVOY_LIB_DRIVER_PACKCONSTANTS_H
