//===- Slices.cpp - Where slices lie, and what they replace -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slices.h"
#include "OpReaders.h"
#include "ScalarReaders.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

FailureOr<BoxCases> certify::getBoxes(SymbolicEvaluator &evaluator,
                                      OffsetSizeAndStrideOpInterface op) {
  FailureOr<IndicesCases> offsets =
      evaluator.getIndices().evaluateAll(op.getMixedOffsets());
  if (failed(offsets))
    return failure();
  SmallVector<Size> sizes;
  for (OpFoldResult value : op.getMixedSizes()) {
    FailureOr<Size> size = evaluator.getSizes().evaluateSize(value, op);
    if (failed(size))
      return failure();
    sizes.push_back(*size);
  }
  BoxCases boxes;
  for (const Case<SmallVector<LinearExpr>> &offset : *offsets)
    boxes.push_back({offset.locals, offset.domain, {offset.value, sizes}});
  return boxes;
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       tensor::ExtractSliceOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  FailureOr<IndicesCases> offsets =
      evaluator.getIndices().evaluateAll(op.getMixedOffsets());
  if (failed(offsets))
    return failure();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  auto read = [&](ArrayRef<LinearExpr> starts,
                  const System &inCase) -> FailureOr<Pieces> {
    SmallVector<LinearExpr> indices;
    unsigned next = 0;
    for (auto [dim, start] : llvm::enumerate(starts)) {
      int64_t stride = op.getStaticStrides()[dim];
      if (ShapedType::isDynamic(stride))
        return evaluator.undecided(op, "a slice with a dynamic stride");
      indices.push_back(
          dropped[dim] ? start : start + at[next++] * DynamicAPInt(stride));
    }
    return evaluator.readAt(op.getSource(), indices, inCase);
  };
  return readCases(evaluator.getSolver(), *offsets, context, read);
}

/// The place in a slice that element `at` of the whole has, as new unknowns
/// with what they satisfy.
static FailureOr<Case<SmallVector<LinearExpr>>>
getPlaceInSlice(Solver &solver, OffsetSizeAndStrideOpInterface op,
                const Box &box, ArrayRef<LinearExpr> at) {
  Case<SmallVector<LinearExpr>> place;
  for (auto [dim, index] : llvm::enumerate(at)) {
    int64_t stride = op.getStaticStrides()[dim];
    if (ShapedType::isDynamic(stride))
      return failure();
    LinearExpr inSlice = index - box.offsets[dim];
    if (stride != 1) {
      place.locals.push_back(solver.makeVar());
      LinearExpr quotient = LinearExpr::var(place.locals.back());
      place.domain.addEqual(inSlice, quotient * DynamicAPInt(stride));
      inSlice = quotient;
    }
    place.domain.addRange(0, inSlice, box.sizes[dim]);
    place.value.push_back(inSlice);
  }
  return place;
}

FailureOr<Pieces> certify::dropReplaced(SymbolicEvaluator &evaluator,
                                        Pieces pieces, const Part &where,
                                        const System &context, Operation *op) {
  std::optional<Pieces> kept =
      subtract(evaluator.getSolver(), std::move(pieces), where, context);
  if (!kept)
    return evaluator.undecided(op,
                               "a slice or tile whose outside has no formula");
  return std::move(*kept);
}

FailureOr<Pieces> certify::readInserted(SymbolicEvaluator &evaluator,
                                        OffsetSizeAndStrideOpInterface op,
                                        Value source, Value destination,
                                        const llvm::SmallBitVector &droppedDims,
                                        ArrayRef<LinearExpr> at,
                                        const System &context) {
  FailureOr<BoxCases> boxes = getBoxes(evaluator, op);
  if (failed(boxes))
    return failure();
  Solver &solver = evaluator.getSolver();
  auto read = [&](const Box &box, const System &inCase) -> FailureOr<Pieces> {
    FailureOr<Case<SmallVector<LinearExpr>>> place =
        getPlaceInSlice(solver, op, box, at);
    if (failed(place))
      return evaluator.undecided(op, "a slice with a dynamic stride");
    // Inside the slice.
    Pieces pieces;
    SmallVector<LinearExpr> inSource;
    for (auto [dim, index] : llvm::enumerate(place->value))
      if (!droppedDims[dim])
        inSource.push_back(index);
    System inside = inCase & place->domain;
    if (!solver.isEmpty(inside)) {
      FailureOr<Pieces> written = evaluator.readAt(source, inSource, inside);
      if (failed(written))
        return failure();
      pieces = restrict(std::move(*written), *place);
    }
    // Outside it.
    std::optional<Parts> outside =
        solver.subtract(inCase, place->locals, place->domain);
    if (outside && outside->empty())
      return pieces;
    FailureOr<Pieces> whole = evaluator.readAt(destination, at, inCase);
    if (failed(whole))
      return failure();
    FailureOr<Pieces> kept =
        dropReplaced(evaluator, std::move(*whole),
                     {place->locals, place->domain}, inCase, op);
    if (failed(kept))
      return failure();
    llvm::append_range(pieces, std::move(*kept));
    return pieces;
  };
  return readCases(solver, *boxes, context, read);
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       tensor::InsertSliceOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  return readInserted(evaluator, op, op.getSource(), op.getDest(),
                      op.getDroppedDims(), at, context);
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       tensor::InsertOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  FailureOr<IndicesCases> cases =
      evaluator.getIndices().evaluateAll(getAsOpFoldResult(op.getIndices()));
  if (failed(cases))
    return failure();
  auto read = [&](ArrayRef<LinearExpr> indices, const System &inCase) {
    System inside;
    for (auto [index, chosen] : llvm::zip_equal(at, indices))
      inside.addEqual(index, chosen);
    return readReplaced(evaluator, op.getScalar(), {}, inside, op.getDest(), at,
                        inCase);
  };
  return readCases(evaluator.getSolver(), *cases, context, read);
}
