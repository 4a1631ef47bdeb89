//===- WordProducts.cpp - Several products at a time ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvContraction.h"
#include "WordPlan.h"

#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Costs/WideningCosts.h"
#include "convoy/Transforms/Utils/ConvRewrites.h"
#include "convoy/Transforms/Utils/Fills.h"
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
using ::convoy::Layout;
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

namespace {
/// Integers from `least` to `greatest`.
struct Bounds {
  int64_t least, greatest;

  bool fit(unsigned bits, bool isUnsigned) const {
    return isUnsigned
               ? least >= 0 && llvm::isUIntN(bits, greatest)
               : llvm::isIntN(bits, least) && llvm::isIntN(bits, greatest);
  }
  Bounds operator-(int64_t value) const {
    return {least - value, greatest - value};
  }
};
} // namespace

/// What elements of `factor` lie between; nothing where they may not fit words.
static std::optional<Bounds> getBounds(const WordFactor &factor) {
  unsigned bits =
      getElementTypeOrSelf(factor.tensor.getType()).getIntOrFloatBitWidth();
  if (bits > 16)
    return std::nullopt;
  int64_t least = factor.isUnsigned ? 0 : -(int64_t(1) << (bits - 1));
  return Bounds{least, least + (int64_t(1) << bits) - 1};
}

/// Lets words of the factors of `plan`, whose elements are `input` and
/// `filter`, hold `parts` of integers; returns whether they fit. If only a
/// multiple of the filter's sums makes it so, `canShift` must allow it.
static bool planParts(WordPlan &plan, WordParts parts, Bounds input,
                      Bounds filter, bool canShift) {
  plan.parts = parts;
  plan.input.subtracted = plan.input.zeroPoint;
  plan.filter.subtracted = plan.filter.zeroPoint;
  unsigned bits = parts.type.getIntOrFloatBitWidth();
  if (!(filter - plan.filter.subtracted).fit(bits, parts.bUnsigned))
    return false;
  if ((input - plan.input.subtracted).fit(bits, parts.aUnsigned))
    return true;
  plan.input.subtracted =
      input.least + (parts.aUnsigned ? 0 : int64_t(1) << (bits - 1));
  int64_t rest = plan.input.getRest();
  return canShift &&
         (input - plan.input.subtracted).fit(bits, parts.aUnsigned) &&
         Bounds{rest, rest}.fit(bits, parts.aUnsigned);
}

/// Parts of integers that instructions of `target` multiply, as many as can be
/// in a word first.
static SmallVector<WordParts> getIntegerParts(TargetAttr target) {
  SmallVector<WordParts> all;
  for (unsigned bits : {8u, 16u})
    for (auto [aUnsigned, bUnsigned] : {std::pair{false, false},
                                        {true, true},
                                        {true, false},
                                        {false, true}}) {
      WordParts parts = {IntegerType::get(target.getContext(), bits), aUnsigned,
                         bUnsigned};
      if (findDotInstruction(parts, target, target.getVectorBytes()))
        all.push_back(parts);
    }
  return all;
}

/// Sets what words of the factors of `plan`, of integers, hold; returns whether
/// they fit.
static bool planIntegers(WordPlan &plan, ArrayRef<WordParts> allParts) {
  std::optional<Bounds> input = getBounds(plan.input);
  std::optional<Bounds> filter = getBounds(plan.filter);
  if (!input || !filter)
    return false;
  auto fit = [&](unsigned bits, bool canShift) {
    return llvm::any_of(allParts, [&](const WordParts &parts) {
      return parts.type.isInteger(bits) &&
             planParts(plan, parts, *input, *filter, canShift);
    });
  };
  return fit(8, false) || fit(8, true) || fit(16, false);
}

