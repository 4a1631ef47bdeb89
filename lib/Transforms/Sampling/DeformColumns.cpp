//===- DeformColumns.cpp - What deformed windows read -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas are those of docs/Sampling.md, and so is the order of their
// operations.
//
//===----------------------------------------------------------------------===//

#include "DeformColumns.h"

#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <array>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

/// Elements that a bilinear sample is made of.
static constexpr size_t kElements = 4;

ColumnEmitter::ColumnEmitter(OpBuilder &builder, Deformation given)
    : builder(builder), loc(given.loc), deformation(std::move(given)) {
  sizes['y'] = deformation.taps[0];
  sizes['x'] = deformation.taps[1];
  chooseChannels();
  // Lanes of vectors go along what is innermost in the output.
  bool areLanesOfW =
      StringRef(deformation.layouts.output.letters()).ends_with("w");
  word = areLanesOfW ? "n" + channelLetters + "yhxw" : "nyhxw" + channelLetters;
  std::string channels = deformation.hasGroups ? "gc" : "c";
  layout = areLanesOfW ? "n" + channels + "hw" : "nhw" + channels;
}

/// Groups of the filter and of offsets divide the channels; one of both counts
/// through the other where it can.
void ColumnEmitter::chooseChannels() {
  int64_t offsetGroups = deformation.offsetGroups, groups = deformation.groups,
          channels = deformation.channels;
  bool isFiner = offsetGroups % groups == 0;
  areGroupsApart = isFiner || groups % offsetGroups == 0;
  sizes['o'] = isFiner || !areGroupsApart ? 1 : offsetGroups;
  sizes['g'] = groups / getSize('o');
  sizes['m'] = isFiner ? offsetGroups / groups : 1;
  sizes['c'] = channels / getSize('m');
  for (char letter : StringRef("ogm")) {
    if (getSize(letter) == 1)
      continue;
    channelLetters += letter;
    if (letter == 'o' || isFiner)
      groupLetters += letter;
  }
  channelLetters += 'c';
}

