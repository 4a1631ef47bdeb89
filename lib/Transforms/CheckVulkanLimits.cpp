//===- CheckVulkanLimits.cpp - What a device can run ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Passes.h"
#include "convoy/Transforms/Transforms.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKVULKANLIMITSPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::VulkanLimits;

/// Elements that a buffer may have for `index` to have 32 bits: half of what
/// fits, for indices beyond its end that are masked later.
static constexpr int64_t kMaxNarrowElements = int64_t(1) << 30;

/// Bits of an element in memory, or nothing for a type that is not stored.
static std::optional<int64_t> getStoredBits(Type element) {
  int64_t lanes = 1;
  if (auto vector = dyn_cast<VectorType>(element)) {
    lanes = vector.getNumElements();
    element = vector.getElementType();
  }
  if (!element.isIntOrFloat())
    return std::nullopt;
  int64_t bits = element.getIntOrFloatBitWidth();
  if (bits < 8 || bits > 64 || !llvm::isPowerOf2_64(bits))
    return std::nullopt;
  return lanes * bits;
}

static bool isWorkgroup(MemRefType type) {
  return gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace());
}

/// The bytes of a buffer; those of a dynamic one are as many as the device
/// allows.
static int64_t getBytes(MemRefType type, const VulkanLimits &limits) {
  std::optional<int64_t> bits = getStoredBits(type.getElementType());
  if (!type.hasStaticShape() || !bits)
    return limits.bufferBytes;
  return type.getNumElements() * *bits / 8;
}

bool mlir::convoy::needsWideIndex(Operation *module,
                                  VulkanProfileAttr profile) {
  WalkResult result = module->walk([&](gpu::GPUFuncOp function) {
    for (Type type : function.getArgumentTypes()) {
      auto buffer = dyn_cast<MemRefType>(type);
      if (!buffer)
        continue;
      std::optional<int64_t> bits =
          getStoredBits(getElementTypeOrSelf(buffer.getElementType()));
      int64_t bytes = getBytes(buffer, profile.getLimits());
      if (bits && bytes / (*bits / 8) > kMaxNarrowElements)
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
/// Compares one kernel with what a profile offers.
class KernelCheck {
public:
  KernelCheck(gpu::GPUFuncOp kernel, VulkanProfileAttr profile)
      : kernel(kernel), profile(profile), limits(profile.getLimits()) {}

  LogicalResult run() {
    return success(succeeded(checkSize()) && succeeded(checkBuffers()) &&
                   succeeded(checkWorkgroupMemory()) &&
                   succeeded(checkValues()));
  }

private:
  InFlightDiagnostic fail() {
    return kernel.emitError()
           << "kernel " << kernel.getName() << " cannot run with profile "
           << profile.getProfileName() << ": ";
  }

  LogicalResult checkSize() {
    std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
    if (!size || size->size() != 3)
      return kernel.emitError()
             << "expected known_block_size on kernel " << kernel.getName();
    int64_t items = 1;
    for (auto [dim, number] : llvm::enumerate(*size)) {
      items *= number;
      if (number < 1 || number > limits.workgroupSize[dim])
        return fail() << "a workgroup of " << number << " work-items along "
                      << "xyz"[dim] << ", but 1 to "
                      << limits.workgroupSize[dim] << " are possible";
    }
    if (items > limits.workgroupItems)
      return fail() << "a workgroup of " << items << " work-items, but up to "
                    << limits.workgroupItems << " are possible";
    return success();
  }

  LogicalResult checkBuffers() {
    for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      auto buffer = dyn_cast<MemRefType>(type);
      if (!buffer || buffer.getRank() != 1 || !buffer.getLayout().isIdentity())
        return fail() << "expected a buffer of one dimension for argument "
                      << number << ", but got " << type;
      if (failed(checkStored(buffer)))
        return failure();
      int64_t bytes = getBytes(buffer, limits);
      if (bytes > limits.bufferBytes)
        return fail() << "a buffer of " << bytes << " bytes, but up to "
                      << limits.bufferBytes << " are possible";
    }
    return success();
  }

  /// The elements of a buffer that the device is given.
  LogicalResult checkStored(MemRefType buffer) {
    Type element = buffer.getElementType();
    std::optional<int64_t> bits = getStoredBits(getElementTypeOrSelf(element));
    if (!bits)
      return fail() << "a buffer of " << element
                    << ", but elements are of 8, 16, 32 or 64 bits";
    if ((*bits == 8 && !limits.storage8) || (*bits == 16 && !limits.storage16))
      return fail() << "a buffer of " << element
                    << ", but it has no storage of " << *bits << " bits";
    return success();
  }

  LogicalResult checkWorkgroupMemory() {
    int64_t bytes = 0;
    for (BlockArgument buffer : kernel.getWorkgroupAttributions())
      bytes += getBytes(cast<MemRefType>(buffer.getType()), limits);
    kernel.walk([&](memref::AllocOp alloc) {
      if (isWorkgroup(alloc.getType()))
        bytes += getBytes(alloc.getType(), limits);
    });
    if (bytes > limits.workgroupBytes)
      return fail() << bytes << " bytes of workgroup memory, but up to "
                    << limits.workgroupBytes << " are possible";
    return success();
  }

  /// Types that the device must have for values and workgroup memory.
  LogicalResult checkValues() {
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
    for (Type type : types)
      if (!hasType(type))
        return fail() << "values of " << type << ", which it does not have";
    if (needsWideIndex(kernel->getParentOp(), profile) && !limits.i64)
      return fail() << "indices of 64 bits, which it does not have";
    return success();
  }

  bool hasType(Type type) const {
    if (type.isF16())
      return limits.f16;
    if (type.isBF16()) // computed with in f32, moved as i16
      return limits.i16;
    if (type.isF64())
      return limits.f64;
    if (type.isInteger(8))
      return limits.i8;
    if (type.isInteger(16))
      return limits.i16;
    if (type.isInteger(64))
      return limits.i64;
    return type.isF32() || type.isInteger(32) || type.isInteger(1) ||
           type.isIndex();
  }

  gpu::GPUFuncOp kernel;
  VulkanProfileAttr profile;
  VulkanLimits limits;
};

struct CheckVulkanLimitsPass final
    : mlir::convoy::impl::CheckVulkanLimitsPassBase<CheckVulkanLimitsPass> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](gpu::GPUFuncOp function) {
      return !function.isKernel() || succeeded(check(function))
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static LogicalResult check(gpu::GPUFuncOp kernel) {
    auto profile = VulkanProfileAttr::lookup(kernel);
    if (!profile)
      return kernel.emitError()
             << "expected " << VulkanProfileAttr::getModuleAttrName()
             << " on the module";
    return KernelCheck(kernel, profile).run();
  }
};
} // namespace
