//===- ImageGradient.cpp - Gradients of sampled images ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleGradients.h"
#include "SampleRows.h"
#include "ScatterLoops.h"

#include "convoy/Transforms/Sampling/SamplePosition.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;

/// The most channels that share what is computed of positions: side by side,
/// and apart.
static constexpr int64_t kMostChannels = 32, kMostChannelsApart = 16;

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

Value mlir::convoy::addShare(OpBuilder &builder, Location loc,
                             const TensorSlice &slice, Value gradient,
                             const SampleElement &element) {
  Value before = slice.extract();
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(1));
  Value after =
      linalg::GenericOp::create(
          builder, loc, before.getType(), gradient, before, maps,
          utils::IteratorType::parallel,
          [&](OpBuilder &builder, Location loc, ValueRange arguments) {
            Value share = emitShare(builder, loc, arguments[0], element);
            share = emitInside(builder, loc, element.isInside, share);
            Value sum =
                arith::AddFOp::create(builder, loc, arguments[1], share);
            linalg::YieldOp::create(builder, loc, sum);
          })
          .getResult(0);
  return slice.insert(after);
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
  /// a time, that add to `sums`. With `part` they go through the channels one
  /// by one for as many samples of a row, whose positions are kept; else a
  /// sample is added to all of them at once.
  Value emit(Value sums, OpFoldResult begin, OpFoldResult end,
             OpFoldResult channels, int64_t part);

private:
  OpFoldResult index(int64_t value) { return rewriter.getIndexAttr(value); }
  /// Some channels, at the place that `getPlace` gives for each dimension, of
  /// a tensor with dimensions called `names`.
  TensorSlice getChannels(Value tensor, StringRef names,
                          function_ref<OpFoldResult(char)> getPlace);
  /// Builds a loop from 0 to `end` that carries `sums`.
  Value emitLoop(Value sums, OpFoldResult end, int64_t step,
                 function_ref<Value(Value variable, Value sums)> build);
  /// Adds what all samples give to `sums`, all of some channels of an image, in
  /// loops over the dimensions `letters`.
  Value addSamples(StringRef letters, Value sums);
  /// Adds that of the sample at `indices`.
  Value addSample(Value sums);
  /// Adds that of the samples of a part of a row.
  Value addRow(Value sums);
  /// Adds that of sample `number` of the part to a channel of `sums`.
  Value addTabled(Value sums, Value channel, Value number,
                  ArrayRef<Value> tables);
  /// Adds to one element of a channel of `sums`.
  Value addNumber(Value sums, Value channel, Value gradient,
                  const SampleElement &element);
  /// What elements samples of a part of a row are made of: for each element its
  /// place along the dimensions, the first of which is -1 where it is not
  /// there, and behind these the weights.
  SmallVector<Value> emitTables();
  size_t getElementCount() {
    return countElements(op.getMode(), spatial.size());
  }
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
  int64_t part = 0;
};
} // namespace

TensorSlice
ImageGradientEmitter::getChannels(Value tensor, StringRef names,
                                  function_ref<OpFoldResult(char)> getPlace) {
  TensorSlice slice(rewriter, loc, tensor);
  for (auto [dim, name] : llvm::enumerate(names)) {
    if (name == 'c')
      slice.narrow(dim, getPlace(name), channels);
    else
      slice.pick(dim, getPlace(name));
  }
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
  return mlir::convoy::addShare(
      rewriter, loc,
      getChannels(sums, layout.getInput(),
                  [&](char name) -> OpFoldResult {
                    size_t dim = spatial.find(name);
                    return dim == StringRef::npos ? index(0)
                                                  : OpFoldResult(places[dim]);
                  }),
      gradient, element);
}

Value ImageGradientEmitter::addSample(Value sums) {
  Value gradient =
      getChannels(op.getOutputGradient(), layout.getOutput(),
                  [&](char name) -> OpFoldResult {
                    return name == 'c' ? firstChannel : indices.at(name);
                  })
          .extract();
  for (const SampleElement &element : emitSampleElements())
    sums = addShare(sums, gradient, element);
  return sums;
}

Value ImageGradientEmitter::emitLoop(Value sums, OpFoldResult end, int64_t step,
                                     function_ref<Value(Value, Value)> build) {
  return emitSumLoop(rewriter, loc, sums, index(0), end, step, build);
}

Value ImageGradientEmitter::addSamples(StringRef letters, Value sums) {
  if (letters.empty())
    return part > 0 ? addRow(sums) : addSample(sums);
  char letter = letters.front();
  return emitLoop(sums, getSampleSize(rewriter, op, letter),
                  letter == 'w' && part > 0 ? part : 1,
                  [&](Value variable, Value carried) {
                    indices[letter] = variable;
                    return addSamples(letters.drop_front(), carried);
                  });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

SmallVector<Value> ImageGradientEmitter::emitTables() {
  SmallVector<Value> coordinates, empties;
  for (size_t dim = 0; dim < spatial.size(); ++dim) {
    TensorSlice slice(rewriter, loc, op.getGrid());
    for (auto [place, letter] : llvm::enumerate(layout.getGrid())) {
      if (letter == 'c')
        slice.pick(place, index(spatial.size() - 1 - dim));
      else if (letter == 'w')
        slice.narrow(place, indices.at(letter), index(part));
      else
        slice.pick(place, indices.at(letter));
    }
    coordinates.push_back(slice.extract());
  }
  auto addEmpties = [&](size_t number, Type type) {
    for (size_t i = 0; i < number; ++i)
      empties.push_back(tensor::EmptyOp::create(rewriter, loc, part, type));
  };
  addEmpties(getElementCount() * spatial.size(), rewriter.getI32Type());
  if (op.getMode() != SampleMode::Nearest)
    addEmpties(getElementCount(), rewriter.getF32Type());
  SmallVector<AffineMap> maps(coordinates.size() + empties.size(),
                              rewriter.getMultiDimIdentityMap(1));
  auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    SampleRule rule = SampleRule::get(op);
    SmallVector<SamplePosition> positions = emitGridPositions(
        builder, loc, rule, arguments.take_front(spatial.size()), imageSizes);
    SmallVector<Value> places, weights;
    for (const SampleElement &element :
         emitElements(builder, loc, rule, positions, imageSizes)) {
      places.push_back(emitFlatNumber(
          builder, loc,
          {{element.place.front()}, element.isInside, element.weight},
          imageSizes.front()));
      llvm::append_range(places, llvm::drop_begin(element.place));
      if (element.weight)
        weights.push_back(element.weight);
    }
    places.append(weights);
    linalg::YieldOp::create(builder, loc, places);
  };
  auto tables = linalg::GenericOp::create(
      rewriter, loc, TypeRange(ValueRange(empties)), coordinates, empties, maps,
      utils::IteratorType::parallel, build);
  return SmallVector<Value>(tables.getResults());
}

