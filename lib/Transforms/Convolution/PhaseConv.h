//===- PhaseConv.h - Dense convolutions of phases ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What input dilation turns into: see WindowPhase in
// convoy/Support/ConvShape.h.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_CONVOLUTION_PHASECONV_H
#define CONVOY_LIB_TRANSFORMS_CONVOLUTION_PHASECONV_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// The phases of `op`, of all dimensions together; more than
/// ::convoy::kMostPhases where they are too many to make code for.
int64_t countPhases(ConvOp op);

/// One phase of each spatial dimension; nothing where it is not dilated.
using ChosenPhases = SmallVector<std::optional<::convoy::WindowPhase>>;

/// Calls `visit` with each choice of one phase from every list, that of the
/// last dimension changing fastest.
void forEachChoice(ArrayRef<ChosenPhases> phases,
                   function_ref<void(const ChosenPhases &)> visit);

/// Whether each phase that was chosen has taps.
bool haveTaps(ArrayRef<std::optional<::convoy::WindowPhase>> phases);

/// What fills the init of `op`, if `op` is dilated, nothing else is filled by
/// it and all sizes are known.
linalg::FillOp getFillOfPhases(ConvOp op);

/// What `result`, all of which is written into `init`, is written into: the
/// function's buffer where it becomes that, since upstream's elimination of
/// empty tensors would find it for the last of several slices alone, and not
/// through reshapes.
Value makeDestination(OpBuilder &builder, Value result, Value init);

/// The taps of one phase in each dimension of `op`, a slice of its filter.
Value extractTaps(OpBuilder &builder, ConvOp op, const ChosenPhases &phases);

/// The dense convolution of `input` with these `taps`, in windows of the phases
/// where `op` is dilated. `init` has the phases' positions alone. What is
/// decided of the groups of `op` holds for it, too.
Value createPhaseConv(OpBuilder &builder, ConvOp op, Value input, Value taps,
                      const ChosenPhases &phases, Value init);

/// Which dimensions of a tensor make up which of one with the letters `letters`
/// where `count` of them stand for a letter.
SmallVector<ReassociationIndices> groupDims(StringRef letters,
                                            function_ref<int64_t(char)> count);

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_CONVOLUTION_PHASECONV_H
