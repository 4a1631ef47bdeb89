//===- WinogradEpilogue.h - What sums become in vectors ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_WINOGRAD_WINOGRADEPILOGUE_H
#define CONVOY_LIB_TRANSFORMS_WINOGRAD_WINOGRADEPILOGUE_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Utils/Choices.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::convoy {

/// What becomes of the sums of a convolution before they are stored: they are
/// added to what the convolution starts from, and an op that alone reads them
/// may finish them, element by element.
class WinogradEpilogue {
public:
  explicit WinogradEpilogue(ConvOp op);

  /// The op whose result is stored.
  Operation *getRoot() { return finisher ? finisher : conv.getOperation(); }
  /// What the result is written into. Where it `isInit`, the sums are still to
  /// be added to it.
  Value getDestination() { return destination; }
  bool isInit() const { return addsToDestination; }
  Type getElementType() {
    return cast<RankedTensorType>(destination.getType()).getElementType();
  }
  /// Whether the op that finishes sums reads what it overwrites.
  bool readsDestination();

  /// The vector of `lanes` results along `f` at `position` of `results`, which
  /// has the result's layout.
  Value readResult(RewriterBase &rewriter, Value results,
                   ArrayRef<OpFoldResult> position, int64_t lanes) {
    AffineMap identity = AffineMap::getMultiDimIdentityMap(
        position.size(), rewriter.getContext());
    return read(rewriter, {results, identity}, position, lanes);
  }

  /// What is stored for `sums`, a vector of results along `f`, whose first one
  /// is at `position` of the result. `old` is what is there, if that is read.
  Value apply(RewriterBase &rewriter, Value sums,
              ArrayRef<OpFoldResult> position, Value old);

  /// Why the op that reads the result of `op` does not finish its sums;
  /// nothing where it does, and where there is none.
  static std::optional<Choice> explainUse(ConvOp op);

private:
  /// A tensor, or a number, and where the result's elements read it.
  struct Operand {
    Value value;
    AffineMap map;
  };

  void findInit();
  /// What `operand` has for a vector of the result.
  Value read(RewriterBase &rewriter, const Operand &operand,
             ArrayRef<OpFoldResult> position, int64_t lanes);

  ConvOp conv;
  linalg::GenericOp finisher; ///< or null
  Value destination;
  bool addsToDestination = false;
  std::optional<Operand> init; ///< what is added in vectors
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_WINOGRAD_WINOGRADEPILOGUE_H
