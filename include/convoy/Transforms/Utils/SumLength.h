//===- SumLength.h - How many products a convolution adds -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_SUMLENGTH_H
#define CONVOY_TRANSFORMS_UTILS_SUMLENGTH_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include <cstdint>
#include <optional>

namespace mlir::convoy {

/// Products in a sum of `op` at most, those with padding included, saturated;
/// nothing where sizes that count are dynamic.
std::optional<uint64_t> getSumLength(ConvolutionOpInterface op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_SUMLENGTH_H
