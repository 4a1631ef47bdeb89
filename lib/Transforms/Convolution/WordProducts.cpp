//===- WordProducts.cpp - Several products at a time ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvContraction.h"
#include "ConvRewrites.h"
#include "WordPlan.h"

#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Costs/WideningCosts.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_WORDPRODUCTSPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

/// The zero point of the operand with this number, zero where `op` has none;
/// nothing where it is known as the kernel runs alone.
static std::optional<int64_t> getZeroPoint(ConvOp op, unsigned number) {
  if (op.getZeroPoints().empty())
    return 0;
  APInt value;
  if (!matchPattern(op.getZeroPoints()[number], m_ConstantInt(&value)))
    return std::nullopt;
  return value.getSExtValue();
}

/// Whether all that `factor` may be less its zero point has so many bits.
static bool fits(const WordFactor &factor, unsigned bits, bool isUnsigned) {
  unsigned factorBits =
      getElementTypeOrSelf(factor.tensor.getType()).getIntOrFloatBitWidth();
  if (factorBits > 16)
    return false;
  int64_t least = factor.isUnsigned ? 0 : -(int64_t(1) << (factorBits - 1));
  int64_t greatest = least + (int64_t(1) << factorBits) - 1;
  return llvm::all_of(std::array{least, greatest}, [&](int64_t value) {
    int64_t number = value - factor.zeroPoint;
    return isUnsigned ? llvm::isUIntN(bits, uint64_t(number))
                      : llvm::isIntN(bits, number);
  });
}

/// What words of `input` and `filter`, of integers, hold; nothing where they do
/// not fit.
static std::optional<WordParts> chooseParts(const WordFactor &input,
                                            const WordFactor &filter,
                                            TargetAttr target) {
  MLIRContext *context = target.getContext();
  if (target.getCore().quadBytes >= target.getVectorBytes())
    for (bool isInputUnsigned : {true, false})
      if (fits(input, 8, isInputUnsigned) && fits(filter, 8, !isInputUnsigned))
        return WordParts{IntegerType::get(context, 8), isInputUnsigned,
                         !isInputUnsigned};
  if (fits(input, 16, false) && fits(filter, 16, false))
    return WordParts{IntegerType::get(context, 16)};
  return std::nullopt;
}

/// `plan` of the parts of `op`, which sums in f32 or i32; or why there is none.
static StringRef planParts(ConvOp op, TargetAttr target, WordPlan &plan) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  const CoreTraits &core = target.getCore();
  if (conv.getAccumulatorType().isF32()) {
    if (!getElementTypeOrSelf(op.getInput()).isBF16() ||
        !getElementTypeOrSelf(op.getFilter()).isBF16())
      return "its operands are not of bf16";
    plan.parts = {BFloat16Type::get(op.getContext())};
    return core.bf16PairBytes < target.getVectorBytes()
               ? "no instruction of the CPU sums products of bf16 in pairs"
               : "";
  }
  if (core.pairBytes < target.getVectorBytes())
    return "no instruction of the CPU sums products in pairs";
  std::optional<int64_t> zeroPoints[] = {getZeroPoint(op, 0),
                                         getZeroPoint(op, 1)};
  if (!zeroPoints[0] || !zeroPoints[1])
    return "its zero points are not constant";
  plan.input.zeroPoint = *zeroPoints[0];
  plan.filter.zeroPoint = *zeroPoints[1];
  std::optional<WordParts> parts = chooseParts(plan.input, plan.filter, target);
  if (!parts)
    return "its factors less their zero points have more than 16 bits";
  plan.parts = *parts;
  return "";
}

StringRef mlir::convoy::planWords(ConvOp op, TargetAttr target,
                                  WordPlan &plan) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  if (!conv.getAccumulatorType().isInteger(32) &&
      !conv.getAccumulatorType().isF32())
    return "it sums in neither i32 nor f32";
  if (int64_t channels = conv.getSize(Operand::Input, 'c'); channels < 2)
    return channels == 1 ? "it has one channel in each group"
                         : "how many channels it has is not known";
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  plan.input = {op.getInput(), layouts.input.position('c'),
                op.getNumerics().getInputUnsigned()};
  plan.filter = {op.getFilter(), layouts.filter.position('c'),
                 op.getNumerics().getFilterUnsigned()};
  if (StringRef reason = planParts(op, target, plan); !reason.empty())
    return reason;
  return areWordsFaster(conv, plan.parts, target)
             ? ""
             : "single products are estimated to take less time";
}

