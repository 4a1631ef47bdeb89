//===- WinogradTile.h - What Winograd's algorithm computes ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_CONVOY_IR_WINOGRADTILE_H
#define CONVOY_DIALECT_CONVOY_IR_WINOGRADTILE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Support/LLVM.h"

namespace mlir::convoy {

/// Name of the attribute of convolutions that are to be computed by Winograd's
/// algorithm: `array<i64>` of how many results are computed together along each
/// spatial dimension, outermost first.
constexpr StringLiteral kWinogradAttrName = "convoy.winograd";

/// Name of the attribute of convolutions whose tiles may not have more results
/// along any dimension, for a target error: a number, less than two where there
/// are to be none.
constexpr StringLiteral kMostWinogradAttrName = "convoy.most_winograd";

/// The most of these numbers: larger tiles are less exact by orders of
/// magnitude.
constexpr int64_t kMostWinogradResults = 16;

/// Name of the same numbers in a dictionary of sums' roundings, for results
/// that were computed so.
constexpr StringLiteral kWinogradSumsName = "winograd";

/// The numbers in `sums`, which may be null; empty where there are none.
inline ArrayRef<int64_t> getWinogradTile(DictionaryAttr sums) {
  auto tile = sums ? sums.getAs<DenseI64ArrayAttr>(kWinogradSumsName)
                   : DenseI64ArrayAttr();
  return tile ? tile.asArrayRef() : ArrayRef<int64_t>();
}

/// `sums`, which may be null, with these numbers.
inline DictionaryAttr setWinogradTile(MLIRContext *context, DictionaryAttr sums,
                                      ArrayRef<int64_t> tile) {
  NamedAttrList entries(sums);
  if (!tile.empty())
    entries.set(kWinogradSumsName, DenseI64ArrayAttr::get(context, tile));
  return entries.getDictionary(context);
}

} // namespace mlir::convoy

#endif // CONVOY_DIALECT_CONVOY_IR_WINOGRADTILE_H
