//===- ConvContraction.cpp - Convolutions as contractions -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvContraction.h"
#include "PhaseConv.h"

#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;

namespace {
/// The loops of the contraction by letter. Positions of an output are `d h w`
/// in lower case; taps of the same dimensions are `D H W`, and phases that are
/// loops are `x y z`.
class Loops {
public:
  explicit Loops(MLIRContext *context) : context(context) {}

  void add(char letter, utils::IteratorType iterator) {
    letters.push_back(letter);
    iterators.push_back(iterator);
  }
  /// The element of a tensor whose dimensions run over `word`.
  AffineMap map(StringRef word) const {
    SmallVector<AffineExpr> results;
    for (char letter : word)
      results.push_back(
          getAffineDimExpr(StringRef(letters).find(letter), context));
    return AffineMap::get(letters.size(), 0, results, context);
  }
  ArrayRef<utils::IteratorType> getIterators() const { return iterators; }

private:
  MLIRContext *context;
  std::string letters;
  SmallVector<utils::IteratorType> iterators;
};
} // namespace

/// The letters of taps: spatial letters in upper case.
static std::string toTaps(StringRef word) {
  std::string taps = word.str();
  for (char &letter : taps)
    if (StringRef("dhw").contains(letter))
      letter = llvm::toUpper(letter);
  return taps;
}

/// The letter of the phases of a spatial dimension.
static char toPhase(char letter) {
  return "xyz"[StringRef("dhw").find(letter)];
}

/// `word`, of positions or taps, with the phases of each dimension of `phased`
/// beside it: behind positions, before taps.
static std::string addPhases(StringRef word, StringRef phased, bool areTaps) {
  std::string letters;
  for (char letter : word) {
    bool isPhased = phased.contains(letter);
    if (isPhased && areTaps)
      letters.push_back(toPhase(letter));
    letters.push_back(letter);
    if (isPhased && !areTaps)
      letters.push_back(toPhase(letter));
  }
  return letters;
}

/// Which dimensions of a tensor with phases make up which of one without, whose
/// letters are `word`.
static SmallVector<ReassociationIndices> getPhaseGroups(StringRef word,
                                                        StringRef phased) {
  return groupDims(word, [&](char letter) -> int64_t {
    return phased.contains(letter) ? 2 : 1;
  });
}

/// The type of a tensor of `type`, whose dimensions are `word`, with two
/// dimensions in the place of each of `phased`, of which the inner one has the
/// size that is said.
static RankedTensorType
getExpandedType(RankedTensorType type, StringRef word, StringRef phased,
                function_ref<int64_t(char)> getInnerSize) {
  SmallVector<int64_t> shape;
  for (auto [letter, size] : llvm::zip_equal(word, type.getShape())) {
    if (!phased.contains(letter)) {
      shape.push_back(size);
      continue;
    }
    int64_t inner = getInnerSize(letter);
    llvm::append_values(shape, size / inner, inner);
  }
  return RankedTensorType::get(shape, type.getElementType());
}

/// `init` of `op` with the phases of `phased`, as many as a dimension has taps,
/// in dimensions of their own, each phase between two positions.
static Value expandInit(OpBuilder &builder, ConvOp op, Value init,
                        StringRef phased) {
  Location loc = op.getLoc();
  auto conv = cast<ConvolutionOpInterface>(*op);
  std::string letters = op.getLayout().getLayouts().output.letters();
  RankedTensorType type = getExpandedType(
      cast<RankedTensorType>(init.getType()), letters, phased,
      [&](char letter) { return conv.getSize(Operand::Filter, letter); });
  linalg::FillOp fill = getOwnFill(init);
  Value whole = fill ? fill.getOutputs()[0] : init;
  // Tiles of what is empty would be parts of the whole, for all of which there
  // were room.
  if (fill && whole.getDefiningOp<tensor::EmptyOp>())
    whole = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                    type.getElementType());
  else
    whole = tensor::ExpandShapeOp::create(builder, loc, type, whole,
                                          getPhaseGroups(letters, phased));
  return fillAs(builder, loc, fill, whole);
}

/// `taps` of `op` with the phases of `phased` before a tap each.
static Value expandTaps(OpBuilder &builder, ConvOp op, Value taps,
                        StringRef phased) {
  std::string letters = op.getLayout().getLayouts().filter.letters();
  RankedTensorType type =
      getExpandedType(cast<RankedTensorType>(taps.getType()), letters, phased,
                      [](char) { return int64_t(1); });
  return tensor::ExpandShapeOp::create(builder, op.getLoc(), type, taps,
                                       getPhaseGroups(letters, phased));
}

/// `g`, then the output's other letters but `f`, in the output's order.
static std::string getPositionLetters(const Layout &output) {
  std::string letters = output.hasGroups() ? "g" : "";
  for (char letter : output.letters())
    if (letter != 'g' && letter != 'f')
      letters.push_back(letter);
  return letters;
}

/// Taps and c, in the filter's order.
static std::string getWindowLetters(const Layout &filter) {
  std::string letters;
  for (char letter : filter.letters())
    if (letter != 'g' && letter != 'f')
      letters.push_back(letter);
  return letters;
}

