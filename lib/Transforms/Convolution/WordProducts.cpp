//===- WordProducts.cpp - Several products at a time ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvContraction.h"
#include "PhaseConv.h"
#include "WordPlan.h"

#include "convoy/Dialect/Convoy/IR/WindowSlices.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Utils/ConvRewrites.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_WORDPRODUCTSPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;

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

namespace {
/// A copy of an operand as words of neighbours.
struct WordCopy {
  const WordFactor &factor;
  const WordParts &parts;
  Value elements;  ///< of the factor
  int64_t wordDim; ///< the dimension of the copy along which words follow
  /// Where in `elements` to find, of the neighbours that all the words along
  /// `wordDim` hold, the one with this number, given all indices of its word.
  function_ref<SmallVector<AffineExpr>(ArrayRef<AffineExpr>, AffineExpr)>
      getPlace;

  /// The copy of these sizes, with `count` neighbours in its words; the last
  /// has zero beside them where they do not fill it.
  Value create(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes,
               int64_t count) const;

private:
  /// Words, written into `words`: the one with number i is of the neighbours
  /// i*parts + first, for each of `firsts`.
  Value makeWords(OpBuilder &builder, ArrayRef<int64_t> firsts,
                  Value words) const;
};
} // namespace

Value WordCopy::makeWords(OpBuilder &builder, ArrayRef<int64_t> firsts,
                          Value words) const {
  auto rank = unsigned(cast<RankedTensorType>(words.getType()).getRank());
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  AffineExpr first = identity.getResult(wordDim) * parts.count();
  SmallVector<AffineMap> maps;
  for (int64_t number : firsts)
    maps.push_back(
        AffineMap::get(rank, 0, getPlace(identity.getResults(), first + number),
                       builder.getContext()));
  maps.push_back(identity);
  SmallVector<Value> inputs(firsts.size(), elements);
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, words.getLoc(), words.getType(), inputs, words, maps,
             parallel,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               SmallVector<Value> numbers;
               for (Value element : args.drop_back())
                 numbers.push_back(toPart(b, loc, element, factor, parts.type));
               Value word = createWord(b, loc, parts.getWordType(), numbers);
               linalg::YieldOp::create(b, loc, word);
             })
      .getResult(0);
}

Value WordCopy::create(OpBuilder &builder, Location loc,
                       ArrayRef<OpFoldResult> sizes, int64_t count) const {
  int64_t whole = count / parts.count();
  Value words =
      tensor::EmptyOp::create(builder, loc, sizes, parts.getWordType());
  auto make = [&](int64_t begin, int64_t end, Value into) {
    return makeWords(builder, llvm::to_vector(llvm::seq(begin, end)), into);
  };
  if (count % parts.count() == 0)
    return make(0, parts.count(), words);
  if (whole > 0) {
    TensorSlice slice(builder, loc, words);
    slice.narrow(wordDim, 0, whole);
    words = slice.insert(make(0, parts.count(), slice.extract()));
  }
  TensorSlice last(builder, loc, words);
  last.narrow(wordDim, whole, 1);
  return last.insert(make(whole * parts.count(), count, last.extract()));
}

/// Words of neighbours along dimension `dim` of `factor`.
static Value joinNeighbours(OpBuilder &builder, Location loc,
                            const WordFactor &factor, const WordParts &parts,
                            int64_t dim) {
  int64_t size =
      cast<RankedTensorType>(factor.tensor.getType()).getDimSize(dim);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, factor.tensor);
  sizes[dim] = builder.getIndexAttr(llvm::divideCeil(size, parts.count()));
  auto getPlace = [&](ArrayRef<AffineExpr> indices, AffineExpr number) {
    auto place = llvm::to_vector(indices);
    place[dim] = number;
    return place;
  };
  return WordCopy{factor, parts, factor.tensor, dim, getPlace}.create(
      builder, loc, sizes, size);
}

/// What the windows of `op` read along the dimension of `plan`, with padding in
/// it.
static Value readWindows(OpBuilder &builder, ConvOp op, const WordPlan &plan,
                         const WindowDim &window) {
  Location loc = op.getLoc();
  auto conv = cast<ConvolutionOpInterface>(*op);
  OpFoldResult zero = builder.getIndexAttr(0);
  auto getSize = [&](Operand operand) -> OpFoldResult {
    return builder.getIndexAttr(conv.getSize(operand, plan.dim));
  };
  SmallVector<InputRange> ranges;
  for (OpFoldResult size : tensor::getMixedSizes(builder, loc, op.getInput()))
    ranges.push_back(sliceInput(builder, {zero, size}));
  OpFoldResult taps = getSize(Operand::Filter);
  ranges[op.getLayout().getLayouts().input.position(plan.dim)] = readWindows(
      builder, loc, window, {zero, getSize(Operand::Output)}, {zero, taps},
      taps, getSize(Operand::Input), /*isPadded=*/true);
  Type type = getElementTypeOrSelf(op.getInput());
  auto getPadding = [&](OpBuilder &b) -> Value {
    TypedAttr number = b.getZeroAttr(type);
    if (isa<IntegerType>(type))
      number = b.getIntegerAttr(type, plan.input.zeroPoint);
    return arith::ConstantOp::create(b, loc, number);
  };
  SmallVector<Operation *> slices;
  return readRanges(builder, loc, op.getInput(), ranges, getPadding, slices);
}

