//===- AffineOps.h - Loops and accesses of affine ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_AFFINEOPS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_AFFINEOPS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Makes loops and branches of scf, and accesses of memref and vector, of those
/// of affine in `function`, as their documentation says what they mean:
/// https://mlir.llvm.org/docs/Dialects/Affine. Indices and bounds stay affine
/// maps. What reduces numbers in parallel stays as it is.
void lowerAffineOps(FunctionOpInterface function);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_AFFINEOPS_H
