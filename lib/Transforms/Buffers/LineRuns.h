//===- LineRuns.h - Runs of lines that lie apart ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_BUFFERS_LINERUNS_H
#define CONVOY_LIB_TRANSFORMS_BUFFERS_LINERUNS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {

/// Asks for runs of lines that `inner`, an innermost loop, reads in each step
/// of the loop around it, some steps before, where hardware does not: runs are
/// a few lines, lie apart, and come from beyond the L2 cache.
void prefetchRuns(scf::ForOp inner, TargetAttr target);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_BUFFERS_LINERUNS_H
