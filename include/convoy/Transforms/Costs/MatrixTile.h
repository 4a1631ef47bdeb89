//===- MatrixTile.h - Tiles for matrix instructions -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_MATRIXTILE_H
#define CONVOY_TRANSFORMS_COSTS_MATRIXTILE_H

#include "convoy/Transforms/Costs/WorkgroupTile.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

namespace mlir::convoy {

/// The matrix instruction of `target` for `contraction`, which has to add
/// products of elements as they are: null where there is none, or where it does
/// anything else, such as to subtract zero points.
const ::convoy::GPUMatrixInstruction *
findMatrixInstruction(TargetAttr target, linalg::GenericOp contraction);

/// Why a tile for `contraction` has no matrix instruction, in words; nothing
/// where `target` has none at all.
std::string explainNoMatrix(TargetAttr target, linalg::GenericOp contraction);

/// Whether a work-item has registers for its part of the wave's sums, of what
/// these are multiplied from, and of the next step, which is `stage`.
bool fitsRegisters(TargetAttr target, linalg::GenericOp contraction,
                   ArrayRef<LoopStrides> strides, const WorkgroupTile &tile,
                   const ::convoy::MatrixStage &stage);

/// Work-items of a workgroup that uses matrix instructions: a wave for each
/// SIMD unit of CDNA, two for each of RDNA.
inline constexpr int64_t kMatrixItems = 256;

/// Workgroups of `tile`, whose steps are `stage`, that the memory for one has
/// room for.
int64_t countWorkgroups(TargetAttr target, const WorkgroupTile &tile,
                        const ::convoy::MatrixStage &stage);

/// The buffers for steps of `tile`: two where there are steps for them, and
/// memory also for the workgroups that compute while others wait.
int64_t chooseBuffers(TargetAttr target, linalg::GenericOp contraction,
                      WorkgroupTile tile, const ::convoy::MatrixStage &stage);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_MATRIXTILE_H
