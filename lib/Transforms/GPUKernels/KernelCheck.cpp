//===- KernelCheck.cpp - Kernels and what devices offer ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCheck.h"
#include "VaryingValues.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::convoy;

static bool isWorkgroup(MemRefType type) {
  return gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace());
}

std::optional<int64_t> mlir::convoy::getStoredBits(Type element) {
  int64_t lanes = 1;
  if (auto vector = dyn_cast<VectorType>(element)) {
    lanes = vector.getNumElements();
    element = vector.getElementType();
  }
  if (!element.isIntOrFloat())
    return std::nullopt;
  int64_t bits = getElementBits(element);
  if (bits < 8 || bits > 64 || !llvm::isPowerOf2_64(bits))
    return std::nullopt;
  return lanes * bits;
}

std::optional<int64_t> mlir::convoy::getBufferBytes(MemRefType type) {
  std::optional<int64_t> bits = getStoredBits(type.getElementType());
  if (!type.hasStaticShape() || !bits)
    return std::nullopt;
  return type.getNumElements() * *bits / 8;
}

LogicalResult mlir::convoy::checkEachKernel(
    Operation *op, function_ref<LogicalResult(gpu::GPUFuncOp kernel)> check) {
  WalkResult result = op->walk([&](gpu::GPUFuncOp function) {
    return !function.isKernel() || succeeded(check(function))
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

InFlightDiagnostic KernelCheck::fail() {
  return kernel.emitError() << "kernel " << kernel.getName()
                            << " cannot run with " << offered.device << ": ";
}

LogicalResult KernelCheck::checkSize() {
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  if (!size || size->size() != 3)
    return kernel.emitError()
           << "expected known_block_size on kernel " << kernel.getName();
  int64_t items = 1;
  for (auto [dim, number] : llvm::enumerate(*size)) {
    items *= number;
    if (number < 1 || number > offered.size[dim])
      return fail() << "a workgroup of " << number << " work-items along "
                    << "xyz"[dim] << ", but 1 to " << offered.size[dim]
                    << " are possible";
  }
  if (items > offered.items)
    return fail() << "a workgroup of " << items << " work-items, but up to "
                  << offered.items << " are possible";
  return success();
}

LogicalResult KernelCheck::checkIsFlat(unsigned number) {
  Type type = kernel.getArgumentTypes()[number];
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || buffer.getRank() != 1 || !buffer.getLayout().isIdentity())
    return fail() << "expected a buffer of one dimension for argument "
                  << number << ", but got " << type;
  Type element = buffer.getElementType();
  if (!getStoredBits(getElementTypeOrSelf(element)))
    return fail() << "a buffer of " << element
                  << ", but elements are of 8, 16, 32 or 64 bits";
  return success();
}

LogicalResult KernelCheck::checkWorkgroupMemory() {
  int64_t bytes = 0;
  auto add = [&](MemRefType buffer) {
    bytes += getBufferBytes(buffer).value_or(offered.bytes + 1);
  };
  for (BlockArgument buffer : kernel.getWorkgroupAttributions())
    add(cast<MemRefType>(buffer.getType()));
  kernel.walk([&](memref::AllocOp alloc) {
    if (isWorkgroup(alloc.getType()))
      add(alloc.getType());
  });
  if (bytes > offered.bytes)
    return fail() << bytes << " bytes of workgroup memory, but up to "
                  << offered.bytes << " are possible";
  return success();
}

/// The ops that decide whether, and how often, a work-item comes to `op`: those
/// around it, and the branches between blocks of their regions.
static SmallVector<Operation *> getDecisions(Operation *op) {
  SmallVector<Operation *> decisions;
  for (; !isa<gpu::GPUFuncOp>(op); op = op->getParentOp()) {
    // All that enter a region come to its first block, once.
    if (!op->getBlock()->isEntryBlock())
      for (Block &block : *op->getParentRegion())
        if (block.getNumSuccessors() > 1)
          decisions.push_back(block.getTerminator());
    if (!isa<gpu::GPUFuncOp>(op->getParentOp()))
      decisions.push_back(op->getParentOp());
  }
  return decisions;
}

/// What `op` is called if the work-items of a workgroup have to reach it
/// together; else empty.
static StringRef getCollectiveName(Operation *op) {
  if (isa<gpu::BarrierOp>(op))
    return "a barrier";
  if (isa<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp,
          gpu::SubgroupMmaComputeOp>(op))
    return "a cooperative matrix";
  return "";
}

LogicalResult KernelCheck::checkBarriers() {
  std::optional<VaryingValues> values;
  WalkResult result = kernel.walk([&](Operation *collective) {
    StringRef name = getCollectiveName(collective);
    if (name.empty())
      return WalkResult::advance();
    if (!values)
      values.emplace(kernel);
    for (Operation *op : getDecisions(collective))
      if (values->isBranch(op)) {
        InFlightDiagnostic error =
            fail() << name
                   << " that some work-items of a workgroup may not reach";
        error.attachNote(op->getLoc())
            << "they may decide differently at this " << op->getName();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

llvm::SetVector<Type> KernelCheck::getValueTypes() {
  llvm::SetVector<Type> types;
  auto add = [&](Type type) {
    while (auto shaped = dyn_cast<ShapedType>(type))
      type = shaped.getElementType();
    types.insert(type);
  };
  kernel.getBody().walk([&](Block *block) {
    llvm::for_each(block->getArgumentTypes(), add);
    for (Operation &op : *block)
      llvm::for_each(op.getResultTypes(), add);
  });
  return types;
}
