//===- ZeroPoints.h - Zero points of a filter's channels --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_CONVOY_IR_ZEROPOINTS_H
#define CONVOY_DIALECT_CONVOY_IR_ZEROPOINTS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// The letters of the filter's dimensions along which zero points of channels
/// differ: `f` or, of a gradient, `c`; with groups behind `g`.
std::string getZeroPointLetters(ConvolutionOpInterface op);

/// The zero points of `op`, of which each channel has one, with a dimension for
/// each of these letters.
Value expandZeroPoints(OpBuilder &builder, ConvolutionOpInterface op);

} // namespace mlir::convoy

#endif // CONVOY_DIALECT_CONVOY_IR_ZEROPOINTS_H
