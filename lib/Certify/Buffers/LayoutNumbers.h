//===- LayoutNumbers.h - Layouts as numbers ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_LAYOUTNUMBERS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_LAYOUTNUMBERS_H

#include "mlir/IR/Operation.h"

namespace mlir::convoy::certify {

/// Puts what a view's type and its ops say in the place of the offsets, sizes
/// and strides of `memref.extract_strided_metadata` in `root`. Those of which
/// they do not say it stay.
void resolveLayouts(Operation *root);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_LAYOUTNUMBERS_H
