//===- DefineQuotients.cpp - Quotients and remainders -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DefineQuotients.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether no element of `divisor` is known to be zero: it is a constant.
static bool isNotZero(Value divisor) {
  FloatAttr number;
  DenseFPElementsAttr numbers;
  if (matchPattern(divisor, m_Constant(&number)))
    return !number.getValue().isZero();
  return matchPattern(divisor, m_Constant(&numbers)) &&
         llvm::none_of(numbers.getValues<APFloat>(),
                       [](const APFloat &value) { return value.isZero(); });
}

/// `number` as a constant of `type`, a float or a vector.
static Value createConstant(OpBuilder &builder, Location loc, Type type,
                            const APFloat &number) {
  auto attr = builder.getFloatAttr(getElementTypeOrSelf(type), number);
  auto vector = dyn_cast<VectorType>(type);
  return arith::ConstantOp::create(
      builder, loc,
      vector ? TypedAttr(DenseElementsAttr::get(vector, attr)) : attr);
}

/// a / b becomes (b == 0) ? a * copysign(inf, b) : a / b.
static void defineQuotient(arith::DivFOp quotient) {
  Value divisor = quotient.getRhs();
  if (isNotZero(divisor))
    return;
  OpBuilder builder(quotient);
  Location loc = quotient.getLoc();
  Type type = divisor.getType();
  const llvm::fltSemantics &semantics =
      cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
  Value zero = createConstant(builder, loc, type, APFloat::getZero(semantics));
  Value infinity =
      createConstant(builder, loc, type, APFloat::getInf(semantics));
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       divisor, zero);
  Value factor = math::CopySignOp::create(builder, loc, infinity, divisor);
  Value product =
      arith::MulFOp::create(builder, loc, quotient.getLhs(), factor);
  builder.setInsertionPointAfter(quotient);
  auto result =
      arith::SelectOp::create(builder, loc, isZero, product, quotient);
  quotient.getResult().replaceAllUsesExcept(result, result);
}

/// a % b becomes a - a / b * b: upstream's magnitudes and signs make the
/// remainder of the smallest number a positive one.
static void defineRemainder(arith::RemSIOp remainder) {
  OpBuilder builder(remainder);
  Location loc = remainder.getLoc();
  Value number = remainder.getLhs(), divisor = remainder.getRhs();
  Value quotient = arith::DivSIOp::create(builder, loc, number, divisor);
  Value product = arith::MulIOp::create(builder, loc, quotient, divisor);
  Value result = arith::SubIOp::create(builder, loc, number, product);
  remainder.getResult().replaceAllUsesWith(result);
  remainder.erase();
}

void mlir::convoy::defineQuotients(gpu::GPUModuleOp module) {
  module.walk([](arith::DivFOp quotient) { defineQuotient(quotient); });
  module.walk([](arith::RemSIOp remainder) { defineRemainder(remainder); });
}
