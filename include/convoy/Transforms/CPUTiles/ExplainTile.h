//===- ExplainTile.h - A tile in words --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_CPUTILES_EXPLAINTILE_H
#define CONVOY_TRANSFORMS_CPUTILES_EXPLAINTILE_H

#include "convoy/Transforms/Costs/RegisterTile.h"
#include "convoy/Transforms/Utils/Choices.h"

namespace mlir::convoy {

/// `tile` in words, for `contraction` before its factor is packed.
std::string explainTile(linalg::GenericOp contraction,
                        const RegisterTile &tile);

/// An op that is computed after all tiles of a contraction, whose elements it
/// reads, and why tiles do not compute it.
struct LaterOp {
  linalg::GenericOp op;
  Choice reason;

  /// The op in words, by what its body computes.
  std::string describe() const;
};

/// The op that goes on with the elements of `contraction` and does not finish
/// its tiles, which are of `root`, if there is one.
std::optional<LaterOp> findLaterOp(linalg::GenericOp contraction,
                                   linalg::LinalgOp root);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_CPUTILES_EXPLAINTILE_H
