//===- ConvToIm2col.cpp - Convolutions as contractions ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvContraction.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Convolution/Patterns.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/PlanErrors.h"
#include "convoy/Transforms/Utils/ReasonRecorder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CONVTOIM2COLPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;

namespace {
/// The loops of the contraction by letter. Positions of an output are `d h w`
/// in lower case; taps of the same dimensions are `D H W`.
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

/// The rows of `factors`: output positions by window, sizes from output and
/// filter.
static Im2colOp createIm2col(OpBuilder &builder, ConvOp op,
                             const ConvFactors &factors,
                             Im2colLayoutAttr layout) {
  Location loc = op.getLoc();
  ConvLayouts layouts = op.getLayout().getLayouts();
  SmallVector<OpFoldResult> sizes;
  auto append = [&](StringRef letters, Value tensor, const Layout &from) {
    for (char letter : letters)
      sizes.push_back(
          tensor::getMixedSize(builder, loc, tensor, from.position(letter)));
  };
  append(layout.getPositions(), op.getInit(), layouts.output);
  append(layout.getWindow(), factors.filter, layouts.filter);
  auto [staticSizes, dynamicSizes] = decomposeMixedValues(sizes);
  auto type = RankedTensorType::get(
      staticSizes, getElementTypeOrSelf(factors.input.getType()));
  return Im2colOp::create(builder, loc, type, factors.input, dynamicSizes,
                          factors.padding, layout, op.getWindow());
}

/// What the input of `op` is padded by: its zero point, in its type; null for
/// zero.
static Value getPadding(OpBuilder &builder, ConvOp op) {
  if (op.getZeroPoints().empty())
    return {};
  Value padding = op.getZeroPoints().front();
  Type element = op.getInput().getType().getElementType();
  if (padding.getType() == element)
    return padding;
  return arith::TruncIOp::create(builder, op.getLoc(), element, padding);
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

Value mlir::convoy::createContraction(
    OpBuilder &builder, ConvOp op, const ConvFactors &factors,
    function_ref<Value(OpBuilder &, Location, ValueRange)> buildSum) {
  MLIRContext *context = builder.getContext();
  ConvLayouts layouts = op.getLayout().getLayouts();
  std::string positions = getPositionLetters(layouts.output);
  std::string window = getWindowLetters(layouts.filter);
  auto layout = Im2colLayoutAttr::get(context, layouts.input.letters(),
                                      positions, window);
  Im2colOp rows = createIm2col(builder, op, factors, layout);

  Loops loops(context);
  for (char letter : layouts.output.letters())
    loops.add(letter, utils::IteratorType::parallel);
  for (char letter : toTaps(window))
    loops.add(letter, utils::IteratorType::reduction);
  SmallVector<AffineMap> maps = {loops.map(positions + toTaps(window)),
                                 loops.map(toTaps(layouts.filter.letters())),
                                 loops.map(layouts.output.letters())};

  Location loc = op.getLoc();
  Type initType = op.getInit().getType().getElementType();
  Type accumulator = cast<ConvolutionOpInterface>(*op).getAccumulatorType();
  Value init = convertElements(builder, loc, op.getInit(), accumulator);
  Value sums =
      linalg::GenericOp::create(
          builder, loc, init.getType(), ValueRange{rows, factors.filter}, init,
          maps, loops.getIterators(),
          [&](OpBuilder &b, Location loc, ValueRange args) {
            linalg::YieldOp::create(b, loc, buildSum(b, loc, args));
          })
          .getResult(0);
  return convertElements(builder, loc, sums, initType);
}

namespace {
/// See the pass's description.
struct ConvToIm2col final : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getWindow().hasInputDilation())
      return rewriter.notifyMatchFailure(op, "input is dilated");
    if (cast<ConvolutionOpInterface>(*op).hasZeroPointsPerChannel())
      return rewriter.notifyMatchFailure(
          op, "each channel of the filter has a zero point of its own "
              "(convoy-subtract-zero-points)");
    if (cast<ConvolutionOpInterface>(*op).hasEmptyTensor()) {
      rewriter.replaceOp(op, op.getInit());
      return success();
    }

    ConvFactors factors = {op.getInput(), op.getFilter(),
                           getPadding(rewriter, op)};
    rewriter.replaceOp(
        op, createContraction(rewriter, op, factors,
                              [&](OpBuilder &b, Location loc, ValueRange args) {
                                return buildTerm(op, b, loc, args);
                              }));
    return success();
  }
};

struct ConvToIm2colPass final
    : mlir::convoy::impl::ConvToIm2colPassBase<ConvToIm2colPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyNoPlan(getOperation(), kWinogradAttrName,
                            "convoy-apply-winograd computes it so")) ||
        failed(verifyNoPlan(getOperation(), GroupPanelAttr::getAttrName(),
                            "convoy-split-borders pads it so")))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateConvToIm2colPatterns(patterns);
    ReasonRecorder recorder;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &recorder);
    WalkResult walk = getOperation()->walk([&](ConvOp op) {
      recorder.emitLeftBehind(op, "turned into im2col");
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    getOperation()->walk(remarkIfForeign);
  }

  /// Says of a convolution of linalg that this pass is not for it. Pipelines
  /// have none here.
  static void remarkIfForeign(linalg::LinalgOp op) {
    if (isa<linalg::ConvolutionOpInterface>(*op) &&
        op->getName().stripDialect().contains("conv"))
      op->emitRemark() << getWords(Choice::NoIm2col)
                       << ": convoy-raise-linalg makes a convoy.conv of it";
  }
};
} // namespace

void mlir::convoy::populateConvToIm2colPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvToIm2col>(patterns.getContext());
}
