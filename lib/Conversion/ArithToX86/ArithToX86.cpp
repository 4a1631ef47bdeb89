//===- ArithToX86.cpp - Instructions that LLVM does not find ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Utils/WordProducts.h"

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

namespace {
/// Intrinsics that multiply words which fill a register.
struct WordInstruction {
  StringLiteral names[3]; ///< for vectors of 16, 32 and 64 bytes
  bool adds;              ///< the products to a sum, its first operand

  /// That for vectors of so many bytes; empty where there is none.
  StringRef getName(int64_t bytes) const {
    bool isKnown = bytes == 16 || bytes == 32 || bytes == 64;
    return isKnown ? StringRef(names[llvm::Log2_64(bytes) - 4]) : StringRef();
  }
};
} // namespace

/// llvm.x86.avx512.vpdpwssd is what LLVM makes of the sum.
static constexpr WordInstruction kIntegerPairs = {
    {"llvm.x86.sse2.pmadd.wd", "llvm.x86.avx2.pmadd.wd",
     "llvm.x86.avx512.pmaddw.d.512"},
    /*adds=*/false};
static constexpr WordInstruction kIntegerQuads = {
    {"llvm.x86.avx512.vpdpbusd.128", "llvm.x86.avx512.vpdpbusd.256",
     "llvm.x86.avx512.vpdpbusd.512"},
    /*adds=*/true};
static constexpr WordInstruction kBF16Pairs = {
    {"llvm.x86.avx512bf16.dpbf16ps.128", "llvm.x86.avx512bf16.dpbf16ps.256",
     "llvm.x86.avx512bf16.dpbf16ps.512"},
    /*adds=*/true};

/// What multiplies words of `parts` on `core` in vectors of so many bytes; null
/// where nothing does. Of four parts, `a` is unsigned and `b` is not.
static const WordInstruction *
findInstruction(const WordParts &parts, const CoreTraits &core, int64_t bytes) {
  bool areSigned = !parts.aUnsigned && !parts.bUnsigned;
  if (parts.type.isInteger(16) && areSigned && bytes <= core.pairBytes)
    return &kIntegerPairs;
  if (parts.type.isInteger(8) && parts.aUnsigned && !parts.bUnsigned &&
      bytes <= core.quadBytes)
    return &kIntegerQuads;
  return parts.type.isBF16() && bytes <= core.bf16PairBytes ? &kBF16Pairs
                                                            : nullptr;
}

namespace {
/// See the pass's description.
template <typename Add>
struct MultiplyWords final : OpRewritePattern<Add> {
  MultiplyWords(MLIRContext *context, const CoreTraits &core)
      : OpRewritePattern<Add>(context), core(core) {}

  LogicalResult matchAndRewrite(Add op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    std::optional<WordSum> words = matchWordSum(op);
    if (!type || !words)
      return rewriter.notifyMatchFailure(op, "is no sum of products of words");
    if (words->parts.bUnsigned && !words->parts.aUnsigned) {
      std::swap(words->a, words->b);
      std::swap(words->parts.aUnsigned, words->parts.bUnsigned);
    }
    int64_t bytes = type.getNumElements() * 4;
    const WordInstruction *instruction =
        findInstruction(words->parts, core, bytes);
    StringRef name = instruction ? instruction->getName(bytes) : StringRef();
    if (type.getRank() != 1 || type.isScalable() || name.empty())
      return rewriter.notifyMatchFailure(op, "is of no vector of a register");
    Location loc = op.getLoc();
    auto parts = VectorType::get({type.getNumElements() * words->parts.count()},
                                 words->parts.type);
    SmallVector<Value> operands;
    if (instruction->adds)
      operands.push_back(words->sum);
    for (Value factor : {words->a, words->b})
      operands.push_back(
          vector::BitCastOp::create(rewriter, loc, parts, factor));
    Value result =
        LLVM::CallIntrinsicOp::create(rewriter, loc, type,
                                      rewriter.getStringAttr(name), operands)
            ->getResult(0);
    if (!instruction->adds)
      result = arith::AddIOp::create(rewriter, loc, words->sum, result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  const CoreTraits &core;
};

/// vector<8xf32> or vector<16xf32> to bf16
struct NarrowToBF16 final : OpRewritePattern<arith::TruncFOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    bool isKnown = type && type.getRank() == 1 && !type.isScalable() &&
                   type.getElementType().isBF16() &&
                   getElementTypeOrSelf(op.getIn().getType()).isF32();
    int64_t lanes = isKnown ? type.getNumElements() : 0;
    if (lanes != 8 && lanes != 16)
      return rewriter.notifyMatchFailure(op, "is of no vector of a register");
    StringRef name = lanes == 8 ? "llvm.x86.avx512bf16.cvtneps2bf16.256"
                                : "llvm.x86.avx512bf16.cvtneps2bf16.512";
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, type, rewriter.getStringAttr(name), op.getIn());
    return success();
  }
};

struct ArithToX86Pass final
    : mlir::convoy::impl::ArithToX86PassBase<ArithToX86Pass> {
  using Base::Base;

  void runOnOperation() override {
    CoreTraits core = TargetAttr::lookup(getOperation()).getCore();
    RewritePatternSet patterns(&getContext());
    patterns.add<MultiplyWords<arith::AddIOp>, MultiplyWords<vector::FMAOp>>(
        &getContext(), core);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    // It rounds subnormal numbers to zero, as the products do that are there.
    RewritePatternSet narrowing(&getContext());
    narrowing.add<NarrowToBF16>(&getContext());
    FrozenRewritePatternSet frozen(std::move(narrowing));
    for (Operation &function : getOperation()->getRegion(0).getOps())
      if (multipliesBF16(&function))
        walkAndApplyPatterns(&function, frozen);
  }

private:
  static bool multipliesBF16(Operation *function) {
    return function
        ->walk([](LLVM::CallIntrinsicOp call) {
          return llvm::is_contained(kBF16Pairs.names, call.getIntrin())
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
