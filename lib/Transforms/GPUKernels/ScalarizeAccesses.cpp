//===- ScalarizeAccesses.cpp - Vectors, element by element ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/GPUKernels/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SCALARIZEACCESSESPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// `indices`, `lane` elements further on.
static SmallVector<Value> advance(OpBuilder &builder, Location loc,
                                  ValueRange indices, int64_t lane) {
  SmallVector<Value> result(indices);
  if (lane == 0)
    return result;
  Value offset = arith::ConstantIndexOp::create(builder, loc, lane);
  result.back() = arith::AddIOp::create(builder, loc, result.back(), offset);
  return result;
}

/// Why an access is left as it is, or nothing.
template <typename AccessOp>
static StringRef whyNot(AccessOp op) {
  if (op.getVectorType().getRank() != 1 || op.getVectorType().isScalable())
    return "not a vector of one dimension";
  if (!canUnroll(op.getVectorType().getShape()))
    return "the vector is too long to be taken apart";
  if (isa<VectorType>(op.getMemRefType().getElementType()))
    return "the buffer's elements are vectors";
  return "";
}

namespace {
/// vector.load -> memref.load of each element
struct ScalarizeLoad final : OpRewritePattern<vector::LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::LoadOp op,
                                PatternRewriter &rewriter) const override {
    if (StringRef reason = whyNot(op); !reason.empty())
      return rewriter.notifyMatchFailure(op, reason);
    Location loc = op.getLoc();
    SmallVector<Value> elements;
    for (int64_t lane : llvm::seq(op.getVectorType().getNumElements()))
      elements.push_back(memref::LoadOp::create(
          rewriter, loc, op.getBase(),
          advance(rewriter, loc, op.getIndices(), lane)));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, op.getVectorType(),
                                                        elements);
    return success();
  }
};

/// vector.store -> memref.store of each element
struct ScalarizeStore final : OpRewritePattern<vector::StoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::StoreOp op,
                                PatternRewriter &rewriter) const override {
    if (StringRef reason = whyNot(op); !reason.empty())
      return rewriter.notifyMatchFailure(op, reason);
    Location loc = op.getLoc();
    for (int64_t lane : llvm::seq(op.getVectorType().getNumElements())) {
      Value element =
          vector::ExtractOp::create(rewriter, loc, op.getValueToStore(), lane);
      memref::StoreOp::create(rewriter, loc, element, op.getBase(),
                              advance(rewriter, loc, op.getIndices(), lane));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct ScalarizeAccessesPass final
    : mlir::convoy::impl::ScalarizeAccessesPassBase<ScalarizeAccessesPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ScalarizeLoad, ScalarizeStore>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
