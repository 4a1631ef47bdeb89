//===- KernelCheck.cpp - Kernels that the host can execute ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCheck.h"

#include "MatrixOperation.h"
#include "MatrixPart.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Dialect/Convoy/IR/KernelSignature.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

BlockArgument mlir::convoy::getBatch(gpu::GPUFuncOp kernel) {
  return takesBatch(kernel.getArgumentTypes())
             ? kernel.getArgument(kernel.getNumArguments() - 1)
             : BlockArgument();
}

/// Whether a buffer may have such elements: numbers, or vectors of them with no
/// gaps in memory.
static bool isElement(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return type.isIntOrFloat();
  return !vector.isScalable() && vector.getRank() == 1 &&
         llvm::isPowerOf2_64(vector.getNumElements()) &&
         vector.getElementType().isIntOrFloat() &&
         getElementBits(vector.getElementType()) % 8 == 0;
}

/// Whether all elements of `buffer` can be named by one number, and whether
/// there are as many of a workgroup's as the kernel says.
static LogicalResult checkBuffer(gpu::GPUFuncOp kernel, BlockArgument buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  bool isWorkgroups = buffer.getArgNumber() >= kernel.getNumArguments();
  if (type && (type.hasStaticShape() || !isWorkgroups) && type.getRank() == 1 &&
      type.getLayout().isIdentity() && isElement(type.getElementType()))
    return success();
  return kernel.emitError()
         << "expected flat buffers" << (isWorkgroups ? " of static size" : "")
         << " in kernel " << kernel.getName() << ", but got "
         << buffer.getType();
}

/// Whether `op` accesses one of the kernel's own buffers.
static bool accessesBuffer(gpu::GPUFuncOp kernel, Operation *op) {
  Value buffer = TypeSwitch<Operation *, Value>(op)
                     .Case<memref::LoadOp, memref::StoreOp>(
                         [](auto access) { return access.getMemRef(); })
                     .Case<vector::LoadOp, vector::StoreOp>(
                         [](auto access) { return access.getBase(); })
                     .Case<gpu::SubgroupMmaLoadMatrixOp>(
                         [](auto load) { return load.getSrcMemref(); })
                     .Case<gpu::SubgroupMmaStoreMatrixOp>(
                         [](auto store) { return store.getDstMemref(); })
                     .Default(Value());
  auto argument = dyn_cast_or_null<BlockArgument>(buffer);
  return argument && argument.getOwner() == &kernel.getBody().front();
}

int64_t mlir::convoy::getWave(gpu::GPUFuncOp kernel) {
  for (Operation *holder = kernel; holder; holder = holder->getParentOp())
    if (auto target =
            holder->getAttrOfType<TargetAttr>(TargetAttr::getModuleAttrName()))
      return target.getSubgroup();
  return 0;
}

/// Whether `op` of `kernel` can be executed where `wave` work-items run in
/// step.
static bool canExecute(gpu::GPUFuncOp kernel, Operation *op, int64_t wave) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::BarrierOp,
            gpu::ReturnOp, amdgpu::SchedBarrierOp>([](auto) { return true; })
      .Case<gpu::SubgroupIdOp, gpu::LaneIdOp>([&](auto) { return wave > 0; })
      .Case<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp>(
          [&](auto access) {
            return accessesBuffer(kernel, op) &&
                   canDivideMatrices(access, wave);
          })
      .Case<gpu::SubgroupMmaConstantMatrixOp, gpu::SubgroupMmaElementwiseOp>(
          [&](auto make) { return canDivideMatrices(make, wave); })
      .Default([&](Operation *) {
        return accessesBuffer(kernel, op) ||
               getMatrixOperation(op, wave, /*pairwise=*/false).has_value();
      });
}

static LogicalResult checkOp(gpu::GPUFuncOp kernel, Operation *op) {
  if (op == kernel || canExecute(kernel, op, getWave(kernel)))
    return success();
  bool usesBuffer =
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>);
  if (!usesBuffer && !isa_and_present<gpu::GPUDialect, amdgpu::AMDGPUDialect>(
                         op->getDialect()))
    return success();
  return op->emitError() << "cannot be executed on the host";
}

LogicalResult mlir::convoy::checkKernel(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  if (!size || size->size() != 3)
    return kernel.emitError()
           << "expected known_block_size on kernel " << kernel.getName();
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (argument != getBatch(kernel) && failed(checkBuffer(kernel, argument)))
      return failure();
  WalkResult result = kernel.walk(
      [&](Operation *op) { return WalkResult(checkOp(kernel, op)); });
  return failure(result.wasInterrupted());
}
