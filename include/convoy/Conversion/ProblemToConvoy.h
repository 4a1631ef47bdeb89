//===- ProblemToConvoy.h - A problem as a function --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_PROBLEMTOCONVOY_H
#define CONVOY_CONVERSION_PROBLEMTOCONVOY_H

#include "convoy/Support/AnyProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::convoy {

/// What the kernel of a direction reads and writes, in the order of its op, and
/// what its arguments are called.
struct ProblemRoles {
  ::convoy::Operand first, second, result;
  StringRef firstName, secondName, resultName;
};

ProblemRoles getProblemRoles(::convoy::Direction direction);

/// Builds `func.func @name` that computes `problem`: two operands, in the order
/// of the direction's op, then the bias if any, then what the epilogue takes,
/// to one result, all in the user's layouts. Where a layout has no `g` the
/// dimension that holds the groups is split, which moves no data. The dialects
/// used must be loaded.
func::FuncOp buildProblem(OpBuilder &builder, Location loc,
                          const ::convoy::Problem &problem, StringRef name);

/// The epilogue of `problem`, which is not empty, as a function: of the sums,
/// in the layout of the result, and of what it takes.
func::FuncOp buildEpilogueFunction(OpBuilder &builder, Location loc,
                                   const ::convoy::Problem &problem,
                                   StringRef name);

/// A function of samples: of the arguments `input` and `grid`, in the layouts
/// of the problem.
func::FuncOp buildSampleProblem(OpBuilder &builder, Location loc,
                                const ::convoy::SampleProblem &problem,
                                StringRef name);

/// The same for windows that are added up: of the argument `input`, the rows;
/// or for those of the image `input`.
func::FuncOp buildFoldProblem(OpBuilder &builder, Location loc,
                              const ::convoy::FoldProblem &problem,
                              StringRef name);

/// The same for a deformable convolution: of the arguments `input`, `filter`,
/// `offset`, `mask` and `bias`, the last two if there are such.
func::FuncOp buildDeformProblem(OpBuilder &builder, Location loc,
                                const ::convoy::DeformProblem &problem,
                                StringRef name);

/// The function of `problem.conv` whose input is padded, or the padding of
/// whose gradient is added up.
func::FuncOp buildPaddedProblem(OpBuilder &builder, Location loc,
                                const ::convoy::PaddedProblem &problem,
                                StringRef name);

} // namespace mlir::convoy

#endif // CONVOY_CONVERSION_PROBLEMTOCONVOY_H
