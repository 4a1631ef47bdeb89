//===- GeneralizeOps.cpp - Make ops on tensors generic ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/TensorOps/Passes.h"
#include "convoy/Transforms/TensorOps/Patterns.h"
#include "convoy/Transforms/Utils/PlanErrors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_GENERALIZEOPSPASS
#include "convoy/Transforms/TensorOps/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// A tensor of `sizes` that holds `value` everywhere.
static Value createFill(OpBuilder &builder, Location loc, Value value,
                        ArrayRef<OpFoldResult> sizes) {
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, value.getType());
  return linalg::FillOp::create(builder, loc, value, empty).getResult(0);
}

/// Whether kernels compute with such elements; `index` is for shapes.
static bool isData(Type element) { return element.isIntOrFloat(); }

namespace {
/// Every named op of linalg that has a body but `linalg.fill`, which says more
/// than its body does.
struct GeneralizeNamedOp final : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::FillOp>(op))
      return rewriter.notifyMatchFailure(op, "fills stay");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// `linalg.softmax` and its like, which have no body.
struct DecomposeAggregate final
    : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (failed(parts))
      return rewriter.notifyMatchFailure(op, "cannot be decomposed");
    rewriter.replaceOp(op, *parts);
    return success();
  }
};

struct LowerPack final : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::PackOp op,
                                PatternRewriter &rewriter) const override {
    return linalg::lowerPack(rewriter, op);
  }
};

struct LowerUnPack final : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::UnPackOp op,
                                PatternRewriter &rewriter) const override {
    return linalg::lowerUnPack(rewriter, op);
  }
};

struct GeneralizeGenerate final : OpRewritePattern<tensor::GenerateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GenerateOp op,
                                PatternRewriter &rewriter) const override {
    if (!isData(op.getType().getElementType()))
      return rewriter.notifyMatchFailure(op, "elements are no data");
    return linalg::rewriteInDestinationPassingStyle(rewriter, op);
  }
};

struct SplatToFill final : OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::SplatOp op,
                                PatternRewriter &rewriter) const override {
    if (!isData(op.getType().getElementType()))
      return rewriter.notifyMatchFailure(op, "elements are no data");
    rewriter.replaceOp(
        op, createFill(rewriter, op.getLoc(), op.getInput(),
                       getMixedValues(op.getType().getShape(),
                                      op.getDynamicSizes(), op.getContext())));
    return success();
  }
};

/// One element that is written becomes a slice of one.
struct InsertToSlice final : OpRewritePattern<tensor::InsertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!isData(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "elements are no data");
    SmallVector<OpFoldResult> ones(type.getRank(), rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, createFill(rewriter, op.getLoc(), op.getScalar(), ones),
        op.getDest(), getAsOpFoldResult(op.getIndices()), ones, ones);
    return success();
  }
};

struct FromElementsToSlices final : OpRewritePattern<tensor::FromElementsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::FromElementsOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!isData(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "elements are no data");
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(op.getContext(), type.getShape());
    if (!op.getElements().empty() && llvm::all_equal(op.getElements())) {
      rewriter.replaceOp(op, createFill(rewriter, op.getLoc(),
                                        op.getElements().front(), sizes));
      return success();
    }
    Value whole = tensor::EmptyOp::create(rewriter, op.getLoc(), sizes,
                                          type.getElementType());
    SmallVector<OpFoldResult> ones(type.getRank(), rewriter.getIndexAttr(1));
    SmallVector<int64_t> place(type.getRank(), 0);
    for (Value element : op.getElements()) {
      whole = tensor::InsertSliceOp::create(
          rewriter, op.getLoc(),
          createFill(rewriter, op.getLoc(), element, ones), whole,
          getAsIndexOpFoldResult(op.getContext(), place), ones, ones);
      for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
        if (++place[dim] < type.getDimSize(dim))
          break;
        place[dim] = 0;
      }
    }
    rewriter.replaceOp(op, whole);
    return success();
  }
};

