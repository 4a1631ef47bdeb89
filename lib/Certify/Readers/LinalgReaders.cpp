//===- LinalgReaders.cpp - Elements of what linalg's ops make ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Terms/Reduction.h"
#include "OpReaders.h"
#include "ScalarReaders.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Reads the element `at` of the result of `op` whose init is `init`.
class LinalgReader {
public:
  LinalgReader(SymbolicEvaluator &evaluator, linalg::LinalgOp op,
               OpOperand &init, ArrayRef<LinearExpr> at)
      : evaluator(evaluator), op(op), init(init), at(at) {}

  FailureOr<Pieces> read(const System &context);

private:
  /// What the body yields in the iteration `loops`, in which a read of its
  /// argument stands for the init.
  FailureOr<Pieces> readBody(ArrayRef<LinearExpr> loops, const System &context);
  /// `bodies` of one iteration with the init in its place.
  FailureOr<Pieces> replaceInit(Pieces bodies, const System &context);
  /// What `bodies` of all iterations `reduced` in `domain` make of the init.
  FailureOr<Pieces> reduce(Pieces bodies, ArrayRef<Var> reduced,
                           const System &domain, const System &context);

  SymbolicEvaluator &evaluator;
  linalg::LinalgOp op;
  OpOperand &init;
  ArrayRef<LinearExpr> at;
};
} // namespace

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// What `operand` of `op` holds in the iteration `loops`.
static FailureOr<Pieces> readOperand(SymbolicEvaluator &evaluator,
                                     linalg::LinalgOp op, OpOperand &operand,
                                     ArrayRef<LinearExpr> loops,
                                     const System &context) {
  if (!isa<RankedTensorType>(operand.get().getType()))
    return readScalar(evaluator, operand.get(), Body(), context);
  Part where;
  SmallVector<LinearExpr> indices;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    FailureOr<LinearExpr> index =
        evaluator.getIndices().evaluateAffine(expr, loops, {}, where, op);
    if (failed(index))
      return failure();
    indices.push_back(*index);
  }
  System inCase = context & where.domain;
  FailureOr<Pieces> elements = evaluator.readAt(operand.get(), indices, inCase);
  if (failed(elements))
    return failure();
  return restrict(std::move(*elements), where);
}

/// All combinations of the cases of what the body of `op` reads in the
/// iteration `loops`; a read of its argument stands for an init.
static FailureOr<Cases<Body>> readArguments(SymbolicEvaluator &evaluator,
                                            linalg::LinalgOp op,
                                            ArrayRef<LinearExpr> loops,
                                            const System &context) {
  Cases<Body> combined(1);
  combined[0].value.loops.assign(loops.begin(), loops.end());
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    if (op.isDpsInit(&operand)) {
      for (Case<Body> &body : combined)
        body.value.arguments[argument] = makeRead(argument, {});
      continue;
    }
    Cases<Body> longer;
    for (const Case<Body> &body : combined) {
      System inCase = context & body.domain;
      FailureOr<Pieces> elements =
          readOperand(evaluator, op, operand, loops, inCase);
      if (failed(elements))
        return failure();
      for (const Piece &element : *elements) {
        longer.push_back(body);
        addConditions(longer.back(), element);
        longer.back().value.arguments[argument] = element.value;
      }
    }
    combined = std::move(longer);
  }
  return combined;
}

FailureOr<Pieces> LinalgReader::readBody(ArrayRef<LinearExpr> loops,
                                         const System &context) {
  for (OpOperand &other : op.getDpsInitsMutable())
    if (&other != &init && !op.getMatchingBlockArgument(&other).use_empty())
      return evaluator.undecided(op, "a body that reads another result");
  FailureOr<Cases<Body>> bodies = readArguments(evaluator, op, loops, context);
  if (failed(bodies))
    return failure();
  Value yielded = op.getBlock()->getTerminator()->getOperand(
      init.getOperandNumber() - op.getNumDpsInputs());
  Pieces pieces;
  for (const Case<Body> &body : *bodies) {
    FailureOr<Pieces> values =
        readScalar(evaluator, yielded, body.value, context & body.domain);
    if (failed(values))
      return failure();
    llvm::append_range(pieces, restrict(std::move(*values), body));
  }
  return pieces;
}

