//===- WinogradBound.h - How far Winograd's sums may be off -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the error bound of a convolution depends on where a kernel computes it
// by Winograd's algorithm. Every result is a sum of products of an input, a tap
// and numbers of the three matrices, most of which cancel: with the matrices'
// and the operands' magnitudes in their places S is the sum of what all of them
// pass through. docs/Numerics.md derives it.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_WINOGRADBOUND_H
#define CONVOY_RUNTIME_WINOGRADBOUND_H

#include "convoy/Runtime/Reference.h"

#include <array>
#include <cstdint>
#include <vector>

namespace convoy {

/// How far off the elements of operands may be, indexed by Operand and then as
/// they lie in memory; null where they are exact.
using OperandErrors = std::array<const double *, 3>;

/// Replaces what `reference`, of `problem`, knows of sums by what holds for
/// kernels that compute tiles of so many results along each spatial dimension
/// by getCookToom: magnitudes, roundings, what may underflow or overflow, and
/// what a NaN or an infinity spreads to. Sums are of the elements that a kernel
/// read, which may be off by `errors`. The problem is a forward convolution
/// or a gradient of the input, of f32, with stride 1, without dilation or
/// groups. Of the options only threads matter.
void takeWinogradSums(const ReferenceProblem &problem,
                      const std::vector<int64_t> &tile,
                      ReferenceResult &reference,
                      const ReferenceOptions &options = {},
                      const OperandErrors &errors = {});

} // namespace convoy

#endif // CONVOY_RUNTIME_WINOGRADBOUND_H
