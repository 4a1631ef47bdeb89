//===- PadSizes.h - Whether pads have all operands --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_PADSIZES_H
#define CONVOY_TRANSFORMS_UTILS_PADSIZES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {

/// Whether `pad` has an operand for each size of padding that it says to be
/// dynamic, of which upstream's verifier counts none: what reads them, as
/// `getMixedLowPad` does, goes beyond its operands.
inline bool hasAllSizes(tensor::PadOp pad) {
  auto fits = [&](ArrayRef<int64_t> sizes, size_t operands) {
    return int64_t(sizes.size()) == pad.getSourceType().getRank() &&
           size_t(llvm::count_if(sizes, ShapedType::isDynamic)) == operands;
  };
  return fits(pad.getStaticLow(), pad.getLow().size()) &&
         fits(pad.getStaticHigh(), pad.getHigh().size());
}

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_PADSIZES_H
