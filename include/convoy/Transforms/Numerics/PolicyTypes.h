//===- PolicyTypes.h - What a policy sums in --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_NUMERICS_POLICYTYPES_H
#define CONVOY_TRANSFORMS_NUMERICS_POLICYTYPES_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

class RangeAnalysis;

/// The type that policy `low` would sum `op` in, which declares `declared`: of
/// f32 sums of narrower floats the init's, where it holds the operands' values;
/// else the declared one.
FloatType getNarrowAccumulator(ConvolutionOpInterface op, FloatType declared);

/// The type that the policy of `op` lets products and sums be formed in. Where
/// that is not the declared one although the policy is `low`, one sentence in
/// `reason` says why.
Type getPolicyAccumulator(ConvolutionOpInterface op, RangeAnalysis &ranges,
                          std::string &reason);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_NUMERICS_POLICYTYPES_H
