//===- SmallFloat.h - The 16-bit floating-point formats ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between double and IEEE 754 binary16 (f16) and bfloat16 (bf16).
// They work on bits and depend on no instruction, library or rounding mode.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_SMALLFLOAT_H
#define CONVOY_RUNTIME_SMALLFLOAT_H

#include <cstdint>

namespace convoy {

/// The f16 nearest to `value`, ties to even; overflows to infinity. A NaN stays
/// a NaN, becomes quiet and keeps the leading bits of its payload.
uint16_t toFloat16Bits(double value);

/// The bf16 nearest to `value`, as toFloat16Bits.
uint16_t toBFloat16Bits(double value);

/// The value of an f16, exact; a NaN keeps sign and payload.
double fromFloat16Bits(uint16_t bits);

/// The value of a bf16, exact; a NaN keeps sign and payload.
double fromBFloat16Bits(uint16_t bits);

} // namespace convoy

#endif // CONVOY_RUNTIME_SMALLFLOAT_H
