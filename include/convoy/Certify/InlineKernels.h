//===- InlineKernels.h - Launches as loops over work-items ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_INLINEKERNELS_H
#define CONVOY_CERTIFY_INLINEKERNELS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy {

/// Whether `function` launches kernels of a GPU.
bool launchesKernels(FunctionOpInterface function);

/// Puts loops in parallel over workgroups and work-items in the place of the
/// launches in `function`, whose kernels `symbols`, an op in its module, can
/// see. Between two barriers work-items are one such loop, and each op on a
/// matrix of a subgroup is one over all elements. Launches whose grid depends
/// on a batch stay, and those of kernels with other ops of a subgroup or with
/// barriers that not all work-items of a workgroup reach.
void inlineKernels(FunctionOpInterface function, Operation *symbols);

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_INLINEKERNELS_H
