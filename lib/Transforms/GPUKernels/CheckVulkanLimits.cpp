//===- CheckVulkanLimits.cpp - What a device can run ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCheck.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Support/GPUMatrixInstruction.h"
#include "convoy/Transforms/GPUKernels/IndexWidth.h"
#include "convoy/Transforms/GPUKernels/Passes.h"
#include "convoy/Transforms/Utils/Divisibility.h"
#include "convoy/Transforms/Utils/LoopValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKVULKANLIMITSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ElementType;
using ::convoy::GPUMatrixInstruction;
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
                   succeeded(checkBarriers()) && succeeded(checkValues()) &&
                   succeeded(checkMatrices()) && succeeded(checkLoops()));
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

  /// What loops the device runs to their ends. Loops over a batch of any size
  /// count as over one image: the kernel's interface says how many there may
  /// be.
  LogicalResult checkLoops() {
    uint64_t iterations = countIterations(kernel.getBody(), /*unknown=*/1);
    if (iterations > uint64_t(limits.loopIterations))
      return fail() << "work-items with " << iterations
                    << " iterations of loops, but only the first "
                    << limits.loopIterations << " are run";
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

  /// The cooperative matrices that the device must have.
  LogicalResult checkMatrices() {
    WalkResult result = kernel.walk([&](Operation *op) {
      return WalkResult(llvm::TypeSwitch<Operation *, LogicalResult>(op)
                            .Case([&](gpu::SubgroupMmaComputeOp product) {
                              return checkMatrix(product);
                            })
                            .Case([&](gpu::SubgroupMmaLoadMatrixOp load) {
                              return checkAlignment(load, load.getSrcMemref());
                            })
                            .Case([&](gpu::SubgroupMmaStoreMatrixOp store) {
                              return checkAlignment(store,
                                                    store.getDstMemref());
                            })
                            .Default(success()));
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult checkMatrix(gpu::SubgroupMmaComputeOp op) {
    auto a = cast<gpu::MMAMatrixType>(op.getOpA().getType());
    auto b = cast<gpu::MMAMatrixType>(op.getOpB().getType());
    auto c = cast<gpu::MMAMatrixType>(op.getOpC().getType());
    bool hasBF16 = op->hasAttr(kBF16FactorsAttrName);
    bool isThere = llvm::any_of(
        ::convoy::getCooperativeMatrices(limits), [&](std::string_view name) {
          const auto &instruction = *::convoy::getMatrixInstruction(name);
          return hasBF16 == (instruction.operand == ElementType::BF16) &&
                 isProduct(instruction, a, b, c);
        });
    if (!isThere)
      return fail() << "cooperative matrices " << a << ", " << b << " and " << c
                    << (hasBF16 ? " of bf16" : "")
                    << ", which it does not have";
    int64_t items = kernel.getKnownBlockSize()->front();
    if (items % limits.subgroup != 0)
      return fail() << "cooperative matrices in a workgroup of " << items
                    << " work-items along x, but expected whole subgroups of "
                    << limits.subgroup;
    return success();
  }

  static bool isProduct(const GPUMatrixInstruction &instruction,
                        gpu::MMAMatrixType a, gpu::MMAMatrixType b,
                        gpu::MMAMatrixType c) {
    constexpr int64_t lines = GPUMatrixInstruction::kLines;
    MatrixTypes types = getMatrixTypes(instruction, a.getContext());
    if (types.operand.isBF16())
      types.operand = Float16Type::get(a.getContext());
    auto isMatrix = [](gpu::MMAMatrixType matrix, int64_t rows, int64_t columns,
                       Type element) {
      Type own = matrix.getElementType();
      return matrix.getShape() == ArrayRef<int64_t>{rows, columns} &&
             (own == element || (element.isInteger(8) && own.isInteger(8) &&
                                 !own.isSignlessInteger()));
    };
    return a.getElementType() == b.getElementType() &&
           isMatrix(a, lines, instruction.terms, types.operand) &&
           isMatrix(b, instruction.terms, lines, types.operand) &&
           isMatrix(c, lines, lines, types.result);
  }

  /// Whether lines of a matrix begin at multiples of 16 bytes
  /// (RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986).
  template <typename AccessOp>
  LogicalResult checkAlignment(AccessOp access, Value buffer) {
    constexpr int64_t lineBytes = 16;
    auto type = cast<MemRefType>(buffer.getType());
    int64_t elements = std::max<int64_t>(
        lineBytes / getElementBytes(type.getElementType()), 1);
    if (access.getLeadDimension().urem(elements) == 0 &&
        isMultipleOf(access.getIndices().back(), elements))
      return success();
    return fail() << "a cooperative matrix in a " << type
                  << " whose lines are not known to begin at multiples of "
                  << lineBytes << " bytes";
  }

  bool hasType(Type type) const {
    if (auto matrix = dyn_cast<gpu::MMAMatrixType>(type))
      type = matrix.getElementType();
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
