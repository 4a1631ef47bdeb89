//===- TosaToConvoy.cpp - Raises TOSA convolutions --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/TosaToConvoy.h"

#include "convoy/Conversion/Passes.h"
#include "convoy/Conversion/Utils/Raising.h"
#include "convoy/Conversion/Utils/UnitDims.h"
#include "convoy/Transforms/Utils/ReasonRecorder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_RAISETOSAPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// C6 of the dialect, of which TOSA promises only a part.
static LogicalResult checkElementTypes(Type input, Type filter, Type result,
                                       Type accumulator, Refuse refuse) {
  if (failed(checkElements({input, filter, result, accumulator}, refuse)))
    return failure();
  for (Type element : {input, filter})
    if (!holdsValuesOf(accumulator, element))
      return refuse("expected an accumulator that holds each value of " +
                    debugString(element) + ", but got " +
                    debugString(accumulator));
  bool isNarrowerFloat =
      isa<FloatType>(accumulator) && holdsValuesOf(accumulator, result);
  if (result != accumulator && !isNarrowerFloat)
    return refuse("expected a result of type " + debugString(accumulator) +
                  " or of a narrower float type, but got " +
                  debugString(result));
  return success();
}

/// C4 of the dialect: sizes that operands share. Letters that are not a
/// dimension of the convolution are skipped.
static LogicalResult
checkSharedSizes(ArrayRef<std::pair<Value, StringRef>> operands,
                 Refuse refuse) {
  for (char letter : StringRef("ngcf")) {
    int64_t known = ShapedType::kDynamic;
    for (auto [operand, word] : operands) {
      size_t dim = word.find(letter);
      if (dim == StringRef::npos)
        continue;
      int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(dim);
      if (!ShapedType::isDynamic(known) && !ShapedType::isDynamic(size) &&
          size != known)
        return refuse("expected one size of " + Twine(letter) + ", but got " +
                      Twine(known) + " and " + Twine(size));
      if (ShapedType::isDynamic(known))
        known = size;
    }
  }
  return success();
}

/// What must hold for each of the four ops.
template <typename OpTy>
static LogicalResult checkOperands(OpTy op, Refuse refuse) {
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!isa<RankedTensorType>(type))
      return refuse("expected ranked tensors, but got " + debugString(type));
  if (ShapedType::isDynamic(
          cast<ShapedType>(op.getBias().getType()).getDimSize(0)))
    return refuse("expected a bias of static size");
  Type input = getElementTypeOrSelf(op.getInput().getType());
  Type filter = getElementTypeOrSelf(op.getWeight().getType());
  if (failed(checkElementTypes(input, filter,
                               getElementTypeOrSelf(op.getType()),
                               op.getAccType(), refuse)))
    return failure();
  if (isa<FloatType>(input) &&
      (failed(op.getInputZeroPoint()) || failed(op.getWeightZeroPoint())))
    return refuse("expected constant zero points of float elements");
  return success();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The zero point that `tensor` holds, in the accumulator's type.
static Value createZeroPoint(OpBuilder &builder, Location loc, Value tensor,
                             FailureOr<int64_t> constant, Type accumulator) {
  if (succeeded(constant))
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(accumulator, *constant));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value element = tensor::ExtractOp::create(builder, loc, tensor, zero);
  return arith::ExtSIOp::create(builder, loc, accumulator, element);
}

/// The zero points of input and filter, or none where both are zero.
template <typename OpTy>
static SmallVector<Value> createZeroPoints(OpTy op, OpBuilder &builder) {
  FailureOr<int64_t> input = op.getInputZeroPoint();
  FailureOr<int64_t> filter = op.getWeightZeroPoint();
  if (succeeded(input) && *input == 0 && succeeded(filter) && *filter == 0)
    return {};
  return {createZeroPoint(builder, op.getLoc(), op.getInputZp(), input,
                          op.getAccType()),
          createZeroPoint(builder, op.getLoc(), op.getWeightZp(), filter,
                          op.getAccType())};
}

