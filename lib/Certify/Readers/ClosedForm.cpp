//===- ClosedForm.cpp - What loops leave ------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClosedForm.h"
#include "../Terms/Simplify.h"
#include "Slices.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

LogicalResult ClosedForm::checkReads(const ExprRef &value,
                                     const System &domain) {
  bool readsOthers = false, readsAnother = false;
  walkReads(value, [&](const Expr &read) {
    if (read.argument != carried) {
      // A constant is no argument.
      readsAnother |=
          read.argument && read.argument.getOwner() == carried.getOwner();
      return;
    }
    for (auto [index, own] : llvm::zip_equal(read.indices, at))
      readsOthers |=
          !(index == own) && !solver.implies(domain, {index - own, true});
  });
  if (readsAnother)
    return evaluator.undecided(loop,
                               "an iteration that mixes tensors of the loop");
  if (readsOthers)
    return evaluator.undecided(loop,
                               "an iteration that reads elements of the loop's "
                               "tensor other than the one it makes");
  return success();
}

/// `sum` without the terms that are nowhere within `domain`, if it is what an
/// iteration adds to an element of `carried`.
static ExprRef dropTermsOfOthers(Solver &solver, const ExprRef &sum,
                                 BlockArgument carried, const System &domain) {
  if (sum->kind != Expr::Kind::Sum || !sum->leftOut.isNothing())
    return sum;
  auto isStart = [&](const Family &family) {
    return isEverywhere(family) && isReadOf(family.term, carried);
  };
  auto isNowhere = [&](const Family &family) {
    return !isEverywhere(family) && solver.isEmpty(domain & family.domain);
  };
  if (llvm::none_of(sum->families, isStart) ||
      llvm::none_of(sum->families, isNowhere))
    return sum;
  Families present(sum->families);
  llvm::erase_if(present, isNowhere);
  return makeSum(sum->type, present);
}

FailureOr<ClosedForm::Changes> ClosedForm::findChanges(const Pieces &next) {
  System inLoop = context & iterations.range;
  Changes changes;
  for (Piece piece : next) {
    System there = inLoop & piece.domain;
    if (solver.isEmpty(there))
      continue;
    piece.value = dropTermsOfOthers(solver, piece.value, carried, there);
    if (failed(checkReads(piece.value, there)))
      return failure();
    bool isSame = isReadOf(piece.value, carried);
    if (isSame && piece.value->leftOut.isNothing())
      continue;
    bool readsOld = false;
    walkReads(piece.value, [&](const Expr &read) {
      readsOld = readsOld || read.argument == carried;
    });
    changes.push_back({piece, readsOld, Reduction::find(piece.value, carried)});
  }
  return changes;
}

bool ClosedForm::areDisjoint(ArrayRef<Change> changes) {
  const System &range = iterations.range;
  DenseMap<Var, LinearExpr> later;
  for (Var number : iterations.getUnknowns())
    later[number] = LinearExpr::var(solver.makeVar());
  for (const Change &first : changes)
    for (const Change &second : changes) {
      System both = context & range & first.piece.domain;
      both.append(range.substitute(later));
      both.append(instantiate(solver, second.piece, later).domain);
      for (Var number : iterations.numbers) {
        System apart = both;
        apart.addAtMost(LinearExpr::var(number) + 1, later[number]);
        if (!solver.isEmpty(apart))
          return false;
      }
    }
  return true;
}

