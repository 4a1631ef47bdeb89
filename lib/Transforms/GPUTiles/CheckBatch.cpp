//===- CheckBatch.cpp - The batch is what is not known ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/GPUTiles/Passes.h"
#include "convoy/Transforms/Utils/PadSizes.h"
#include "convoy/Transforms/Utils/Reassociation.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKBATCHPASS
#include "convoy/Transforms/GPUTiles/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Operand;

/// How many sizes of `type` are not known; nothing where its rank is not.
static std::optional<int64_t> countDynamicSizes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return 0;
  return shaped.hasRank() ? std::optional(shaped.getNumDynamicDims())
                          : std::nullopt;
}

/// Whether at most one size of `type` is not known.
static bool hasOneAtMost(Type type) {
  return countDynamicSizes(type).value_or(2) <= 1;
}

/// Whether all `sizes` are those of a dimension whose size is not known, which
/// is that of the batch.
static bool areBatch(ValueRange sizes) {
  return llvm::all_of(sizes, [](Value size) {
    auto dim = size.getDefiningOp<ShapedDimOpInterface>();
    std::optional<int64_t> number =
        dim ? getConstantIntValue(dim.getDimension()) : std::nullopt;
    auto type = dim ? dyn_cast<ShapedType>(dim.getShapedValue().getType())
                    : ShapedType();
    return number && type && type.hasRank() && *number >= 0 &&
           *number < type.getRank() && type.isDynamicDim(*number);
  });
}

/// Whether groups of dimensions with that of `type` that is not known have no
/// others of more than one element.
static bool isAlone(RankedTensorType type,
                    ArrayRef<ReassociationIndices> groups) {
  return llvm::all_of(groups, [&](const ReassociationIndices &group) {
    bool hasBatch = llvm::any_of(
        group, [&](int64_t dim) { return type.isDynamicDim(dim); });
    return !hasBatch || llvm::all_of(group, [&](int64_t dim) {
      return type.isDynamicDim(dim) || type.getDimSize(dim) == 1;
    });
  });
}

static bool padsKnownSizes(tensor::PadOp op) {
  if (!hasAllSizes(op))
    return false;
  for (auto [dim, low] : llvm::enumerate(op.getMixedLowPad()))
    if (op.getResultType().isDynamicDim(dim) &&
        (!op.getSourceType().isDynamicDim(dim) || !isZeroInteger(low) ||
         !isZeroInteger(op.getMixedHighPad()[dim])))
      return false;
  return true;
}

/// Whether the size of the samples that is not known is that of the image or
/// the grid.
static bool keepsSize(GridSampleOp op) {
  SampleLayoutAttr layout = op.getLayout();
  auto isKnown = [](Value operand, StringRef letters, char letter) {
    auto type = cast<RankedTensorType>(operand.getType());
    return !type.isDynamicDim(letters.find(letter));
  };
  for (auto [dim, letter] : llvm::enumerate(layout.getOutput())) {
    bool isOfImage = letter == 'n' || letter == 'c';
    if (op.getType().isDynamicDim(dim) &&
        (isOfImage ? isKnown(op.getInput(), layout.getInput(), letter)
                   : isKnown(op.getGrid(), layout.getGrid(), letter)))
      return false;
  }
  return true;
}

/// Whether the sizes of the gradient that are not known are those of the
/// samples' gradient.
static bool keepsSize(GridSampleBackwardInputOp op) {
  SampleLayoutAttr layout = op.getLayout();
  RankedTensorType samples = op.getOutputGradient().getType();
  return llvm::all_of(llvm::enumerate(layout.getInput()), [&](auto pair) {
    auto [dim, letter] = pair;
    return !op.getType().isDynamicDim(dim) ||
           samples.isDynamicDim(layout.getOutput().find(letter));
  });
}

/// Whether the size of the output or gradient that is not known is that of the
/// images.
static bool keepsSize(DeformOpInterface op) {
  bool isOfTaps = isa<DeformConvBackwardMaskOp, DeformConvBackwardOffsetOp>(op);
  auto roleOf = [&](Operand operand) {
    return op.getOperandFor(operand) == op.getInit();
  };
  StringRef letters = isOfTaps                  ? op.getOffsetLayout()
                      : roleOf(Operand::Input)  ? op.getLayout().getInput()
                      : roleOf(Operand::Filter) ? op.getLayout().getFilter()
                                                : op.getLayout().getOutput();
  auto type = cast<RankedTensorType>(op.getInit().getType());
  return llvm::all_of(llvm::enumerate(letters), [&](auto pair) {
    auto [dim, letter] = pair;
    return letter == 'n' || !type.isDynamicDim(dim);
  });
}

/// Whether the size of `op`'s results that is not known is that of its
/// operands, which is the batch.
static bool keepsBatch(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case([](linalg::LinalgOp op) {
        return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation();
        });
      })
      .Case([](tensor::EmptyOp op) { return areBatch(op.getDynamicSizes()); })
      .Case([](tensor::ExtractSliceOp op) { return areBatch(op.getSizes()); })
      .Case([](Im2colOp op) { return areBatch(op.getSizes()); })
      .Case([](tensor::CollapseShapeOp op) {
        return isAlone(op.getSrcType(), getDimGroups(op));
      })
      .Case([](tensor::ExpandShapeOp op) {
        return isAlone(op.getResultType(), getDimGroups(op));
      })
      .Case([](tensor::PadOp op) { return padsKnownSizes(op); })
      .Case([](GridSampleOp op) { return keepsSize(op); })
      .Case([](GridSampleBackwardInputOp op) { return keepsSize(op); })
      .Case([](DeformOpInterface op) { return keepsSize(op); })
      .Case([](ScatterAddOp op) {
        return !op.getType().isDynamicDim(1) && !op.getType().isDynamicDim(2);
      })
      .Case<ConvolutionOpInterface, Col2imOp, PadOp, PadBackwardOp,
            GridSampleBackwardGridOp, tensor::InsertSliceOp,
            bufferization::ToTensorOp, bufferization::ToBufferOp>(
          [](auto) { return true; })
      .Default(false);
}

static LogicalResult check(ConvolutionOpInterface op) {
  ConvLayouts layouts = op.getLayout().getLayouts();
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    auto type = cast<ShapedType>(op.getOperandFor(operand).getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (char letter = layouts[operand].letters()[dim];
          type.isDynamicDim(dim) && letter != 'n')
        return op->emitOpError()
               << "expected a known size of " << letter << " in the "
               << StringRef(::convoy::operandName(operand))
               << ", since kernels of GPUs take no dynamic size but the batch";
  }
  return success();
}

static LogicalResult check(func::FuncOp function) {
  for (Type type : function.getArgumentTypes())
    if (!hasOneAtMost(type))
      return function.emitError()
             << "expected no dynamic size but the batch, but got an argument "
             << type;
  WalkResult result = function.walk([](Operation *op) {
    if (auto conv = dyn_cast<ConvolutionOpInterface>(op);
        conv && failed(check(conv)))
      return WalkResult::interrupt();
    bool isStatic = llvm::all_of(op->getResultTypes(), [](Type type) {
      return countDynamicSizes(type) == 0;
    });
    if (isStatic ||
        (llvm::all_of(op->getResultTypes(), hasOneAtMost) && keepsBatch(op)))
      return WalkResult::advance();
    op->emitOpError(
        "expected no dynamic size but the batch, but its result may "
        "have another one");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct CheckBatchPass final
    : mlir::convoy::impl::CheckBatchPassBase<CheckBatchPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(check(function)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
