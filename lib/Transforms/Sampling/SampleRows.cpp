//===- SampleRows.cpp - Positions once for all channels ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleRows.h"

#include "convoy/Transforms/Costs/CycleCosts.h"
#include "convoy/Transforms/Sampling/SamplePosition.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;

int64_t mlir::convoy::getRowPart(int64_t size) {
  constexpr int64_t Most = 256;
  int64_t part = std::clamp<int64_t>(size, 1, Most);
  while (size % part != 0)
    --part;
  return part;
}

bool mlir::convoy::hasSampleRows(GridSampleOp op) {
  SampleLayoutAttr layout = op.getLayout();
  RankedTensorType image = op.getInput().getType(), samples = op.getType();
  if (!image.hasStaticShape() || !op.getGrid().getType().hasStaticShape() ||
      !samples.hasStaticShape() || llvm::is_contained(samples.getShape(), 0))
    return false;
  StringRef spatial = getSpatialLetters(layout);
  // Each of at most 2^24.
  double pixels = 1;
  for (char letter : spatial)
    pixels *= double(image.getDimSize(layout.getInput().find(letter)));
  return layout.getInput().contains(spatial) &&
         (layout.getOutput().ends_with("w") ||
          layout.getOutput().ends_with("c")) &&
         samples.getDimSize(layout.getOutput().find('c')) > 1 &&
         pixels <= double(std::numeric_limits<int32_t>::max());
}

/// Whether the channels of each sample are read side by side: where they lie so
/// in the image and in the result, or where bringing them there takes less time
/// than gathering the elements of each channel by themselves.
static bool runsAlongChannels(GridSampleOp op) {
  // Fewer fill no vector of eight.
  constexpr int64_t FewestChannels = 8;
  SampleLayoutAttr layout = op.getLayout();
  RankedTensorType image = op.getInput().getType(), result = op.getType();
  int64_t channels = result.getDimSize(layout.getOutput().find('c'));
  double pixels = double(image.getNumElements()) / double(channels);
  double samples = double(result.getNumElements()) / double(channels);
  size_t elements =
      countElements(op.getMode(), getSpatialLetters(layout).size());
  double moved = 0;
  if (!layout.getInput().ends_with("c"))
    moved += pixels;
  if (!layout.getOutput().ends_with("c"))
    moved += samples;
  return moved == 0 || (channels >= FewestChannels &&
                        moved * kTransposedSampleCycles <
                            samples * double(elements) * kGatheredSampleCycles);
}

namespace {
/// Emits the loops.
class RowEmitter {
public:
  RowEmitter(RewriterBase &rewriter, GridSampleOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op), layout(op.getLayout()),
        spatial(getSpatialLetters(layout)),
        part(getRowPart(getSampleSize('w'))),
        alongChannels(runsAlongChannels(op)) {}

  Value emit();

private:
  int64_t getSampleSize(char letter) {
    return op.getType().getDimSize(layout.getOutput().find(letter));
  }
  /// Whether the result has a row of samples for each channel, rather than the
  /// channels of each sample side by side.
  bool hasChannelRows() {
    return layout.getOutput().find('c') < layout.getOutput().find('w');
  }
  /// The loop over c or w of all samples of a part.
  unsigned getLoop(char letter) {
    return (letter == 'c') == (alongChannels || !hasChannelRows());
  }
  /// The slice of a tensor with dimensions called `letters` that a part of a
  /// row is: one index of all of them but c, which is whole or at `channel`.
  TensorSlice getSlice(Value tensor, StringRef letters,
                       std::optional<int64_t> channel);
  /// The image with one dimension in the place of its spatial ones, called w.
  Value flattenImage();
  /// For each element that a sample is made of, its number among those of the
  /// image, less than 0 for zeros, and then all weights, if there are any.
  SmallVector<Value> emitPositions();
  SmallVector<Value> emitElementsOf(OpBuilder &builder, ValueRange coordinates);
  /// The samples of all channels at these, in the place of `samples`, which
  /// are as the result or, along channels, have these innermost.
  Value emitSamples(ValueRange positions, Value samples);
  /// The same in the place of `part`, which is as the result.
  Value emitSamplesOf(ValueRange positions, Value part);
  Value readElement(OpBuilder &builder, Value number);
  /// The body of `loop`: a part of a row.
  void emitPart(scf::ForallOp loop);

