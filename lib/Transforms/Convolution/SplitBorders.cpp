//===- SplitBorders.cpp - Convolve borders by themselves --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvParts.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Costs/Groups.h"
#include "convoy/Transforms/Costs/PaddingPlan.h"
#include "convoy/Transforms/Utils/ConvRewrites.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/PlanErrors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SPLITBORDERSPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Layout;
using ::convoy::Operand;

/// The box of `part` in `tensor`, which plays `operand`.
static TensorSlice getBox(OpBuilder &builder, ConvOp op, Value tensor,
                          Operand operand, const BorderPart &part) {
  TensorSlice box(builder, op.getLoc(), tensor);
  Layout layout = op.getLayout().getLayouts()[operand];
  for (auto [letter, dim] :
       llvm::zip_equal(::convoy::spatialLetters(part.size()), part)) {
    auto [offset, size] = dim.getRange(operand);
    box.narrow(layout.position(letter), offset, size);
  }
  return box;
}

/// The most parts of a tensor of so many spatial dimensions: those of four
/// phases in two dimensions. Each is one more case of every element for a
/// proof.
static size_t getMostInsertions(int64_t spatialRank) {
  return spatialRank > 2 ? 9 : 36;
}

/// How many parts were inserted into the tensor of which `init` is a part.
static size_t countInsertions(Value init) {
  size_t count = 0;
  // Code that is never reached may use its own result.
  SmallPtrSet<Operation *, 16> seen;
  for (Operation *op = init.getDefiningOp(); op && seen.insert(op).second;
       op = init.getDefiningOp()) {
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      init = fill.getOutputs()[0];
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      init = slice.getSource();
    } else if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op)) {
      init = insertion.getDest();
      ++count;
    } else {
      break;
    }
  }
  return count;
}

/// `part` of `op`, added to `init`, which is the part of the result.
static Value convolvePart(OpBuilder &builder, ConvOp op, Value init,
                          const BorderPart &part) {
  Value taps =
      getBox(builder, op, op.getFilter(), Operand::Filter, part).extract();
  auto window = WindowAttr::get(
      op.getContext(), llvm::map_to_vector(part, [](const BorderDim &dim) {
        return dim.window;
      }));
  return ConvOp::create(builder, op.getLoc(), op.getInput(), taps, init,
                        op.getZeroPoints(), op.getLayout(), window,
                        op.getNumerics());
}

/// The sum of the parts of `op`, each of which is some of its taps.
static Value computeSum(OpBuilder &builder, ConvOp op,
                        const BorderParts &borders) {
  Type element = getElementTypeOrSelf(op.getInit());
  Type accumulator = cast<ConvolutionOpInterface>(*op).getAccumulatorType();
  // It is rounded once.
  Value sum = convertElements(builder, op.getLoc(), op.getInit(), accumulator);
  for (const BorderPart &part : borders.parts) {
    TensorSlice box = getBox(builder, op, sum, Operand::Output, part);
    sum = box.insert(convolvePart(builder, op, box.extract(), part));
  }
  return convertElements(builder, op.getLoc(), sum, element);
}

/// Replaces `op` by `parts` of its positions.
static void splitPositions(RewriterBase &rewriter, ConvOp op, ConvParts &whole,
                           ArrayRef<BorderPart> parts) {
  rewriter.setInsertionPoint(whole.getRoot());
  Value result = whole.getDestination();
  for (const BorderPart &part : parts) {
    TensorSlice box = getBox(rewriter, op, result, Operand::Output, part);
    result = box.insert(whole.compute(box, [&](Value init) {
      return convolvePart(rewriter, op, init, part);
    }));
  }
  whole.replaceBy(result);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Whether the input of `op` is a copy in another order, padded or not.
static bool hasTransposedInput(ConvOp op) {
  Value input = op.getInput();
  if (auto pad = input.getDefiningOp<tensor::PadOp>())
    input = pad.getSource();
  auto copy = input.getDefiningOp<linalg::GenericOp>();
  return copy && isCopy(copy);
}

/// The parts of `op` as `plan`, which a pass before has left on it, says: none
/// where its borders are not split.
static FailureOr<std::optional<BorderParts>>
getPlannedBorders(ConvolutionOpInterface op, GroupPanelAttr plan) {
  auto emitError = [&] { return emitPlanError(op, plan); };
  if (op.hasEmptyTensor())
    return std::optional<BorderParts>();
  if (!hasKnownGroups(op))
    return emitError() << "it has no groups of static sizes";
  int64_t groups = op.getSize(Operand::Output, 'g');
  if (groups != plan.getGroups())
    return emitError() << "it has " << groups << " groups";
  switch (plan.getPadding()) {
  case PanelPadding::Undecided:
    return getPaddingPlan(op).borders;
  case PanelPadding::Transposed:
    if (!hasTransposedInput(cast<ConvOp>(*op)))
      return emitError() << "its input is not copied";
    return std::optional<BorderParts>();
  case PanelPadding::Copied:
    return std::optional<BorderParts>();
  case PanelPadding::Split:
    break;
  }
  std::optional<BorderParts> borders;
  if (!op.getWindow().hasInputDilation())
    borders = getBorderParts(op);
  if (!borders)
    return emitError() << "its borders cannot be split";
  return borders;
}

/// The parts that `op` is best computed in, or shall be.
static FailureOr<std::optional<BorderParts>> getBorders(ConvOp op,
                                                        GroupPanelAttr plan) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  if (plan)
    return getPlannedBorders(conv, plan);
  return getPaddingPlan(conv).borders;
}

/// Computes `op` in parts; fails where there would be too many.
static bool splitBorders(RewriterBase &rewriter, ConvOp op,
                         const BorderParts &borders) {
  bool sumsParts = borders.operand == Operand::Filter;
  ConvParts positions(rewriter, op);
  Value destination = sumsParts ? op.getInit() : positions.getDestination();
  if (borders.parts.size() + countInsertions(destination) >
      getMostInsertions(op.getLayout().getSpatialRank()))
    return false;
  if (!sumsParts) {
    splitPositions(rewriter, op, positions, borders.parts);
    return true;
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, computeSum(rewriter, op, borders));
  return true;
}

namespace {
struct SplitBordersPass final
    : mlir::convoy::impl::SplitBordersPassBase<SplitBordersPass> {
  using Base::Base;

  void runOnOperation() override {
    if (TargetAttr::lookup(getOperation()).isGPU() &&
        failed(verifyNoPlan(getOperation(), GroupPanelAttr::getAttrName(),
                            "the target is a GPU")))
      return signalPassFailure();
    // A GPU copies no padding.
    rewriteConvsForCPU(
        getOperation(), explain,
        [&](RewriterBase &rewriter, ConvOp op,
            TargetAttr) -> std::optional<Choice> {
          auto plan =
              op->getAttrOfType<GroupPanelAttr>(GroupPanelAttr::getAttrName());
          if (!plan && !hasKnownGroups(cast<ConvolutionOpInterface>(*op)))
            return Choice::SizesUnknown;
          FailureOr<std::optional<BorderParts>> borders = getBorders(op, plan);
          if (failed(borders)) {
            signalPassFailure();
            return std::nullopt;
          }
          rewriter.modifyOpInPlace(
              op, [&] { op->removeAttr(GroupPanelAttr::getAttrName()); });
          if (!*borders)
            return plan && plan.getPadding() == PanelPadding::Transposed
                       ? Choice::InputCopiedAnyway
                       : Choice::PaddingIsCheaper;
          if (splitBorders(rewriter, op, **borders))
            return std::nullopt;
          return Choice::TooManyParts;
        });
  }
};
} // namespace
