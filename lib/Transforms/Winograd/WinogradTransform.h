//===- WinogradTransform.h - Numbers of matrices times vectors --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_WINOGRAD_WINOGRADTRANSFORM_H
#define CONVOY_LIB_TRANSFORMS_WINOGRAD_WINOGRADTRANSFORM_H

#include "convoy/Support/CookToom.h"

#include "mlir/IR/Builders.h"

namespace mlir::convoy {

/// Multiplies an array of vectors, row-major, by a matrix along each of its
/// dimensions, the outermost first: bounds of errors (TileTransform of the
/// runtime) take roundings in this order. Rows that differ in signs alone share
/// their sums.
SmallVector<Value>
transformVectors(OpBuilder &builder, Location loc,
                 ArrayRef<const ::convoy::FractionMatrix *> matrices,
                 SmallVector<Value> vectors);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_WINOGRAD_WINOGRADTRANSFORM_H