/// What `bound`, of the quotient x / d, says of x; nothing if it is no such
/// bound. The quotient q is that for which `remainder`, x - d*q, lies from 0 to
/// d - 1.
static std::optional<Constraint> getBoundOfDividend(const Constraint &bound,
                                                    Var quotient,
                                                    LinearExpr remainder) {
  if (bound.isEquality || bound.expr.getTerms().size() != 1 ||
      bound.expr.getTerms()[0].first != quotient ||
      llvm::abs(bound.expr.getTerms()[0].second) != 1)
    return std::nullopt;
  DynamicAPInt divisor(0);
  for (const auto &[var, factor] : remainder.getTerms())
    if (var == quotient)
      divisor = -factor;
  if (divisor <= 0)
    return std::nullopt;
  LinearExpr dividend = remainder + LinearExpr::var(quotient) * divisor;
  const DynamicAPInt &constant = bound.expr.getConstant();
  // q >= -c where x >= -c*d, and q <= c where x <= c*d + d - 1.
  if (bound.expr.getTerms()[0].second == 1)
    return Constraint{dividend + LinearExpr(constant * divisor), false};
  return Constraint{LinearExpr(constant * divisor + divisor - 1) - dividend,
                    false};
}

SmallVector<Constraint> ClosedForm::findBounds(const Change &change) {
  SmallVector<Var> unknowns = iterations.getUnknowns();
  llvm::append_range(unknowns, change.piece.locals);
  Elimination elimination =
      solver.eliminateByForm(unknowns, change.piece.domain & iterations.range);
  SmallVector<Var> inner(elimination.unsolved);
  llvm::append_range(inner, elimination.quotients);
  auto isOfElement = [&](const Constraint &constraint) {
    return llvm::none_of(constraint.expr.getTerms(), [&](const auto &term) {
      return llvm::is_contained(inner, term.first);
    });
  };
  SmallVector<Constraint> bounds;
  for (const Constraint &condition : elimination.conditions.getConstraints()) {
    if (isOfElement(condition))
      bounds.push_back(condition);
    for (Var quotient : elimination.quotients)
      for (const Constraint &definition :
           elimination.definitions.getConstraints())
        if (auto bound =
                getBoundOfDividend(condition, quotient, definition.expr);
            bound && isOfElement(*bound))
          bounds.push_back(*bound);
  }
  return bounds;
}

System ClosedForm::findTouched(ArrayRef<Change> changes) {
  System touched, inLoop = context & iterations.range;
  // Many changes have the same bounds.
  Constraints tried;
  auto add = [&](const Constraint &bound) {
    bool isTried = llvm::any_of(tried, [&](const Constraint &other) {
      return other.isEquality == bound.isEquality && other.expr == bound.expr;
    });
    if (isTried)
      return;
    tried.push_back(bound);
    bool isKnown = solver.implies(context & touched, bound);
    if (!isKnown && llvm::all_of(changes, [&](const Change &other) {
          return solver.implies(inLoop & other.piece.domain, bound);
        }))
      touched.add(bound);
  };
  for (const Change &change : changes)
    for (const Constraint &bound : findBounds(change)) {
      add(bound);
      // The last row of one change may be the greatest of all.
      if (bound.isEquality) {
        add({bound.expr, false});
        add({LinearExpr(0) - bound.expr, false});
      }
    }
  return touched;
}

std::optional<FailureOr<Pieces>> ClosedForm::reduce(ArrayRef<Change> changes) {
  Reduction all;
  for (const Change &change : changes) {
    if (!change.reduction)
      return std::nullopt;
    Reduction one = *change.reduction;
    for (Family &family : one.terms) {
      llvm::append_range(family.instance, change.piece.locals);
      llvm::append_range(family.instance, iterations.getUnknowns());
      family.domain.append(change.piece.domain);
      family.domain.append(iterations.range);
      family = renameInstance(solver, family);
    }
    if (!all.add(one))
      return std::nullopt;
  }
  FailureOr<Pieces> starts = evaluator.readAt(init, at, context);
  if (failed(starts))
    return starts;
  // Elsewhere the element stays what it was, which loops around want to see.
  Part touched{{}, findTouched(changes)};
  std::optional<Parts> untouched = solver.subtract(context, {}, touched.domain);
  if (untouched->empty())
    touched.domain = System();
  Pieces pieces;
  for (const Part &part : *untouched)
    llvm::append_range(pieces, prune(solver, restrict(*starts, part), context));
  for (Piece &piece : *starts)
    piece.value = all.apply(piece.value, nullptr);
  llvm::append_range(pieces, restrict(std::move(*starts), touched));
  return pieces;
}

