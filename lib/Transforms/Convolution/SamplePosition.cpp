//===- SamplePosition.cpp - Which elements a sample is made of --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SamplePosition.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;

/// Coordinates further out are taken for this one: their positions are further
/// out than kFarthestPosition, if the image is not a single element.
static constexpr double kFarthestCoordinate = 0x1p31;
/// Positions further out are taken for this one. There, integers of 32 bits
/// have room for what is done to them.
static constexpr double kFarthestPosition = 0x1p30;

namespace {
/// One of the elements along a dimension.
struct SampleTap {
  Value place;    ///< an i32 inside of the image
  Value isInside; ///< whether the element is there; null where it always is
  Value weight;   ///< f32; null where it is 1
};

/// A position, in whole elements and the rest.
struct Position {
  Value whole; ///< i32
  Value rest;  ///< f32, from 0 to 1
};

/// Emits what happens along one dimension.
class DimensionEmitter {
public:
  DimensionEmitter(OpBuilder &builder, Location loc, GridSampleOp op,
                   OpFoldResult size);

  Position emitPosition(Value coordinate);
  /// The whole number next to `position`; of two, the even one.
  Value emitNearest(const Position &position);
  /// The whole number at or below `position`, and `step` further.
  Value emitStep(const Position &position, int32_t step);
  /// The weights of the taps.
  SmallVector<Value> emitWeights(Value rest);
  /// The tap that reads element `whole` of the image and what lies around it.
  SampleTap emitTap(Value whole, Value weight);

private:
  Value number(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  }
  Value integer(int32_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  }
  Value add(Value a, Value b) {
    return emitUncontracted<arith::AddFOp>(builder, loc, a, b);
  }
  Value subtract(Value a, Value b) {
    return emitUncontracted<arith::SubFOp>(builder, loc, a, b);
  }
  Value multiply(Value a, Value b) {
    return emitUncontracted<arith::MulFOp>(builder, loc, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  /// The next number from -limit to limit.
  Value clamp(Value value, double limit);
  /// The coordinate as a number in f32 that is not too far out.
  Value emitNumber(Value coordinate);
  /// The number of elements, less `less`, in f32.
  Value emitSize(int32_t less);
  /// Weights of elements within a distance of 1, and beyond.
  Value emitInnerWeight(Value distance);
  Value emitOuterWeight(Value distance, Value other);
  Value emitReflected(Value whole);

  OpBuilder &builder;
  Location loc;
  SampleMode mode;
  SamplePadding padding;
  bool alignCorners;
  std::optional<int64_t> staticSize;
  Value size; ///< i32
};
} // namespace

DimensionEmitter::DimensionEmitter(OpBuilder &builder, Location loc,
                                   GridSampleOp op, OpFoldResult size)
    : builder(builder), loc(loc), mode(op.getMode()), padding(op.getPadding()),
      alignCorners(op.getAlignCorners()),
      staticSize(getConstantIntValue(size)) {
  this->size = staticSize ? integer(int32_t(*staticSize))
                          : arith::IndexCastOp::create(builder, loc,
                                                       builder.getI32Type(),
                                                       cast<Value>(size));
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

Value DimensionEmitter::clamp(Value value, double limit) {
  Value most = number(limit), least = number(-limit);
  value = select(compare(arith::CmpFPredicate::OLT, value, most), value, most);
  return select(compare(arith::CmpFPredicate::OGT, value, least), value, least);
}

Value DimensionEmitter::emitNumber(Value coordinate) {
  if (coordinate.getType() != builder.getF32Type())
    coordinate =
        arith::ExtFOp::create(builder, loc, builder.getF32Type(), coordinate);
  // By its bits: targets may take for granted that there is no NaN.
  Value bits =
      arith::BitcastOp::create(builder, loc, builder.getI32Type(), coordinate);
  Value magnitude =
      arith::AndIOp::create(builder, loc, bits, integer(0x7fffffff));
  Value isNaN =
      compare(arith::CmpIPredicate::ugt, magnitude, integer(0x7f800000));
  coordinate = select(isNaN, number(-1), coordinate);
  return clamp(coordinate, kFarthestCoordinate);
}

Value DimensionEmitter::emitSize(int32_t less) {
  if (staticSize)
    return number(double(*staticSize - less));
  Value count = arith::SubIOp::create(builder, loc, size, integer(less));
  return arith::SIToFPOp::create(builder, loc, builder.getF32Type(), count);
}

Position DimensionEmitter::emitPosition(Value coordinate) {
  Value near = emitNumber(coordinate);
  Value fromLow = add(near, number(1));
  Value position;
  if (alignCorners) {
    Value part = multiply(fromLow, number(0.5));
    position = multiply(part, emitSize(1));
  } else {
    Value edges = multiply(fromLow, emitSize(0));
    Value centers = subtract(edges, number(1));
    position = multiply(centers, number(0.5));
  }
  position = clamp(position, kFarthestPosition);
  // What is cut off towards zero is above a negative position.
  Value cut =
      arith::FPToSIOp::create(builder, loc, builder.getI32Type(), position);
  Value cutNumber =
      arith::SIToFPOp::create(builder, loc, builder.getF32Type(), cut);
  Value isAbove = compare(arith::CmpFPredicate::OGT, cutNumber, position);
  Value below = arith::SubIOp::create(builder, loc, cut, integer(1));
  Value belowNumber = subtract(cutNumber, number(1));
  Value whole = select(isAbove, below, cut);
  Value wholeNumber = select(isAbove, belowNumber, cutNumber);
  return {whole, subtract(position, wholeNumber)};
}

Value DimensionEmitter::emitNearest(const Position &position) {
  Value half = number(0.5);
  Value isUpper = compare(arith::CmpFPredicate::OGT, position.rest, half);
  Value isTie = compare(arith::CmpFPredicate::OEQ, position.rest, half);
  Value isOdd = arith::AndIOp::create(builder, loc, position.whole, integer(1));
  Value stepOfTie = select(isTie, isOdd, integer(0));
  Value step = select(isUpper, integer(1), stepOfTie);
  return arith::AddIOp::create(builder, loc, position.whole, step);
}

Value DimensionEmitter::emitStep(const Position &position, int32_t step) {
  if (step == 0)
    return position.whole;
  return arith::AddIOp::create(builder, loc, position.whole, integer(step));
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

/// ((1.25 d - 2.25) d) d + 1 for the distance d of an element, up to 1.
Value DimensionEmitter::emitInnerWeight(Value distance) {
  Value scaled = multiply(number(1.25), distance);
  Value factor = subtract(scaled, number(2.25));
  Value product = multiply(multiply(factor, distance), distance);
  return add(product, number(1));
}

/// ((-0.75 d) o) o for the distance 1 + d, from 1 to 2, and o = 1 - d.
Value DimensionEmitter::emitOuterWeight(Value distance, Value other) {
  return multiply(multiply(multiply(number(-0.75), distance), other), other);
}

SmallVector<Value> DimensionEmitter::emitWeights(Value rest) {
  Value other = subtract(number(1), rest);
  if (mode == SampleMode::Linear)
    return {other, rest};
  SmallVector<Value> weights;
  weights.push_back(emitOuterWeight(rest, other));
  weights.push_back(emitInnerWeight(rest));
  weights.push_back(emitInnerWeight(other));
  weights.push_back(emitOuterWeight(other, rest));
  return weights;
}

/// The element that lies at `whole` in the image and its reflections, which are
/// symmetric to the first element, or to its lower edge, and follow each other
/// with a period.
Value DimensionEmitter::emitReflected(Value whole) {
  Value isNegative = compare(arith::CmpIPredicate::slt, whole, integer(0));
  Value mirrored = arith::SubIOp::create(builder, loc,
                                         integer(alignCorners ? 0 : -1), whole);
  whole = select(isNegative, mirrored, whole);
  Value last = arith::SubIOp::create(builder, loc, size, integer(1));
  Value period = arith::MulIOp::create(builder, loc, alignCorners ? last : size,
                                       integer(2));
  if (alignCorners)
    // Of a single element all reflections are the same.
    period = arith::MaxSIOp::create(builder, loc, period, integer(1));
  Value place = arith::RemUIOp::create(builder, loc, whole, period);
  Value end = arith::SubIOp::create(builder, loc, period,
                                    integer(alignCorners ? 0 : 1));
  Value isUp = compare(arith::CmpIPredicate::ule, place, last);
  Value down = arith::SubIOp::create(builder, loc, end, place);
  return select(isUp, place, down);
}

SampleTap DimensionEmitter::emitTap(Value whole, Value weight) {
  SampleTap tap;
  tap.weight = weight;
  switch (padding) {
  case SamplePadding::Zeros:
    tap.isInside = compare(arith::CmpIPredicate::ult, whole, size);
    tap.place = select(tap.isInside, whole, integer(0));
    break;
  case SamplePadding::Border: {
    Value last = arith::SubIOp::create(builder, loc, size, integer(1));
    Value below = arith::MinSIOp::create(builder, loc, whole, last);
    tap.place = arith::MaxSIOp::create(builder, loc, below, integer(0));
    break;
  }
  case SamplePadding::Reflection:
    tap.place = emitReflected(whole);
    break;
  }
  return tap;
}

/// Emits the taps of `op` at `coordinate` along a dimension of the image that
/// has `size`, in the order of their places.
static SmallVector<SampleTap> emitTaps(OpBuilder &builder, Location loc,
                                       GridSampleOp op, Value coordinate,
                                       OpFoldResult size) {
  DimensionEmitter emitter(builder, loc, op, size);
  Position position = emitter.emitPosition(coordinate);
  if (op.getMode() == SampleMode::Nearest)
    return {emitter.emitTap(emitter.emitNearest(position), /*weight=*/{})};
  SmallVector<SampleTap> taps;
  int32_t first = op.getMode() == SampleMode::Cubic ? -1 : 0;
  for (auto [number, weight] :
       llvm::enumerate(emitter.emitWeights(position.rest))) {
    int32_t step = first + int32_t(number);
    taps.push_back(emitter.emitTap(emitter.emitStep(position, step), weight));
  }
  return taps;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

SmallVector<SampleElement>
mlir::convoy::emitElements(OpBuilder &builder, Location loc, GridSampleOp op,
                           ValueRange coordinates,
                           ArrayRef<OpFoldResult> sizes) {
  SmallVector<SampleElement> elements(1);
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, sizes)) {
    SmallVector<SampleTap> taps = emitTaps(builder, loc, op, coordinate, size);
    SmallVector<SampleElement> next;
    for (const SampleElement &element : elements)
      for (const SampleTap &tap : taps) {
        SampleElement &both = next.emplace_back(element);
        both.place.push_back(tap.place);
        both.isInside = element.isInside
                            ? arith::AndIOp::create(
                                  builder, loc, element.isInside, tap.isInside)
                            : tap.isInside;
        both.weight = element.weight
                          ? emitUncontracted<arith::MulFOp>(
                                builder, loc, element.weight, tap.weight)
                          : tap.weight;
      }
    elements = std::move(next);
  }
  return elements;
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
    OpBuilder &builder, Location loc, GridSampleOp op,
    ArrayRef<SampleElement> elements,
    function_ref<Value(const SampleElement &)> read) {
  if (op.getMode() == SampleMode::Nearest)
    return read(elements.front());
  Type type = op.getType().getElementType(), sumType = builder.getF32Type();
  Value sum;
  for (const SampleElement &element : elements) {
    Value value = read(element);
    if (type != sumType)
      value = arith::ExtFOp::create(builder, loc, sumType, value);
    Value product = arith::MulFOp::create(builder, loc, value, element.weight);
    sum = sum ? arith::AddFOp::create(builder, loc, sum, product) : product;
  }
  return type == sumType ? sum
                         : arith::TruncFOp::create(builder, loc, type, sum);
}
