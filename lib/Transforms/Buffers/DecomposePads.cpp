//===- DecomposePads.cpp - Pads as copies and fills -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/LoopStrides.h"
#include "convoy/Transforms/Utils/PadSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DECOMPOSEPADSPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Rows of a multiple of so many bytes begin in so few sets of the L1 cache, at
/// most four, that they push each other out.
static int64_t getAliasedBytes(TargetAttr target) {
  return std::max<int64_t>(1, target.getCore().criticalStride / 4);
}

namespace {
/// A box of a buffer.
struct Box {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  Value of(OpBuilder &builder, Location loc, Value buffer) const {
    return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes,
                                     strides);
  }
};

/// See the pass's description.
struct DecomposePad final : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    Value padding = op.getConstantPaddingValue();
    if (!padding)
      return rewriter.notifyMatchFailure(op, "pads with more than one value");
    if (!hasAllSizes(op))
      return rewriter.notifyMatchFailure(
          op, "lacks an operand for a dynamic size of padding");
    Location loc = op.getLoc();
    auto type = op.getType();
    ReifiedRankedShapedTypeDims sizes;
    if (failed(reifyResultShapes(rewriter, op, sizes)))
      return rewriter.notifyMatchFailure(op, "has sizes that are not known");
    Value buffer = createBuffer(rewriter, op, sizes[0]);
    Box inner = {
        op.getMixedLowPad(),
        tensor::getMixedSizes(rewriter, loc, op.getSource()),
        SmallVector<OpFoldResult>(type.getRank(), rewriter.getIndexAttr(1))};
    fillBorders(rewriter, op, padding, buffer, inner, sizes[0]);
    Value to = inner.of(rewriter, loc, buffer);
    auto copy = op.getSource().getDefiningOp<linalg::GenericOp>();
    if (copy && isCopy(copy) && copy->hasOneUse())
      linalg::GenericOp::create(
          rewriter, loc, toBuffer(rewriter, loc, copy.getInputs()[0]), to,
          copy.getIndexingMapsArray(), copy.getIteratorTypesArray(),
          [](OpBuilder &b, Location loc, ValueRange args) {
            linalg::YieldOp::create(b, loc, args[0]);
          });
    else
      memref::CopyOp::create(rewriter, loc,
                             toBuffer(rewriter, loc, op.getSource()), to);
    rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(
        op, type, buffer, /*restrict=*/true, /*writable=*/true);
    return success();
  }

  /// Room for what `op` gives, of these sizes. Rows that would all begin in a
  /// few sets of a cache are longer.
  static Value createBuffer(OpBuilder &builder, tensor::PadOp op,
                            ArrayRef<OpFoldResult> sizes) {
    Location loc = op.getLoc();
    auto [shape, dynamicSizes] = decomposeMixedValues(sizes);
    auto target = TargetAttr::lookup(op);
    bool isLonger = haveAliasedRows(op.getType(), getAliasedBytes(target));
    if (isLonger)
      shape.back() +=
          std::min(target.getCore().lineBytes, getAliasedBytes(target)) /
          getElementBytes(op.getSource());
    Value buffer = memref::AllocOp::create(
        builder, loc, MemRefType::get(shape, op.getType().getElementType()),
        dynamicSizes);
    if (!isLonger)
      return buffer;
    Box rows = {
        SmallVector<OpFoldResult>(sizes.size(), builder.getIndexAttr(0)),
        SmallVector<OpFoldResult>(sizes),
        SmallVector<OpFoldResult>(sizes.size(), builder.getIndexAttr(1))};
    return rows.of(builder, loc, buffer);
  }

  static bool haveAliasedRows(RankedTensorType type, int64_t aliasedBytes) {
    if (type.getRank() < 2 || !type.getElementType().isIntOrFloat())
      return false;
    int64_t row = type.getShape().back();
    return !ShapedType::isDynamic(row) && row > 0 &&
           row * getElementBytes(type.getElementType()) % aliasedBytes == 0;
  }

  /// A buffer that `tensor` is read from, wherever it lies.
  static Value toBuffer(OpBuilder &builder, Location loc, Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
    auto bufferType =
        MemRefType::get(type.getShape(), type.getElementType(),
                        StridedLayoutAttr::get(builder.getContext(),
                                               ShapedType::kDynamic, strides));
    return bufferization::ToBufferOp::create(builder, loc, bufferType, tensor,
                                             /*read_only=*/true);
  }

  /// Fills `buffer`, of these sizes, around `inner`: each dimension takes what
  /// is below and above, and leaves the rest to those after it.
  static void fillBorders(OpBuilder &builder, tensor::PadOp op, Value padding,
                          Value buffer, const Box &inner,
                          ArrayRef<OpFoldResult> sizes) {
    Location loc = op.getLoc();
    AffineExpr a = builder.getAffineSymbolExpr(0),
               b = builder.getAffineSymbolExpr(1);
    Box rest = {
        SmallVector<OpFoldResult>(sizes.size(), builder.getIndexAttr(0)),
        SmallVector<OpFoldResult>(sizes), inner.strides};
    auto fill = [&](unsigned dim, OpFoldResult offset, OpFoldResult size) {
      if (isZeroInteger(size))
        return;
      Box border = rest;
      border.offsets[dim] = offset;
      border.sizes[dim] = size;
      linalg::FillOp::create(builder, loc, padding,
                             border.of(builder, loc, buffer));
    };
    for (auto [dim, high] : llvm::enumerate(op.getMixedHighPad())) {
      OpFoldResult low = inner.offsets[dim], size = inner.sizes[dim];
      fill(dim, builder.getIndexAttr(0), low);
      fill(dim,
           affine::makeComposedFoldedAffineApply(builder, loc, a + b,
                                                 {low, size}),
           high);
      rest.offsets[dim] = low;
      rest.sizes[dim] = size;
    }
  }
};

struct DecomposePadsPass final
    : mlir::convoy::impl::DecomposePadsPassBase<DecomposePadsPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposePad>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    // Copies that now go into the padded buffer.
    getOperation()->walk([](linalg::GenericOp op) {
      if (isOpTriviallyDead(op))
        op.erase();
    });
  }
};
} // namespace
