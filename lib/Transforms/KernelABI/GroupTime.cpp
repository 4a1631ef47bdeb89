//===- GroupTime.cpp - How long workgroups take at most ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupTime.h"

#include "convoy/Transforms/Utils/LoopValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;

/// Operations that a compute unit does in a second, on all lanes together: the
/// multiply-adds of convolutions of f32 on one of an H100's multiprocessors.
static constexpr double kUnitOperations = 6e10;
/// How many times as long a kernel may take, or one on another device of the
/// profile.
static constexpr double kLaunchSafety = 10;
/// Units of a device whose number is not known.
static constexpr int64_t kFewestUnits = 1;

/// Elements of a value of this type that a work-item has; matrices lie across a
/// subgroup.
static double countElements(Type type, int64_t subgroup) {
  if (auto vector = dyn_cast<VectorType>(type))
    return double(vector.getNumElements());
  if (auto matrix = dyn_cast<gpu::MMAMatrixType>(type))
    return double(ShapedType::getNumElements(matrix.getShape())) /
           double(subgroup);
  return 1;
}

/// Operations of a work-item for `op`, which has no region.
static double countOperations(Operation &op, int64_t subgroup) {
  if (op.hasTrait<OpTrait::ConstantLike>())
    return 0;
  double count = 1;
  for (TypeRange types :
       {TypeRange(op.getResultTypes()), TypeRange(op.getOperandTypes())})
    for (Type type : types)
      count = std::max(count, countElements(type, subgroup));
  if (auto product = dyn_cast<gpu::SubgroupMmaComputeOp>(op)) {
    auto factor = cast<gpu::MMAMatrixType>(product.getOpA().getType());
    count = countElements(product.getOpC().getType(), subgroup) *
            double(factor.getShape().back());
  }
  return count;
}

/// Operations of a work-item in `region`, whose loops of unknown length are
/// over the images of a batch, of which there are `images`.
static double countOperations(Region &region, uint64_t images,
                              int64_t subgroup) {
  double count = 0;
  for (Operation &op : region.getOps()) {
    if (op.getNumRegions() == 0) {
      count += countOperations(op, subgroup);
      continue;
    }
    double inner = 1;
    for (Region &nested : op.getRegions())
      inner += countOperations(nested, images, subgroup);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      inner *= double(getMostIterations(loop).value_or(images));
    count += inner;
  }
  return count;
}

GroupTime
mlir::convoy::estimateGroupTime(gpu::GPUFuncOp kernel,
                                const ::convoy::VulkanLimits &limits) {
  double items = 1;
  ArrayRef<int32_t> sizes = *kernel.getKnownBlockSize();
  for (int32_t size : sizes)
    items *= size;
  double units = double(std::max(limits.computeUnits, kFewestUnits));
  double scale = kLaunchSafety * items / (units * kUnitOperations);
  auto estimate = [&](uint64_t images) {
    return scale * countOperations(kernel.getBody(), images, limits.subgroup);
  };
  double one = estimate(1), ofImage = estimate(2) - one;
  return {one - ofImage, ofImage};
}