/// `element` of `factor` less its zero point, as `part`.
static Value toPart(OpBuilder &builder, Location loc, Value element,
                    const WordFactor &factor, Type part) {
  if (isa<FloatType>(part))
    return element;
  // Where it is subtracted, a byte has room for the sign.
  Type wide = factor.zeroPoint == 0 ? part : builder.getI16Type();
  if (element.getType() != wide)
    element = factor.isUnsigned
                  ? Value(arith::ExtUIOp::create(builder, loc, wide, element))
                  : arith::ExtSIOp::create(builder, loc, wide, element);
  if (factor.zeroPoint == 0)
    return element;
  Value zeroPoint =
      arith::ConstantIntOp::create(builder, loc, wide, factor.zeroPoint);
  element = arith::SubIOp::create(builder, loc, element, zeroPoint);
  return wide == part ? element
                      : arith::TruncIOp::create(builder, loc, part, element);
}

/// Words of `factor` with as many parts as there are `firsts`, of type `part`,
/// written into `words`: the one with number i is of the channels
/// i*count + first.
static Value makeWords(OpBuilder &builder, const WordFactor &factor, Type part,
                       int64_t count, ArrayRef<int64_t> firsts, Value words) {
  auto rank = unsigned(cast<RankedTensorType>(words.getType()).getRank());
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps;
  for (int64_t first : firsts) {
    SmallVector<AffineExpr> indices(identity.getResults());
    AffineExpr &channel = indices[factor.channelDim];
    channel = channel * count + first;
    maps.push_back(AffineMap::get(rank, 0, indices, builder.getContext()));
  }
  maps.push_back(identity);
  SmallVector<Value> inputs(firsts.size(), factor.tensor);
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, words.getLoc(), words.getType(), inputs, words, maps,
             parallel,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               SmallVector<Value> parts;
               for (Value element : args.drop_back())
                 parts.push_back(toPart(b, loc, element, factor, part));
               linalg::YieldOp::create(b, loc, createWord(b, loc, parts));
             })
      .getResult(0);
}

/// Words of neighbours among the channels of `factor`; the last has zero beside
/// them where channels do not fill it.
static Value joinChannels(OpBuilder &builder, Location loc,
                          const WordFactor &factor, const WordParts &parts) {
  int64_t dim = factor.channelDim, count = parts.count();
  auto type = cast<RankedTensorType>(factor.tensor.getType());
  int64_t channels = type.getDimSize(dim), whole = channels / count;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, factor.tensor);
  sizes[dim] = builder.getIndexAttr(llvm::divideCeil(channels, count));
  Value words =
      tensor::EmptyOp::create(builder, loc, sizes, builder.getI32Type());
  auto make = [&](int64_t begin, int64_t end, int64_t first, Value into) {
    SmallVector<int64_t> firsts = llvm::to_vector(llvm::seq(begin, end));
    return makeWords(builder, factor, parts.type, first, firsts, into);
  };
  if (channels % count == 0)
    return make(0, count, count, words);
  if (whole > 0) {
    TensorSlice slice(builder, loc, words);
    slice.narrow(dim, 0, whole);
    words = slice.insert(make(0, count, count, slice.extract()));
  }
  TensorSlice last(builder, loc, words);
  last.narrow(dim, whole, 1);
  return last.insert(make(whole * count, channels, count, last.extract()));
}

namespace {
struct WordProductsPass final
    : mlir::convoy::impl::WordProductsPassBase<WordProductsPass> {
  using Base::Base;

  void runOnOperation() override {
    rewriteConvsForCPU(getOperation(), explain, multiplyWords);
  }

private:
  static StringRef multiplyWords(RewriterBase &rewriter, ConvOp op,
                                 TargetAttr target) {
    if (op.getWindow().hasInputDilation() ||
        cast<ConvolutionOpInterface>(*op).hasEmptyTensor())
      return "its input is dilated, or it has no elements";
    WordPlan plan;
    if (StringRef reason = planWords(op, target, plan); !reason.empty())
      return reason;
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    ConvFactors words = {joinChannels(rewriter, loc, plan.input, plan.parts),
                         joinChannels(rewriter, loc, plan.filter, plan.parts),
                         Value()};
    auto buildSum = [&](OpBuilder &b, Location loc, ValueRange args) {
      return createWordSum(b, loc, plan.parts, args[0], args[1], args[2]);
    };
    rewriter.replaceOp(op, createContraction(rewriter, op, words, buildSum));
    return "";
  }
};
} // namespace
