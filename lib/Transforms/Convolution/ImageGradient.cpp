//===- ImageGradient.cpp - Gradients of sampled images ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleGradients.h"

#include "convoy/Transforms/Convolution/SamplePosition.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;

/// The most channels that share what is computed of positions: fewer where
/// neither image nor samples have them side by side.
static constexpr int64_t kMostChannels = 32, kMostApart = 16;

/// `letter`'s size of the samples.
static OpFoldResult getSampleSize(OpBuilder &builder,
                                  GridSampleBackwardInputOp op, char letter) {
  return tensor::getMixedSize(builder, op.getLoc(), op.getOutputGradient(),
                              op.getLayout().getOutput().find(letter));
}

/// The sizes of the image's spatial dimensions, outermost first.
static SmallVector<OpFoldResult> getImageSizes(OpBuilder &builder,
                                               GridSampleBackwardInputOp op) {
  SmallVector<OpFoldResult> sizes;
  for (char letter : getSpatialLetters(op.getLayout()))
    sizes.push_back(builder.getIndexAttr(
        op.getType().getDimSize(op.getLayout().getInput().find(letter))));
  return sizes;
}

namespace {
/// Emits the loops of some channels of an image.
class ImageGradientEmitter {
public:
  ImageGradientEmitter(RewriterBase &rewriter, GridSampleBackwardInputOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op), layout(op.getLayout()),
        spatial(getSpatialLetters(layout)),
        imageSizes(getImageSizes(rewriter, op)) {}

  /// Loops over images and the channels from `begin` up to `end`, `channels` at
  /// a time, that add to `sums`.
  Value emit(Value sums, OpFoldResult begin, OpFoldResult end,
             OpFoldResult channels);

private:
  OpFoldResult index(int64_t value) { return rewriter.getIndexAttr(value); }
  /// A part of a tensor that is some channels of one place.
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    RankedTensorType type; ///< of the channels alone
  };
  /// Of the tensor with dimensions called `names`, at `places`.
  Slice getChannels(StringRef names, Type element,
                    function_ref<OpFoldResult(char)> getPlace);
  Value extract(Value tensor, const Slice &slice) {
    return tensor::ExtractSliceOp::create(rewriter, loc, slice.type, tensor,
                                          slice.offsets, slice.sizes,
                                          slice.strides);
  }
  /// Adds what the sample at `indices` gives to `sums`, all of some channels of
  /// an image.
  Value addSample(Value sums);
  Value addShare(Value sums, Value gradient, const SampleElement &element);
  SmallVector<SampleElement> emitSampleElements();

  RewriterBase &rewriter;
  Location loc;
  GridSampleBackwardInputOp op;
  SampleLayoutAttr layout;
  StringRef spatial;
  SmallVector<OpFoldResult> imageSizes;
  llvm::SmallDenseMap<char, Value> indices; ///< of the sample
  Value firstChannel;
  OpFoldResult channels;
};
} // namespace

ImageGradientEmitter::Slice
ImageGradientEmitter::getChannels(StringRef names, Type element,
                                  function_ref<OpFoldResult(char)> getPlace) {
  Slice slice;
  for (char name : names) {
    slice.offsets.push_back(getPlace(name));
    slice.sizes.push_back(name == 'c' ? channels : index(1));
    slice.strides.push_back(index(1));
  }
  slice.type = RankedTensorType::get(
      {getConstantIntValue(channels).value_or(ShapedType::kDynamic)}, element);
  return slice;
}

SmallVector<SampleElement> ImageGradientEmitter::emitSampleElements() {
  SmallVector<Value> coordinates;
  for (size_t dim = 0; dim < spatial.size(); ++dim) {
    SmallVector<Value> place;
    for (char letter : layout.getGrid())
      place.push_back(letter == 'c'
                          ? arith::ConstantIndexOp::create(
                                rewriter, loc, spatial.size() - 1 - dim)
                          : indices.at(letter));
    coordinates.push_back(
        tensor::ExtractOp::create(rewriter, loc, op.getGrid(), place));
  }
  SampleRule rule = SampleRule::get(op);
  SmallVector<SamplePosition> positions =
      emitGridPositions(rewriter, loc, rule, coordinates, imageSizes);
  return emitElements(rewriter, loc, rule, positions, imageSizes);
}