FailureOr<Pieces> ClosedForm::apply(ArrayRef<Change> changes) {
  FailureOr<Pieces> untouched = evaluator.readAt(init, at, context);
  if (failed(untouched))
    return failure();
  Pieces pieces;
  for (const Change &change : changes) {
    // In the one iteration that touches the element.
    Piece once = change.piece;
    addConditions(once, Part{iterations.getUnknowns(), iterations.range});
    once = instantiate(solver, once, DenseMap<Var, LinearExpr>());
    Pieces starts(1);
    if (change.readsOld) {
      FailureOr<Pieces> read =
          evaluator.readAt(init, at, context & once.domain);
      if (failed(read))
        return failure();
      starts = std::move(*read);
    }
    for (Piece &start : starts)
      start.value = change.readsOld
                        ? replaceReads(once.value, carried, start.value)
                        : once.value;
    llvm::append_range(pieces, restrict(std::move(starts), once));
    // What no iteration touches so far.
    untouched = dropReplaced(evaluator, std::move(*untouched),
                             {once.locals, once.domain}, context, loop);
    if (failed(untouched))
      return failure();
  }
  llvm::append_range(pieces, *untouched);
  return pieces;
}

Part ClosedForm::getLater(const Piece &piece, const LinearExpr &number) {
  DenseMap<Var, LinearExpr> values;
  SmallVector<Var> later = renameVars(solver, iterations.getUnknowns(), values);
  Piece again = instantiate(solver, piece, values);
  addConditions(again, Part{later, iterations.range.substitute(values)});
  again.domain.addAtMost(number + 1, LinearExpr::var(later.front()));
  return {again.locals, again.domain};
}

FailureOr<Pieces> ClosedForm::applyLast(ArrayRef<Change> changes) {
  FailureOr<Pieces> untouched = evaluator.readAt(init, at, context);
  if (failed(untouched))
    return failure();
  Pieces pieces;
  for (const Change &change : changes) {
    DenseMap<Var, LinearExpr> values;
    SmallVector<Var> unknowns =
        renameVars(solver, iterations.getUnknowns(), values);
    Piece once = instantiate(solver, change.piece, values);
    addConditions(once, Part{unknowns, iterations.range.substitute(values)});
    // What no iteration touches so far.
    untouched = dropReplaced(evaluator, std::move(*untouched),
                             {once.locals, once.domain}, context, loop);
    if (failed(untouched))
      return failure();
    FailureOr<Pieces> last = Pieces{once};
    for (const Change &other : changes) {
      Part again = getLater(other.piece, LinearExpr::var(unknowns.front()));
      last = dropReplaced(evaluator, std::move(*last), again, context, loop);
      if (failed(last))
        return failure();
    }
    llvm::append_range(pieces, *last);
  }
  llvm::append_range(pieces, *untouched);
  return pieces;
}

FailureOr<Pieces> ClosedForm::read(const Pieces &next) {
  FailureOr<Changes> changes = findChanges(next);
  if (failed(changes))
    return failure();
  // Iterations of a forall do not see what others make.
  bool isForall = isa<scf::ForallOp>(loop);
  if (!isForall)
    if (std::optional<FailureOr<Pieces>> reduced = reduce(*changes))
      return *reduced;
  if (areDisjoint(*changes))
    return apply(*changes);
  bool readsOld = llvm::any_of(
      *changes, [](const Change &change) { return change.readsOld; });
  if (isForall)
    return evaluator.undecided(
        loop, "iterations that overwrite each other's elements");
  if (readsOld)
    return evaluator.undecided(
        loop, "iterations that do more to one element than add, or than take "
              "its maximum or minimum");
  return applyLast(*changes);
}
