//===- TensorReaders.cpp - Buffers, padding and reshapes --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Buffers/BufferUse.h"
#include "OpReaders.h"
#include "ScalarReaders.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       bufferization::ToTensorOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  auto buffer = dyn_cast<BlockArgument>(op.getBuffer());
  if (!buffer || !isa<FunctionOpInterface>(buffer.getOwner()->getParentOp()))
    return evaluator.undecided(op, "a tensor in a buffer that is no argument");
  FailureOr<BufferUse> use = BufferUse::find(buffer, evaluator.getObstacle());
  if (failed(use))
    return failure();
  if (use->start)
    return evaluator.readAt(use->start, at, context);
  return Pieces{{{}, {}, makeRead(buffer, at)}};
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       bufferization::AllocTensorOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  if (op.getCopy())
    return evaluator.readAt(op.getCopy(), at, context);
  return Pieces{{{}, {}, makeUndefined(op.getType().getElementType())}};
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

LinearExpr certify::getNumber(ArrayRef<LinearExpr> at,
                              ArrayRef<int64_t> shape) {
  LinearExpr number;
  for (auto [index, size] : llvm::zip_equal(at, shape))
    number = number * DynamicAPInt(size) + index;
  return number;
}

FailureOr<Pieces> certify::readFromElements(SymbolicEvaluator &evaluator,
                                            ShapedType type,
                                            ValueRange elements,
                                            ArrayRef<LinearExpr> at,
                                            const System &context) {
  return readEach(evaluator.getSolver(), getNumber(at, type.getShape()),
                  type.getNumElements(), context,
                  [&](int64_t number, const System &inCase) {
                    return readScalar(evaluator, elements[number], Body(),
                                      inCase);
                  });
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       tensor::PadOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  Value padding = op.getConstantPaddingValue();
  if (!padding)
    return evaluator.undecided(op, "padding that differs from place to place");
  FailureOr<IndicesCases> lows =
      evaluator.getIndices().evaluateAll(op.getMixedLowPad());
  if (failed(lows))
    return failure();
  Solver &solver = evaluator.getSolver();
  auto read = [&](ArrayRef<LinearExpr> low,
                  const System &inCase) -> FailureOr<Pieces> {
    SmallVector<LinearExpr> indices;
    for (auto [index, before] : llvm::zip_equal(at, low))
      indices.push_back(index - before);
    FailureOr<System> inside =
        evaluator.getSizes().getBounds(op.getSource(), indices);
    FailureOr<Pieces> pad = readScalar(evaluator, padding, Body(), inCase);
    if (failed(inside) || failed(pad))
      return failure();
    System inBounds = inCase & *inside;
    FailureOr<Pieces> elements =
        evaluator.readAt(op.getSource(), indices, inBounds);
    if (failed(elements))
      return failure();
    Pieces pieces =
        restrict(prune(solver, *elements, inBounds), Part{{}, *inside});
    std::optional<Parts> outside = solver.subtract(inCase, {}, *inside);
    for (const Part &part : *outside)
      llvm::append_range(pieces, restrict(*pad, part));
    return pieces;
  };
  return readCases(solver, *lows, context, read);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

namespace {
/// A dimension whose index is a digit of the index of all of its group.
struct Digit {
  int64_t dim;
  int64_t base; ///< what it is multiplied by in the number
};
} // namespace

/// The digits that the dimensions `group` of `type` are, outermost first; those
/// of size 1 are none. Nothing if the size of another than the first is
/// dynamic.
static std::optional<SmallVector<Digit>>
getDigits(RankedTensorType type, const ReassociationIndices &group) {
  SmallVector<Digit> digits;
  int64_t base = 1;
  for (int64_t dim : llvm::reverse(group)) {
    int64_t size = type.getDimSize(dim);
    if (size == 1)
      continue;
    if (ShapedType::isDynamic(base))
      return std::nullopt;
    digits.insert(digits.begin(), {dim, base});
    base = ShapedType::isDynamic(size) ? size : base * size;
  }
  return digits;
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       tensor::ExpandShapeOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  SmallVector<LinearExpr> indices;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    auto digits = getDigits(op.getResultType(), group);
    if (!digits)
      return evaluator.undecided(op, "a reshape by a dynamic size");
    LinearExpr &number = indices.emplace_back(0);
    for (const Digit &digit : *digits)
      number += at[digit.dim] * DynamicAPInt(digit.base);
  }
  return evaluator.readAt(op.getSrc(), indices, context);
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       tensor::CollapseShapeOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  SmallVector<LinearExpr> indices(op.getSrcType().getRank(), 0);
  Part where;
  for (auto [number, group] :
       llvm::zip_equal(at, op.getReassociationIndices())) {
    auto digits = getDigits(op.getSrcType(), group);
    if (!digits)
      return evaluator.undecided(op, "a reshape by a dynamic size");
    LinearExpr rest = number;
    for (const Digit &digit : *digits) {
      if (digit.base == 1) {
        indices[digit.dim] = rest;
        continue;
      }
      where.locals.push_back(evaluator.getSolver().makeVar());
      indices[digit.dim] = LinearExpr::var(where.locals.back());
      rest = rest - indices[digit.dim] * DynamicAPInt(digit.base);
      where.domain.addRange(0, rest, digit.base);
    }
  }
  FailureOr<Pieces> elements =
      evaluator.readAt(op.getSrc(), indices, context & where.domain);
  if (failed(elements))
    return failure();
  return restrict(std::move(*elements), where);
}
