//===- PostOpToArith.cpp - Functions of one element -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of oneDNN's eltwise primitive (doc/primitives/eltwise.md), in
// forms of which no part overflows where the whole does not.
//
//===----------------------------------------------------------------------===//

#include "PostOpToArith.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::DataType;
using ::convoy::PostOp;

Type mlir::convoy::getElementType(Builder &builder, DataType type) {
  switch (type) {
  case DataType::F64:
    return builder.getF64Type();
  case DataType::F32:
    return builder.getF32Type();
  case DataType::F16:
    return builder.getF16Type();
  case DataType::BF16:
    return builder.getBF16Type();
  case DataType::S32:
    return builder.getI32Type();
  case DataType::S8:
  case DataType::U8:
    return builder.getI8Type();
  }
  llvm_unreachable("all are named");
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value ScalarBuilder::constant(double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value ScalarBuilder::add(Value a, Value b) {
  return arith::AddFOp::create(builder, loc, a, b);
}

Value ScalarBuilder::sub(Value a, Value b) {
  return arith::SubFOp::create(builder, loc, a, b);
}

Value ScalarBuilder::mul(Value a, Value b) {
  return arith::MulFOp::create(builder, loc, a, b);
}

Value ScalarBuilder::div(Value a, Value b) {
  return arith::DivFOp::create(builder, loc, a, b);
}

Value ScalarBuilder::max(Value a, Value b) {
  return arith::MaximumFOp::create(builder, loc, a, b);
}

Value ScalarBuilder::min(Value a, Value b) {
  return arith::MinimumFOp::create(builder, loc, a, b);
}

template <typename OpTy>
Value ScalarBuilder::call(Value value) {
  return OpTy::create(builder, loc, value);
}

Value ScalarBuilder::selectPositive(Value value, Value ifPositive,
                                    Value otherwise) {
  Value condition = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OGT, value, constant(0));
  return arith::SelectOp::create(builder, loc, condition, ifPositive,
                                 otherwise);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value ScalarBuilder::widen(Value value, DataType from) {
  if (from == DataType::U8)
    return arith::UIToFPOp::create(builder, loc, type, value);
  if (isInteger(from))
    return arith::SIToFPOp::create(builder, loc, type, value);
  return round(value, type);
}

Value ScalarBuilder::round(Value value, Type to) {
  auto from = cast<FloatType>(value.getType());
  if (from == to)
    return value;
  if (from.getWidth() < to.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, to, value);
  return arith::TruncFOp::create(builder, loc, to, value);
}

Value ScalarBuilder::toInteger(Value value, DataType to) {
  // The largest float of 24 bits below 2^31 stands for 2^31 - 1, as in oneDNN.
  double least = to == DataType::U8 ? 0 : to == DataType::S8 ? -128 : -0x1p31;
  double most = to == DataType::U8   ? 255
                : to == DataType::S8 ? 127
                                     : 2147483520;
  // Of NaN and a number these are the number.
  Value bounded =
      arith::MaxNumFOp::create(builder, loc, value, constant(least));
  bounded = arith::MinNumFOp::create(builder, loc, bounded, constant(most));
  Value whole = call<math::RoundEvenOp>(bounded);
  Type integer = getElementType(builder, to);
  if (to == DataType::U8)
    return arith::FPToUIOp::create(builder, loc, integer, whole);
  return arith::FPToSIOp::create(builder, loc, integer, whole);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value ScalarBuilder::relu(Value value, double alpha) {
  if (alpha == 0)
    return max(value, constant(0));
  return selectPositive(value, value, mul(value, constant(alpha)));
}

Value ScalarBuilder::linear(Value value, double alpha, double beta) {
  return add(mul(value, constant(alpha)), constant(beta));
}

Value ScalarBuilder::hardSigmoid(Value value, double alpha, double beta) {
  return max(min(linear(value, alpha, beta), constant(1)), constant(0));
}

Value ScalarBuilder::elu(Value value, double alpha) {
  Value negative = min(value, constant(0));
  return selectPositive(value, value,
                        mul(call<math::ExpM1Op>(negative), constant(alpha)));
}

Value ScalarBuilder::logistic(Value value) {
  // 1 / (1 + e) or e / (1 + e) with e = exp(-|value|), which is at most 1.
  Value e = call<math::ExpOp>(call<arith::NegFOp>(call<math::AbsFOp>(value)));
  Value one = constant(1);
  return div(selectPositive(value, one, e), add(one, e));
}

Value ScalarBuilder::softRelu(Value value) {
  Value e = call<math::ExpOp>(call<arith::NegFOp>(call<math::AbsFOp>(value)));
  return add(max(value, constant(0)), call<math::Log1pOp>(e));
}

Value ScalarBuilder::geluErf(Value value) {
  constexpr double RootOfHalf = 0.70710678118654752440;
  Value erf = call<math::ErfOp>(mul(value, constant(RootOfHalf)));
  return mul(mul(value, constant(0.5)), add(erf, constant(1)));
}

Value ScalarBuilder::geluTanh(Value value) {
  constexpr double RootOfTwoOverPi = 0.79788456080286535588;
  Value cubic =
      linear(mul(value, value), 0.044715 * RootOfTwoOverPi, RootOfTwoOverPi);
  Value tanh = call<math::TanhOp>(mul(value, cubic));
  return mul(mul(value, constant(0.5)), add(tanh, constant(1)));
}

Value ScalarBuilder::applyOperand(const PostOp &postOp, Value value,
                                  Value operand) {
  switch (postOp.kind) {
  case PostOp::Kind::Sum:
    if (postOp.beta != 0)
      operand = sub(operand, constant(postOp.beta));
    if (postOp.alpha != 1)
      operand = mul(operand, constant(postOp.alpha));
    return add(value, operand);
  case PostOp::Kind::Add:
    return add(value, operand);
  case PostOp::Kind::Div:
    return div(value, operand);
  case PostOp::Kind::Max:
    return max(value, operand);
  case PostOp::Kind::Min:
    return min(value, operand);
  case PostOp::Kind::Mul:
    return mul(value, operand);
  case PostOp::Kind::Sub:
    return sub(value, operand);
  default:
    llvm_unreachable("it has no operand");
  }
}

Value ScalarBuilder::apply(const PostOp &postOp, Value value, Value operand) {
  double alpha = postOp.alpha, beta = postOp.beta;
  switch (postOp.kind) {
  case PostOp::Kind::Abs:
    return call<math::AbsFOp>(value);
  case PostOp::Kind::Clip:
    return min(max(value, constant(alpha)), constant(beta));
  case PostOp::Kind::Elu:
    return elu(value, alpha);
  case PostOp::Kind::Exp:
    return call<math::ExpOp>(value);
  case PostOp::Kind::GeluErf:
    return geluErf(value);
  case PostOp::Kind::GeluTanh:
    return geluTanh(value);
  case PostOp::Kind::HardSigmoid:
    return hardSigmoid(value, alpha, beta);
  case PostOp::Kind::HardSwish:
    return mul(value, hardSigmoid(value, alpha, beta));
  case PostOp::Kind::Linear:
    return linear(value, alpha, beta);
  case PostOp::Kind::Log:
    return call<math::LogOp>(value);
  case PostOp::Kind::Logistic:
    return logistic(value);
  case PostOp::Kind::Mish:
    return mul(value, call<math::TanhOp>(softRelu(value)));
  case PostOp::Kind::Relu:
    return relu(value, alpha);
  case PostOp::Kind::Round:
    return call<math::RoundEvenOp>(value);
  case PostOp::Kind::SoftRelu:
    return div(softRelu(mul(value, constant(alpha))), constant(alpha));
  case PostOp::Kind::Sqrt:
    return call<math::SqrtOp>(value);
  case PostOp::Kind::Square:
    return mul(value, value);
  case PostOp::Kind::Swish:
    return mul(value, logistic(mul(value, constant(alpha))));
  case PostOp::Kind::Tanh:
    return call<math::TanhOp>(value);
  default:
    return applyOperand(postOp, value, operand);
  }
}
