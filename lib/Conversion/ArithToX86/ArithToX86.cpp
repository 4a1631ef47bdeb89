//===- ArithToX86.cpp - Instructions that LLVM does not find ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Utils/PairProducts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ARITHTOX86PASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The intrinsic that multiplies vectors of so many bytes; empty where there is
/// none.
static StringRef getPairIntrinsic(int64_t bytes) {
  switch (bytes) {
  case 16:
    return "llvm.x86.sse2.pmadd.wd";
  case 32:
    return "llvm.x86.avx2.pmadd.wd";
  case 64:
    return "llvm.x86.avx512.pmaddw.d.512";
  default:
    return "";
  }
}

namespace {
/// See the pass's description.
struct MultiplyPairs final : OpRewritePattern<arith::AddIOp> {
  MultiplyPairs(MLIRContext *context, int64_t pairBytes)
      : OpRewritePattern(context), pairBytes(pairBytes) {}

  LogicalResult matchAndRewrite(arith::AddIOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    std::optional<PairProduct> product = matchPairProduct(op);
    if (!type || !product)
      return rewriter.notifyMatchFailure(op, "is no product of words");
    int64_t bytes = type.getNumElements() * 4;
    StringRef intrinsic = getPairIntrinsic(bytes);
    if (type.getRank() != 1 || type.isScalable() || bytes > pairBytes ||
        intrinsic.empty())
      return rewriter.notifyMatchFailure(op, "is of no vector of a register");
    Location loc = op.getLoc();
    auto halves =
        VectorType::get({type.getNumElements() * 2}, rewriter.getI16Type());
    SmallVector<Value> factors;
    for (Value words : {product->a, product->b})
      factors.push_back(
          vector::BitCastOp::create(rewriter, loc, halves, words));
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, type, rewriter.getStringAttr(intrinsic), factors);
    return success();
  }

private:
  int64_t pairBytes;
};

struct ArithToX86Pass final
    : mlir::convoy::impl::ArithToX86PassBase<ArithToX86Pass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MultiplyPairs>(
        &getContext(), TargetAttr::lookup(getOperation()).getCore().pairBytes);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
