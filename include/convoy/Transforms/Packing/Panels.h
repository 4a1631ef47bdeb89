//===- Panels.h - Panels of a factor ----------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_PACKING_PANELS_H
#define CONVOY_TRANSFORMS_PACKING_PANELS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// Lets the factor of `contraction` that alone runs along `laneLoops` be read
/// from panels: a copy in which the lanes are innermost and the reduction loops
/// around them keep the factor's order, so that one step of the reduction reads
/// the elements after those of the step before. All sizes of the factor but
/// that of the last of `laneLoops` are static.
void packIntoPanels(RewriterBase &rewriter, linalg::GenericOp contraction,
                    ArrayRef<unsigned> laneLoops);

/// Whether that copy would leave all elements in their order, so that it is
/// none: then panels are read in place.
bool isInPanelOrder(linalg::GenericOp contraction,
                    ArrayRef<unsigned> laneLoops);

/// The factor of `contraction` that packIntoPanels copied, if it copied one.
OpOperand *getPackedFactor(linalg::GenericOp contraction);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_PACKING_PANELS_H
