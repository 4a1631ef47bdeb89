//===- Passes.td - Conversions to and from the dialect -----*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_PASSES_TD
#define CONVOY_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // CONVOY_CONVERSION_PASSES_TD
