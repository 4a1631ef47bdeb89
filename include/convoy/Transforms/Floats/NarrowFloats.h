//===- NarrowFloats.h - Floats that a target lacks --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_FLOATS_NARROWFLOATS_H
#define CONVOY_TRANSFORMS_FLOATS_NARROWFLOATS_H

#include "mlir/Pass/PassManager.h"

namespace mlir::convoy {

/// Adds what computes with bf16, and with f16 unless the target `hasF16`, in
/// f32 and converts them by operations on integers that every target has, so
/// that LLVM calls no library. Each operation rounds as one in the type itself
/// would: f32 has more than twice the digits. Functions of the math dialect,
/// but for math.fma, are computed in f32 in any case.
void addNarrowFloats(OpPassManager &pm, bool hasF16);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_FLOATS_NARROWFLOATS_H
