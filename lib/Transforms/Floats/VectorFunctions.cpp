//===- VectorFunctions.cpp - Functions of f32 in arithmetic -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Coefficients are those that utils/fit-functions.py prints. Arguments are
// reduced as by Cody and Waite (Software Manual for the Elementary Functions,
// 1980), in steps that are exact without fused multiply-adds.
//
//===----------------------------------------------------------------------===//

#include "VectorFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using arith::CmpFPredicate;

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// log(2) in two parts: products of the first, of 13 bits, with whole numbers
/// of up to 11 bits are exact.
static constexpr float kLog2High = 0x1.62ep-1f, kLog2Low = 0x1.0bfbe8p-15f;

/// Added to a number below 2^22, leaves that number rounded in the last bits.
static constexpr float kRoundingShift = 0x1.8p23f;

static constexpr int kMantissaBits = 23, kBias = 127;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value VectorFunctions::add(Value a, Value b) {
  return bits.create<arith::AddFOp>(a, b);
}

Value VectorFunctions::sub(Value a, Value b) {
  return bits.create<arith::SubFOp>(a, b);
}

Value VectorFunctions::mul(Value a, Value b) {
  return bits.create<arith::MulFOp>(a, b);
}

Value VectorFunctions::select(CmpFPredicate predicate, Value a, Value b,
                              Value ifTrue, Value otherwise) {
  Value condition = bits.create<arith::CmpFOp>(predicate, a, b);
  return bits.create<arith::SelectOp>(condition, ifTrue, otherwise);
}

Value VectorFunctions::multiplyAdd(Value a, Value b, Value c) {
  return bits.create<vector::FMAOp>(a, b, c);
}

Value VectorFunctions::clamp(Value x, float low, float high) {
  x = select(CmpFPredicate::OGT, number(low), x, number(low), x);
  return select(CmpFPredicate::OLT, number(high), x, number(high), x);
}

Value VectorFunctions::polynomial(Value x, ArrayRef<float> coefficients) {
  Value value = number(coefficients.back());
  for (float coefficient : llvm::reverse(coefficients.drop_back()))
    value = multiplyAdd(value, x, number(coefficient));
  return value;
}

Value VectorFunctions::toInteger(Value shifted) {
  Value integer = bits.create<arith::BitcastOp>(bits.i32(), shifted);
  return bits.create<arith::SubIOp>(
      integer, bits.bits(llvm::bit_cast<uint32_t>(kRoundingShift)));
}

Value VectorFunctions::power(Value n) {
  Value biased = bits.create<arith::AddIOp>(n, bits.bits(kBias));
  Value shifted = bits.create<arith::ShLIOp>(biased, bits.bits(kMantissaBits));
  return bits.create<arith::BitcastOp>(bits.f32(), shifted);
}

Value VectorFunctions::scale(Value y, Value n) {
  Value half = bits.create<arith::ShRSIOp>(n, bits.bits(1));
  Value rest = bits.create<arith::SubIOp>(n, half);
  return mul(mul(y, power(half)), power(rest));
}

Value VectorFunctions::keepSmall(Value x, Value y) {
  Value size = bits.create<math::AbsFOp>(x);
  return select(CmpFPredicate::OLT, size, number(0x1p-25f), x, y);
}

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

VectorFunctions::Reduced VectorFunctions::reduce(Value x) {
  Value shifted =
      multiplyAdd(x, number(0x1.715476p+0f), number(kRoundingShift));
  Value n = sub(shifted, number(kRoundingShift));
  Value r = multiplyAdd(n, number(-kLog2High), x);
  return {toInteger(shifted), multiplyAdd(n, number(-kLog2Low), r)};
}

Value VectorFunctions::expm1OfRest(Value r) {
  Value p = polynomial(r, {0x1.fffffep-2f, 0x1.5554b0p-3f, 0x1.555674p-5f,
                           0x1.1227f6p-7f, 0x1.6bebf2p-10f});
  return multiplyAdd(p, mul(r, r), r);
}

Value VectorFunctions::exp(Value x) {
  // Below these it is 0, and above infinite.
  auto [n, r] = reduce(clamp(x, -104, 89));
  return scale(add(expm1OfRest(r), number(1)), n);
}

Value VectorFunctions::exp2(Value x) {
  x = clamp(x, -151, 129);
  Value shifted = add(x, number(kRoundingShift));
  Value r = sub(x, sub(shifted, number(kRoundingShift)));
  Value p = polynomial(r, {0x1.62e430p-1f, 0x1.ebfbdcp-3f, 0x1.c6aee6p-5f,
                           0x1.3b2d52p-7f, 0x1.5f400ep-10f, 0x1.41fa9ep-13f});
  return scale(multiplyAdd(p, r, number(1)), toInteger(shifted));
}

