//===- DefineQuotients.h - Quotients and remainders -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_GPUTOSPIRV_DEFINEQUOTIENTS_H
#define CONVOY_LIB_CONVERSION_GPUTOSPIRV_DEFINEQUOTIENTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::convoy {

/// Lets quotients by zero in `module` be infinities and NaN, as in IEEE 754,
/// where the divisor is not known to be another number. To SPIR-V they are
/// undefined, and a driver may leave out what stores them. Remainders of signed
/// integers have the sign of the number that is divided, which SPIR-V leaves
/// open, too.
void defineQuotients(gpu::GPUModuleOp module);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_GPUTOSPIRV_DEFINEQUOTIENTS_H
