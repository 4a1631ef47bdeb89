//===- Report.h - Prints where two sides part -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_DIFF_REPORT_H
#define CONVOY_TOOLS_CONVOY_DIFF_REPORT_H

#include "Compare.h"

#include "llvm/Support/JSON.h"

namespace mlir::convoy {

/// The first layer of a kind, and the side that it is of.
struct FirstLayer {
  const LayerDiff *layer = nullptr; ///< null where there is none
  unsigned side = 0;
};

/// The first layer that one of the sides computes outside the bound that holds
/// from the arguments on, and the first that its inputs do not explain.
FirstLayer findFirstOutside(ArrayRef<LayerDiff> diffs);
FirstLayer findFirstUnexplained(ArrayRef<LayerDiff> diffs);

/// The first layer that is further off than rounding makes it, though within
/// its bound.
FirstLayer findFirstSuspicious(ArrayRef<LayerDiff> diffs);

/// A table with a row for each layer, and a sentence for each of the first two.
std::string toTable(const Options &options, ArrayRef<LayerDiff> diffs);
llvm::json::Object toJSON(const Options &options, ArrayRef<LayerDiff> diffs);

/// Writes the page of `--report`; on failure returns false and puts one
/// sentence into `error`.
bool writePage(const Options &options, ArrayRef<LayerDiff> diffs,
               std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_DIFF_REPORT_H