/// The rows of `factors`: output positions, or those of the input in dimensions
/// of `phased`, by window, sizes from output and filter.
static Im2colOp createIm2col(OpBuilder &builder, ConvOp op,
                             const ConvFactors &factors,
                             Im2colLayoutAttr layout, StringRef phased) {
  Location loc = op.getLoc();
  ConvLayouts layouts = op.getLayout().getLayouts();
  SmallVector<OpFoldResult> sizes;
  auto append = [&](char letter, Value tensor, const Layout &from) {
    sizes.push_back(
        tensor::getMixedSize(builder, loc, tensor, from.position(letter)));
  };
  for (char letter : layout.getPositions())
    if (phased.contains(letter))
      append(letter, factors.input, layouts.input);
    else
      append(letter, op.getInit(), layouts.output);
  for (char letter : layout.getWindow())
    if (phased.contains(letter))
      sizes.push_back(builder.getIndexAttr(1));
    else
      append(letter, factors.filter, layouts.filter);
  SmallVector<WindowDim> window =
      (factors.window ? factors.window : op.getWindow())
          .getDims(op.getLayout().getSpatialRank());
  for (auto [dim, letter] :
       llvm::zip_equal(window, ::convoy::spatialLetters(window.size())))
    if (phased.contains(letter))
      dim = WindowDim();
  auto [staticSizes, dynamicSizes] = decomposeMixedValues(sizes);
  auto type = RankedTensorType::get(
      staticSizes, getElementTypeOrSelf(factors.input.getType()));
  return Im2colOp::create(builder, loc, type, factors.input, dynamicSizes,
                          factors.padding, layout,
                          WindowAttr::get(builder.getContext(), window));
}

/// `value` in the accumulator's type.
static Value extend(OpBuilder &builder, Location loc, Value value,
                    Type accumulator, bool isUnsigned) {
  if (value.getType() == accumulator)
    return value;
  if (isa<FloatType>(accumulator))
    return arith::ExtFOp::create(builder, loc, accumulator, value);
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, loc, accumulator, value);
  return arith::ExtSIOp::create(builder, loc, accumulator, value);
}

/// acc + (ext(x) - zx) * (ext(w) - zw)
static Value buildTerm(ConvOp op, OpBuilder &builder, Location loc,
                       ValueRange args) {
  NumericsAttr numerics = op.getNumerics();
  Type accumulator = args[2].getType();
  Value x =
      extend(builder, loc, args[0], accumulator, numerics.getInputUnsigned());
  Value w =
      extend(builder, loc, args[1], accumulator, numerics.getFilterUnsigned());
  if (!op.getZeroPoints().empty()) {
    x = arith::SubIOp::create(builder, loc, x, op.getZeroPoints()[0]);
    w = arith::SubIOp::create(builder, loc, w, op.getZeroPoints()[1]);
  }
  if (isa<FloatType>(accumulator)) {
    Value product = arith::MulFOp::create(builder, loc, x, w);
    return arith::AddFOp::create(builder, loc, args[2], product);
  }
  Value product = arith::MulIOp::create(builder, loc, x, w);
  return arith::AddIOp::create(builder, loc, args[2], product);
}

Value mlir::convoy::createContraction(OpBuilder &builder, ConvOp op,
                                      const ConvFactors &factors,
                                      SumBuilder buildSum, StringRef phased) {
  MLIRContext *context = builder.getContext();
  ConvLayouts layouts = op.getLayout().getLayouts();
  std::string positions = getPositionLetters(layouts.output);
  std::string window = getWindowLetters(layouts.filter);
  std::string output =
      addPhases(layouts.output.letters(), phased, /*areTaps=*/false);
  std::string filter =
      addPhases(layouts.filter.letters(), phased, /*areTaps=*/true);
  auto layout = Im2colLayoutAttr::get(
      context, layouts.input.letters(),
      ::convoy::RowsLayout{positions, window, positions.size()});
  Im2colOp rows = createIm2col(builder, op, factors, layout, phased);

  Loops loops(context);
  for (char letter : output)
    loops.add(letter, utils::IteratorType::parallel);
  for (char letter : toTaps(window))
    loops.add(letter, utils::IteratorType::reduction);
  SmallVector<AffineMap> maps = {loops.map(positions + toTaps(window)),
                                 loops.map(toTaps(filter)), loops.map(output)};

  Location loc = op.getLoc();
  Type initType = op.getInit().getType().getElementType();
  Type accumulator = cast<ConvolutionOpInterface>(*op).getAccumulatorType();
  Value init = convertElements(builder, loc, op.getInit(), accumulator);
  Value taps = factors.filter;
  if (!phased.empty()) {
    init = expandInit(builder, op, init, phased);
    taps = expandTaps(builder, op, taps, phased);
  }
  Value sums =
      linalg::GenericOp::create(
          builder, loc, init.getType(), ValueRange{rows, taps}, init, maps,
          loops.getIterators(),
          [&](OpBuilder &b, Location loc, ValueRange args) {
            linalg::YieldOp::create(b, loc,
                                    buildSum ? buildSum(b, loc, args)
                                             : buildTerm(op, b, loc, args));
          })
          .getResult(0);
  if (!phased.empty())
    sums = tensor::CollapseShapeOp::create(
        builder, loc, sums, getPhaseGroups(layouts.output.letters(), phased));
  // What sums begin with may be a part of the result with other dimensions,
  // which a new tensor would be copied to.
  auto fill = op.getInit().getDefiningOp<linalg::FillOp>();
  return convertElements(builder, loc, sums, initType,
                         fill ? fill.getOutputs()[0] : Value());
}
