//===- Groups.h - Counts of groups and their steps --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_GROUPS_H
#define CONVOY_TRANSFORMS_COSTS_GROUPS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// Whether `op` has groups and elements, and all its sizes are static.
bool hasKnownGroups(ConvolutionOpInterface op);

/// How many elements of `operand` lie between those of two groups that follow
/// each other.
int64_t getGroupStride(ConvolutionOpInterface op, ::convoy::Operand operand);

/// Whether rows that are summed over lie innermost in both factors of `op`.
bool sumsRows(ConvolutionOpInterface op);

/// Multiply-adds of `op` for each group.
double countSteps(ConvolutionOpInterface op);

/// Elements of a group of `op`'s input with its padding.
int64_t countPadded(ConvolutionOpInterface op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_GROUPS_H
