//===- EpilogueToLinalg.h - What becomes of a problem's sums ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_PROBLEMTOCONVOY_EPILOGUETOLINALG_H
#define CONVOY_LIB_CONVERSION_PROBLEMTOCONVOY_EPILOGUETOLINALG_H

#include "convoy/Support/Problem.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace mlir::convoy {

/// What the convolution of `problem` sums into, and leaves to its epilogue.
Type getSumType(Builder &builder, const ::convoy::Problem &problem);

/// The type of the argument that a kernel takes as `operand`.
RankedTensorType getOperandType(Builder &builder,
                                const ::convoy::Problem &problem,
                                const ::convoy::KernelOperand &operand);

/// The dimensions of `split`, which is `flat` with groups apart, that are one
/// of `flat`.
SmallVector<ReassociationIndices> getGroupDims(const ::convoy::Layout &flat,
                                               const ::convoy::Layout &split);

/// Splits the dimension that holds groups of `tensor`, which is the convolution
/// operand `operand` or a part of its dimensions, called `layout`, where it has
/// none for them and the problem has groups. That moves no data; `layout`
/// becomes that of what is returned.
Value splitGroups(OpBuilder &builder, Location loc,
                  const ::convoy::Problem &problem, Value tensor,
                  ::convoy::Operand operand, ::convoy::Layout &layout);

/// Applies the epilogue of `problem`, which is not empty, to `sums`, whose
/// dimensions are `layout`, groups apart. Its operands are `operands`, and its
/// elements are written to `empty`.
Value buildEpilogue(OpBuilder &builder, Location loc,
                    const ::convoy::Problem &problem, Value sums,
                    const ::convoy::Layout &layout, ValueRange operands,
                    Value empty);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_PROBLEMTOCONVOY_EPILOGUETOLINALG_H
