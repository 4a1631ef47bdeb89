//===- SampleTerms.cpp - Positions and weights of samples -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleTerms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using arith::CmpFPredicate;
using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

ExprRef SampleTerms::number(double value) {
  return makeConstant(builder.getF32FloatAttr(float(value)));
}

ExprRef SampleTerms::integer(int64_t value) {
  return makeConstant(builder.getI32IntegerAttr(int32_t(value)));
}

ExprRef SampleTerms::apply(StringRef name, Type type,
                           ArrayRef<ExprRef> operands) {
  return makeApply(name, builder.getDictionaryAttr({}), type, operands,
                   nullptr);
}

ExprRef SampleTerms::round(StringRef name, const ExprRef &a, const ExprRef &b) {
  NamedAttribute inOrder =
      builder.getNamedAttr(kInOrder, builder.getUnitAttr());
  return makeApply(name, builder.getDictionaryAttr(inOrder), f32, {a, b},
                   nullptr);
}

ExprRef SampleTerms::compare(StringRef name, int64_t predicate,
                             const ExprRef &a, const ExprRef &b) {
  NamedAttribute attribute =
      builder.getNamedAttr("predicate", builder.getI64IntegerAttr(predicate));
  return makeApply(name, builder.getDictionaryAttr(attribute),
                   builder.getI1Type(), {a, b}, nullptr);
}

ExprRef SampleTerms::select(const ExprRef &condition, const ExprRef &a,
                            const ExprRef &b) {
  return apply("arith.select", a->type, {condition, a, b});
}