/// A tensor of `sizes` that holds at each position the bias, of which there is
/// one value or one for each element of the last `channelDims` dimensions.
static Value createInit(OpBuilder &builder, Location loc, Value bias,
                        ArrayRef<OpFoldResult> sizes, int64_t channelDims) {
  auto type = cast<RankedTensorType>(bias.getType());
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  SmallVector<int64_t> shape =
      decomposeMixedValues(llvm::to_vector(sizes)).first;
  int64_t kept = channelDims;
  if (type.getDimSize(0) == 1) {
    kept = 0;
    bias = tensor::CollapseShapeOp::create(
        builder, loc, RankedTensorType::get({}, type.getElementType()), bias,
        ArrayRef<ReassociationIndices>());
  } else if (channelDims == 2) {
    auto expanded = RankedTensorType::get(ArrayRef(shape).take_back(2),
                                          type.getElementType());
    bias = tensor::ExpandShapeOp::create(builder, loc, expanded, bias,
                                         {ReassociationIndices{0, 1}});
  }
  auto broadcast = llvm::to_vector(llvm::seq<int64_t>(sizes.size() - kept));
  return linalg::BroadcastOp::create(builder, loc, bias, empty, broadcast)
      .getResult()[0];
}

/// Sizes of the result: static ones as its type has them, the channels' from
/// `channels`, spatial ones as `spatialSize` of input size and number of taps
/// gives them, where `taps` is the filter's first spatial dimension.
template <typename OpTy>
static SmallVector<OpFoldResult> getResultSizes(
    OpTy op, OpBuilder &builder, int64_t taps, OpFoldResult channels,
    function_ref<AffineExpr(int64_t, AffineExpr, AffineExpr)> spatialSize) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0, last = type.getRank() - 1; dim <= last; ++dim) {
    if (!type.isDynamicDim(dim))
      sizes.push_back(builder.getIndexAttr(type.getDimSize(dim)));
    else if (dim == 0)
      sizes.push_back(tensor::getMixedSize(builder, loc, op.getInput(), 0));
    else if (dim == last)
      sizes.push_back(channels);
    else
      sizes.push_back(affine::makeComposedFoldedAffineApply(
          builder, loc,
          spatialSize(dim - 1, builder.getAffineDimExpr(0),
                      builder.getAffineDimExpr(1)),
          {tensor::getMixedSize(builder, loc, op.getInput(), dim),
           tensor::getMixedSize(builder, loc, op.getWeight(),
                                taps + dim - 1)}));
  }
  return sizes;
}

/// Number of channels where the result's type does not say it: as many as there
/// are biases, if there are several, else as the filter's dimension `dim` says.
template <typename OpTy>
static OpFoldResult getChannels(OpTy op, OpBuilder &builder, int64_t dim) {
  int64_t biases = cast<ShapedType>(op.getBias().getType()).getDimSize(0);
  if (biases > 1)
    return builder.getIndexAttr(biases);
  return tensor::getMixedSize(builder, op.getLoc(), op.getWeight(), dim);
}

template <typename OpTy>
static NumericsAttr getNumerics(OpTy op) {
  return getRaisedNumerics(false, false, op.getAccType(),
                           getElementTypeOrSelf(op.getType()));
}

