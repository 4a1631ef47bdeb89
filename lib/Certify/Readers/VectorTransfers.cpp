//===- VectorTransfers.cpp - Between tensors and vectors --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarReaders.h"
#include "Slices.h"
#include "VectorReaders.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

FailureOr<ConditionCases> certify::getMaskCases(SymbolicEvaluator &evaluator,
                                                VectorTransferOpInterface op,
                                                ArrayRef<LinearExpr> place) {
  if (!op.getMask())
    return ConditionCases{{{}, {}, true}};
  if (!op.getPermutationMap().isMinorIdentity())
    return evaluator.undecided(op, "a mask of a transfer that transposes");
  if (!isMaskOfSizes(op.getMask()))
    return evaluator.undecided(op, "a mask whose elements are not known");
  return evaluator.getIndices().evaluateMask(op.getMask(), place);
}

FailureOr<Pieces> certify::readMask(SymbolicEvaluator &evaluator, Value mask,
                                    ArrayRef<LinearExpr> at,
                                    const System &context) {
  FailureOr<ConditionCases> cases =
      evaluator.getIndices().evaluateMask(mask, at);
  if (failed(cases))
    return failure();
  Builder builder(mask.getContext());
  return readCases(evaluator.getSolver(), *cases, context,
                   [&](bool isSet, const System &) -> FailureOr<Pieces> {
                     return Pieces{
                         {{}, {}, makeConstant(builder.getBoolAttr(isSet))}};
                   });
}

/// The dimension of what `op` accesses for each of the vector's; nothing for
/// one that repeats elements.
static SmallVector<std::optional<unsigned>>
getSourceDims(VectorTransferOpInterface op) {
  return llvm::map_to_vector(
      op.getPermutationMap().getResults(), [](AffineExpr expr) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
      });
}

SmallVector<LinearExpr> certify::getAccessed(VectorTransferOpInterface op,
                                             ArrayRef<LinearExpr> starts,
                                             ArrayRef<LinearExpr> place) {
  SmallVector<LinearExpr> accessed(starts);
  for (auto [dim, index] : llvm::zip_equal(getSourceDims(op), place))
    if (dim)
      accessed[*dim] += index;
  return accessed;
}

/// Whether `op` is on a tensor.
static LogicalResult checkTensor(SymbolicEvaluator &evaluator,
                                 VectorTransferOpInterface op) {
  if (isa<RankedTensorType>(op.getShapedType()))
    return success();
  return evaluator.undecided(op, "a transfer from or to memory");
}

FailureOr<Pieces> certify::readTransfer(SymbolicEvaluator &evaluator,
                                        vector::TransferReadOp op,
                                        ArrayRef<LinearExpr> at,
                                        const System &context) {
  if (failed(checkTensor(evaluator, op)))
    return failure();
  FailureOr<IndicesCases> starts =
      evaluator.getIndices().evaluateAll(getAsOpFoldResult(op.getIndices()));
  FailureOr<ConditionCases> masks = getMaskCases(evaluator, op, at);
  if (failed(starts) || failed(masks))
    return failure();
  Solver &solver = evaluator.getSolver();
  auto readInside = [&](ArrayRef<LinearExpr> start,
                        const System &inCase) -> FailureOr<Pieces> {
    SmallVector<LinearExpr> indices = getAccessed(op, start, at);
    FailureOr<System> bounds =
        evaluator.getSizes().getBounds(op.getBase(), indices);
    if (failed(bounds))
      return failure();
    System inBounds = inCase & *bounds;
    FailureOr<Pieces> elements =
        evaluator.readAt(op.getBase(), indices, inBounds);
    if (failed(elements) || !op.hasOutOfBoundsDim())
      return elements;
    Pieces pieces =
        restrict(prune(solver, *elements, inBounds), Part{{}, *bounds});
    FailureOr<Pieces> padding =
        readScalar(evaluator, op.getPadding(), Body(), inCase);
    if (failed(padding))
      return failure();
    std::optional<Parts> outside = solver.subtract(inCase, {}, *bounds);
    for (const Part &part : *outside)
      llvm::append_range(pieces, restrict(*padding, part));
    return pieces;
  };
  return readCases(
      solver, *masks, context, [&](bool isRead, const System &inCase) {
        return isRead ? readCases(solver, *starts, inCase, readInside)
                      : readScalar(evaluator, op.getPadding(), Body(), inCase);
      });
}

FailureOr<Pieces> certify::readTransfer(SymbolicEvaluator &evaluator,
                                        vector::TransferWriteOp op,
                                        ArrayRef<LinearExpr> at,
                                        const System &context) {
  FailureOr<IndicesCases> starts =
      evaluator.getIndices().evaluateAll(getAsOpFoldResult(op.getIndices()));
  if (failed(starts))
    return failure();
  Solver &solver = evaluator.getSolver();
  auto read = [&](ArrayRef<LinearExpr> start,
                  const System &inCase) -> FailureOr<Pieces> {
    // Where the element is in the vector.
    System inside;
    SmallVector<LinearExpr> place;
    SmallVector<bool> isMapped(at.size(), false);
    for (auto [dim, size] :
         llvm::zip_equal(getSourceDims(op), op.getVectorType().getShape())) {
      if (!dim)
        return evaluator.undecided(op, "a transfer that repeats elements");
      isMapped[*dim] = true;
      place.push_back(at[*dim] - start[*dim]);
      inside.addRange(0, place.back(), LinearExpr(size));
    }
    for (auto [dim, index] : llvm::enumerate(at))
      if (!isMapped[dim])
        inside.addEqual(index, start[dim]);
    FailureOr<ConditionCases> masks = getMaskCases(evaluator, op, place);
    if (failed(masks))
      return failure();
    FailureOr<Pieces> kept = evaluator.readAt(op.getBase(), at, inCase);
    if (failed(kept))
      return failure();
    Pieces pieces;
    for (const Case<bool> &mask : *masks) {
      if (!mask.value)
        continue;
      Part written = {mask.locals, inside & mask.domain};
      System there = inCase & written.domain;
      if (solver.isEmpty(there))
        continue;
      FailureOr<Pieces> elements =
          evaluator.readAt(op.getVector(), place, there);
      if (failed(elements))
        return failure();
      llvm::append_range(pieces, restrict(std::move(*elements), written));
      kept = dropReplaced(evaluator, std::move(*kept), written, inCase, op);
      if (failed(kept))
        return failure();
    }
    llvm::append_range(pieces, *kept);
    return pieces;
  };
  return readCases(solver, *starts, context, read);
}