  RewriterBase &rewriter;
  Location loc;
  GridSampleOp op;
  SampleLayoutAttr layout;
  StringRef spatial;
  int64_t part;
  bool alongChannels;
  Value image;
  std::string imageLetters;                 ///< of the dimensions of `image`
  llvm::SmallDenseMap<char, Value> indices; ///< of the loops
};
} // namespace

TensorSlice RowEmitter::getSlice(Value tensor, StringRef letters,
                                 std::optional<int64_t> channel) {
  TensorSlice slice(rewriter, loc, tensor);
  for (auto [dim, letter] : llvm::enumerate(letters)) {
    if (letter == 'w')
      slice.narrow(dim, indices.at(letter), rewriter.getIndexAttr(part));
    else if (letter != 'c')
      slice.pick(dim, indices.at(letter));
    else if (channel)
      slice.pick(dim, rewriter.getIndexAttr(*channel));
  }
  return slice;
}

Value RowEmitter::flattenImage() {
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, letter] : llvm::enumerate(layout.getInput())) {
    if (!spatial.contains(letter) || letter == spatial.front())
      groups.emplace_back();
    groups.back().push_back(int64_t(dim));
    if (!spatial.contains(letter) || letter == spatial.back())
      imageLetters += letter;
  }
  return tensor::CollapseShapeOp::create(rewriter, loc, op.getInput(), groups);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

SmallVector<Value> RowEmitter::emitElementsOf(OpBuilder &builder,
                                              ValueRange coordinates) {
  RankedTensorType type = op.getInput().getType();
  SmallVector<OpFoldResult> sizes;
  for (char letter : spatial)
    sizes.push_back(
        builder.getIndexAttr(type.getDimSize(layout.getInput().find(letter))));
  SmallVector<Value> numbers, weights;
  SampleRule rule = SampleRule::get(op);
  for (const SampleElement &element : emitElements(
           builder, loc, rule,
           emitGridPositions(builder, loc, rule, coordinates, sizes), sizes)) {
    numbers.push_back(emitFlatNumber(builder, loc, element, sizes));
    if (element.weight)
      weights.push_back(element.weight);
  }
  numbers.append(weights);
  return numbers;
}

SmallVector<Value> RowEmitter::emitPositions() {
  SmallVector<Value> coordinates;
  for (size_t dim = 0; dim < spatial.size(); ++dim) {
    coordinates.push_back(getSlice(op.getGrid(), layout.getGrid(),
                                   int64_t(spatial.size() - 1 - dim))
                              .extract());
  }
  size_t count = countElements(op.getMode(), spatial.size());
  SmallVector<Value> empties;
  auto addEmpty = [&](Type type) {
    empties.push_back(tensor::EmptyOp::create(rewriter, loc, part, type));
  };
  for (size_t number = 0; number < count; ++number)
    addEmpty(rewriter.getI32Type());
  for (size_t number = 0; count > 1 && number < count; ++number)
    addEmpty(rewriter.getF32Type());
  SmallVector<AffineMap> maps(coordinates.size() + empties.size(),
                              rewriter.getMultiDimIdentityMap(1));
  auto positions = linalg::GenericOp::create(
      rewriter, loc, TypeRange(ValueRange(empties)), coordinates, empties, maps,
      utils::IteratorType::parallel,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(
            builder, loc,
            emitElementsOf(builder, arguments.take_front(coordinates.size())));
      });
  return SmallVector<Value>(positions.getResults());
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// The element of the loop's channel with this number, or zero.
Value RowEmitter::readElement(OpBuilder &builder, Value number) {
  FlatPlace place = emitFlatPlace(builder, loc, op.getPadding(), number);
  SmallVector<Value> index;
  for (char letter : imageLetters) {
    if (letter == 'n')
      index.push_back(indices.at('n'));
    else if (letter == 'c')
      index.push_back(linalg::IndexOp::create(builder, loc, getLoop('c')));
    else
      index.push_back(place.index);
  }
  Value element = tensor::ExtractOp::create(builder, loc, image, index);
  return emitInside(builder, loc, place.isInside, element);
}