/// Replaces `op` by `value`, whose type may know more sizes.
static void replaceWith(Operation *op, Value value, PatternRewriter &rewriter) {
  Type type = op->getResult(0).getType();
  if (value.getType() != type)
    value = tensor::CastOp::create(rewriter, op->getLoc(), type, value);
  rewriter.replaceOp(op, value);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// The window of a forward convolution.
template <typename OpTy>
static SmallVector<WindowDim> getForwardWindow(OpTy op) {
  SmallVector<WindowDim> window(op.getStride().size());
  for (auto [dim, entry] : llvm::enumerate(window)) {
    entry.stride = op.getStride()[dim];
    entry.dilation = op.getDilation()[dim];
    entry.padLow = op.getPad()[2 * dim];
    entry.padHigh = op.getPad()[2 * dim + 1];
  }
  return window;
}

/// Number of output positions of `window` over `input` elements with `taps`.
static AffineExpr getForwardSize(const WindowDim &window, AffineExpr input,
                                 AffineExpr taps) {
  return (input + window.padLow + window.padHigh -
          (taps - 1) * window.dilation - 1)
             .floorDiv(window.stride) +
         1;
}

template <typename OpTy>
static SmallVector<OpFoldResult>
getForwardSizes(OpTy op, OpBuilder &builder, int64_t taps,
                OpFoldResult channels, ArrayRef<WindowDim> window) {
  return getResultSizes(op, builder, taps, channels,
                        [&](int64_t dim, AffineExpr input, AffineExpr taps) {
                          return getForwardSize(window[dim], input, taps);
                        });
}

namespace {
/// tosa.conv2d, tosa.conv3d -> convoy.conv
template <typename OpTy>
struct RaiseConv final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto refuse = [&](const Twine &reason) -> LogicalResult {
      return rewriter.notifyMatchFailure(op, reason);
    };
    SmallVector<WindowDim> window = getForwardWindow(op);
    std::string spatial(::convoy::spatialLetters(window.size()));
    std::string input = "n" + spatial + "c", filter = "f" + spatial + "c",
                output = "n" + spatial + "f";
    if (failed(checkOperands(op, refuse)) ||
        failed(checkSharedSizes({{op.getInput(), input},
                                 {op.getWeight(), filter},
                                 {op.getOutput(), output}},
                                refuse)))
      return failure();
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes = getForwardSizes(
        op, rewriter, /*taps=*/1, getChannels(op, rewriter, /*dim=*/0), window);
    Value init =
        createInit(rewriter, loc, op.getBias(), sizes, /*channelDims=*/1);
    Value sums = ConvOp::create(
        rewriter, loc, init.getType(), op.getInput(), op.getWeight(), init,
        createZeroPoints(op, rewriter),
        ConvLayoutAttr::get(op.getContext(), input, filter, output),
        WindowAttr::get(op.getContext(), window), getNumerics(op));
    replaceWith(op, sums, rewriter);
    return success();
  }
};

/// tosa.depthwise_conv2d -> convoy.conv with one c in each group, where f is
/// the channel multiplier
struct RaiseDepthwiseConv final : OpRewritePattern<tosa::DepthwiseConv2DOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::DepthwiseConv2DOp op,
                                PatternRewriter &rewriter) const override {
    auto refuse = [&](const Twine &reason) -> LogicalResult {
      return rewriter.notifyMatchFailure(op, reason);
    };
    if (failed(checkOperands(op, refuse)) ||
        failed(checkSharedSizes({{op.getInput(), "nhwg"},
                                 {op.getWeight(), "hwgf"},
                                 {op.getOutput(), "nhw-"}},
                                refuse)))
      return failure();
    auto filterType = cast<RankedTensorType>(op.getWeight().getType());
    if (filterType.isDynamicDim(2) || filterType.isDynamicDim(3))
      return refuse("expected a filter with static numbers of channels");
    int64_t groups = filterType.getDimSize(2);
    int64_t multiplier = filterType.getDimSize(3);
    auto resultType = cast<RankedTensorType>(op.getType());
    if (!resultType.isDynamicDim(3) &&
        resultType.getDimSize(3) != groups * multiplier)
      return refuse("expected " + Twine(groups * multiplier) +
                    " output channels, but got " +
                    Twine(resultType.getDimSize(3)));
    raise(op, groups, multiplier, rewriter);
    return success();
  }

private:
  static void raise(tosa::DepthwiseConv2DOp op, int64_t groups,
                    int64_t multiplier, PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    SmallVector<WindowDim> window = getForwardWindow(op);
    SmallVector<OpFoldResult> sizes =
        getForwardSizes(op, rewriter, /*taps=*/0,
                        rewriter.getIndexAttr(groups * multiplier), window);
    sizes.back() = rewriter.getIndexAttr(groups);
    sizes.push_back(rewriter.getIndexAttr(multiplier));
    Value input = expandUnitDims(rewriter, loc, op.getInput(), "nhwg", "nhwgc");
    Value filter =
        expandUnitDims(rewriter, loc, op.getWeight(), "hwgf", "hwgcf");
    Value init =
        createInit(rewriter, loc, op.getBias(), sizes, /*channelDims=*/2);
    Value sums = ConvOp::create(
        rewriter, loc, init.getType(), input, filter, init,
        createZeroPoints(op, rewriter),
        ConvLayoutAttr::get(op.getContext(), "nhwgc", "hwgcf", "nhwgf"),
        WindowAttr::get(op.getContext(), window), getNumerics(op));
    Value collapsed = tensor::CollapseShapeOp::create(
        rewriter, loc, sums,
        SmallVector<ReassociationIndices>{{0}, {1}, {2}, {3, 4}});
    replaceWith(op, collapsed, rewriter);
  }
};

