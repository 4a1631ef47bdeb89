//===- Results.h - What a function gives its caller -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_RESULTS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_RESULTS_H

#include "Obstacle.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <string>

namespace mlir::convoy::certify {

/// A tensor that a function returns, writes to a buffer, or traces.
struct FunctionResult {
  Value value;
  BlockArgument buffer; ///< null where it is written to none
  std::string trace;    ///< the name of a traced value; else empty
};

using FunctionResults = SmallVector<FunctionResult, 0>;

/// The results of `function`: those that it returns, those that it writes to
/// buffers, in the order of its arguments, and what `convoy.trace` records.
FailureOr<FunctionResults> findResults(FunctionOpInterface function,
                                       FirstObstacle &obstacle);

/// The results of two functions that are to be the same: their own in order,
/// and what both trace under one name, since a trace changes no value. Nothing
/// where the functions have other results, or types of results.
std::optional<SmallVector<std::pair<FunctionResult, FunctionResult>, 0>>
pairResults(const FunctionResults &before, const FunctionResults &after);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_RESULTS_H
