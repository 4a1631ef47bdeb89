//===- SplitReductions.cpp - Sums in parts for a GPU ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/WorkgroupCosts.h"
#include "convoy/Transforms/GPUTiles/Passes.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/ContractionPart.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "convoy/Transforms/GPUTiles/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The sum over the outermost dimension of `parts`, added to `init`.
static Value sumParts(OpBuilder &builder, Location loc, Value parts,
                      Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  int64_t rank = type.getRank();
  AffineMap result =
      builder.getMultiDimIdentityMap(rank + 1).getMajorSubMap(rank);
  SmallVector<AffineExpr> exprs = {builder.getAffineDimExpr(rank)};
  llvm::append_range(exprs, result.getResults());
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             builder, loc, type, parts, init,
             ArrayRef<AffineMap>{
                 AffineMap::get(rank + 1, 0, exprs, builder.getContext()),
                 result},
             iterators,
             [](OpBuilder &b, Location loc, ValueRange arguments) {
               Value part = arguments[0], sum = arguments[1];
               Value next =
                   isa<FloatType>(sum.getType())
                       ? arith::AddFOp::create(b, loc, sum, part).getResult()
                       : arith::AddIOp::create(b, loc, sum, part).getResult();
               linalg::YieldOp::create(b, loc, next);
             })
      .getResult(0);
}

static LogicalResult splitReduction(RewriterBase &rewriter,
                                    linalg::GenericOp contraction,
                                    const ReductionSplit &split) {
  Location loc = contraction.getLoc();
  rewriter.setInsertionPoint(contraction);
  SmallVector<Range> domain =
      cast<TilingInterface>(*contraction).getIterationDomain(rewriter);
  Value init = contraction.getOutputs()[0];
  SmallVector<OpFoldResult> sizes = {rewriter.getIndexAttr(split.parts)};
  llvm::append_range(sizes, tensor::getMixedSizes(rewriter, loc, init));
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        getElementTypeOrSelf(init.getType()));
  auto loop = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{rewriter.getIndexAttr(split.parts)},
      empty, std::nullopt);
  rewriter.setInsertionPoint(loop.getTerminator());
  Value number = loop.getInductionVars()[0];
  SmallVector<int64_t> extents = contraction.getStaticLoopRanges();
  int64_t left = split.parts;
  AffineExpr place = rewriter.getAffineDimExpr(0);
  for (auto [loop, count] : llvm::enumerate(split.counts)) {
    if (count == 1)
      continue;
    // The number's digits, of which the first needs no remainder.
    AffineExpr digit = left == split.parts ? place : place % left;
    left /= count;
    int64_t chunk = extents[loop] / count;
    domain[loop].offset = affine::makeComposedFoldedAffineApply(
        rewriter, loc, digit.floorDiv(left) * chunk, {number});
    domain[loop].size = rewriter.getIndexAttr(chunk);
  }
  SmallVector<OpFoldResult> starts, lengths;
  for (const Range &range : domain) {
    starts.push_back(range.offset);
    lengths.push_back(range.size);
  }
  Value zero = arith::ConstantOp::create(
      rewriter, loc,
      rewriter.getZeroAttr(getElementTypeOrSelf(init.getType())));
  FailureOr<Value> part =
      computePart(rewriter, contraction, starts, lengths, zero);
  if (failed(part))
    return failure();

  SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
  offsets[0] = number;
  sizes[0] = rewriter.getIndexAttr(1);
  rewriter.setInsertionPointToEnd(&loop.getTerminator().getRegion().front());
  tensor::ParallelInsertSliceOp::create(rewriter, loc, *part,
                                        loop.getRegionIterArgs()[0], offsets,
                                        sizes, strides);
  rewriter.setInsertionPoint(contraction);
  rewriter.replaceOp(contraction,
                     sumParts(rewriter, loc, loop.getResult(0), init));
  return success();
}

namespace {
struct SplitReductionsPass final
    : mlir::convoy::impl::SplitReductionsPassBase<SplitReductionsPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    SmallVector<linalg::GenericOp> contractions =
        getContractions(getOperation());
    if (explain && (!target.isGPU() || contractions.empty()))
      emitRemark(getOperation()->getLoc())
          << getWords(Choice::ReductionWhole) << ": "
          << (target.isGPU() ? "there is no contraction over convoy.im2col"
                             : "the target is no GPU");
    if (!target.isGPU())
      return;
    IRRewriter rewriter(&getContext());
    // Loops around the innermost take iterations as well.
    auto profile = VulkanProfileAttr::lookup(getOperation());
    int64_t mostTerms = profile ? profile.getLimits().loopIterations / 2
                                : std::numeric_limits<int64_t>::max();
    for (linalg::GenericOp contraction : contractions) {
      std::optional<ReductionSplit> split;
      // Parts without elements cannot be cut out.
      if (!llvm::is_contained(contraction.getStaticLoopRanges(), 0))
        split = chooseReductionSplit(
            target, contraction,
            getLoopStrides(contraction, getRowsOf(contraction)), mostTerms);
      if (explain && split)
        contraction.emitRemark() << "sums are formed in " << split->parts
                                 << getWords(Choice::ReductionSplit);
      else if (explain)
        contraction.emitRemark() << getWords(Choice::ReductionInOnePart)
                                 << ": there are "
                                    "workgroups enough, or too few terms";
      if (!split)
        continue;
      if (failed(splitReduction(rewriter, contraction, *split)))
        return signalPassFailure();
    }
  }
};
} // namespace
