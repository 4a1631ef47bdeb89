//===- WideningCosts.h - What it takes to widen operands --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_WIDENINGCOSTS_H
#define CONVOY_TRANSFORMS_COSTS_WIDENINGCOSTS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Utils/WordProducts.h"

namespace mlir::convoy {

/// Whether `op`, a forward convolution that sums in a type wider than its
/// operands', takes less time with copies of both in that type than with tiles
/// that widen what they read, again for each tile that reads it.
bool isWideningFaster(ConvolutionOpInterface op, TargetAttr target);

/// Whether the instruction of `target` that multiplies words of `parts` adds
/// the products to a sum. Where it does not, they take a register and an
/// addition.
bool addsProducts(const WordParts &parts, TargetAttr target);

/// Cycles of `op`, a forward convolution, with single products.
double getProductCycles(ConvolutionOpInterface op, TargetAttr target);

/// Cycles of `op`, a forward convolution, with copies of both operands as words
/// of `parts` that are neighbours along `dim`: `c`, or a spatial dimension,
/// along which these are taps. The sizes along it are known.
double getWordCycles(ConvolutionOpInterface op, const WordParts &parts,
                     char dim, TargetAttr target);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_WIDENINGCOSTS_H
