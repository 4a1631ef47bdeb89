//===- VectorCosts.h - What vectors cost beside products --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_VECTORCOSTS_H
#define CONVOY_TRANSFORMS_COSTS_VECTORCOSTS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Costs/CycleCosts.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

namespace mlir::convoy {

/// How many elements apart lanes may lie that are read as vectors, with what
/// lies between them.
inline constexpr int64_t kMostApart = 4;

/// Whether a tensor of this type is known to be too large for the L2 cache.
bool isBeyondL2(TargetAttr target, RankedTensorType type);

/// Whether a tensor of this type is known to be too large for all caches.
bool isBeyondCaches(TargetAttr target, RankedTensorType type);

/// The type of the tensor that `factor`, an im2col or not, is read from.
RankedTensorType getSourceType(Value factor);

/// Cycles for a scattered element where lanes lie `stride` elements of `result`
/// apart: where these do not stay in any cache, a line or a page is waited for.
double getScatteredCycles(TargetAttr target, Value result,
                          std::optional<int64_t> stride);

/// Cycles for packing one vector along `laneLoop` of `factor`: none where
/// callers hand it over packed.
double getPackCycles(TargetAttr target, Value factor,
                     const LoopStrides &strides, unsigned laneLoop);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_VECTORCOSTS_H
