//===- CheckRocmLimits.cpp - What AMD's GPUs can run ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCheck.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Transforms/GPUKernels/Passes.h"
#include "convoy/Transforms/Targets/Targets.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKROCMLIMITSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::GPUMatrixInstruction;

/// Whether `op`, of kind `kind`, is `instruction`.
template <typename MatrixOp>
static bool isInstruction(MatrixOp op, GPUMatrixInstruction::Op kind,
                          const GPUMatrixInstruction &instruction) {
  MatrixTypes types = getMatrixTypes(instruction, op.getContext());
  auto isVector = [](Type type, Type element, int64_t size) {
    return size == 1 ? type == element
                     : type == VectorType::get({size}, element);
  };
  return kind == instruction.op && op.getM() == GPUMatrixInstruction::kLines &&
         op.getN() == GPUMatrixInstruction::kLines &&
         op.getK() == instruction.terms &&
         isVector(op.getSourceA().getType(), types.operand,
                  instruction.operandElements) &&
         isVector(op.getSourceB().getType(), types.operand,
                  instruction.operandElements) &&
         isVector(op.getDestC().getType(), types.result,
                  instruction.resultElements);
}

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
      : KernelCheck(kernel, getLimits(chip)), chip(chip) {}

  LogicalResult run() {
    return success(succeeded(checkSize()) && succeeded(checkBuffers()) &&
                   succeeded(checkWorkgroupMemory()) &&
                   succeeded(checkBarriers()) && succeeded(checkValues()) &&
                   succeeded(checkMatrices()));
  }

private:
  LogicalResult checkBuffers() {
    for (unsigned number = 0; number < getBuffers().size(); ++number)
      if (failed(checkIsFlat(number)))
        return failure();
    return success();
  }

  LogicalResult checkValues() {
    for (Type type : getValueTypes())
      if (!hasType(type))
        return fail() << "values of " << type << ", which it does not have";
    return success();
  }

  /// Checks that the chip has the instructions for matrices: LLVM ends the
  /// program where it has not.
  LogicalResult checkMatrices() {
    WalkResult result = kernel.walk([&](Operation *op) {
      LogicalResult isThere = success();
      if (auto mfma = dyn_cast<amdgpu::MFMAOp>(op))
        isThere = checkMatrix(mfma, GPUMatrixInstruction::Op::Mfma);
      else if (auto wmma = dyn_cast<amdgpu::WMMAOp>(op))
        isThere = checkMatrix(wmma, GPUMatrixInstruction::Op::Wmma);
      return succeeded(isThere) ? WalkResult::advance()
                                : WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  template <typename MatrixOp>
  LogicalResult checkMatrix(MatrixOp op, GPUMatrixInstruction::Op kind) {
    bool isThere =
        llvm::any_of(chip.matrixInstructions, [&](std::string_view name) {
          return isInstruction(op, kind, *::convoy::getMatrixInstruction(name));
        });
    if (!isThere)
      return fail() << "matrix instruction " << op.getM() << 'x' << op.getN()
                    << 'x' << op.getK() << " of " << op.getSourceA().getType()
                    << ", " << op.getSourceB().getType() << " and "
                    << op.getDestC().getType() << ", which it does not have";
    return success();
  }

  static bool hasType(Type type) {
    return isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
               type) ||
           type.isInteger(1) || type.isInteger(8) || type.isInteger(16) ||
           type.isInteger(32) || type.isInteger(64);
  }

  const ::convoy::RocmChip &chip;
};

struct CheckRocmLimitsPass final
    : mlir::convoy::impl::CheckRocmLimitsPassBase<CheckRocmLimitsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkEachKernel(getOperation(), check)))
      signalPassFailure();
  }

private:
  static LogicalResult check(gpu::GPUFuncOp kernel) {
    const ::convoy::RocmChip *chip = findRocmChip(kernel);
    return success(chip && succeeded(RocmKernelCheck(kernel, *chip).run()));
  }
};
} // namespace
