//===- SampleDimension.cpp - Samples along one dimension --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleDimension.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;

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

SmallVector<SampleTap>
DimensionEmitter::emitTaps(const SamplePosition &position) {
  if (rule.mode == SampleMode::Nearest)
    return {emitTap(emitNearest(position), /*weight=*/{})};
  SmallVector<SampleTap> taps;
  int32_t first = rule.mode == SampleMode::Cubic ? -1 : 0;
  for (auto [number, weight] : llvm::enumerate(emitWeights(position.rest))) {
    int32_t step = first + int32_t(number);
    taps.push_back(emitTap(emitStep(position, step), weight));
  }
  return taps;
}

//===----------------------------------------------------------------------===//
// Slopes
//===----------------------------------------------------------------------===//

Value DimensionEmitter::emitScale() {
  Value steps = emitSize(rule.alignCorners ? 1 : 0);
  return multiply(steps, constant(0.5));
}

/// The derivatives of the weights by the rest t, which grows with the distance
/// from two elements and shrinks with that from the others.
SmallVector<Value> DimensionEmitter::emitSlopeWeights(Value rest) {
  Value other = subtract(constant(1), rest);
  auto outer = [&](Value distance, Value opposite, double sign) {
    Value factor = multiply(constant(-0.75 * sign), opposite);
    Value scaled = multiply(constant(3), distance);
    return multiply(factor, subtract(constant(1), scaled));
  };
  auto inner = [&](Value distance, double sign) {
    Value scaled = multiply(constant(3.75 * sign), distance);
    return multiply(subtract(scaled, constant(4.5 * sign)), distance);
  };
  SmallVector<Value> weights;
  weights.push_back(outer(rest, other, 1));
  weights.push_back(inner(rest, 1));
  weights.push_back(inner(other, -1));
  weights.push_back(outer(other, rest, -1));
  return weights;
}

/// At an element pieces meet: then the position is at the lower end of one. In
/// a reflection, which goes down, that is the piece before.
SlopeTaps DimensionEmitter::emitLinearSlope(const SamplePosition &position) {
  SlopeTaps slope;
  slope.taps = emitTaps(position);
  if (rule.padding == SamplePadding::Zeros)
    return slope;
  SampleTap &lower = slope.taps[0], &upper = slope.taps[1];
  Value isElement =
      compare(arith::CmpFPredicate::OEQ, position.rest, constant(0));
  Value last = arith::SubIOp::create(builder, loc, size, integer(1));
  Value isFirst = compare(arith::CmpIPredicate::eq, lower.place, integer(0));
  Value isLast = compare(arith::CmpIPredicate::eq, lower.place, last);
  Value isOutermost = arith::OrIOp::create(builder, loc, isFirst, isLast);
  slope.isFlat = arith::AndIOp::create(builder, loc, isElement, isOutermost);
  if (rule.padding == SamplePadding::Border)
    return slope;
  Value goesDown = compare(arith::CmpIPredicate::slt, upper.place, lower.place);
  Value isUpper = arith::AndIOp::create(builder, loc, isElement, goesDown);
  Value next = arith::AddIOp::create(builder, loc, lower.place, integer(1));
  next = arith::MinSIOp::create(builder, loc, next, last);
  upper.place = select(isUpper, lower.place, upper.place);
  lower.place = select(isUpper, next, lower.place);
  SmallVector<Value> weights =
      emitWeights(select(isUpper, constant(1), position.rest));
  lower.weight = weights[0];
  upper.weight = weights[1];
  return slope;
}

SlopeTaps DimensionEmitter::emitSlopeTaps(const SamplePosition &position) {
  if (rule.mode == SampleMode::Linear)
    return emitLinearSlope(position);
  return {emitTaps(position), emitSlopeWeights(position.rest), /*isFlat=*/{}};
}
