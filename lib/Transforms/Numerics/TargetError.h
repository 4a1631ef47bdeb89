//===- TargetError.h - The cheapest sums for a target error -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_NUMERICS_TARGETERROR_H
#define CONVOY_LIB_TRANSFORMS_NUMERICS_TARGETERROR_H

#include "SumBlocks.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::convoy {

/// The cheapest sums of the convolutions of floats in `function` with which no
/// result is further off than `target` times the largest that it may be. Others
/// than those that are `free` sum as their policies say; where none is, nothing
/// is chosen. A remark on each says what was chosen and how far off it may be.
/// An error on `function` where not even sums in f32 are enough. With
/// `allowTiles` it says, too, which tiles of Winograd's algorithm would be.
FailureOr<SumChoices> chooseSums(FunctionOpInterface function, double target,
                                 const llvm::SmallPtrSetImpl<Operation *> &free,
                                 bool allowTiles, RangeAnalysis &ranges);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_NUMERICS_TARGETERROR_H
