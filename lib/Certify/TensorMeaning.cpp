//===- TensorMeaning.cpp - Slices, padding and reshapes ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

FailureOr<BoxCases> Denoter::getBoxes(OffsetSizeAndStrideOpInterface op) {
  FailureOr<IndicesCases> offsets = getIndices(op.getMixedOffsets());
  if (failed(offsets))
    return failure();
  SmallVector<Size> sizes;
  for (OpFoldResult value : op.getMixedSizes()) {
    FailureOr<Size> size = getSize(value, op);
    if (failed(size))
      return failure();
    sizes.push_back(*size);
  }
  BoxCases boxes;
  for (const Case<SmallVector<LinearExpr>> &offset : *offsets)
    boxes.push_back({offset.locals, offset.domain, {offset.value, sizes}});
  return boxes;
}

FailureOr<Pieces> Denoter::readSlice(tensor::ExtractSliceOp op,
                                     ArrayRef<LinearExpr> at,
                                     const System &context) {
  SmallVector<OpFoldResult> values = op.getMixedOffsets();
  FailureOr<IndicesCases> offsets = getIndices(values);
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
        return undecided(op, "a slice with a dynamic stride");
      indices.push_back(
          dropped[dim] ? start : start + at[next++] * DynamicAPInt(stride));
    }
    return readAt(op.getSource(), indices, inCase);
  };
  return readCases(*offsets, context, read);
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

FailureOr<Pieces> Denoter::dropWhere(Pieces pieces, const Part &where,
                                     const System &context, Operation *op) {
  Pieces kept;
  for (Piece &piece : pieces) {
    System there = context & piece.domain;
    // A piece that is not touched stays whole.
    if (solver.isEmpty(there & where.domain)) {
      kept.push_back(std::move(piece));
      continue;
    }
    std::optional<Parts> outside =
        solver.subtract(there, where.locals, where.domain);
    if (!outside)
      return undecided(op, "a slice or tile whose outside has no formula");
    for (const Part &part : *outside)
      llvm::append_range(kept, restrict({piece}, part));
  }
  return kept;
}

FailureOr<Pieces> Denoter::readInserted(OffsetSizeAndStrideOpInterface op,
                                        Value source, Value destination,
                                        const llvm::SmallBitVector &droppedDims,
                                        ArrayRef<LinearExpr> at,
                                        const System &context) {
  FailureOr<BoxCases> boxes = getBoxes(op);
  if (failed(boxes))
    return failure();
  auto read = [&](const Box &box, const System &inCase) -> FailureOr<Pieces> {
    FailureOr<Case<SmallVector<LinearExpr>>> place =
        getPlaceInSlice(solver, op, box, at);
    if (failed(place))
      return undecided(op, "a slice with a dynamic stride");
    // Inside the slice.
    Pieces pieces;
    SmallVector<LinearExpr> inSource;
    for (auto [dim, index] : llvm::enumerate(place->value))
      if (!droppedDims[dim])
        inSource.push_back(index);
    System inside = inCase & place->domain;
    if (!solver.isEmpty(inside)) {
      FailureOr<Pieces> written = readAt(source, inSource, inside);
      if (failed(written))
        return failure();
      pieces = restrict(std::move(*written), *place);
    }
    // Outside it.
    std::optional<Parts> outside =
        solver.subtract(inCase, place->locals, place->domain);
    if (outside && outside->empty())
      return pieces;
    FailureOr<Pieces> whole = readAt(destination, at, inCase);
    if (failed(whole))
      return failure();
    FailureOr<Pieces> kept = dropWhere(
        std::move(*whole), {place->locals, place->domain}, inCase, op);
    if (failed(kept))
      return failure();
    llvm::append_range(pieces, std::move(*kept));
    return pieces;
  };
  return readCases(*boxes, context, read);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

FailureOr<Pieces> Denoter::readPad(tensor::PadOp op, ArrayRef<LinearExpr> at,
                                   const System &context) {
  Value padding = op.getConstantPaddingValue();
  if (!padding)
    return undecided(op, "padding that differs from place to place");
  FailureOr<IndicesCases> lows = getIndices(op.getMixedLowPad());
  if (failed(lows))
    return failure();
  auto read = [&](ArrayRef<LinearExpr> low,
                  const System &inCase) -> FailureOr<Pieces> {
    SmallVector<LinearExpr> indices;
    for (auto [index, before] : llvm::zip_equal(at, low))
      indices.push_back(index - before);
    FailureOr<System> inside = getBounds(op.getSource(), indices);
    FailureOr<Pieces> pad = getScalar(padding, Body(), inCase);
    if (failed(inside) || failed(pad))
      return failure();
    System inBounds = inCase & *inside;
    FailureOr<Pieces> elements = readAt(op.getSource(), indices, inBounds);
    if (failed(elements))
      return failure();
    Pieces pieces = restrict(prune(*elements, inBounds), Part{{}, *inside});
    std::optional<Parts> outside = solver.subtract(inCase, {}, *inside);
    for (const Part &part : *outside)
      llvm::append_range(pieces, restrict(*pad, part));
    return pieces;
  };
  return readCases(*lows, context, read);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

FailureOr<Pieces> Denoter::readReshaped(Value source,
                                        ArrayRef<ReassociationIndices> groups,
                                        bool isCollapse, Value result,
                                        ArrayRef<LinearExpr> at,
                                        const System &context) {
  Value expanded = isCollapse ? source : result;
  auto type = cast<RankedTensorType>(expanded.getType());
  SmallVector<LinearExpr> indices;
  Part digits;
  for (auto [groupNumber, group] : llvm::enumerate(groups)) {
    // Other dimensions than those of size 1 are digits of a number; all but the
    // first need static sizes.
    SmallVector<int64_t> dims;
    for (int64_t dim : group)
      if (type.getDimSize(dim) != 1)
        dims.push_back(dim);
    for (int64_t dim : llvm::drop_begin(dims, dims.empty() ? 0 : 1))
      if (type.isDynamicDim(dim))
        return undecided(expanded == result ? result.getDefiningOp()
                                            : source.getDefiningOp(),
                         "a reshape by a dynamic size");
    LinearExpr number(0);
    LinearExpr rest = isCollapse ? at[groupNumber] : LinearExpr(0);
    SmallVector<LinearExpr> places(group.size(), 0);
    for (int64_t dim : dims) {
      int64_t inner = 1;
      for (int64_t other : dims)
        if (other > dim)
          inner *= type.getDimSize(other);
      if (!isCollapse) {
        number += at[dim] * DynamicAPInt(inner);
      } else if (inner == 1) {
        places[dim - group.front()] = rest;
      } else {
        digits.locals.push_back(solver.makeVar());
        LinearExpr digit = LinearExpr::var(digits.locals.back());
        rest = rest - digit * DynamicAPInt(inner);
        digits.domain.addRange(0, rest, inner);
        places[dim - group.front()] = digit;
      }
    }
    if (isCollapse)
      llvm::append_range(indices, places);
    else
      indices.push_back(number);
  }
  // What has no dimension is all of the one element of the other.
  if (groups.empty())
    indices.assign(cast<RankedTensorType>(source.getType()).getRank(), 0);
  System inCase = context & digits.domain;
  FailureOr<Pieces> elements = readAt(source, indices, inCase);
  if (failed(elements))
    return failure();
  return restrict(std::move(*elements), digits);
}