Value RowEmitter::emitSamples(ValueRange positions, Value samples) {
  size_t count = countElements(op.getMode(), spatial.size());
  AffineMap ofSample = AffineMap::get(
      2, 0, rewriter.getAffineDimExpr(getLoop('w')), op.getContext());
  SmallVector<AffineMap> maps(positions.size(), ofSample);
  maps.push_back(rewriter.getMultiDimIdentityMap(2));
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    SmallVector<SampleElement> elements(count);
    for (auto [number, element] : llvm::enumerate(elements)) {
      element.place = {arguments[number]};
      if (positions.size() > count)
        element.weight = arguments[count + number];
    }
    Value sample =
        emitSample(builder, loc, op.getType().getElementType(), elements,
                   [&](const SampleElement &element) {
                     return readElement(builder, element.place.front());
                   });
    linalg::YieldOp::create(builder, loc, sample);
  };
  return linalg::GenericOp::create(rewriter, loc, samples.getType(), positions,
                                   samples, maps, iterators, build)
      .getResult(0);
}

Value RowEmitter::emitSamplesOf(ValueRange positions, Value part) {
  if (!alongChannels || !hasChannelRows())
    return emitSamples(positions, part);
  auto type = cast<RankedTensorType>(part.getType());
  Value staged = tensor::EmptyOp::create(
      rewriter, loc, {type.getDimSize(1), type.getDimSize(0)},
      type.getElementType());
  AffineMap order = getLetterMap("wc", "cw", rewriter.getContext());
  return createCopy(rewriter, loc, emitSamples(positions, staged), order, part)
      .getResult(0);
}

void RowEmitter::emitPart(scf::ForallOp loop) {
  auto letters = llvm::make_filter_range(layout.getOutput(),
                                         [](char c) { return c != 'c'; });
  for (auto [letter, index] : llvm::zip(letters, loop.getInductionVars()))
    indices[letter] = index;
  rewriter.setInsertionPoint(loop.getTerminator());
  SmallVector<Value> positions = emitPositions();
  Value result = loop.getRegionIterArgs().front();
  TensorSlice slice = getSlice(result, layout.getOutput(), std::nullopt);
  slice.insert(emitSamplesOf(positions, slice.extract()), loop);
}

Value RowEmitter::emit() {
  image = flattenImage();
  if (alongChannels && imageLetters.back() != 'c') {
    StringRef wanted = "nwc";
    image = reorderDims(rewriter, loc, image, imageLetters, wanted);
    imageLetters = wanted;
  }
  Value empty = tensor::EmptyOp::create(rewriter, loc, op.getType().getShape(),
                                        op.getType().getElementType());
  SmallVector<OpFoldResult> lower, upper, steps;
  for (char letter : layout.getOutput()) {
    if (letter == 'c')
      continue;
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(rewriter.getIndexAttr(getSampleSize(letter)));
    steps.push_back(rewriter.getIndexAttr(letter == 'w' ? part : 1));
  }
  auto loop = scf::ForallOp::create(rewriter, loc, lower, upper, steps, empty,
                                    /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard restore(rewriter);
  emitPart(loop);
  return loop.getResult(0);
}

Value mlir::convoy::emitSampleRows(RewriterBase &rewriter, GridSampleOp op) {
  return RowEmitter(rewriter, op).emit();
}
