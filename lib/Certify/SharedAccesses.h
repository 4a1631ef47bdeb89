//===- SharedAccesses.h - What iterations access ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_SHAREDACCESSES_H
#define CONVOY_LIB_CERTIFY_SHAREDACCESSES_H

#include "Evaluator/SymbolicEvaluator.h"

#include "mlir/Interfaces/VectorInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::convoy::certify {

/// Elements of a tensor that an op accesses: those at `place` for each point of
/// `domain`, of which the iteration is a part.
struct Access {
  Operation *op;
  bool isWrite;
  System domain;
  SmallVector<LinearExpr> place;
};

/// Where the elements of a part lie in a whole tensor: that at `indices` of the
/// part at `place`.
struct View {
  SmallVector<Var> indices;
  System domain;
  SmallVector<LinearExpr> place;

  /// What holds of the element `at` of the part, and where it lies.
  std::pair<System, SmallVector<LinearExpr>>
  locate(ArrayRef<LinearExpr> at) const {
    DenseMap<Var, LinearExpr> values;
    for (auto [var, index] : llvm::zip_equal(indices, at))
      values[var] = index;
    SmallVector<LinearExpr> lies;
    for (const LinearExpr &index : place)
      lies.push_back(index.substitute(values));
    return {domain.substitute(values), lies};
  }
};

/// A tensor that is a part of the shared one, as it is or as ops changed it.
struct Followed {
  SmallVector<View, 1> views;
  /// What made it a part of `whole`: a slice or a reshape; null of the whole.
  Operation *maker = nullptr;
  std::shared_ptr<const Followed> whole;
};
using FollowedRef = std::shared_ptr<const Followed>;

/// What the iterations of one loop access of one tensor that they share.
class SharedAccesses {
public:
  SharedAccesses(SymbolicEvaluator &evaluator, Operation *loop, Value shared)
      : evaluator(evaluator), solver(evaluator.getSolver()),
        scopes(evaluator.getScopes()), loop(loop), shared(shared) {}

  /// Finds the accesses to the tensor and to what iterations make of it, which
  /// `left`, if anything is, is in the end.
  LogicalResult find(Value left);
  /// Finds the slices that are inserted into the tensor.
  LogicalResult findInserted(scf::ForallOp op);
  ArrayRef<Access> getAccesses() const { return accesses; }

private:
  FollowedRef getWhole() const;
  void follow(Value tensor, FollowedRef known);
  /// Follows what `use`, of what is `known`, makes of it.
  LogicalResult followUse(OpOperand &use, FollowedRef known);
  LogicalResult addUse(OpOperand &use, FollowedRef known);
  LogicalResult addInsert(OpOperand &use, tensor::InsertSliceOp op,
                          FollowedRef known);
  /// Adds what yields in `op`, of which some result is `known`, replace.
  LogicalResult addYielded(Operation *op, unsigned number, FollowedRef known);
  bool isWhole(Value tensor) const {
    FollowedRef known = followed.lookup(tensor);
    return known && !known->maker;
  }
  bool isPutBack(tensor::InsertSliceOp op, FollowedRef known);
  /// The slices that `op` names, of tensors that are `known`.
  FailureOr<SmallVector<View, 1>> getViews(OffsetSizeAndStrideOpInterface op,
                                           const llvm::SmallBitVector &dropped,
                                           FollowedRef known);
  LogicalResult followSlice(tensor::ExtractSliceOp op, FollowedRef known);
  /// Follows what `op`, a reshape between static sizes, makes of what is
  /// `known`; `expanded` has the more dimensions of both.
  void followReshape(Operation *op, RankedTensorType expanded,
                     ArrayRef<ReassociationIndices> groups, FollowedRef known);
  LogicalResult addBox(OffsetSizeAndStrideOpInterface op, FollowedRef known);
  LogicalResult addElement(tensor::ExtractOp op, FollowedRef known);
  LogicalResult addTransfer(VectorTransferOpInterface op, bool isWrite,
                            FollowedRef known);
  /// Any element of `tensor`.
  LogicalResult addAll(Operation *op, Value tensor, bool isWrite,
                       FollowedRef known);
  /// Adds the places in `domain` wherever `op` runs.
  void add(Operation *op, bool isWrite, const System &domain,
           ArrayRef<LinearExpr> place, FollowedRef known);

  SymbolicEvaluator &evaluator;
  Solver &solver;
  Scopes &scopes;
  Operation *loop;
  Value shared;
  llvm::MapVector<Value, FollowedRef> followed;
  SmallVector<Access, 0> accesses;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_SHAREDACCESSES_H
