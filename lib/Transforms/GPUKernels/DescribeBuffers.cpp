//===- DescribeBuffers.cpp - What is known of kernels' buffers --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/GPUKernels/Passes.h"
#include "convoy/Transforms/Utils/Divisibility.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DESCRIBEBUFFERSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using LLVM::LLVMDialect;

/// Of every buffer in bytes: the largest that one access takes.
static constexpr int64_t kAlignment = 16;

static bool isRead(Operation *user) {
  return isa<memref::LoadOp, vector::LoadOp>(user);
}

/// Whether `buffer` is only read and written, so that no other type depends on
/// its own.
static bool isOnlyAccessed(BlockArgument buffer) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return use.get() == store.getMemRef();
    return isRead(user) || isa<vector::StoreOp>(user);
  });
}

/// The bytes of `buffer`; nothing where they are not known.
static std::optional<int64_t> getBytes(MemRefType buffer) {
  Type element = getElementTypeOrSelf(buffer.getElementType());
  if (!buffer.hasStaticShape() || !buffer.getLayout().isIdentity() ||
      !element.isIntOrFloat())
    return std::nullopt;
  int64_t elements = buffer.getNumElements();
  if (auto vector = dyn_cast<VectorType>(buffer.getElementType()))
    elements *= vector.getNumElements();
  return elements * getElementBytes(element);
}

static void describeArgument(gpu::GPUFuncOp kernel, unsigned number) {
  BlockArgument buffer = kernel.getArgument(number);
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !isOnlyAccessed(buffer))
    return;
  Builder builder(kernel);
  if (!type.getMemorySpace())
    buffer.setType(MemRefType::get(
        type.getShape(), type.getElementType(), type.getLayout(),
        gpu::AddressSpaceAttr::get(kernel.getContext(),
                                   gpu::AddressSpace::Global)));
  auto set = [&](StringRef name, Attribute value) {
    kernel.setArgAttr(number, name, value);
  };
  set(LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  set(LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(kAlignment));
  if (std::optional<int64_t> bytes = getBytes(type); bytes && *bytes > 0)
    set(LLVMDialect::getDereferenceableAttrName(),
        builder.getI64IntegerAttr(*bytes));
  if (llvm::all_of(buffer.getUsers(), isRead))
    set(LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
}

template <typename AccessOp>
static void alignAccess(AccessOp access) {
  VectorType vector = access.getVectorType();
  auto buffer = dyn_cast<BlockArgument>(access.getBase());
  if (!buffer || !isa<gpu::GPUFuncOp>(buffer.getOwner()->getParentOp()) ||
      vector.getRank() != 1 || vector.isScalable() ||
      isa<VectorType>(access.getMemRefType().getElementType()))
    return;
  int64_t elements = vector.getNumElements();
  int64_t bytes = elements * getElementBits(vector.getElementType()) / 8;
  if (llvm::isPowerOf2_64(elements) && llvm::isPowerOf2_64(bytes) &&
      int64_t(access.getAlignment().value_or(0)) < bytes &&
      bytes <= kAlignment && isMultipleOf(access.getIndices().back(), elements))
    access.setAlignment(bytes);
}

static void describe(gpu::GPUFuncOp kernel) {
  for (unsigned number = 0; number < kernel.getNumArguments(); ++number)
    describeArgument(kernel, number);
  kernel.setType(
      FunctionType::get(kernel.getContext(),
                        TypeRange(kernel.getBody().front().getArgumentTypes())
                            .take_front(kernel.getNumArguments()),
                        kernel.getFunctionType().getResults()));
  Builder builder(kernel);
  for (unsigned number = 0; number < kernel.getNumWorkgroupAttributions();
       ++number)
    kernel.setWorkgroupAttributionAttr(number, LLVMDialect::getAlignAttrName(),
                                       builder.getI64IntegerAttr(kAlignment));
  kernel.walk([](vector::LoadOp load) { alignAccess(load); });
  kernel.walk([](vector::StoreOp store) { alignAccess(store); });
}

namespace {
struct DescribeBuffersPass final
    : mlir::convoy::impl::DescribeBuffersPassBase<DescribeBuffersPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel())
        describe(kernel);
    });
  }
};
} // namespace
