//===- FunctionHistory.h - What a function was before a pass ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_FUNCTIONHISTORY_H
#define CONVOY_LIB_CERTIFY_FUNCTIONHISTORY_H

#include "FunctionCopies.h"

namespace mlir::convoy::certify {

/// What is known of a function that passes change.
struct FunctionHistory {
  /// What it was after the last pass; null once it is compared no more.
  OwningOpRef<ModuleOp> before;
  /// The same without memory.
  Values values;
  /// What it was at first, when its ops said what it takes for granted, and
  /// that without memory.
  OwningOpRef<ModuleOp> origin;
  Values first;
  unsigned numCertified = 0;
  bool isCertified = true;
  bool wasCompared = false;       ///< from some pass on
  bool launches = false;          ///< kernels of a GPU, after the last pass
  bool hasProductsOfSums = false; ///< so that changes are proved exactly
  bool isFromFirst = false; ///< the last proof, as those to come are at once

  /// That of `function` before the first pass; without `before` where it is not
  /// compared.
  static FunctionHistory begin(FunctionOpInterface function);

  /// What it takes and leaves, on tensors where it began with them.
  FunctionType getType() const;

  /// Compares what it was with `after`: after the last pass, or else at first,
  /// if that was proved the same. Each takes `seconds` at most.
  Certificate certify(const Values &after, double seconds);
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_FUNCTIONHISTORY_H
