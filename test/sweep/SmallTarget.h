//===- SmallTarget.h - A machine with small tiles ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_SWEEP_SMALLTARGET_H
#define CONVOY_TEST_SWEEP_SMALLTARGET_H

#include "convoy/Transforms/Targets/Passes.h"

namespace mlir::convoy {

/// Vectors of two f32 and tiles of two rows of one vector: small problems have
/// tiles of every kind. No more than 8 f32 are packed at a time, so that
/// reductions are cut into blocks, and groups are padded 16 f32 at a time.
inline AttachTargetPassOptions getSmallTarget() {
  AttachTargetPassOptions target;
  target.vectorBytes = target.registers = 8;
  target.l1Bytes = 64;
  target.l2Bytes = 128;
  target.tile = {2, 1};
  return target;
}

} // namespace mlir::convoy

#endif // CONVOY_TEST_SWEEP_SMALLTARGET_H
