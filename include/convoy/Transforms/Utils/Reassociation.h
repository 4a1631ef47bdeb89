//===- Reassociation.h - Dimensions that reshapes put together --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_REASSOCIATION_H
#define CONVOY_TRANSFORMS_UTILS_REASSOCIATION_H

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace mlir::convoy {

/// The groups of dimensions of `reshape`, a tensor.expand_shape or
/// collapse_shape, as its verifier reads them: of numbers beyond 32 bits, which
/// `getReassociationIndices` returns as they are, it takes the low ones.
template <typename ReshapeOp>
SmallVector<ReassociationIndices> getDimGroups(ReshapeOp reshape) {
  SmallVector<ReassociationIndices> groups = reshape.getReassociationIndices();
  for (ReassociationIndices &group : groups)
    for (int64_t &dim : group)
      dim = unsigned(dim);
  return groups;
}

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_REASSOCIATION_H