Value VectorFunctions::expm1(Value x) {
  // Below -18 it is -1.
  auto [n, r] = reduce(clamp(x, -18, 89));
  // 2 * (e * 2^(n-1) + (2^(n-1) - 1/2)), since 2^n may overflow.
  Value half = power(bits.create<arith::SubIOp>(n, bits.bits(1)));
  Value y = multiplyAdd(expm1OfRest(r), half, sub(half, number(0.5f)));
  return keepSmall(x, add(y, y));
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

VectorFunctions::Split VectorFunctions::split(Value x) {
  constexpr uint32_t RootOfHalf = 0x3f3504f3;
  Value integer = bits.create<arith::BitcastOp>(bits.i32(), x);
  Value n = bits.create<arith::ShRSIOp>(
      bits.create<arith::SubIOp>(integer, bits.bits(RootOfHalf)),
      bits.bits(kMantissaBits));
  Value exponent = bits.create<arith::ShLIOp>(n, bits.bits(kMantissaBits));
  Value m = bits.create<arith::SubIOp>(integer, exponent);
  return {n, bits.create<arith::BitcastOp>(bits.f32(), m)};
}

Value VectorFunctions::finishLog(Value f, Value n) {
  Value count = bits.create<arith::SIToFPOp>(bits.f32(), n);
  Value p = polynomial(f, {0x1.555554p-2f, -0x1.000228p-2f, 0x1.99a006p-3f,
                           -0x1.5471eep-3f, 0x1.22da00p-3f, -0x1.0d88b8p-3f,
                           0x1.055e00p-3f, -0x1.38a8acp-4f});
  Value square = mul(f, f);
  // The smallest parts first.
  Value low = multiplyAdd(count, number(kLog2Low), mul(mul(f, square), p));
  low = multiplyAdd(square, number(-0.5f), low);
  return multiplyAdd(count, number(kLog2High), add(f, low));
}

Value VectorFunctions::log(Value x) {
  constexpr float SmallestNormal = std::numeric_limits<float>::min();
  Value isSmall =
      bits.create<arith::CmpFOp>(CmpFPredicate::OLT, x, number(SmallestNormal));
  Value normal =
      bits.create<arith::SelectOp>(isSmall, mul(x, number(0x1p23f)), x);
  auto [n, m] = split(normal);
  Value shift = bits.create<arith::SelectOp>(isSmall, bits.bits(kMantissaBits),
                                             bits.bits(0));
  Value y = finishLog(sub(m, number(1)), bits.create<arith::SubIOp>(n, shift));
  y = select(CmpFPredicate::OLT, x, number(kInfinity), y, x);
  Value zero = number(0);
  Value undefined =
      select(CmpFPredicate::OEQ, x, zero, number(-kInfinity), number(kNaN));
  return select(CmpFPredicate::UGT, x, zero, y, undefined);
}

Value VectorFunctions::log1p(Value x) {
  Value one = number(1), u = add(x, one);
  // What u lost: it is exact from the larger of both.
  Value lost = select(CmpFPredicate::OGT, x, one, sub(one, sub(u, x)),
                      sub(x, sub(u, one)));
  auto [n, m] = split(u);
  Value most = bits.create<arith::MinSIOp>(n, bits.bits(kBias));
  Value factor = power(bits.create<arith::SubIOp>(bits.bits(0), most));
  Value f = multiplyAdd(lost, factor, sub(m, one));
  Value y = finishLog(f, n);
  y = select(CmpFPredicate::OLT, x, number(kInfinity), y, x);
  Value undefined = select(CmpFPredicate::OEQ, x, number(-1),
                           number(-kInfinity), number(kNaN));
  y = select(CmpFPredicate::UGT, x, number(-1), y, undefined);
  return keepSmall(x, y);
}

//===----------------------------------------------------------------------===//
// Odd functions
//===----------------------------------------------------------------------===//

Value VectorFunctions::oddQuotient(Value x, ArrayRef<float> p,
                                   ArrayRef<float> q, float end) {
  Value size = bits.create<math::AbsFOp>(x);
  size = select(CmpFPredicate::OLT, number(end), size, number(end), size);
  Value square = mul(size, size);
  Value y = bits.create<arith::DivFOp>(mul(size, polynomial(square, p)),
                                       polynomial(square, q));
  y = select(CmpFPredicate::OLT, number(1), y, number(1), y);
  return bits.create<math::CopySignOp>(y, x);
}

Value VectorFunctions::tanh(Value x) {
  return oddQuotient(x,
                     {0x1.81b5aap+0f, 0x1.a6006ap-3f, 0x1.7d7f98p-8f,
                      0x1.60c776p-15f, 0x1.88dfbcp-25f, -0x1.3ef78ap-36f},
                     {0x1.81b5aap+0f, 0x1.6aa3e2p-1f, 0x1.5012eep-5f,
                      0x1.3677a2p-11f, 0x1.02fcf0p-19f},
                     0x1.233332p+3f);
}

Value VectorFunctions::erf(Value x) {
  return oddQuotient(x,
                     {0x1.384a00p+0f, 0x1.99fa20p-3f, 0x1.e0ac50p-5f,
                      0x1.104dc0p-8f, 0x1.ac6eecp-12f, 0x1.50abcap-18f,
                      -0x1.e1af32p-27f},
                     {0x1.14c24cp+0f, 0x1.1356d6p-1f, 0x1.f869fep-4f,
                      0x1.118c4ap-6f, 0x1.7192cep-10f, 0x1.1c46d0p-14f},
                     0x1.f99982p+1f);
}
