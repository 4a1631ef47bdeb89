//===- PlanAttrs.cpp - Small plans of passes --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"

using namespace mlir;
using namespace mlir::convoy;

LogicalResult
GroupPanelAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t groups, PanelPadding) {
  if (groups < 1)
    return emitError() << "expected positive groups, but got " << groups;
  return success();
}

LogicalResult
ThreadRegionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         int64_t number) {
  if (number < 0)
    return emitError() << "expected a number that is not negative, but got "
                       << number;
  return success();
}

LogicalResult
TileLanesAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t dim,
                      int64_t lanes, bool masked, bool matrices) {
  if (dim < 0)
    return emitError() << "expected a dim that is not negative, but got "
                       << dim;
  if (lanes < 1)
    return emitError() << "expected positive lanes, but got " << lanes;
  if (masked && matrices)
    return emitError() << "expected no masked lanes beside matrices = true";
  return success();
}
