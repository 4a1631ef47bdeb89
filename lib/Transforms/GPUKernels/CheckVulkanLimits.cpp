//===- CheckVulkanLimits.cpp - What a device can run ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCheck.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/GPUKernels/IndexWidth.h"
#include "convoy/Transforms/GPUKernels/Passes.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKVULKANLIMITSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::VulkanLimits;

static WorkgroupLimits getWorkgroupLimits(VulkanProfileAttr profile) {
  const VulkanLimits &limits = profile.getLimits();
  return {("profile " + profile.getProfileName()).str(), limits.workgroupItems,
          limits.workgroupSize, limits.workgroupBytes};
}

namespace {
/// Compares one kernel with what a profile offers.
class VulkanKernelCheck : KernelCheck {
public:
  VulkanKernelCheck(gpu::GPUFuncOp kernel, VulkanProfileAttr profile)
      : KernelCheck(kernel, getWorkgroupLimits(profile)),
        limits(profile.getLimits()) {}

  LogicalResult run() {
    return success(succeeded(checkSize()) && succeeded(checkBuffers()) &&
                   succeeded(checkWorkgroupMemory()) &&
                   succeeded(checkBarriers()) && succeeded(checkValues()));
  }

private:
  LogicalResult checkBuffers() {
    for (auto [number, type] : llvm::enumerate(getBuffers())) {
      if (failed(checkIsFlat(number)))
        return failure();
      auto buffer = cast<MemRefType>(type);
      if (failed(checkStored(buffer.getElementType())))
        return failure();
      int64_t bytes = getBufferBytes(buffer).value_or(limits.bufferBytes);
      if (bytes > limits.bufferBytes)
        return fail() << "a buffer of " << bytes << " bytes, but up to "
                      << limits.bufferBytes << " are possible";
    }
    return success();
  }

  /// The elements of a buffer that the device is given.
  LogicalResult checkStored(Type element) {
    std::optional<int64_t> bits = getStoredBits(getElementTypeOrSelf(element));
    if ((*bits == 8 && !limits.storage8) || (*bits == 16 && !limits.storage16))
      return fail() << "a buffer of " << element
                    << ", but it has no storage of " << *bits << " bits";
    return success();
  }

  /// Types that the device must have for values and workgroup memory.
  LogicalResult checkValues() {
    for (Type type : getValueTypes())
      if (!hasType(type))
        return fail() << "values of " << type << ", which it does not have";
    if (needsWideIndex(kernel->getParentOp()) && !limits.i64)
      return fail() << "indices of 64 bits, which it does not have";
    return success();
  }

  bool hasType(Type type) const {
    // What it lacks is computed with in f32, and moved as i16.
    if (type.isF16())
      return limits.f16 || limits.i16;
    if (type.isBF16())
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

  VulkanLimits limits;
};

struct CheckVulkanLimitsPass final
    : mlir::convoy::impl::CheckVulkanLimitsPassBase<CheckVulkanLimitsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkEachKernel(getOperation(), check)))
      signalPassFailure();
  }

private:
  static LogicalResult check(gpu::GPUFuncOp kernel) {
    auto profile = VulkanProfileAttr::lookup(kernel);
    if (!profile)
      return kernel.emitError()
             << "expected " << VulkanProfileAttr::getModuleAttrName()
             << " on the module";
    return VulkanKernelCheck(kernel, profile).run();
  }
};
} // namespace
