//===- PairProducts.cpp - Two products of bytes at a time -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvContraction.h"
#include "ConvRewrites.h"

#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Costs/WideningCosts.h"
#include "convoy/Transforms/Utils/PairProducts.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_PAIRPRODUCTSPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

namespace {
/// An operand as it is multiplied: its elements less a zero point.
struct Factor {
  Value tensor;
  int64_t channelDim;
  bool isUnsigned;
  int64_t zeroPoint;
};
} // namespace

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

/// Whether all that `factor` may be less its zero point has 16 bits.
static bool fitsInHalfWord(const Factor &factor) {
  unsigned bits =
      getElementTypeOrSelf(factor.tensor.getType()).getIntOrFloatBitWidth();
  if (bits > 16)
    return false;
  int64_t least = factor.isUnsigned ? 0 : -(int64_t(1) << (bits - 1));
  int64_t greatest = least + (int64_t(1) << bits) - 1;
  return llvm::isInt<16>(least - factor.zeroPoint) &&
         llvm::isInt<16>(greatest - factor.zeroPoint);
}

/// `element` of `factor` less its zero point, of 16 bits.
static Value toHalfWord(OpBuilder &builder, Location loc, Value element,
                        const Factor &factor) {
  Type half = builder.getI16Type();
  if (element.getType() != half)
    element = factor.isUnsigned
                  ? Value(arith::ExtUIOp::create(builder, loc, half, element))
                  : arith::ExtSIOp::create(builder, loc, half, element);
  if (factor.zeroPoint == 0)
    return element;
  Value zeroPoint =
      arith::ConstantIntOp::create(builder, loc, half, factor.zeroPoint);
  return arith::SubIOp::create(builder, loc, element, zeroPoint);
}

/// Words of `factor`, written into `words`: the one with number i is of the
/// channels 2*i + first.
static Value makeWords(OpBuilder &builder, const Factor &factor,
                       ArrayRef<int64_t> firsts, Value words) {
  auto rank = unsigned(cast<RankedTensorType>(words.getType()).getRank());
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps;
  for (int64_t first : firsts) {
    SmallVector<AffineExpr> indices(identity.getResults());
    AffineExpr &channel = indices[factor.channelDim];
    channel = channel * 2 + first;
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
               SmallVector<Value> halves;
               for (Value element : args.drop_back())
                 halves.push_back(toHalfWord(b, loc, element, factor));
               linalg::YieldOp::create(b, loc, createPair(b, loc, halves));
             })
      .getResult(0);
}

/// Words of each two neighbours among the channels of `factor`; the last has
/// zero beside it where they are odd.
static Value pairChannels(OpBuilder &builder, Location loc,
                          const Factor &factor) {
  int64_t dim = factor.channelDim;
  auto type = cast<RankedTensorType>(factor.tensor.getType());
  int64_t channels = type.getDimSize(dim), whole = channels / 2;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, factor.tensor);
  sizes[dim] = builder.getIndexAttr(llvm::divideCeil(channels, 2));
  Value words =
      tensor::EmptyOp::create(builder, loc, sizes, builder.getI32Type());
  if (channels % 2 == 0)
    return makeWords(builder, factor, {0, 1}, words);
  TensorSlice pairs(builder, loc, words);
  pairs.narrow(dim, 0, whole);
  words = pairs.insert(makeWords(builder, factor, {0, 1}, pairs.extract()));
  TensorSlice last(builder, loc, words);
  last.narrow(dim, whole, 1);
  return last.insert(
      makeWords(builder, factor, {channels - 1}, last.extract()));
}

namespace {
struct PairProductsPass final
    : mlir::convoy::impl::PairProductsPassBase<PairProductsPass> {
  using Base::Base;

  void runOnOperation() override {
    rewriteConvsForCPU(getOperation(), explain, pair);
  }

private:
  static StringRef pair(RewriterBase &rewriter, ConvOp op, TargetAttr target) {
    auto conv = cast<ConvolutionOpInterface>(*op);
    if (!conv.getAccumulatorType().isInteger(32))
      return "it does not sum in i32";
    if (target.getCore().pairBytes < target.getVectorBytes())
      return "no instruction of the CPU sums products in pairs";
    if (op.getWindow().hasInputDilation() || conv.hasEmptyTensor())
      return "its input is dilated, or it has no elements";
    if (int64_t channels = conv.getSize(Operand::Input, 'c'); channels < 2)
      return channels == 1 ? "it has one channel in each group"
                           : "how many channels it has is not known";
    std::optional<int64_t> zeroPoints[] = {getZeroPoint(op, 0),
                                           getZeroPoint(op, 1)};
    if (!zeroPoints[0] || !zeroPoints[1])
      return "its zero points are not constant";
    ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
    Factor input = {op.getInput(), layouts.input.position('c'),
                    op.getNumerics().getInputUnsigned(), *zeroPoints[0]};
    Factor filter = {op.getFilter(), layouts.filter.position('c'),
                     op.getNumerics().getFilterUnsigned(), *zeroPoints[1]};
    if (!fitsInHalfWord(input) || !fitsInHalfWord(filter))
      return "its factors less their zero points have more than 16 bits";
    if (!isPairingFaster(conv, target))
      return "single products are estimated to take less time";
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    ConvFactors words = {pairChannels(rewriter, loc, input),
                         pairChannels(rewriter, loc, filter), Value()};
    rewriter.replaceOp(
        op, createContraction(rewriter, op, words,
                              [](OpBuilder &b, Location loc, ValueRange args) {
                                return createPairSum(b, loc, args[0], args[1],
                                                     args[2]);
                              }));
    return "";
  }
};
} // namespace