LogicalResult certify::readInBody(SymbolicEvaluator &evaluator, Value value,
                                  ArrayRef<LinearExpr> loops,
                                  const System &context) {
  auto op = value.getDefiningOp()->getParentOfType<linalg::LinalgOp>();
  if (!op)
    return readScalar(evaluator, value, Body(), context);
  FailureOr<Cases<Body>> bodies = readArguments(evaluator, op, loops, context);
  if (failed(bodies))
    return failure();
  for (const Case<Body> &body : *bodies)
    if (failed(readScalar(evaluator, value, body.value, context & body.domain)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Inits
//===----------------------------------------------------------------------===//

FailureOr<Pieces> LinalgReader::replaceInit(Pieces bodies,
                                            const System &context) {
  BlockArgument argument = op.getMatchingBlockArgument(&init);
  if (argument.use_empty())
    return bodies;
  Pieces pieces;
  for (const Piece &body : bodies) {
    System inBody = context & body.domain;
    FailureOr<Pieces> starts = evaluator.readAt(init.get(), at, inBody);
    if (failed(starts))
      return failure();
    for (Piece &start : *starts)
      start.value = replaceReads(body.value, argument, start.value);
    // Each start holds where its body does.
    llvm::append_range(pieces, restrict(std::move(*starts), body));
  }
  return pieces;
}

FailureOr<Pieces> LinalgReader::reduce(Pieces bodies, ArrayRef<Var> reduced,
                                       const System &domain,
                                       const System &context) {
  BlockArgument argument = op.getMatchingBlockArgument(&init);
  Reduction all;
  for (const Piece &body : bodies) {
    std::optional<Reduction> one = Reduction::find(body.value, argument);
    if (!one)
      return evaluator.undecided(
          op, "a reduction other than a sum, a maximum or a minimum");
    for (Family &family : one->terms) {
      llvm::append_range(family.instance, reduced);
      llvm::append_range(family.instance, body.locals);
      family.domain.append(domain);
      family.domain.append(body.domain);
      family.origin = op;
      family = renameInstance(evaluator.getSolver(), family);
    }
    if (!all.add(*one))
      return evaluator.undecided(op, "a reduction by several ops");
  }
  FailureOr<Pieces> pieces = evaluator.readAt(init.get(), at, context);
  if (failed(pieces))
    return failure();
  for (Piece &piece : *pieces) {
    piece.value = all.apply(piece.value, op);
    if (!piece.value)
      return evaluator.undecided(
          op, "a maximum or minimum by a choice, from what may be no number");
  }
  return pieces;
}

//===----------------------------------------------------------------------===//
// Iteration spaces
//===----------------------------------------------------------------------===//

FailureOr<Pieces> LinalgReader::read(const System &context) {
  if (!op.getBlock())
    return evaluator.undecided(op, "an op of linalg without a body");
  FailureOr<SmallVector<Size>> sizes = evaluator.getSizes().getLoopSizes(op);
  if (failed(sizes))
    return failure();
  AffineMap map = op.getMatchingIndexingMap(&init);
  if (!map.isProjectedPermutation())
    return evaluator.undecided(op, "a result that is not indexed by its loops");
  // Loops are the result's indices, or summed over; of one iteration, known.
  SmallVector<std::optional<LinearExpr>> known(op.getNumLoops());
  for (auto [dim, index] : llvm::enumerate(at))
    known[map.getDimPosition(dim)] = index;
  SmallVector<LinearExpr> loops;
  SmallVector<Var> reduced;
  System domain;
  for (auto [loop, size] : llvm::enumerate(*sizes)) {
    if (!known[loop] && size == Size{1})
      known[loop] = LinearExpr(0);
    if (!known[loop]) {
      if (op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel)
        return evaluator.undecided(
            op, "iterations in parallel that write one element");
      reduced.push_back(evaluator.getSolver().makeVar());
      known[loop] = LinearExpr::var(reduced.back());
      domain.addRange(0, *known[loop], size);
    }
    loops.push_back(*known[loop]);
  }
  System inLoops = context & domain;
  FailureOr<Pieces> bodies = readBody(loops, inLoops);
  if (failed(bodies))
    return failure();
  if (!reduced.empty())
    return reduce(std::move(*bodies), reduced, domain, context);
  return replaceInit(std::move(*bodies), context);
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       linalg::LinalgOp op, unsigned number,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  OpOperand &init = *op.getDpsInitOperand(number);
  return LinalgReader(evaluator, op, init, at).read(context);
}