SmallVector<int64_t> ColumnEmitter::getSizes(StringRef letters) const {
  return llvm::map_to_vector(letters,
                             [&](char letter) { return getSize(letter); });
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static Value emitIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

ColumnEmitter::Indices ColumnEmitter::emitIndices(OpBuilder &builder,
                                                  Location loc,
                                                  StringRef letters) {
  Indices at;
  for (char letter : StringRef("nyhxwogmc")) {
    size_t loop = letters.find(letter);
    at[letter] = loop == StringRef::npos
                     ? emitIndex(builder, loc, 0)
                     : linalg::IndexOp::create(builder, loc, loop).getResult();
  }
  return at;
}

/// The sum of an index and where it begins.
static Value emitFrom(OpBuilder &builder, Location loc, OpFoldResult begin,
                      Value index) {
  if (isZeroInteger(begin))
    return index;
  return arith::AddIOp::create(
      builder, loc, getValueOrCreateConstantIndexOp(builder, loc, begin),
      index);
}

Value ColumnEmitter::emitChannel(OpBuilder &builder, Location loc, char letter,
                                 const Indices &at) {
  char outer = letter == 'g' ? 'o' : 'm';
  Value channel = at.lookup(letter);
  if (StringRef(channelLetters).contains(outer))
    channel =
        emitLinear(builder, loc, at.lookup(outer), getSize(letter), channel);
  Value first =
      letter == 'g' ? deformation.firstGroup : deformation.firstChannel;
  if (!first)
    return channel;
  return arith::AddIOp::create(builder, loc, first, channel);
}

Value ColumnEmitter::emitOffsetGroup(OpBuilder &builder, Location loc,
                                     const Indices &at) {
  if (areGroupsApart && groupLetters.empty())
    return emitIndex(builder, loc, 0);
  if (getSize('o') > 1)
    return at.lookup('o');
  if (areGroupsApart)
    return emitLinear(builder, loc, at.lookup('g'), getSize('m'),
                      at.lookup('m'));
  int64_t perGroup = deformation.getChannels() / deformation.offsetGroups;
  Value channel =
      emitLinear(builder, loc, at.lookup('g'), getSize('c'), at.lookup('c'));
  return arith::DivUIOp::create(builder, loc, channel,
                                emitIndex(builder, loc, perGroup));
}

SmallVector<SampleElement>
ColumnEmitter::emitElementsOf(OpBuilder &builder, Location loc, Indices at,
                              const OutputTile &tile, ValueRange offsets,
                              Value mask) {
  at['h'] = emitFrom(builder, loc, tile.h, at['h']);
  at['w'] = emitFrom(builder, loc, tile.w, at['w']);
  return emitElements(builder, loc, kDeformRule,
                      deformation.emitPositions(builder, loc, at, offsets),
                      deformation.imageSizes,
                      mask ? emitWide(builder, loc, mask) : Value());
}

//===----------------------------------------------------------------------===//
// At once
//===----------------------------------------------------------------------===//

Value ColumnEmitter::emitEmpty(const OutputTile &tile) {
  SmallVector<OpFoldResult> shape;
  for (char letter : word)
    shape.push_back(letter == 'n' ? tile.images
                                  : builder.getIndexAttr(getSize(letter)));
  return tensor::EmptyOp::create(
      builder, loc, shape, getElementTypeOrSelf(deformation.input.getType()));
}

Value ColumnEmitter::emitAtOnce(const OutputTile &tile) {
  Value empty = emitEmpty(tile);
  int64_t rank = int64_t(word.size());
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange) {
    Indices at = emitIndices(builder, loc, word);
    Value image = emitFrom(builder, loc, tile.n, at.lookup('n'));
    Value tap =
        emitLinear(builder, loc, at.lookup('y'), getSize('x'), at.lookup('x'));
    Value number = emitLinear(builder, loc, emitOffsetGroup(builder, loc, at),
                              getSize('y') * getSize('x'), tap);
    Indices place = {{'n', image},
                     {'h', emitFrom(builder, loc, tile.h, at.lookup('h'))},
                     {'w', emitFrom(builder, loc, tile.w, at.lookup('w'))},
                     {'y', at.lookup('y')},
                     {'x', at.lookup('x')}};
    for (char letter : StringRef("gc"))
      place[letter] = emitChannel(builder, loc, letter, at);
    auto readInput = [&](const SampleElement &element) {
      return deformation.readImage(builder, loc, place, element);
    };
    Value sample = emitSample(
        builder, loc, getElementTypeOrSelf(deformation.input.getType()),
        deformation.emitTapElements(builder, loc, place, number), readInput);
    linalg::YieldOp::create(builder, loc, sample);
  };
  return linalg::GenericOp::create(builder, loc, empty.getType(), ValueRange{},
                                   empty, builder.getMultiDimIdentityMap(rank),
                                   iterators, build)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// In stages
//===----------------------------------------------------------------------===//

/// Channels share positions, and an image's elements can be counted in 32 bits,
/// row by row.
bool ColumnEmitter::hasStages() const {
  double pixels = 1;
  for (OpFoldResult size : deformation.imageSizes) {
    if (!getConstantIntValue(size))
      return false;
    pixels *= double(*getConstantIntValue(size));
  }
  return areGroupsApart && getSize('c') > 1 &&
         StringRef(deformation.layouts.input.letters()).contains("hw") &&
         pixels <= double(std::numeric_limits<int32_t>::max());
}

Value ColumnEmitter::emitSlice(Value tensor, const OutputTile &tile,
                               std::optional<int64_t> number) {
  // z is what tells the two offsets apart.
  std::string inner = groupLetters + "yx" + (number ? "z" : "");
  auto type = cast<RankedTensorType>(tensor.getType());
  std::string letters;
  SmallVector<int64_t> expanded;
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, letter] : llvm::enumerate(deformation.offsetLayout)) {
    std::string parts = letter == 'c' ? inner : std::string(1, letter);
    ReassociationIndices &group = groups.emplace_back();
    for (char part : parts) {
      group.push_back(int64_t(letters.size()));
      letters += part;
      expanded.push_back(letter != 'c' ? type.getDimSize(dim)
                         : part == 'z' ? 2
                                       : getSize(part));
    }
  }
  Value apart = tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(expanded, type.getElementType()),
      tensor, groups);
  TensorSlice slice(builder, loc, apart);
  for (auto [dim, letter] : llvm::enumerate(letters)) {
    if (letter == 'n')
      slice.pick(dim, tile.n);
    else if (letter == 'h')
      slice.narrow(dim, tile.h, builder.getIndexAttr(tile.rows));
    else if (letter == 'w')
      slice.narrow(dim, tile.w, builder.getIndexAttr(tile.columns));
    else if (letter == 'z')
      slice.pick(dim, builder.getIndexAttr(*number));
  }
  return slice.extract();
}

SmallVector<Value> ColumnEmitter::emitPositions(const OutputTile &tile) {
  std::string loops = groupLetters + "yxhw", ofSlice;
  for (char letter : deformation.offsetLayout)
    if (letter != 'n')
      ofSlice += letter == 'c' ? groupLetters + "yx" : std::string(1, letter);
  SmallVector<Value> slices = {emitSlice(deformation.offset, tile, 0),
                               emitSlice(deformation.offset, tile, 1)};
  if (deformation.mask)
    slices.push_back(emitSlice(deformation.mask, tile, std::nullopt));
  SmallVector<Value> empties;
  for (Type type : {Type(builder.getI32Type()), Type(builder.getF32Type())})
    for (size_t number = 0; number < kElements; ++number)
      empties.push_back(
          tensor::EmptyOp::create(builder, loc, getSizes(loops), type));
  SmallVector<AffineMap> maps(
      slices.size(), getLetterMap(ofSlice, loops, builder.getContext()));
  maps.append(empties.size(), builder.getMultiDimIdentityMap(loops.size()));
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::parallel);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    Value mask = deformation.mask ? arguments[2] : Value();
    SmallVector<Value> numbers, weights;
    for (const SampleElement &element :
         emitElementsOf(builder, loc, emitIndices(builder, loc, loops), tile,
                        arguments.take_front(2), mask)) {
      numbers.push_back(
          emitFlatNumber(builder, loc, element, deformation.imageSizes));
      weights.push_back(element.weight);
    }
    numbers.append(weights);
    linalg::YieldOp::create(builder, loc, numbers);
  };
  auto positions =
      linalg::GenericOp::create(builder, loc, TypeRange(ValueRange(empties)),
                                slices, empties, maps, iterators, build);
  return SmallVector<Value>(positions.getResults());
}

