//===- ScalarReaders.cpp - Values of scalars --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarReaders.h"
#include "../Terms/Simplify.h"
#include "Gathers.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Whether `condition` is about indices and flags of the function alone, not
/// about data.
static bool isOfIndices(Value condition) {
  if (isFunctionArgument(condition))
    return condition.getType().isInteger(1);
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return llvm::all_of(compare->getOperands(), isNumberOfArguments);
  if (isElementOfMask(condition))
    return true;
  return isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return isOfIndices(operand) ||
                  operand.getDefiningOp<arith::ConstantOp>();
         });
}

static FailureOr<Pieces> readExtracted(SymbolicEvaluator &evaluator,
                                       tensor::ExtractOp op, const Body &body,
                                       const System &context) {
  FailureOr<IndicesCases> cases = evaluator.getIndices().evaluateAll(
      getAsOpFoldResult(op.getIndices()), body.loops);
  if (failed(cases))
    return failure();
  Solver &solver = evaluator.getSolver();
  auto read = [&](ArrayRef<LinearExpr> indices,
                  const System &inCase) -> FailureOr<Pieces> {
    FailureOr<System> bounds =
        evaluator.getSizes().getBounds(op.getTensor(), indices);
    if (failed(bounds))
      return failure();
    if (solver.isEmpty(inCase))
      return Pieces();
    for (const Constraint &bound : bounds->getConstraints())
      if (!solver.implies(inCase, bound))
        return evaluator.undecided(
            op, "an element that may lie outside its tensor");
    return evaluator.readAt(op.getTensor(), indices, inCase);
  };
  return readCases(solver, *cases, context, read);
}

/// `index`, which is made of indices and sizes, in `type`.
static FailureOr<Pieces> readNumber(SymbolicEvaluator &evaluator, Value index,
                                    Type type, ArrayRef<LinearExpr> loops) {
  FailureOr<IndexCases> cases = evaluator.getIndices().evaluate(index, loops);
  if (failed(cases))
    return failure();
  return llvm::map_to_vector<0>(*cases, [&](const Case<LinearExpr> &one) {
    return Piece{one.locals, one.domain, makeNumber(one.value, type)};
  });
}

/// What `read(value, inCase)` finds of the value that `op` selects by indices.
template <typename Read>
static FailureOr<Pieces>
readSelected(SymbolicEvaluator &evaluator, arith::SelectOp op,
             ArrayRef<LinearExpr> loops, const System &context, Read read) {
  FailureOr<ConditionCases> conditions =
      evaluator.getIndices().evaluateCondition(op.getCondition(), loops);
  if (failed(conditions))
    return failure();
  return readCases(
      evaluator.getSolver(), *conditions, context,
      [&](bool isTrue, const System &inCase) {
        return read(isTrue ? op.getTrueValue() : op.getFalseValue(), inCase);
      });
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

namespace {
/// Reads scalars in a body, in the cases that `context` allows. What several
/// ops use is read once.
class ScalarReader {
public:
  ScalarReader(SymbolicEvaluator &evaluator, const Body &body,
               const System &context)
      : evaluator(evaluator), body(body), context(context) {}

  FailureOr<Pieces> read(Value value);

private:
  FailureOr<Pieces> readAnew(Value value);
  FailureOr<Pieces> readResult(Operation *op);
  /// One of the indices of `op`, a gather.
  FailureOr<Pieces> readPlace(tensor::ExtractOp op, Value index);
  /// The element that `op`, a gather, reads.
  FailureOr<Pieces> readGathered(tensor::ExtractOp op);
  /// What `op` chooses by indices.
  FailureOr<Pieces> readChosen(arith::SelectOp op);

  SymbolicEvaluator &evaluator;
  const Body &body;
  const System &context;
  DenseMap<Value, ExprRef> found;
};
} // namespace

/// Whether `expr` is a sum or extremum over unknowns of its own.
static bool hasInstances(const Expr &expr) {
  return !llvm::all_of(expr.families, isEverywhere);
}

FailureOr<Pieces> ScalarReader::read(Value value) {
  if (auto it = found.find(value); it != found.end())
    return Pieces{{{}, {}, it->second}};
  FailureOr<Pieces> pieces = readAnew(value);
  if (failed(pieces) || pieces->size() != 1)
    return pieces;
  const Piece &piece = pieces->front();
  bool isWhole = piece.locals.empty() && piece.domain.getConstraints().empty();
  if (isWhole && !contains(piece.value, hasInstances))
    found[value] = piece.value;
  return pieces;
}

FailureOr<Pieces> ScalarReader::readAnew(Value value) {
  if (auto it = body.arguments.find(value); it != body.arguments.end())
    return Pieces{{{}, {}, it->second}};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return Pieces{{{}, {}, makeRead(argument, {})}};
    bool isCarried = isa<scf::ForOp>(parent) && argument.getArgNumber() > 0 &&
                     !argument.getType().isIndex();
    if (isCarried)
      return evaluator.readAt(value, {}, context);
    return evaluator.undecided(parent, "a scalar that a loop carries");
  }
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return Pieces{{{}, {}, makeConstant(constant)}};
  if (isa<vector::ExtractOp, vector::ReductionOp>(value.getDefiningOp()))
    return evaluator.readAnew(cast<OpResult>(value), {}, context);
  if (isa<scf::ForOp, scf::IfOp>(value.getDefiningOp()))
    return evaluator.readAt(value, {}, context);
  if (value.getDefiningOp<ub::PoisonOp>())
    return Pieces{{{}, {}, makeUndefined(value.getType())}};
  return readResult(value.getDefiningOp());
}

