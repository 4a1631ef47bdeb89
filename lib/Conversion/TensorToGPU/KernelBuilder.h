//===- KernelBuilder.h - One kernel and its launch --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_KERNELBUILDER_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_KERNELBUILDER_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/KernelSignature.h"
#include "convoy/Transforms/Utils/WorkgroupSides.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <array>

namespace mlir::convoy {

/// Work-items of a workgroup or workgroups of a grid, along x, y, z.
using LaunchSizes = std::array<int64_t, 3>;

/// Workgroups of a launch.
struct LaunchGrid {
  LaunchSizes sizes = {1, 1, 1};
  /// Where there are ceil(batch * times / divide) times as many along z: these
  /// two.
  SmallVector<int64_t, 2> groups;
};

/// Refuses `op` where a size of it is not known and no argument of its function
/// has it: `getBatchOfHost` could not tell it.
LogicalResult checkHasBatch(Operation *op);

/// The batch of the function that `host` builds in, a size that is not known
/// before it runs.
Value getBatchOfHost(OpBuilder &host, Location loc);

/// A kernel that is being written: a function of a GPU module that takes a flat
/// buffer for each tensor, or buffer, that it reads, then one for that it
/// writes, then the batch if it depends on that.
class KernelBuilder {
public:
  /// Starts the kernel `name`, which writes to `output`.
  KernelBuilder(gpu::GPUModuleOp module, StringRef name, Location loc,
                Value output);

  /// Builds into the kernel.
  OpBuilder &getBuilder() { return builder; }
  Location getLoc() { return kernel.getLoc(); }

  /// What `emit` builds at the kernel's start, behind what was built there
  /// before.
  Value emitAtStart(function_ref<Value(OpBuilder &)> emit);

  /// The buffer of what is read.
  Value getInput(Value tensor);
  Value getOutput();
  /// The batch.
  Value getBatch();
  /// A buffer that all work-items of a workgroup share.
  Value addWorkgroupBuffer(Type element, int64_t size);
  /// A coordinate of the work-item in its workgroup.
  Value getItem(gpu::Dimension dimension, int64_t size);
  /// The number of the work-item's subgroup in the workgroup, and its own in
  /// the subgroup.
  Value getSubgroup();
  Value getLane();
  /// A coordinate of the workgroup in the grid.
  Value getGroup(gpu::Dimension dimension, int64_t size);

  /// Ends the kernel; launches it where `host` builds. It writes the elements
  /// `written` of the output, all if that is null.
  LaunchOp finish(OpBuilder &host, LaunchSizes items, const LaunchGrid &grid,
                  SliceAttr written);

private:
  gpu::GPUFuncOp kernel;
  OpBuilder builder;
  SmallVector<Value> inputs;
  Value output, batch, subgroup, lane;
  Operation *lastAtStart = nullptr;
};

/// Multiplies the index `value` by `factor`, folded where it can be.
Value scale(OpBuilder &builder, Location loc, Value value, int64_t factor);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_KERNELBUILDER_H