ExprRef SampleTerms::widen(const ExprRef &value) {
  return value->type == f32 ? value : apply("arith.extf", f32, value);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

ExprRef SampleTerms::limit(const ExprRef &value, double limit) {
  ExprRef low = apply("arith.minimumf", f32, {value, number(limit)});
  return apply("arith.maximumf", f32, {low, number(-limit)});
}

ExprRef SampleTerms::takeNumber(const ExprRef &value, double otherwise) {
  constexpr int64_t Magnitude = 0x7fffffff, Infinity = 0x7f800000;
  ExprRef wide = widen(value);
  ExprRef bits = apply("arith.bitcast", i32, wide);
  ExprRef magnitude = apply("arith.andi", i32, {bits, integer(Magnitude)});
  ExprRef isNone = compare("arith.cmpi", int64_t(CmpIPredicate::ugt), magnitude,
                           integer(Infinity));
  return select(isNone, number(otherwise), wide);
}

PositionTerms SampleTerms::split(const ExprRef &position) {
  ExprRef cut = apply("arith.fptosi", i32, position);
  ExprRef cutNumber = apply("arith.sitofp", f32, cut);
  ExprRef isAbove =
      compare("arith.cmpf", int64_t(CmpFPredicate::OGT), cutNumber, position);
  ExprRef whole =
      select(isAbove, apply("arith.subi", i32, {cut, integer(1)}), cut);
  ExprRef wholeNumber =
      select(isAbove, round("arith.subf", cutNumber, number(1)), cutNumber);
  return {whole, round("arith.subf", position, wholeNumber)};
}

PositionTerms SampleTerms::getGridPosition(const ExprRef &coordinate,
                                           int64_t size) {
  ExprRef x = limit(takeNumber(coordinate, -1), 0x1p31);
  ExprRef a = round("arith.addf", x, number(1));
  ExprRef position;
  if (alignCorners) {
    ExprRef half = round("arith.mulf", a, number(0.5));
    position = round("arith.mulf", half, number(double(size - 1)));
  } else {
    ExprRef scaled = round("arith.mulf", a, number(double(size)));
    position = round("arith.mulf", round("arith.subf", scaled, number(1)),
                     number(0.5));
  }
  return split(limit(position, 0x1p30));
}

PositionTerms SampleTerms::getOffsetPosition(const ExprRef &offset,
                                             const ExprRef &start) {
  PositionTerms position = split(limit(takeNumber(offset, 0), 0x1p30));
  position.whole = apply("arith.addi", i32, {position.whole, start});
  return position;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

ExprRef SampleTerms::getNearest(const PositionTerms &position) {
  ExprRef half = number(0.5);
  ExprRef isUpper =
      compare("arith.cmpf", int64_t(CmpFPredicate::OGT), position.rest, half);
  ExprRef isTie =
      compare("arith.cmpf", int64_t(CmpFPredicate::OEQ), position.rest, half);
  ExprRef isOdd = apply("arith.andi", i32, {position.whole, integer(1)});
  ExprRef step = select(isUpper, integer(1), select(isTie, isOdd, integer(0)));
  return apply("arith.addi", i32, {position.whole, step});
}

ExprRef SampleTerms::getReflected(const ExprRef &whole, int64_t size) {
  // Numbers of elements from the first on mirror those below.
  ExprRef isBelow =
      compare("arith.cmpi", int64_t(CmpIPredicate::slt), whole, integer(0));
  ExprRef mirrored =
      apply("arith.subi", i32, {integer(alignCorners ? 0 : -1), whole});
  ExprRef distance = select(isBelow, mirrored, whole);
  int64_t period =
      alignCorners ? std::max<int64_t>(2 * (size - 1), 1) : 2 * size;
  ExprRef rest = apply("arith.remui", i32, {distance, integer(period)});
  ExprRef isUp = compare("arith.cmpi", int64_t(CmpIPredicate::ule), rest,
                         integer(size - 1));
  ExprRef down = apply("arith.subi", i32,
                       {integer(alignCorners ? period : period - 1), rest});
  return select(isUp, rest, down);
}

TapTerms SampleTerms::getTap(const ExprRef &whole, const ExprRef &weight,
                             int64_t size) {
  switch (padding) {
  case SamplePadding::Zeros: {
    ExprRef isInside = compare("arith.cmpi", int64_t(CmpIPredicate::ult), whole,
                               integer(size));
    return {{select(isInside, whole, integer(0))}, isInside, weight};
  }
  case SamplePadding::Border: {
    ExprRef below = apply("arith.minsi", i32, {whole, integer(size - 1)});
    return {{apply("arith.maxsi", i32, {below, integer(0)})}, {}, weight};
  }
  case SamplePadding::Reflection:
    return {{getReflected(whole, size)}, {}, weight};
  }
  llvm_unreachable("unknown padding");
}

SmallVector<ExprRef> SampleTerms::getWeights(const ExprRef &rest) {
  ExprRef other = round("arith.subf", number(1), rest);
  if (mode == SampleMode::Linear)
    return {other, rest};
  // w(d) and v(d), with o = 1 - d.
  auto inner = [&](const ExprRef &d) {
    ExprRef scaled = round("arith.mulf", number(1.25), d);
    ExprRef factor = round("arith.subf", scaled, number(2.25));
    ExprRef product = round("arith.mulf", round("arith.mulf", factor, d), d);
    return round("arith.addf", product, number(1));
  };
  auto outer = [&](const ExprRef &d, const ExprRef &o) {
    ExprRef scaled = round("arith.mulf", number(-0.75), d);
    return round("arith.mulf", round("arith.mulf", scaled, o), o);
  };
  return {outer(rest, other), inner(rest), inner(other), outer(other, rest)};
}

SmallVector<TapTerms> SampleTerms::getTaps(const PositionTerms &position,
                                           int64_t size) {
  if (mode == SampleMode::Nearest)
    return {getTap(getNearest(position), {}, size)};
  SmallVector<TapTerms> taps;
  int64_t step = mode == SampleMode::Cubic ? -1 : 0;
  for (const ExprRef &weight : getWeights(position.rest)) {
    ExprRef whole = apply("arith.addi", i32, {position.whole, integer(step)});
    taps.push_back(getTap(whole, weight, size));
    ++step;
  }
  return taps;
}

SmallVector<TapTerms>
SampleTerms::getElements(ArrayRef<PositionTerms> positions,
                         ArrayRef<int64_t> sizes, const ExprRef &factor) {
  SmallVector<TapTerms> elements = {{{}, {}, factor}};
  for (auto [position, size] : llvm::zip_equal(positions, sizes)) {
    SmallVector<TapTerms> next;
    SmallVector<TapTerms> taps = getTaps(position, size);
    for (const TapTerms &element : elements)
      for (const TapTerms &tap : taps) {
        TapTerms &both = next.emplace_back(element);
        both.places.push_back(tap.places.front());
        if (tap.isInside)
          both.isInside = both.isInside
                              ? apply("arith.andi", builder.getI1Type(),
                                      {both.isInside, tap.isInside})
                              : tap.isInside;
        if (tap.weight)
          both.weight = both.weight
                            ? round("arith.mulf", both.weight, tap.weight)
                            : tap.weight;
      }
    elements = std::move(next);
  }
  return elements;
}

ExprRef SampleTerms::getTerm(const TapTerms &element, const ExprRef &value) {
  ExprRef term = value;
  if (element.isInside)
    term = select(element.isInside, value,
                  makeConstant(builder.getZeroAttr(value->type)));
  return element.weight
             ? apply("arith.mulf", f32, {widen(term), element.weight})
             : term;
}
