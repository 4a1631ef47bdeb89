//===- Targets.h - What kernels are compiled for ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_TARGETS_TARGETS_H
#define CONVOY_TRANSFORMS_TARGETS_TARGETS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Support/RocmChip.h"

namespace mlir::convoy {

/// Puts on `module` the profile and what follows from it for SPIR-V and tiles;
/// for a device that is present, `profile` holds what it says of itself.
void attachVulkanProfile(Operation *module, VulkanProfileAttr profile);

/// Puts on `module` the name of a chip and what tiles are made for.
LogicalResult attachRocmChip(Operation *module, StringRef chip);

/// The chip of the module around `op`; null where it has none, which is an
/// error at `op`.
const ::convoy::RocmChip *findRocmChip(Operation *op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_TARGETS_TARGETS_H
