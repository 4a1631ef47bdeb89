//===- IndexWidth.h - Bits of the indices of kernels ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_GPUKERNELS_INDEXWIDTH_H
#define CONVOY_TRANSFORMS_GPUKERNELS_INDEXWIDTH_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::convoy {

/// Whether the kernels in `module` need indices of 64 bits.
bool needsWideIndex(Operation *module);

/// The type of a flat buffer with the most elements that it may have in the
/// place of a dynamic size: what is of such a type is passed as its address.
MemRefType getLargestType(MemRefType buffer);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_GPUKERNELS_INDEXWIDTH_H