/// `plan` of the parts of `op`, which sums in f32 or i32; or why there is none.
static std::optional<Choice> planFactors(ConvOp op, TargetAttr target,
                                         WordPlan &plan) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  if (conv.getAccumulatorType().isF32()) {
    if (!getElementTypeOrSelf(op.getInput()).isBF16() ||
        !getElementTypeOrSelf(op.getFilter()).isBF16())
      return Choice::NotBF16;
    plan.parts = {BFloat16Type::get(op.getContext())};
    return findDotInstruction(plan.parts, target, target.getVectorBytes())
               ? std::nullopt
               : std::optional(Choice::NoBF16Instruction);
  }
  SmallVector<WordParts> allParts = getIntegerParts(target);
  if (allParts.empty())
    return Choice::NoWordInstruction;
  std::optional<int64_t> zeroPoints[] = {getZeroPoint(op, 0),
                                         getZeroPoint(op, 1)};
  if (!zeroPoints[0] || !zeroPoints[1])
    return Choice::ZeroPointsVary;
  plan.input.zeroPoint = *zeroPoints[0];
  plan.filter.zeroPoint = *zeroPoints[1];
  return planIntegers(plan, allParts) ? std::nullopt
                                      : std::optional(Choice::FactorsTooWide);
}

std::optional<Choice> mlir::convoy::planWords(ConvOp op, TargetAttr target,
                                              WordPlan &plan) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  if (!conv.getAccumulatorType().isInteger(32) &&
      !conv.getAccumulatorType().isF32())
    return Choice::SumsOfOtherType;
  if (int64_t channels = conv.getSize(Operand::Input, 'c'); channels < 2)
    return channels == 1 ? Choice::OneChannel : Choice::ChannelsUnknown;
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  plan.input = {op.getInput(), layouts.input.position('c'),
                op.getNumerics().getInputUnsigned()};
  plan.filter = {op.getFilter(), layouts.filter.position('c'),
                 op.getNumerics().getFilterUnsigned()};
  if (std::optional<Choice> reason = planFactors(op, target, plan))
    return reason;
  return areWordsFaster(conv, plan.parts, target)
             ? std::nullopt
             : std::optional(Choice::ProductsAreFaster);
}

/// `element` of `factor` less what is subtracted, as `part`.
static Value toPart(OpBuilder &builder, Location loc, Value element,
                    const WordFactor &factor, Type part) {
  if (isa<FloatType>(part))
    return element;
  // Where it is subtracted, a byte has room for the sign.
  Type wide = factor.subtracted == 0 ? part : builder.getI16Type();
  if (element.getType() != wide)
    element = factor.isUnsigned
                  ? Value(arith::ExtUIOp::create(builder, loc, wide, element))
                  : arith::ExtSIOp::create(builder, loc, wide, element);
  if (factor.subtracted == 0)
    return element;
  Value subtracted =
      arith::ConstantIntOp::create(builder, loc, wide, factor.subtracted);
  element = arith::SubIOp::create(builder, loc, element, subtracted);
  return wide == part ? element
                      : arith::TruncIOp::create(builder, loc, part, element);
}

