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

/// Emits operations on numbers of f32 and i32.
class NumberEmitter {
public:
  NumberEmitter(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  /// `number` in f32, or `replacement` for what is none; the next one from
  /// -limit to limit.
  Value emitNumber(Value number, double replacement, double limit);
  /// The next number from -limit to limit.
  Value clamp(Value value, double limit);
  /// `position` apart from where it is counted from.
  SamplePosition split(Value position);

protected:
  Value constant(double value) {
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
  OpBuilder &builder;
  Location loc;
};

/// Emits what happens along one dimension.
class DimensionEmitter : NumberEmitter {
public:
  DimensionEmitter(OpBuilder &builder, Location loc, const SampleRule &rule,
                   OpFoldResult size);

  SamplePosition emitPosition(Value coordinate);
  /// The whole number next to `position`; of two, the even one.
  Value emitNearest(const SamplePosition &position);
  /// The whole number at or below `position`, and `step` further.
  Value emitStep(const SamplePosition &position, int32_t step);
  /// The weights of the taps.
  SmallVector<Value> emitWeights(Value rest);
  /// The tap that reads element `whole` of the image and what lies around it.
  SampleTap emitTap(Value whole, Value weight);

private:
  /// The number of elements, less `less`, in f32.
  Value emitSize(int32_t less);
  /// Weights of elements within a distance of 1, and beyond.
  Value emitInnerWeight(Value distance);
  Value emitOuterWeight(Value distance, Value other);
  Value emitReflected(Value whole);

  SampleRule rule;
  std::optional<int64_t> staticSize;
  Value size; ///< i32
};
} // namespace

DimensionEmitter::DimensionEmitter(OpBuilder &builder, Location loc,
                                   const SampleRule &rule, OpFoldResult size)
    : NumberEmitter(builder, loc), rule(rule),
      staticSize(getConstantIntValue(size)) {
  this->size = staticSize ? integer(int32_t(*staticSize))
                          : arith::IndexCastOp::create(builder, loc,
                                                       builder.getI32Type(),
                                                       cast<Value>(size));
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

Value NumberEmitter::clamp(Value value, double limit) {
  Value most = constant(limit), least = constant(-limit);
  value = select(compare(arith::CmpFPredicate::OLT, value, most), value, most);
  return select(compare(arith::CmpFPredicate::OGT, value, least), value, least);
}

Value mlir::convoy::emitWide(OpBuilder &builder, Location loc, Value value) {
  Type f32 = builder.getF32Type();
  if (value.getType() == f32)
    return value;
  return arith::ExtFOp::create(builder, loc, f32, value);
}

Value NumberEmitter::emitNumber(Value number, double replacement,
                                double limit) {
  number = emitWide(builder, loc, number);
  // By its bits: targets may take for granted that there is no NaN.
  Value bits =
      arith::BitcastOp::create(builder, loc, builder.getI32Type(), number);
  Value magnitude =
      arith::AndIOp::create(builder, loc, bits, integer(0x7fffffff));
  Value isNaN =
      compare(arith::CmpIPredicate::ugt, magnitude, integer(0x7f800000));
  number = select(isNaN, constant(replacement), number);
  return clamp(number, limit);
}

Value DimensionEmitter::emitSize(int32_t less) {
  if (staticSize)
    return constant(double(*staticSize - less));
  Value count = arith::SubIOp::create(builder, loc, size, integer(less));
  return arith::SIToFPOp::create(builder, loc, builder.getF32Type(), count);
}

SamplePosition DimensionEmitter::emitPosition(Value coordinate) {
  Value near = emitNumber(coordinate, -1, kFarthestCoordinate);
  Value fromLow = add(near, constant(1));
  Value position;
  if (rule.alignCorners) {
    Value part = multiply(fromLow, constant(0.5));
    position = multiply(part, emitSize(1));
  } else {
    Value edges = multiply(fromLow, emitSize(0));
    Value centers = subtract(edges, constant(1));
    position = multiply(centers, constant(0.5));
  }
  return split(clamp(position, kFarthestPosition));
}

SamplePosition NumberEmitter::split(Value position) {
  // What is cut off towards zero is above a negative position.
  Value cut =
      arith::FPToSIOp::create(builder, loc, builder.getI32Type(), position);
  Value cutNumber =
      arith::SIToFPOp::create(builder, loc, builder.getF32Type(), cut);
  Value isAbove = compare(arith::CmpFPredicate::OGT, cutNumber, position);
  Value below = arith::SubIOp::create(builder, loc, cut, integer(1));
  Value belowNumber = subtract(cutNumber, constant(1));
  Value whole = select(isAbove, below, cut);
  Value wholeNumber = select(isAbove, belowNumber, cutNumber);
  return {whole, subtract(position, wholeNumber)};
}

Value DimensionEmitter::emitNearest(const SamplePosition &position) {
  Value half = constant(0.5);
  Value isUpper = compare(arith::CmpFPredicate::OGT, position.rest, half);
  Value isTie = compare(arith::CmpFPredicate::OEQ, position.rest, half);
  Value isOdd = arith::AndIOp::create(builder, loc, position.whole, integer(1));
  Value stepOfTie = select(isTie, isOdd, integer(0));
  Value step = select(isUpper, integer(1), stepOfTie);
  return arith::AddIOp::create(builder, loc, position.whole, step);
}

Value DimensionEmitter::emitStep(const SamplePosition &position, int32_t step) {
  if (step == 0)
    return position.whole;
  return arith::AddIOp::create(builder, loc, position.whole, integer(step));
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

/// ((1.25 d - 2.25) d) d + 1 for the distance d of an element, up to 1.
Value DimensionEmitter::emitInnerWeight(Value distance) {
  Value scaled = multiply(constant(1.25), distance);
  Value factor = subtract(scaled, constant(2.25));
  Value product = multiply(multiply(factor, distance), distance);
  return add(product, constant(1));
}

/// ((-0.75 d) o) o for the distance 1 + d, from 1 to 2, and o = 1 - d.
Value DimensionEmitter::emitOuterWeight(Value distance, Value other) {
  return multiply(multiply(multiply(constant(-0.75), distance), other), other);
}

SmallVector<Value> DimensionEmitter::emitWeights(Value rest) {
  Value other = subtract(constant(1), rest);
  if (rule.mode == SampleMode::Linear)
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
  Value mirrored = arith::SubIOp::create(
      builder, loc, integer(rule.alignCorners ? 0 : -1), whole);
  whole = select(isNegative, mirrored, whole);
  Value last = arith::SubIOp::create(builder, loc, size, integer(1));
  Value period = arith::MulIOp::create(
      builder, loc, rule.alignCorners ? last : size, integer(2));
  if (rule.alignCorners)
    // Of a single element all reflections are the same.
    period = arith::MaxSIOp::create(builder, loc, period, integer(1));
  Value place = arith::RemUIOp::create(builder, loc, whole, period);
  Value end = arith::SubIOp::create(builder, loc, period,
                                    integer(rule.alignCorners ? 0 : 1));
  Value isUp = compare(arith::CmpIPredicate::ule, place, last);
  Value down = arith::SubIOp::create(builder, loc, end, place);
  return select(isUp, place, down);
}

SampleTap DimensionEmitter::emitTap(Value whole, Value weight) {
  SampleTap tap;
  tap.weight = weight;
  switch (rule.padding) {
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

/// Emits the taps at `position` along a dimension of the image that has `size`,
/// in the order of their places.
static SmallVector<SampleTap> emitTaps(OpBuilder &builder, Location loc,
                                       const SampleRule &rule,
                                       const SamplePosition &position,
                                       OpFoldResult size) {
  DimensionEmitter emitter(builder, loc, rule, size);
  if (rule.mode == SampleMode::Nearest)
    return {emitter.emitTap(emitter.emitNearest(position), /*weight=*/{})};
  SmallVector<SampleTap> taps;
  int32_t first = rule.mode == SampleMode::Cubic ? -1 : 0;
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

SmallVector<SampleElement>
mlir::convoy::emitElements(OpBuilder &builder, Location loc,
                           const SampleRule &rule,
                           ArrayRef<SamplePosition> positions,
                           ArrayRef<OpFoldResult> sizes, Value factor) {
  SmallVector<SampleElement> elements(1);
  elements.front().weight = factor;
  for (auto [position, size] : llvm::zip_equal(positions, sizes)) {
    SmallVector<SampleTap> taps = emitTaps(builder, loc, rule, position, size);
    SmallVector<SampleElement> next;
    for (const SampleElement &element : elements)
      for (const SampleTap &tap : taps) {
        SampleElement &both = next.emplace_back(element);
        both.place.push_back(tap.place);
        both.isInside = element.isInside
                            ? arith::AndIOp::create(
                                  builder, loc, element.isInside, tap.isInside)
                            : tap.isInside;
        if (!tap.weight)
          continue;
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
