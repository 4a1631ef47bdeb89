//===- CheckRocmLimits.cpp - What AMD's GPUs can run ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCheck.h"

#include "convoy/Transforms/Passes.h"
#include "convoy/Transforms/Transforms.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKROCMLIMITSPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

static WorkgroupLimits getLimits(const ::convoy::RocmChip &chip) {
  int64_t items = chip.workgroupItems;
  return {("chip " + Twine(StringRef(chip.name))).str(),
          items,
          {items, items, items},
          chip.workgroupBytes};
}

namespace {
/// Compares one kernel with what a chip offers.
class RocmKernelCheck : KernelCheck {
public:
  RocmKernelCheck(gpu::GPUFuncOp kernel, const ::convoy::RocmChip &chip)
      : KernelCheck(kernel, getLimits(chip)) {}

  LogicalResult run() {
    return success(succeeded(checkSize()) && succeeded(checkBuffers()) &&
                   succeeded(checkWorkgroupMemory()) &&
                   succeeded(checkValues()));
  }

private:
  LogicalResult checkBuffers() {
    for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      if (failed(checkIsFlat(number)))
        return failure();
      if (!cast<MemRefType>(type).hasStaticShape())
        return fail() << "expected a static size for argument " << number
                      << ", but got " << type;
    }
    return success();
  }

  LogicalResult checkValues() {
    for (Type type : getValueTypes())
      if (!hasType(type))
        return fail() << "values of " << type << ", which it does not have";
    return success();
  }

  static bool hasType(Type type) {
    return isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
               type) ||
           type.isInteger(1) || type.isInteger(8) || type.isInteger(16) ||
           type.isInteger(32) || type.isInteger(64);
  }
};

struct CheckRocmLimitsPass final
    : mlir::convoy::impl::CheckRocmLimitsPassBase<CheckRocmLimitsPass> {
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
    const ::convoy::RocmChip *chip = findRocmChip(kernel);
    return success(chip && succeeded(RocmKernelCheck(kernel, *chip).run()));
  }
};
} // namespace
