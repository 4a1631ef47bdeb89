//===- ContractionTile.h - What a workgroup reads and writes ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_CONTRACTIONTILE_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_CONTRACTIONTILE_H

#include "ElementEmitter.h"
#include "ElementKernel.h"
#include "TileGeometry.h"

namespace mlir::convoy {

/// The tile of a contraction that a workgroup computes: its loops, and where
/// its factors' and its result's elements come from and go to, whatever the
/// work-items have of them.
class ContractionTile {
public:
  /// Gives the row and the lane of the result their places, the lane being the
  /// first of a vector or one after it.
  using Place = function_ref<void(int64_t lane)>;

  ContractionTile(const WorkgroupLoops &loops, const ElementStore &store)
      : loops(loops), store(store), space(store.target.getContext()),
        geometry(this->loops, space) {}
  ContractionTile(const ContractionTile &) = delete;

  /// Finds out where all elements come from.
  LogicalResult resolve();
  const WorkgroupLoops &getLoops() const { return loops; }
  IndexSpace &getSpace() { return space; }
  TileGeometry &getGeometry() { return geometry; }
  const ElementStore &getStore() const { return store; }
  const Element &getFactor(unsigned number) const { return *factors[number]; }
  /// What the contraction does with its factors and a sum.
  const Element &getBody() const { return *body; }
  Type getSumType() const { return init->type; }
  /// Whether all sums start from the same number.
  bool hasConstantInit() const { return init->kind == Element::Kind::Constant; }

  /// The buffer in `kernel` that holds `base`, which is read at `address`.
  Value getBuffer(KernelBuilder &kernel, Value base, AffineExpr address) const;
  /// Emits the vector of what `count` sums of a row start from; a `count` other
  /// than kVectorLanes is one, or the init is constant.
  Value emitInit(KernelBuilder &kernel, ElementEmitter &emitter, int64_t count,
                 Place place);
  /// Emits the stores of the vector `sums`, of kVectorLanes sums of a row or of
  /// one.
  void emitResult(KernelBuilder &kernel, ElementEmitter &emitter, Value sums,
                  Place place);

private:
  SmallVector<AffineExpr> insertIndex(tensor::ParallelInsertSliceOp insert,
                                      ArrayRef<AffineExpr> index);
  /// Whether the row and the lane placed last are in the result.
  Value emitIsInside(KernelBuilder &kernel);
  /// What `emit` loads there, and zeros where they are not. (Loads elsewhere,
  /// of results, could meet another workgroup's stores.)
  Value emitInside(KernelBuilder &kernel, Type type,
                   function_ref<Value()> emit);

  WorkgroupLoops loops;
  const ElementStore &store;
  IndexSpace space;
  TileGeometry geometry;
  std::optional<Element> body, factors[2], init, result;
  AffineExpr target; ///< address of the result
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_CONTRACTIONTILE_H