Value ImageGradientEmitter::addNumber(Value sums, Value channel, Value gradient,
                                      const SampleElement &element) {
  FlatPlace first =
      emitFlatPlace(rewriter, loc, op.getPadding(), element.place.front());
  SmallVector<Value> place;
  for (char name : layout.getInput()) {
    size_t dim = spatial.find(name);
    if (dim == 0)
      place.push_back(first.index);
    else if (dim != StringRef::npos)
      place.push_back(arith::IndexCastOp::create(
          rewriter, loc, rewriter.getIndexType(), element.place[dim]));
    else if (name == 'c')
      place.push_back(channel);
    else
      place.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
  }
  Value share = emitShare(rewriter, loc, gradient, element);
  share = emitInside(rewriter, loc, first.isInside, share);
  Value before = tensor::ExtractOp::create(rewriter, loc, sums, place);
  Value sum = arith::AddFOp::create(rewriter, loc, before, share);
  return tensor::InsertOp::create(rewriter, loc, sum, sums, place);
}

Value ImageGradientEmitter::addTabled(Value sums, Value channel, Value number,
                                      ArrayRef<Value> tables) {
  auto read = [&](size_t table) -> Value {
    return tensor::ExtractOp::create(rewriter, loc, tables[table], number);
  };
  SmallVector<Value> place;
  for (char name : layout.getOutput()) {
    Value start = name == 'c' ? firstChannel : indices.at(name);
    if (name == 'c' || name == 'w')
      start = arith::AddIOp::create(rewriter, loc, start,
                                    name == 'c' ? channel : number);
    place.push_back(start);
  }
  Value gradient =
      tensor::ExtractOp::create(rewriter, loc, op.getOutputGradient(), place);
  size_t numPlaces = getElementCount() * spatial.size();
  for (size_t element = 0; element < getElementCount(); ++element) {
    SampleElement one;
    for (size_t dim = 0; dim < spatial.size(); ++dim)
      one.place.push_back(read(element * spatial.size() + dim));
    if (tables.size() > numPlaces)
      one.weight = read(numPlaces + element);
    sums = addNumber(sums, channel, gradient, one);
  }
  return sums;
}

Value ImageGradientEmitter::addRow(Value sums) {
  SmallVector<Value> tables = emitTables();
  return emitLoop(sums, channels, 1, [&](Value channel, Value ofChannel) {
    return emitLoop(ofChannel, index(part), 1, [&](Value number, Value before) {
      return addTabled(before, channel, number, tables);
    });
  });
}

//===----------------------------------------------------------------------===//
// Images and channels
//===----------------------------------------------------------------------===//

Value ImageGradientEmitter::emit(Value sums, OpFoldResult begin,
                                 OpFoldResult end, OpFoldResult channels,
                                 int64_t part) {
  this->channels = channels;
  this->part = part;
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
  TensorSlice slice(rewriter, loc, whole);
  slice.narrow(layout.getInput().find('n'), indices['n'], index(1));
  slice.narrow(layout.getInput().find('c'), firstChannel, channels);
  slice.insert(addSamples(spatial, slice.extract()), loop);
  return loop.getResult(0);
}

Value mlir::convoy::emitImageGradientLoops(RewriterBase &rewriter,
                                           GridSampleBackwardInputOp op) {
  Location loc = op.getLoc();
  Type type = op.getType().getElementType();
  Value sums = createZeros(rewriter, loc, getResultSizes(rewriter, op),
                           rewriter.getF32Type());
  ImageGradientEmitter emitter(rewriter, op);
  bool areTogether = op.getLayout().getInput().ends_with("c") &&
                     op.getLayout().getOutput().ends_with("c");
  std::optional<int64_t> width =
      getConstantIntValue(getSampleSize(rewriter, op, 'w'));
  int64_t part = areTogether || !width ? 0 : getRowPart(*width);
  OpFoldResult zero = rewriter.getIndexAttr(0);
  OpFoldResult count = getSampleSize(rewriter, op, 'c');
  std::optional<int64_t> channels = getConstantIntValue(count);
  if (!channels) {
    sums = emitter.emit(sums, zero, count, count, part);
    return convertElements(rewriter, loc, sums, type);
  }
  int64_t most =
      std::min(*channels, areTogether ? kMostChannels : kMostChannelsApart);
  OpFoldResult whole = rewriter.getIndexAttr(*channels - *channels % most);
  sums = emitter.emit(sums, zero, whole, rewriter.getIndexAttr(most), part);
  if (*channels % most != 0)
    sums = emitter.emit(sums, whole, count,
                        rewriter.getIndexAttr(*channels % most), part);
  return convertElements(rewriter, loc, sums, type);
}
