//===- SamplePosition.cpp - Which elements a sample is made of --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Sampling/SamplePosition.h"

#include "SampleDimension.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value mlir::convoy::emitCoordinates(OpBuilder &builder, Location loc,
                                    Value grid, StringRef letters,
                                    int64_t number) {
  auto type = cast<RankedTensorType>(grid.getType());
  size_t dim = letters.find('c');
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, grid);
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(type.getRank(), zero),
      strides(type.getRank(), one);
  RankedTensorType slice = RankedTensorType::Builder(type).dropDim(dim);
  // No slice begins in a dimension of size 0.
  if (slice.hasStaticShape() && slice.getNumElements() == 0)
    return tensor::EmptyOp::create(builder, loc, slice.getShape(),
                                   slice.getElementType());
  offsets[dim] = builder.getIndexAttr(number);
  sizes[dim] = one;
  return tensor::ExtractSliceOp::create(builder, loc, slice, grid, offsets,
                                        sizes, strides);
}

SmallVector<SamplePosition>
mlir::convoy::emitGridPositions(OpBuilder &builder, Location loc,
                                const SampleRule &rule, ValueRange coordinates,
                                ArrayRef<OpFoldResult> sizes) {
  SmallVector<SamplePosition> positions;
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, sizes))
    positions.push_back(
        DimensionEmitter(builder, loc, rule, size).emitPosition(coordinate));
  return positions;
}

SamplePosition mlir::convoy::emitOffsetPosition(OpBuilder &builder,
                                                Location loc, Value offset,
                                                Value start) {
  NumberEmitter emitter(builder, loc);
  // The sum is exact: the rest is the offset's.
  SamplePosition position =
      emitter.split(emitter.emitNumber(offset, 0, kFarthestPosition));
  position.whole = arith::AddIOp::create(builder, loc, position.whole, start);
  return position;
}

/// `elements` of the dimensions before, each with each of the taps along one
/// more.
static SmallVector<SampleElement> addDimension(OpBuilder &builder, Location loc,
                                               ArrayRef<SampleElement> elements,
                                               ArrayRef<SampleTap> taps) {
  SmallVector<SampleElement> next;
  for (const SampleElement &element : elements)
    for (const SampleTap &tap : taps) {
      SampleElement &both = next.emplace_back(element);
      both.place.push_back(tap.place);
      both.isInside = element.isInside ? arith::AndIOp::create(builder, loc,
                                                               element.isInside,
                                                               tap.isInside)
                                       : tap.isInside;
      if (!tap.weight)
        continue;
      both.weight = element.weight
                        ? emitUncontracted<arith::MulFOp>(
                              builder, loc, element.weight, tap.weight)
                        : tap.weight;
    }
  return next;
}

size_t mlir::convoy::countElements(SampleMode mode, size_t rank) {
  size_t perDim = mode == SampleMode::Nearest  ? 1
                  : mode == SampleMode::Linear ? 2
                                               : 4;
  size_t count = 1;
  while (rank-- > 0)
    count *= perDim;
  return count;
}

SmallVector<SampleElement>
mlir::convoy::emitElements(OpBuilder &builder, Location loc,
                           const SampleRule &rule,
                           ArrayRef<SamplePosition> positions,
                           ArrayRef<OpFoldResult> sizes, Value factor) {
  SmallVector<SampleElement> elements(1);
  elements.front().weight = factor;
  for (auto [position, size] : llvm::zip_equal(positions, sizes))
    elements = addDimension(
        builder, loc, elements,
        DimensionEmitter(builder, loc, rule, size).emitTaps(position));
  return elements;
}

Value mlir::convoy::emitShare(OpBuilder &builder, Location loc, Value gradient,
                              const SampleElement &element) {
  Value wide = emitWide(builder, loc, gradient);
  if (!element.weight)
    return wide;
  return arith::MulFOp::create(builder, loc, wide, element.weight);
}

