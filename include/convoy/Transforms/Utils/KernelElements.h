//===- KernelElements.h - Elements that kernels store -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_KERNELELEMENTS_H
#define CONVOY_TRANSFORMS_UTILS_KERNELELEMENTS_H

#include "mlir/IR/Types.h"

namespace mlir::convoy {

/// Whether C has a type for an element, so that kernels can take and give it.
inline bool isKernelElement(Type type) {
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64);
}

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_KERNELELEMENTS_H