/// tosa.transpose_conv2d -> convoy.conv_backward_data. Input i, tap k and
/// output s*i + k + out_pad are output position, tap and input of the forward
/// convolution, whose padding is -out_pad.
struct RaiseTransposeConv final : OpRewritePattern<tosa::TransposeConv2DOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::TransposeConv2DOp op,
                                PatternRewriter &rewriter) const override {
    auto refuse = [&](const Twine &reason) -> LogicalResult {
      return rewriter.notifyMatchFailure(op, reason);
    };
    if (failed(checkOperands(op, refuse)) ||
        failed(checkSharedSizes({{op.getInput(), "nhwf"},
                                 {op.getWeight(), "chwf"},
                                 {op.getOutput(), "nhwc"}},
                                refuse)))
      return failure();
    SmallVector<WindowDim> window(2);
    for (auto [dim, entry] : llvm::enumerate(window)) {
      entry.stride = op.getStride()[dim];
      entry.padLow = -op.getOutPad()[2 * dim];
      entry.padHigh = -op.getOutPad()[2 * dim + 1];
    }
    auto spatialSize = [&](int64_t dim, AffineExpr input, AffineExpr taps) {
      return (input - 1) * window[dim].stride + taps - window[dim].padLow -
             window[dim].padHigh;
    };
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes =
        getResultSizes(op, rewriter, /*taps=*/1,
                       getChannels(op, rewriter, /*dim=*/0), spatialSize);
    Value init =
        createInit(rewriter, loc, op.getBias(), sizes, /*channelDims=*/1);
    Value sums = ConvBackwardDataOp::create(
        rewriter, loc, init.getType(), op.getInput(), op.getWeight(), init,
        createZeroPoints(op, rewriter),
        ConvLayoutAttr::get(op.getContext(), "nhwc", "chwf", "nhwf"),
        WindowAttr::get(op.getContext(), window), getNumerics(op));
    replaceWith(op, sums, rewriter);
    return success();
  }
};

/// The sigmoid of narrow floats, in f32: upstream makes 1 / (1 + exp(-x)) of
/// it, whose exponential overflows in f16 where the result does not vanish yet.
struct WidenSigmoid final : OpRewritePattern<tosa::SigmoidOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::SigmoidOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<TensorType>(op.getType());
    auto element = dyn_cast<FloatType>(type.getElementType());
    if (!element || element.getWidth() >= 32)
      return rewriter.notifyMatchFailure(op, "is of no narrow float");
    Location loc = op.getLoc();
    Type wide = type.clone(rewriter.getF32Type());
    Value input = tosa::CastOp::create(rewriter, loc, wide, op.getInput());
    Value result = tosa::SigmoidOp::create(rewriter, loc, wide, input);
    rewriter.replaceOpWithNewOp<tosa::CastOp>(op, type, result);
    return success();
  }
};

struct RaiseTosaPass final
    : mlir::convoy::impl::RaiseTosaPassBase<RaiseTosaPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateRaiseTosaPatterns(patterns);
    ReasonRecorder recorder;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &recorder);
    if (!report)
      return;
    getOperation()->walk([&](Operation *op) {
      if (isa<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
              tosa::TransposeConv2DOp>(op))
        recorder.emitWarning(op, "raised");
    });
  }
};
} // namespace

void mlir::convoy::populateRaiseTosaPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseConv<tosa::Conv2DOp>, RaiseConv<tosa::Conv3DOp>,
               RaiseDepthwiseConv, RaiseTransposeConv, WidenSigmoid>(
      patterns.getContext());
}