/// Words of `factor`, written into `words`: the one with number i is of the
/// channels i*count + first, for each of `firsts`, where `count` are the parts
/// of a whole word.
static Value makeWords(OpBuilder &builder, const WordFactor &factor,
                       const WordParts &parts, ArrayRef<int64_t> firsts,
                       Value words) {
  auto rank = unsigned(cast<RankedTensorType>(words.getType()).getRank());
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps;
  for (int64_t first : firsts) {
    SmallVector<AffineExpr> indices(identity.getResults());
    AffineExpr &channel = indices[factor.channelDim];
    channel = channel * parts.count() + first;
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
               SmallVector<Value> numbers;
               for (Value element : args.drop_back())
                 numbers.push_back(toPart(b, loc, element, factor, parts.type));
               linalg::YieldOp::create(b, loc, createWord(b, loc, numbers));
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
  auto make = [&](int64_t begin, int64_t end, Value into) {
    return makeWords(builder, factor, parts,
                     llvm::to_vector(llvm::seq(begin, end)), into);
  };
  if (channels % count == 0)
    return make(0, count, words);
  if (whole > 0) {
    TensorSlice slice(builder, loc, words);
    slice.narrow(dim, 0, whole);
    words = slice.insert(make(0, count, slice.extract()));
  }
  TensorSlice last(builder, loc, words);
  last.narrow(dim, whole, 1);
  return last.insert(make(whole * count, channels, last.extract()));
}

/// A word with `rest` in each part of 8 bits.
static Value createRest(OpBuilder &builder, Location loc, int64_t rest) {
  return arith::ConstantIntOp::create(
      builder, loc, builder.getI32Type(),
      int64_t(int32_t(uint32_t(uint8_t(rest)) * 0x01010101u)));
}

/// Positions of the letters `g` and `f` of `layout`, in the order of `order`.
static SmallVector<AffineExpr>
getFilterDims(OpBuilder &builder, const Layout &layout, const Layout &order) {
  SmallVector<AffineExpr> dims;
  for (char letter : order.letters())
    if (letter == 'g' || letter == 'f')
      dims.push_back(builder.getAffineDimExpr(layout.position(letter)));
  return dims;
}

/// What the rest of the input's zero point in `plan` adds to each sum of `op`:
/// its products with all of each filter of `words`.
static Value sumFilters(OpBuilder &builder, ConvOp op, const WordPlan &plan,
                        Value words) {
  Location loc = op.getLoc();
  const Layout &filter = op.getLayout().getLayouts().filter;
  SmallVector<AffineExpr> dims = getFilterDims(builder, filter, filter);
  auto rank = unsigned(cast<RankedTensorType>(words.getType()).getRank());
  AffineMap whole = builder.getMultiDimIdentityMap(rank);
  AffineMap kept = AffineMap::get(rank, 0, dims, builder.getContext());
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  SmallVector<OpFoldResult> sizes;
  for (AffineExpr dim : dims) {
    unsigned position = cast<AffineDimExpr>(dim).getPosition();
    iterators[position] = utils::IteratorType::parallel;
    sizes.push_back(tensor::getMixedSize(builder, loc, words, position));
  }
  Value zeros = createZeros(builder, loc, sizes, builder.getI32Type());
  return linalg::GenericOp::create(
             builder, loc, zeros.getType(), words, zeros,
             ArrayRef<AffineMap>{whole, kept}, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value rest = createRest(b, loc, plan.input.getRest());
               linalg::YieldOp::create(
                   b, loc,
                   createWordSum(b, loc, plan.parts, rest, args[0], args[1]));
             })
      .getResult(0);
}

/// What sums of `op` start from, less `added`.
static Value subtractFromInit(OpBuilder &builder, ConvOp op, Value added) {
  Location loc = op.getLoc();
  Value init = op.getInit();
  auto type = cast<RankedTensorType>(init.getType());
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  AffineMap whole = builder.getMultiDimIdentityMap(unsigned(type.getRank()));
  AffineMap kept =
      AffineMap::get(whole.getNumDims(), 0,
                     getFilterDims(builder, layouts.output, layouts.filter),
                     builder.getContext());
  SmallVector<utils::IteratorType> parallel(whole.getNumDims(),
                                            utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, init),
      type.getElementType());
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{init, added}, empty,
             ArrayRef<AffineMap>{whole, kept, whole}, parallel,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value start = arith::SubIOp::create(b, loc, args[0], args[1]);
               linalg::YieldOp::create(b, loc, start);
             })
      .getResult(0);
}

namespace {
struct WordProductsPass final
    : mlir::convoy::impl::WordProductsPassBase<WordProductsPass> {
  using Base::Base;

  void runOnOperation() override {
    rewriteConvsForCPU(getOperation(), explain, multiplyWords);
  }

private:
  static std::optional<Choice> multiplyWords(RewriterBase &rewriter, ConvOp op,
                                             TargetAttr target) {
    if (op.getWindow().hasInputDilation() ||
        cast<ConvolutionOpInterface>(*op).hasEmptyTensor())
      return Choice::DilatedOrEmpty;
    WordPlan plan;
    if (std::optional<Choice> reason = planWords(op, target, plan))
      return reason;
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    ConvFactors words = {joinChannels(rewriter, loc, plan.input, plan.parts),
                         joinChannels(rewriter, loc, plan.filter, plan.parts),
                         Value()};
    if (int64_t rest = plan.input.getRest()) {
      words.padding = createRest(rewriter, loc, rest);
      Value added = sumFilters(rewriter, op, plan, words.filter);
      Value start = subtractFromInit(rewriter, op, added);
      rewriter.modifyOpInPlace(op, [&] { op.getInitMutable().set(start); });
    }
    auto buildSum = [&](OpBuilder &b, Location loc, ValueRange args) {
      return createWordSum(b, loc, plan.parts, args[0], args[1], args[2]);
    };
    rewriter.replaceOp(op, createContraction(rewriter, op, words, buildSum));
    return std::nullopt;
  }
};
} // namespace