/// Words of what neighbouring taps of `op` along the dimension of `plan` read:
/// those of each output position side by side. Changes `window` to read these.
static Value joinTaps(OpBuilder &builder, ConvOp op, const WordPlan &plan,
                      WindowDim &window) {
  Location loc = op.getLoc();
  auto conv = cast<ConvolutionOpInterface>(*op);
  Layout layout = op.getLayout().getLayouts().input;
  int64_t dim = layout.position(plan.dim);
  int64_t taps = conv.getSize(Operand::Filter, plan.dim);
  int64_t words = llvm::divideCeil(taps, plan.parts.count());
  Value read = readWindows(builder, op, plan, window);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, op.getInput());
  sizes[dim] = builder.getIndexAttr(conv.getSize(Operand::Output, plan.dim));
  sizes.insert(sizes.begin() + dim + 1, builder.getIndexAttr(words));
  auto getPlace = [&](ArrayRef<AffineExpr> indices, AffineExpr tap) {
    auto place = llvm::to_vector(indices);
    place.erase(place.begin() + dim + 1);
    if (window.reverse)
      tap = taps - 1 - tap;
    place[dim] = place[dim] * window.stride + tap * window.dilation;
    return place;
  };
  Value copy = WordCopy{plan.input, plan.parts, read, dim + 1, getPlace}.create(
      builder, loc, sizes, taps);
  window = WindowDim();
  window.stride = words;
  return tensor::CollapseShapeOp::create(
      builder, loc, copy,
      groupDims(layout.letters(), [&](char letter) -> int64_t {
        return letter == plan.dim ? 2 : 1;
      }));
}

/// Copies of the operands of `op` in words, as `plan` says.
static ConvFactors joinFactors(OpBuilder &builder, ConvOp op,
                               const WordPlan &plan) {
  Location loc = op.getLoc();
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  ConvFactors factors;
  if (plan.dim == 'c') {
    factors.input = joinNeighbours(builder, loc, plan.input, plan.parts,
                                   layouts.input.position('c'));
  } else {
    int64_t rank = op.getLayout().getSpatialRank();
    SmallVector<WindowDim> window = op.getWindow().getDims(rank);
    size_t number = ::convoy::spatialLetters(rank).find(plan.dim);
    factors.input = joinTaps(builder, op, plan, window[number]);
    factors.window = WindowAttr::get(op.getContext(), window);
  }
  factors.filter = joinNeighbours(builder, loc, plan.filter, plan.parts,
                                  layouts.filter.position(plan.dim));
  return factors;
}

/// A word with the rest of `plan` in each part of 8 bits.
static Value createRest(OpBuilder &builder, Location loc,
                        const WordPlan &plan) {
  APInt part(8, uint64_t(plan.input.getRest()), /*isSigned=*/false,
             /*implicitTrunc=*/true);
  Type type = plan.parts.getWordType();
  return arith::ConstantOp::create(
      builder, loc, type,
      IntegerAttr::get(type, APInt::getSplat(plan.parts.bits, part)));
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
  // Loops over the sums come first, so that threads can share them.
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> loops(rank);
  for (auto [loop, dim] : llvm::enumerate(dims)) {
    unsigned position = cast<AffineDimExpr>(dim).getPosition();
    iterators[loop] = utils::IteratorType::parallel;
    loops[position] = builder.getAffineDimExpr(loop);
    sizes.push_back(tensor::getMixedSize(builder, loc, words, position));
  }
  for (unsigned loop = dims.size(); AffineExpr &index : loops)
    if (!index)
      index = builder.getAffineDimExpr(loop++);
  AffineMap whole = AffineMap::get(rank, 0, loops, builder.getContext());
  AffineMap kept = whole.getMultiDimIdentityMap(rank, builder.getContext())
                       .getMajorSubMap(unsigned(dims.size()));
  Value zeros = createZeros(builder, loc, sizes, builder.getI32Type());
  return linalg::GenericOp::create(
             builder, loc, zeros.getType(), words, zeros,
             ArrayRef<AffineMap>{whole, kept}, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value rest = createRest(b, loc, plan);
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
    ConvFactors words = joinFactors(rewriter, op, plan);
    if (plan.input.getRest() != 0) {
      words.padding = createRest(rewriter, loc, plan);
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
