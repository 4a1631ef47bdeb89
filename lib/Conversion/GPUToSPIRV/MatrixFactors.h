//===- MatrixFactors.h - Factors that are bf16 ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_GPUTOSPIRV_MATRIXFACTORS_H
#define CONVOY_LIB_CONVERSION_GPUTOSPIRV_MATRIXFACTORS_H

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"

namespace mlir::convoy {

/// Makes the factors of products with `convoy.bf16_factors` matrices of bf16,
/// and drops the attribute. They are loaded from memory whose elements may have
/// any type of as many bits.
void retypeBF16Factors(spirv::ModuleOp module);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_GPUTOSPIRV_MATRIXFACTORS_H
