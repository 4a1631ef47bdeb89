//===- FunctionInputs.h - Data for arguments of functions -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_FUNCTIONINPUTS_H
#define CONVOY_DRIVER_FUNCTIONINPUTS_H

#include "convoy/Driver/CheckedConv.h"
#include "convoy/Driver/Specialize.h"

namespace mlir::convoy {

/// Says in `options` from what ranges (`convoy.range`) arguments of `function`
/// are drawn.
void noteDeclaredRanges(func::FuncOp function, CheckOptions &options);

/// Draws the elements of `inputs` anew whose argument of `function` declares a
/// range: of all magnitudes in it, but zero; with DataKind::Edge of its ends;
/// with DataKind::Int integers in it, where there are any. Where `options` say
/// that they are given, looks only at whether they lie in it. On failure puts
/// one sentence into `error`.
bool keepDeclaredRanges(func::FuncOp function,
                        std::vector<::convoy::HostArray> &inputs,
                        const CheckOptions &options, std::string &error);

/// Data for the arguments of `function`, which has `shapes`: a value follows
/// from the seed, the argument and the place. With DataKind::Int, floats are
/// small integers, most sums of which are exact, with DataKind::Edge 1 and -1;
/// integers are of all sizes, but scalars of 32 bits, which may be zero points,
/// are small, and zero points of channels fit the filter's type. On failure
/// returns nothing and puts one sentence into `error`.
std::optional<std::vector<::convoy::HostArray>>
generateInputs(func::FuncOp function, const ArgumentShapes &shapes,
               const CheckOptions &options, std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_FUNCTIONINPUTS_H
