//===- PostOpToArith.h - Functions of one element ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_PROBLEMTOCONVOY_POSTOPTOARITH_H
#define CONVOY_LIB_CONVERSION_PROBLEMTOCONVOY_POSTOPTOARITH_H

#include "convoy/Support/Epilogue.h"

#include "mlir/IR/Builders.h"

namespace mlir::convoy {

/// The type of elements of an argument or a result.
Type getElementType(Builder &builder, ::convoy::DataType type);

/// Builds arithmetic on floats of one type.
class ScalarBuilder {
public:
  ScalarBuilder(OpBuilder &builder, Location loc, FloatType type)
      : builder(builder), loc(loc), type(type) {}

  Value constant(double value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value max(Value a, Value b);
  Value min(Value a, Value b);

  /// An element of `from` as a float of this type.
  Value widen(Value value, ::convoy::DataType from);
  /// The float as one of type `to`.
  Value round(Value value, Type to);
  /// The nearest integer, ties to even, that `to` holds; its least for NaN.
  Value toInteger(Value value, ::convoy::DataType to);
  /// What `postOp` makes of `value` and of an element of its operand, if it has
  /// one.
  Value apply(const ::convoy::PostOp &postOp, Value value, Value operand);

private:
  template <typename OpTy>
  Value call(Value value);
  /// `ifPositive` where `value` is above 0, else `otherwise`.
  Value selectPositive(Value value, Value ifPositive, Value otherwise);
  Value elu(Value value, double alpha);
  Value geluErf(Value value);
  Value geluTanh(Value value);
  Value hardSigmoid(Value value, double alpha, double beta);
  Value linear(Value value, double alpha, double beta);
  Value logistic(Value value);
  Value relu(Value value, double alpha);
  /// log(1 + exp(value)), without an overflow.
  Value softRelu(Value value);
  Value applyOperand(const ::convoy::PostOp &postOp, Value value,
                     Value operand);

  OpBuilder &builder;
  Location loc;
  FloatType type;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_PROBLEMTOCONVOY_POSTOPTOARITH_H
