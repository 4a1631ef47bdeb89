//===- SampleDimension.h - Samples along one dimension ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_SAMPLING_SAMPLEDIMENSION_H
#define CONVOY_LIB_TRANSFORMS_SAMPLING_SAMPLEDIMENSION_H
#include "convoy/Transforms/Sampling/SampleRule.h"

namespace mlir::convoy {

/// Coordinates further out are taken for this one: their positions are further
/// out than kFarthestPosition, if the image is not a single element.
constexpr double kFarthestCoordinate = 0x1p31;
/// Positions further out are taken for this one. There, integers of 32 bits
/// have room for what is done to them.
constexpr double kFarthestPosition = 0x1p30;

/// One of the elements along a dimension.
struct SampleTap {
  Value place;    ///< an i32 inside of the image
  Value isInside; ///< whether the element is there; null where it always is
  Value weight;   ///< f32; null where it is 1
};

/// What a sample and its slope are made of along a dimension.
struct SlopeTaps {
  SmallVector<SampleTap> taps;
  /// What elements are multiplied with in the slope; none where that is the
  /// difference of two.
  SmallVector<Value> weights;
  Value isFlat; ///< whether the slope is 0; null where that is not asked for
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
  /// The taps at `position`, in the order of their places.
  SmallVector<SampleTap> emitTaps(const SamplePosition &position);
  SlopeTaps emitSlopeTaps(const SamplePosition &position);
  /// How far a step of a coordinate goes.
  Value emitScale();

private:
  /// The number of elements, less `less`, in f32.
  Value emitSize(int32_t less);
  /// The weights of taps in a slope of cubic samples.
  SmallVector<Value> emitSlopeWeights(Value rest);
  SlopeTaps emitLinearSlope(const SamplePosition &position);
  /// Weights of elements within a distance of 1, and beyond.
  Value emitInnerWeight(Value distance);
  Value emitOuterWeight(Value distance, Value other);
  Value emitReflected(Value whole);

  SampleRule rule;
  std::optional<int64_t> staticSize;
  Value size; ///< i32
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_SAMPLING_SAMPLEDIMENSION_H
