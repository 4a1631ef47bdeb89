//===- IndependentLoops.h - Iterations without others' sums -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_INDEPENDENTLOOPS_H
#define CONVOY_TRANSFORMS_UTILS_INDEPENDENTLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {

/// Reports an error where it is plain that iterations of `loop` write the same
/// elements.
LogicalResult verifyIndependent(scf::ForallOp loop);

/// The same of a loop that takes the place of such a one: each iteration writes
/// parts of the tensors that it is given, and reads no others of them.
LogicalResult verifyIndependent(scf::ForOp loop);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_INDEPENDENTLOOPS_H
