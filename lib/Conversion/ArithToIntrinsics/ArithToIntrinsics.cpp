//===- ArithToIntrinsics.cpp - Instructions that LLVM does not find ----*- C++
//-*-===//
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

#include <numeric>

namespace mlir::convoy {
#define GEN_PASS_DEF_ARITHTOINTRINSICSPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CPUDotInstruction;

/// Whether all words of `vector` are one: ARM's instructions take an element of
/// a vector for their last factor.
static bool isSplat(Value vector) {
  if (auto shuffle = vector.getDefiningOp<vector::ShuffleOp>())
    return llvm::all_equal(shuffle.getMask());
  return bool(vector.getDefiningOp<vector::BroadcastOp>());
}

/// The first `lanes` of `vector`, with any behind them where it has fewer.
static Value resize(OpBuilder &builder, Location loc, Value vector,
                    int64_t lanes) {
  int64_t own = cast<VectorType>(vector.getType()).getNumElements();
  if (own == lanes)
    return vector;
  SmallVector<int64_t> mask(lanes, vector::ShuffleOp::kPoisonIndex);
  std::iota(mask.begin(), mask.begin() + std::min(own, lanes), 0);
  return vector::ShuffleOp::create(builder, loc, vector, vector, mask);
}

namespace {
/// See the pass's description.
template <typename Add>
struct MultiplyWords final : OpRewritePattern<Add> {
  explicit MultiplyWords(TargetAttr target)
      : OpRewritePattern<Add>(target.getContext()), target(target) {}

  LogicalResult matchAndRewrite(Add op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    std::optional<WordSum> words = matchWordSum(op);
    if (type && !words)
      words = matchScaled(rewriter, op, type);
    if (!type || !words)
      return rewriter.notifyMatchFailure(op, "is no sum of products of words");
    if (type.getRank() != 1 || type.isScalable())
      return rewriter.notifyMatchFailure(op, "is of no vector of a register");
    int64_t own = type.getNumElements(), lanes = own;
    const CPUDotInstruction *instruction = findLanes(words->parts, lanes);
    if (!instruction)
      return rewriter.notifyMatchFailure(op, "is of no vector of a register");
    int64_t bytes = 4 * lanes;
    bool isEitherOrder = instruction->aUnsigned == instruction->bUnsigned;
    if (isEitherOrder ? isSplat(words->a)
                      : words->parts.aUnsigned != instruction->aUnsigned)
      std::swap(words->a, words->b);
    Location loc = op.getLoc();
    auto parts =
        VectorType::get({lanes * words->parts.count()}, words->parts.type);
    SmallVector<Value> operands;
    if (instruction->adds)
      operands.push_back(resize(rewriter, loc, words->sum, lanes));
    for (Value factor : {words->a, words->b})
      operands.push_back(vector::BitCastOp::create(
          rewriter, loc, parts, resize(rewriter, loc, factor, lanes)));
    Value result =
        LLVM::CallIntrinsicOp::create(
            rewriter, loc, VectorType::get({lanes}, type.getElementType()),
            rewriter.getStringAttr(instruction->getIntrinsic(bytes)), operands)
            ->getResult(0);
    result = resize(rewriter, loc, result, own);
    if (!instruction->adds)
      result = arith::AddIOp::create(rewriter, loc, words->sum, result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// A sum of multiples of parts as one of products with a constant word, of
  /// signs that an instruction of the target multiplies.
  std::optional<WordSum> matchScaled(PatternRewriter &rewriter, Add op,
                                     VectorType type) const {
    std::optional<ScaledWordSum> scaled = matchScaledWordSum(op);
    if (!scaled)
      return std::nullopt;
    for (bool isUnsigned : {true, false}) {
      unsigned bits = scaled->type.getIntOrFloatBitWidth();
      int64_t lanes = type.getNumElements();
      WordParts parts = {scaled->type, isUnsigned, scaled->isUnsigned};
      if (!(isUnsigned ? llvm::isUIntN(bits, uint64_t(scaled->factor))
                       : llvm::isIntN(bits, scaled->factor)) ||
          !findLanes(parts, lanes))
        continue;
      APInt word = APInt::getSplat(32, APInt(bits, uint64_t(scaled->factor),
                                             /*isSigned=*/false,
                                             /*implicitTrunc=*/true));
      Value factor = arith::ConstantOp::create(
          rewriter, op.getLoc(), DenseElementsAttr::get(type, word));
      return WordSum{parts, factor, scaled->word, scaled->sum};
    }
    return std::nullopt;
  }

  /// The instruction for the smallest vectors that have as many as `lanes`,
  /// which become theirs; null where there is none.
  const CPUDotInstruction *findLanes(const WordParts &parts,
                                     int64_t &lanes) const {
    constexpr int64_t most = 16;
    for (int64_t wide = llvm::PowerOf2Ceil(lanes); wide <= most; wide *= 2)
      if (const auto *found = findDotInstruction(parts, target, 4 * wide)) {
        lanes = wide;
        return found;
      }
    return nullptr;
  }

  TargetAttr target;
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

struct ArithToIntrinsicsPass final
    : mlir::convoy::impl::ArithToIntrinsicsPassBase<ArithToIntrinsicsPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<MultiplyWords<arith::AddIOp>, MultiplyWords<vector::FMAOp>>(
        target);
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
  /// Whether `function` multiplies words of bf16 by AVX512-BF16.
  static bool multipliesBF16(Operation *function) {
    return function
        ->walk([](LLVM::CallIntrinsicOp call) {
          return call.getIntrin().starts_with("llvm.x86.avx512bf16.dp")
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