/// What is left of `values`, one for each of some elements, row-major, when the
/// sample, or its slope, is taken along their last dimension.
static SmallVector<Value> sampleLast(OpBuilder &builder, Location loc,
                                     ArrayRef<Value> values,
                                     const SlopeTaps &along, bool isSlope) {
  SmallVector<Value> samples;
  size_t count = along.taps.size();
  for (; !values.empty(); values = values.drop_front(count)) {
    if (isSlope && along.weights.empty()) {
      samples.push_back(
          arith::SubFOp::create(builder, loc, values[1], values[0]));
      continue;
    }
    Value sum;
    for (size_t number = 0; number < count; ++number) {
      Value weight =
          isSlope ? along.weights[number] : along.taps[number].weight;
      Value product =
          arith::MulFOp::create(builder, loc, values[number], weight);
      sum = sum ? arith::AddFOp::create(builder, loc, sum, product) : product;
    }
    samples.push_back(sum);
  }
  return samples;
}

SmallVector<Value> mlir::convoy::emitSlopes(
    OpBuilder &builder, Location loc, const SampleRule &rule,
    ArrayRef<SamplePosition> positions, ArrayRef<OpFoldResult> sizes,
    function_ref<Value(const SampleElement &)> read) {
  SmallVector<SlopeTaps> taps;
  SmallVector<SampleElement> elements(1);
  for (auto [position, size] : llvm::zip_equal(positions, sizes)) {
    taps.push_back(
        DimensionEmitter(builder, loc, rule, size).emitSlopeTaps(position));
    SmallVector<SampleTap> places = taps.back().taps;
    for (SampleTap &tap : places)
      tap.weight = {};
    elements = addDimension(builder, loc, elements, places);
  }
  SmallVector<Value> read32;
  for (const SampleElement &element : elements)
    read32.push_back(emitWide(builder, loc, read(element)));
  SmallVector<Value> slopes;
  for (size_t along = 0; along < taps.size(); ++along) {
    SmallVector<Value> values = read32;
    for (size_t dim = taps.size(); dim-- > 0;)
      values = sampleLast(builder, loc, values, taps[dim], dim == along);
    Value slope = values.front();
    if (Value isFlat = taps[along].isFlat) {
      Value zero = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(slope.getType()));
      slope = arith::SelectOp::create(builder, loc, isFlat, zero, slope);
    }
    slopes.push_back(slope);
  }
  return slopes;
}

Value mlir::convoy::emitPositionScale(OpBuilder &builder, Location loc,
                                      const SampleRule &rule,
                                      OpFoldResult size) {
  return DimensionEmitter(builder, loc, rule, size).emitScale();
}

Value mlir::convoy::emitInside(OpBuilder &builder, Location loc, Value isInside,
                               Value element) {
  if (!isInside)
    return element;
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(element.getType()));
  return arith::SelectOp::create(builder, loc, isInside, element, zero);
}

Value mlir::convoy::emitSample(
    OpBuilder &builder, Location loc, Type type,
    ArrayRef<SampleElement> elements,
    function_ref<Value(const SampleElement &)> read) {
  if (!elements.front().weight)
    return read(elements.front());
  Value sum;
  for (const SampleElement &element : elements) {
    Value value = emitWide(builder, loc, read(element));
    Value product = arith::MulFOp::create(builder, loc, value, element.weight);
    sum = sum ? arith::AddFOp::create(builder, loc, sum, product) : product;
  }
  return type == sum.getType()
             ? sum
             : arith::TruncFOp::create(builder, loc, type, sum);
}

Value mlir::convoy::emitFlatNumber(OpBuilder &builder, Location loc,
                                   const SampleElement &element,
                                   ArrayRef<OpFoldResult> sizes) {
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(int32_t(value)));
  };
  Value number = element.place.front();
  for (auto [place, size] :
       llvm::drop_begin(llvm::zip_equal(element.place, sizes))) {
    Value size32 = constant(*getConstantIntValue(size));
    Value before = arith::MulIOp::create(builder, loc, number, size32);
    number = arith::AddIOp::create(builder, loc, before, place);
  }
  if (!element.isInside)
    return number;
  Value outside = constant(-1);
  return arith::SelectOp::create(builder, loc, element.isInside, number,
                                 outside);
}

FlatPlace mlir::convoy::emitFlatPlace(OpBuilder &builder, Location loc,
                                      SamplePadding padding, Value number) {
  FlatPlace place;
  if (padding == SamplePadding::Zeros) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    place.isInside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, number, zero);
    number = arith::MaxSIOp::create(builder, loc, number, zero);
  }
  place.index =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
  return place;
}