FailureOr<Pieces> ScalarReader::readResult(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return isGather(extract) ? readGathered(extract)
                             : readExtracted(evaluator, extract, body, context);
  if (auto cast = dyn_cast<arith::IndexCastOp>(op);
      cast && cast.getIn().getType().isIndex())
    return readNumber(evaluator, cast.getIn(), cast.getType(), body.loops);
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && isOfIndices(select.getCondition()))
    return readChosen(select);
  if (!isElementwise(op) || llvm::any_of(op->getOperandTypes(), [](Type type) {
        return type.isIndex() || isa<ShapedType>(type);
      }))
    return evaluator.undecided(op, "a scalar op whose meaning is not known");
  return combine(
      evaluator.getSolver(), context, op->getOperands(),
      [&](Value operand) { return read(operand); },
      [&](ArrayRef<ExprRef> values) { return makeApply(op, values); });
}

FailureOr<Pieces> ScalarReader::readPlace(tensor::ExtractOp op, Value index) {
  if (!isOfElements(index))
    return readNumber(evaluator, index, index.getType(), body.loops);
  auto cast = index.getDefiningOp<arith::IndexCastOp>();
  if (!cast || cast.getIn().getType().getIntOrFloatBitWidth() > 32)
    return evaluator.undecided(
        op, "a place that is computed as no integer of 32 bits");
  return read(cast.getIn());
}

FailureOr<Pieces> ScalarReader::readGathered(tensor::ExtractOp op) {
  Cases<SmallVector<ExprRef>> combined(1);
  for (Value index : op.getIndices()) {
    Cases<SmallVector<ExprRef>> longer;
    for (const auto &one : combined) {
      System inCase = context & one.domain;
      bool isWhole = one.domain.getConstraints().empty();
      FailureOr<Pieces> places =
          isWhole ? readPlace(op, index)
                  : ScalarReader(evaluator, body, inCase).readPlace(op, index);
      if (failed(places))
        return failure();
      for (const Piece &place : *places) {
        longer.push_back(one);
        addConditions(longer.back(), place);
        longer.back().value.push_back(place.value);
      }
    }
    combined = std::move(longer);
  }
  return readCases(evaluator.getSolver(), combined, context,
                   [&](ArrayRef<ExprRef> places, const System &inCase) {
                     return readAtPlaces(evaluator, op, op.getTensor(), places,
                                         {}, inCase);
                   });
}

FailureOr<Pieces> ScalarReader::readChosen(arith::SelectOp op) {
  return readSelected(
      evaluator, op, body.loops, context,
      [&](Value chosen, const System &inCase) {
        return ScalarReader(evaluator, body, inCase).read(chosen);
      });
}

FailureOr<Pieces> certify::readScalar(SymbolicEvaluator &evaluator, Value value,
                                      const Body &body, const System &context) {
  return ScalarReader(evaluator, body, context).read(value);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

FailureOr<Pieces> certify::readValue(SymbolicEvaluator &evaluator, Value value,
                                     ArrayRef<LinearExpr> at,
                                     const System &context) {
  return isa<ShapedType>(value.getType())
             ? evaluator.readAt(value, at, context)
             : readScalar(evaluator, value, Body(), context);
}

FailureOr<Pieces> certify::readReplaced(SymbolicEvaluator &evaluator,
                                        Value there, ArrayRef<LinearExpr> place,
                                        const System &inside, Value elsewhere,
                                        ArrayRef<LinearExpr> at,
                                        const System &context) {
  Solver &solver = evaluator.getSolver();
  Pieces pieces;
  if (System inCase = context & inside; !solver.isEmpty(inCase)) {
    FailureOr<Pieces> elements = readValue(evaluator, there, place, inCase);
    if (failed(elements))
      return failure();
    pieces = restrict(std::move(*elements), Part{{}, inside});
  }
  std::optional<Parts> outside = solver.subtract(context, {}, inside);
  for (const Part &part : *outside) {
    FailureOr<Pieces> elements =
        evaluator.readAt(elsewhere, at, context & part.domain);
    if (failed(elements))
      return failure();
    llvm::append_range(pieces, restrict(std::move(*elements), part));
  }
  return pieces;
}

bool certify::isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && isPure(op) &&
         op->getNumRegions() == 0 && op->getNumResults() == 1;
}

FailureOr<Pieces> certify::readElementwise(SymbolicEvaluator &evaluator,
                                           Operation *op,
                                           ArrayRef<LinearExpr> at,
                                           const System &context) {
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && isOfIndices(select.getCondition()))
    return readSelected(evaluator, select, {}, context,
                        [&](Value chosen, const System &inCase) {
                          return evaluator.readAt(chosen, at, inCase);
                        });
  return combine(
      op->getOperands(),
      [&](Value operand) { return readValue(evaluator, operand, at, context); },
      [&](ArrayRef<ExprRef> values) { return makeApply(op, values); });
}