Value ColumnEmitter::emitSamples(const OutputTile &tile, ValueRange positions) {
  // The input with one dimension in the place of h and w.
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, letter] :
       llvm::enumerate(deformation.layouts.input.letters())) {
    if (letter != 'w')
      groups.emplace_back();
    groups.back().push_back(int64_t(dim));
  }
  Value image =
      tensor::CollapseShapeOp::create(builder, loc, deformation.input, groups);
  Value empty = emitEmpty(tile);
  int64_t rank = int64_t(word.size());
  SmallVector<AffineMap> maps(
      positions.size(),
      getLetterMap(groupLetters + "yxhw", word, builder.getContext()));
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    Indices at = emitIndices(builder, loc, word);
    SmallVector<SampleElement> elements(kElements);
    for (auto [number, element] : llvm::enumerate(elements)) {
      element.place = {arguments[number]};
      element.weight = arguments[kElements + number];
    }
    auto read = [&](const SampleElement &element) {
      FlatPlace place = emitFlatPlace(builder, loc, kDeformRule.padding,
                                      element.place.front());
      Indices all = {
          {'n', getValueOrCreateConstantIndexOp(builder, loc, tile.n)},
          {'h', place.index}};
      for (char letter : StringRef("gc"))
        all[letter] = emitChannel(builder, loc, letter, at);
      SmallVector<Value> index;
      for (char letter : deformation.layouts.input.letters())
        if (letter != 'w')
          index.push_back(all.lookup(letter));
      Value value = tensor::ExtractOp::create(builder, loc, image, index);
      return emitInside(builder, loc, place.isInside, value);
    };
    linalg::YieldOp::create(
        builder, loc,
        emitSample(builder, loc,
                   getElementTypeOrSelf(deformation.input.getType()), elements,
                   read));
  };
  return linalg::GenericOp::create(builder, loc, empty.getType(), positions,
                                   empty, maps, iterators, build)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Puts taps and tile, and what channels are told apart by, together.
Value ColumnEmitter::collapse(Value columns) {
  SmallVector<ReassociationIndices> groups;
  bool hasGroups = deformation.hasGroups;
  for (auto [dim, letter] : llvm::enumerate(word)) {
    // What begins a dimension of the layout.
    bool isFirst = StringRef("nyx").contains(letter) ||
                   letter == channelLetters.front() ||
                   (hasGroups && letter == (getSize('m') > 1 ? 'm' : 'c'));
    if (isFirst)
      groups.emplace_back();
    groups.back().push_back(int64_t(dim));
  }
  // A single group has no loop.
  bool lacksGroup = hasGroups && getSize('o') * getSize('g') == 1;
  Value collapsed =
      tensor::CollapseShapeOp::create(builder, loc, columns, groups);
  if (!lacksGroup)
    return collapsed;
  SmallVector<ReassociationIndices> expanded;
  SmallVector<OpFoldResult> shape;
  int64_t source = 0;
  for (char letter : layout) {
    if (letter == 'g') {
      shape.push_back(builder.getIndexAttr(1));
      continue;
    }
    shape.push_back(tensor::getMixedSize(builder, loc, collapsed, source++));
    ReassociationIndices &group = expanded.emplace_back();
    if (letter == 'c')
      group.push_back(int64_t(shape.size()) - 2);
    group.push_back(int64_t(shape.size()) - 1);
  }
  SmallVector<int64_t> staticShape;
  std::tie(staticShape, std::ignore) = decomposeMixedValues(shape);
  return tensor::ExpandShapeOp::create(
      builder, loc,
      RankedTensorType::get(staticShape,
                            getElementTypeOrSelf(deformation.input.getType())),
      collapsed, expanded, shape);
}

WindowAttr ColumnEmitter::getWindow(const OutputTile &tile) const {
  SmallVector<WindowDim> window(2);
  if (deformation.taps[0] > 1)
    window[0].dilation = tile.rows;
  if (deformation.taps[1] > 1)
    window[1].dilation = tile.columns;
  return WindowAttr::get(builder.getContext(), window);
}

Value ColumnEmitter::emit(const OutputTile &tile, bool inStages) {
  sizes['h'] = tile.rows;
  sizes['w'] = tile.columns;
  bool isOneImage = getConstantIntValue(tile.images) == 1;
  if (inStages && isOneImage && hasStages())
    return collapse(emitSamples(tile, emitPositions(tile)));
  return collapse(emitAtOnce(tile));
}
