//===- ArithToIntrinsics.cpp - Instructions that LLVM does not find ----*- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Conversion/Utils/WordVectors.h"
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
    int64_t lanes = type.getNumElements();
    const CPUDotInstruction *instruction = findLanes(words->parts, lanes);
    if (!instruction)
      return rewriter.notifyMatchFailure(op, "is of no vector of a register");
    bool isEitherOrder = instruction->aUnsigned == instruction->bUnsigned;
    if (isEitherOrder ? isSplat(words->a)
                      : words->parts.aUnsigned != instruction->aUnsigned)
      std::swap(words->a, words->b);
    Location loc = op.getLoc();
    Value sum = words->sum;
    for (int64_t half = words->parts.areOfMatrices() ? 1 : 0; half >= 0; --half)
      sum = multiply(rewriter, loc, *instruction, sum,
                     takeParts(rewriter, loc, *words, words->a, half, lanes),
                     takeParts(rewriter, loc, *words, words->b, half, lanes));
    rewriter.replaceOp(op, sum);
    return success();
  }

private:
  /// The parts of `factor` of `words` as `lanes` words of 32 bits: of longer
  /// ones a half.
  static Value takeParts(OpBuilder &builder, Location loc, const WordSum &words,
                         Value factor, int64_t half, int64_t lanes) {
    if (words.parts.areOfMatrices())
      return takeHalves(builder, loc, factor, words.parts, half, lanes);
    return castToParts(builder, loc, resize(builder, loc, factor, lanes),
                       words.parts);
  }

  /// `sum` and the products of words of 32 bits, of which `a` and `b` are the
  /// parts.
  static Value multiply(OpBuilder &builder, Location loc,
                        const CPUDotInstruction &instruction, Value sum,
                        Value a, Value b) {
    auto type = cast<VectorType>(sum.getType());
    int64_t bits = cast<VectorType>(a.getType()).getNumElements() *
                   cast<VectorType>(a.getType()).getElementTypeBitWidth();
    auto whole = VectorType::get({bits / 32}, type.getElementType());
    SmallVector<Value> operands = {a, b};
    if (instruction.adds)
      operands.insert(operands.begin(),
                      resize(builder, loc, sum, whole.getNumElements()));
    Value result =
        resize(builder, loc,
               callDotInstruction(builder, loc, instruction, whole, operands),
               type.getNumElements());
    return instruction.adds ? result
                            : arith::AddIOp::create(builder, loc, sum, result);
  }

  /// A sum of multiples of parts as one of products with a constant word, of
  /// signs that an instruction of the target multiplies.
  std::optional<WordSum> matchScaled(PatternRewriter &rewriter, Add op,
                                     VectorType type) const {
    std::optional<ScaledWordSum> scaled = matchScaledWordSum(op);
    if (!scaled)
      return std::nullopt;
    for (bool isUnsigned : {true, false}) {
      unsigned bits = scaled->parts.type.getIntOrFloatBitWidth();
      int64_t lanes = type.getNumElements();
      WordParts parts = {scaled->parts.type, isUnsigned,
                         scaled->parts.aUnsigned, scaled->parts.bits};
      if (!(isUnsigned ? llvm::isUIntN(bits, uint64_t(scaled->factor))
                       : llvm::isIntN(bits, scaled->factor)) ||
          !findLanes(parts, lanes))
        continue;
      APInt word =
          APInt::getSplat(parts.bits, APInt(bits, uint64_t(scaled->factor),
                                            /*isSigned=*/false,
                                            /*implicitTrunc=*/true));
      Value factor = arith::ConstantOp::create(
          rewriter, op.getLoc(),
          DenseElementsAttr::get(
              VectorType::get(type.getShape(), parts.getWordType()), word));
      return WordSum{parts, factor, scaled->word, scaled->sum};
    }
    return std::nullopt;
  }

  /// The instruction for words of 32 bits, of which longer ones are made, in
  /// the smallest vectors that have as many as `lanes`, which become theirs;
  /// null where there is none.
  const CPUDotInstruction *findLanes(WordParts parts, int64_t &lanes) const {
    constexpr int64_t most = 16;
    parts.bits = 32;
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
    bool canNarrow = llvm::any_of(
        target.getDotInstructions(), [](const CPUDotInstruction *instruction) {
          return instruction->name == "avx512_vdpbf16ps";
        });
    for (Operation &function : getOperation()->getRegion(0).getOps())
      if (canNarrow && multipliesBF16(&function))
        walkAndApplyPatterns(&function, frozen);
  }

private:
  /// Whether `function` multiplies words of bf16 by AVX512-BF16 or AMX.
  static bool multipliesBF16(Operation *function) {
    return function
        ->walk([](LLVM::CallIntrinsicOp call) {
          return call.getIntrin().starts_with("llvm.x86.avx512bf16.dp") ||
                         call.getIntrin() == "llvm.x86.tdpbf16ps"
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
