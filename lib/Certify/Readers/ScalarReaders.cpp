//===- ScalarReaders.cpp - Values of scalars --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarReaders.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Whether `condition` is about indices and flags of the function alone, not
/// about data.
static bool isOfIndices(Value condition) {
  if (isFunctionArgument(condition))
    return condition.getType().isInteger(1);
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return llvm::all_of(compare->getOperands(), isNumberOfArguments);
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

FailureOr<Pieces> certify::readScalar(SymbolicEvaluator &evaluator, Value value,
                                      const Body &body, const System &context) {
  if (auto it = body.arguments.find(value); it != body.arguments.end())
    return Pieces{{{}, {}, it->second}};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return Pieces{{{}, {}, makeRead(argument, {})}};
    return evaluator.undecided(parent, "a scalar that a loop carries");
  }
  Operation *op = value.getDefiningOp();
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return Pieces{{{}, {}, makeConstant(constant)}};
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return readExtracted(evaluator, extract, body, context);
  if (isa<vector::ExtractOp>(op))
    return evaluator.readAnew(cast<OpResult>(value), {}, context);
  if (isa<ub::PoisonOp>(op))
    return Pieces{{{}, {}, makeUndefined(value.getType())}};
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && isOfIndices(select.getCondition()))
    return readSelected(evaluator, select, body.loops, context,
                        [&](Value chosen, const System &inCase) {
                          return readScalar(evaluator, chosen, body, inCase);
                        });
  if (!isElementwise(op) || llvm::any_of(op->getOperandTypes(), [](Type type) {
        return type.isIndex() || isa<ShapedType>(type);
      }))
    return evaluator.undecided(op, "a scalar op whose meaning is not known");
  return combine(
      op->getOperands(),
      [&](Value operand) {
        return readScalar(evaluator, operand, body, context);
      },
      [&](ArrayRef<ExprRef> values) { return makeApply(op, values); });
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
      [&](Value operand) {
        return isa<ShapedType>(operand.getType())
                   ? evaluator.readAt(operand, at, context)
                   : readScalar(evaluator, operand, Body(), context);
      },
      [&](ArrayRef<ExprRef> values) { return makeApply(op, values); });
}
