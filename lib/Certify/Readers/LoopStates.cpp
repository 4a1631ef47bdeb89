//===- LoopStates.cpp - What iterations find in other tensors ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopStates.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Puts the tensors that the loop of `carried` carries besides it into
/// expressions.
class StateResolver {
public:
  StateResolver(SymbolicEvaluator &evaluator, BlockArgument carried)
      : evaluator(evaluator), solver(evaluator.getSolver()), carried(carried) {}

  /// The cases of `expr` that `context` allows.
  FailureOr<Pieces> resolve(const ExprRef &expr, const System &context);

private:
  bool isOther(const Expr &expr) const {
    return expr.argument && expr.argument != carried &&
           expr.argument.getOwner() == carried.getOwner();
  }
  FailureOr<ExprRef> resolveFamilies(const ExprRef &expr,
                                     const System &context);

  SymbolicEvaluator &evaluator;
  Solver &solver;
  BlockArgument carried;
};
} // namespace

FailureOr<Pieces> StateResolver::resolve(const ExprRef &expr,
                                         const System &context) {
  if (!contains(expr, [&](const Expr &part) { return isOther(part); }))
    return Pieces{{{}, {}, expr}};
  switch (expr->kind) {
  case Expr::Kind::Read: {
    FailureOr<Pieces> found =
        evaluator.readStateAt(expr->argument, expr->indices, context);
    if (failed(found))
      return failure();
    for (Piece &piece : *found)
      piece.value = addZeros(piece.value, expr->leftOut);
    return found;
  }
  case Expr::Kind::Apply:
    return combine(
        solver, context, expr->operands.size(),
        [&](unsigned number) {
          return resolve(expr->operands[number], context);
        },
        [&](ArrayRef<ExprRef> operands) { return remake(expr, operands); });
  case Expr::Kind::Sum:
  case Expr::Kind::Extremum: {
    FailureOr<ExprRef> resolved = resolveFamilies(expr, context);
    if (failed(resolved))
      return failure();
    return Pieces{{{}, {}, *resolved}};
  }
  default:
    return evaluator.undecided(carried.getOwner()->getParentOp(),
                               "an element at a computed place of a tensor "
                               "that iterations change");
  }
}

FailureOr<ExprRef> StateResolver::resolveFamilies(const ExprRef &expr,
                                                  const System &context) {
  Families families;
  for (const Family &each : expr->families) {
    // Its unknowns are of one point of it alone.
    Family family = renameInstance(solver, each);
    FailureOr<Pieces> terms = resolve(family.term, context & family.domain);
    if (failed(terms))
      return failure();
    for (const Piece &term : *terms) {
      Family part = family;
      llvm::append_range(part.instance, term.locals);
      part.domain.append(term.domain);
      part.term = term.value;
      families.push_back(std::move(part));
    }
  }
  return remake(*expr, families);
}

FailureOr<Pieces> certify::resolveStates(SymbolicEvaluator &evaluator,
                                         Pieces next, BlockArgument carried,
                                         const System &context) {
  Pieces resolved;
  for (const Piece &piece : next) {
    System there = context & piece.domain;
    FailureOr<Pieces> pieces =
        StateResolver(evaluator, carried).resolve(piece.value, there);
    if (failed(pieces))
      return failure();
    if (pieces->size() > 1)
      pieces = prune(evaluator.getSolver(), std::move(*pieces), there);
    llvm::append_range(resolved, restrict(std::move(*pieces), piece));
  }
  return resolved;
}