/// `tensor.reshape` between static shapes, by way of one dimension.
struct ReshapeToGroups final : OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(op.getType());
    if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() ||
        from.getNumElements() != to.getNumElements())
      return rewriter.notifyMatchFailure(op, "shapes are not static");
    auto getGroups = [](int64_t rank) {
      SmallVector<ReassociationIndices> groups;
      if (rank > 0)
        groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(rank)));
      return groups;
    };
    auto flat =
        RankedTensorType::get(from.getNumElements(), from.getElementType());
    Value value = op.getSource();
    // What has no dimension or one is flat, or made so by the other op.
    if (from.getRank() > 1)
      value = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), flat,
                                              value, getGroups(from.getRank()));
    else if (from.getRank() == 0)
      value = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), flat, value,
                                            getGroups(0));
    if (to.getRank() > 1)
      value = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), to, value,
                                            getGroups(to.getRank()));
    else if (to.getRank() == 0)
      value = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), to, value,
                                              getGroups(0));
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// A choice between whole tensors is one for each element.
struct SplatCondition final : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(op.getType()) ||
        isa<ShapedType>(op.getCondition().getType()))
      return rewriter.notifyMatchFailure(op, "elements are chosen already");
    Value condition = createFill(
        rewriter, op.getLoc(), op.getCondition(),
        tensor::getMixedSizes(rewriter, op.getLoc(), op.getTrueValue()));
    rewriter.modifyOpInPlace(
        op, [&] { op.getConditionMutable().assign(condition); });
    return success();
  }
};

/// A reduction of nothing leaves what it begins with. Kernels for Vulkan cannot
/// take the buffers without elements that it would read.
struct DropEmptyReduction final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!llvm::is_contained(op.getStaticLoopRanges(), 0) ||
        !op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "there are iterations");
    rewriter.replaceOp(op, op.getDpsInits());
    return success();
  }
};

/// Whether each element of `init` is written, whatever sizes turn out to be.
static bool isWrittenWhole(linalg::GenericOp op, OpOperand &init) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  // Dynamic sizes are negative, and may be 0.
  return op.getMatchingIndexingMap(&init).isProjectedPermutation() &&
         llvm::all_of(reduced, [&](unsigned loop) { return sizes[loop] > 0; });
}

/// What is not read makes way for an empty tensor: a given one would be copied
/// to be overwritten, and the tensors of a long chain would all be one to
/// bufferization, which then takes a time that grows with the cube of its
/// length.
struct DropUnreadInits final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    bool hasChanged = false;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto type = dyn_cast<RankedTensorType>(init.get().getType());
      if (!type || init.get().getDefiningOp<tensor::EmptyOp>() ||
          op.payloadUsesValueFromOperand(&init) || !isWrittenWhole(op, init))
        continue;
      Value empty = tensor::EmptyOp::create(
          rewriter, op.getLoc(),
          tensor::getMixedSizes(rewriter, op.getLoc(), init.get()),
          type.getElementType());
      rewriter.modifyOpInPlace(op, [&] { init.set(empty); });
      hasChanged = true;
    }
    return hasChanged ? success()
                      : rewriter.notifyMatchFailure(op, "all inits are read");
  }
};

struct GeneralizeOpsPass final
    : mlir::convoy::impl::GeneralizeOpsPassBase<GeneralizeOpsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyNoPlan(getOperation(), TileLanesAttr::getAttrName(),
                            "it is in no register tile yet")))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateGeneralizeOpsPatterns(patterns);
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config))) {
      getOperation()->emitOpError("has ops that do not become generic within "
                                  "as many steps as a rewriter takes");
      signalPassFailure();
    }
  }
};
} // namespace

void mlir::convoy::populateGeneralizeOpsPatterns(RewritePatternSet &patterns) {
  patterns.add<GeneralizeNamedOp, DecomposeAggregate, LowerPack, LowerUnPack,
               GeneralizeGenerate, SplatToFill, InsertToSlice,
               FromElementsToSlices, ReshapeToGroups, SplatCondition,
               DropEmptyReduction, DropUnreadInits>(patterns.getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
}