Value ImageGradientEmitter::addShare(Value sums, Value gradient,
                                     const SampleElement &element) {
  SmallVector<Value> places;
  for (Value place : element.place)
    places.push_back(arith::IndexCastOp::create(
        rewriter, loc, rewriter.getIndexType(), place));
  // The sums are those of one image, from the first channel on.
  Slice slice = getChannels(
      layout.getInput(), rewriter.getF32Type(), [&](char name) -> OpFoldResult {
        size_t dim = spatial.find(name);
        return dim == StringRef::npos ? index(0) : OpFoldResult(places[dim]);
      });
  Value before = extract(sums, slice);
  SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(1));
  Value after =
      linalg::GenericOp::create(
          rewriter, loc, before.getType(), gradient, before, maps,
          utils::IteratorType::parallel,
          [&](OpBuilder &builder, Location loc, ValueRange arguments) {
            Value share = emitShare(builder, loc, arguments[0], element);
            share = emitInside(builder, loc, element.isInside, share);
            Value sum =
                arith::AddFOp::create(builder, loc, arguments[1], share);
            linalg::YieldOp::create(builder, loc, sum);
          })
          .getResult(0);
  return tensor::InsertSliceOp::create(
      rewriter, loc, after, sums, slice.offsets, slice.sizes, slice.strides);
}

Value ImageGradientEmitter::addSample(Value sums) {
  Slice slice =
      getChannels(layout.getOutput(), op.getType().getElementType(),
                  [&](char name) -> OpFoldResult {
                    return name == 'c' ? firstChannel : indices.at(name);
                  });
  Value gradient = extract(op.getOutputGradient(), slice);
  for (const SampleElement &element : emitSampleElements())
    sums = addShare(sums, gradient, element);
  return sums;
}

Value ImageGradientEmitter::emit(Value sums, OpFoldResult begin,
                                 OpFoldResult end, OpFoldResult channels) {
  this->channels = channels;
  SmallVector<OpFoldResult> begins = {index(0), begin};
  SmallVector<OpFoldResult> ends = {getSampleSize(rewriter, op, 'n'), end};
  SmallVector<OpFoldResult> steps = {index(1), channels};
  auto loop = scf::ForallOp::create(rewriter, loc, begins, ends, steps, sums,
                                    /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard restore(rewriter);
  rewriter.setInsertionPoint(loop.getTerminator());
  indices['n'] = loop.getInductionVars()[0];
  firstChannel = loop.getInductionVars()[1];
  Value whole = loop.getRegionIterArgs().front();
  Slice slice;
  for (auto [dim, name] : llvm::enumerate(layout.getInput())) {
    slice.offsets.push_back(name == 'n'   ? OpFoldResult(indices['n'])
                            : name == 'c' ? OpFoldResult(firstChannel)
                                          : index(0));
    slice.sizes.push_back(name == 'n'   ? index(1)
                          : name == 'c' ? channels
                                        : index(op.getType().getDimSize(dim)));
    slice.strides.push_back(index(1));
  }
  Value own = tensor::ExtractSliceOp::create(
      rewriter, loc, whole, slice.offsets, slice.sizes, slice.strides);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  scf::ForOp outermost;
  Value inner = own;
  for (char letter : spatial) {
    Value bound = getValueOrCreateConstantIndexOp(
        rewriter, loc, getSampleSize(rewriter, op, letter));
    auto samples = scf::ForOp::create(rewriter, loc, zero, bound, one, inner);
    if (outermost)
      scf::YieldOp::create(rewriter, loc, samples.getResults());
    else
      outermost = samples;
    indices[letter] = samples.getInductionVar();
    inner = samples.getRegionIterArg(0);
    rewriter.setInsertionPointToStart(samples.getBody());
  }
  scf::YieldOp::create(rewriter, loc, addSample(inner));
  rewriter.setInsertionPointToStart(loop.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(rewriter, loc, outermost.getResult(0),
                                        whole, slice.offsets, slice.sizes,
                                        slice.strides);
  return loop.getResult(0);
}

Value mlir::convoy::emitImageGradientLoops(RewriterBase &rewriter,
                                           GridSampleBackwardInputOp op) {
  Type type = op.getType().getElementType();
  Value sums = createZeros(rewriter, op.getLoc(), getResultSizes(rewriter, op),
                           rewriter.getF32Type());
  ImageGradientEmitter emitter(rewriter, op);
  OpFoldResult zero = rewriter.getIndexAttr(0);
  OpFoldResult count = getSampleSize(rewriter, op, 'c');
  std::optional<int64_t> channels = getConstantIntValue(count);
  if (!channels) {
    sums = emitter.emit(sums, zero, count, count);
    return convertElements(rewriter, op.getLoc(), sums, type);
  }
  bool isVector = op.getLayout().getInput().ends_with("c") &&
                  op.getLayout().getOutput().ends_with("c");
  int64_t most = std::min(*channels, isVector ? kMostChannels : kMostApart);
  OpFoldResult whole = rewriter.getIndexAttr(*channels - *channels % most);
  sums = emitter.emit(sums, zero, whole, rewriter.getIndexAttr(most));
  if (*channels % most != 0)
    sums = emitter.emit(sums, whole, count,
                        rewriter.getIndexAttr(*channels % most));
  return convertElements(rewriter, op.getLoc(), sums, type);
}
