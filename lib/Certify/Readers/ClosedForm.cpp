//===- ClosedForm.cpp - What loops leave ------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClosedForm.h"
#include "../Terms/Merging.h"
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
  if (sum->kind != Expr::Kind::Sum)
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
  return addZeros(makeSum(sum->type, present), sum->leftOut);
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
  Pieces written;
  for (const Change &change : changes)
    written.push_back(change.piece);
  Runs runs = findRuns(written);
  for (const Run &first : runs)
    for (const Run &second : runs) {
      Run other = instantiate(second);
      System both = context & first.domain;
      both.append(other.domain);
      for (auto [number, later] : llvm::zip_equal(first.value, other.value)) {
        System apart = both;
        apart.addAtMost(number + 1, later);
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

Part ClosedForm::getIterationsOf(const Piece &piece) const {
  llvm::SmallDenseSet<Var> used = getUnknowns(piece.value);
  for (const Constraint &constraint : piece.domain.getConstraints())
    for (const auto &term : constraint.expr.getTerms())
      used.insert(term.first);
  used.insert_range(iterations.numbers);
  Part part{iterations.getUnknowns(), iterations.range};
  part.domain.dropQuotients(part.locals,
                            [&](Var var) { return used.contains(var); });
  return part;
}

std::optional<FailureOr<Pieces>> ClosedForm::reduce(ArrayRef<Change> changes) {
  Reduction all;
  for (const Change &change : changes) {
    if (!change.reduction)
      return std::nullopt;
    Reduction one = *change.reduction;
    Part ran = getIterationsOf(change.piece);
    for (Family &family : one.terms) {
      llvm::append_range(family.instance, change.piece.locals);
      llvm::append_range(family.instance, ran.locals);
      family.domain.append(change.piece.domain);
      family.domain.append(ran.domain);
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
  for (Piece &piece : *starts) {
    piece.value = all.apply(piece.value, nullptr);
    if (!piece.value)
      return std::nullopt;
  }
  llvm::append_range(pieces, restrict(std::move(*starts), touched));
  return pieces;
}

std::optional<Pieces> ClosedForm::readWritten(scf::ForOp forOp,
                                              const WriteChain &chain) {
  FailureOr<Pieces> pieces = evaluator.getObstacle().ignoreIn([&] {
    return evaluator.readWritten(chain,
                                 forOp.getTiedLoopYieldedValue(carried)->get(),
                                 at, context & iterations.range);
  });
  if (failed(pieces))
    return std::nullopt;
  Pieces written;
  for (Piece &piece : *pieces)
    if (piece.value->kind == Expr::Kind::Undefined)
      written.push_back(std::move(piece));
    else if (!isReadOf(piece.value, carried))
      return std::nullopt;
  return written;
}

Pieces ClosedForm::getWritten(ArrayRef<Change> changes) {
  if (auto forOp = dyn_cast<scf::ForOp>(loop))
    if (auto chain = WriteChain::find(forOp, carried))
      if (auto written = readWritten(forOp, *chain))
        return *written;
  Pieces written;
  for (const Change &change : changes) {
    Piece where = change.piece;
    where.value = makeUndefined(where.value->type);
    if (compact(where))
      written.push_back(std::move(where));
  }
  mergeNeighbours(written);
  return written;
}

ClosedForm::Once ClosedForm::runOnce(const Piece &piece) {
  DenseMap<Var, LinearExpr> values;
  Part ran = getIterationsOf(piece);
  SmallVector<Var> unknowns = renameVars(solver, ran.locals, values);
  Piece once = certify::instantiate(solver, piece, values);
  addConditions(once, Part{unknowns, ran.domain.substitute(values)});
  ArrayRef<Var> numbers(unknowns);
  return {once, llvm::map_to_vector(
                    numbers.take_front(iterations.numbers.size()),
                    [](Var number) { return LinearExpr::var(number); })};
}

ClosedForm::Runs ClosedForm::findRuns(const Pieces &written) {
  Pieces pieces;
  for (const Piece &where : written) {
    Piece number = where;
    number.value = makeUndefined(where.value->type);
    Once once = runOnce(number);
    // The numbers are places of a read while pieces are made simpler.
    once.piece.value = makeRead(carried, once.numbers);
    if (compact(once.piece, context))
      pieces.push_back(std::move(once.piece));
  }
  mergeNeighbours(pieces);
  return llvm::map_to_vector<0>(pieces, [](const Piece &piece) {
    return Run{piece.locals, piece.domain, piece.value->indices};
  });
}

ClosedForm::Run ClosedForm::instantiate(const Run &run) {
  DenseMap<Var, LinearExpr> values;
  Run other = run;
  other.locals = renameVars(solver, run.locals, values);
  other.domain = run.domain.substitute(values);
  for (LinearExpr &number : other.value)
    number = number.substitute(values);
  return other;
}

FailureOr<Pieces> ClosedForm::dropWritten(FailureOr<Pieces> pieces,
                                          const Runs &written,
                                          std::optional<LinearExpr> number) {
  for (const Run &where : written) {
    if (failed(pieces))
      return failure();
    Run run = instantiate(where);
    if (number)
      run.domain.addAtMost(*number + 1, run.value.front());
    pieces = dropReplaced(evaluator, std::move(*pieces),
                          {run.locals, run.domain}, context, loop);
  }
  return pieces;
}

FailureOr<Pieces> ClosedForm::apply(ArrayRef<Change> changes) {
  FailureOr<Pieces> untouched = evaluator.readAt(init, at, context);
  untouched = dropWritten(std::move(untouched), findRuns(getWritten(changes)));
  if (failed(untouched))
    return failure();
  Pieces pieces;
  for (const Change &change : changes) {
    // In the one iteration that touches the element.
    Piece once = runOnce(change.piece).piece;
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
  }
  llvm::append_range(pieces, *untouched);
  return pieces;
}

FailureOr<Pieces> ClosedForm::applyLast(ArrayRef<Change> changes) {
  Runs written = findRuns(getWritten(changes));
  FailureOr<Pieces> untouched = evaluator.readAt(init, at, context);
  untouched = dropWritten(std::move(untouched), written);
  if (failed(untouched))
    return failure();
  Pieces pieces;
  for (const Change &change : changes) {
    Once once = runOnce(change.piece);
    FailureOr<Pieces> last =
        dropWritten(Pieces{once.piece}, written, once.numbers.front());
    if (failed(last))
      return failure();
    llvm::append_range(pieces, *last);
  }
  llvm::append_range(pieces, *untouched);
  return pieces;
}

LeftOut ClosedForm::takeZeros(Changes &changes) {
  LeftOut zeros;
  bool areAdded = llvm::all_of(changes, [](const Change &change) {
    return !change.readsOld ||
           (change.reduction && change.reduction->extremum.empty());
  });
  if (!areAdded)
    return zeros;
  llvm::erase_if(changes, [&](const Change &change) {
    if (!isReadOf(change.piece.value, carried))
      return false;
    zeros.add(
        {LeftOut::Zero::Unknown, change.piece.value->leftOut.isOfComputed});
    return true;
  });
  return zeros;
}

static FailureOr<Pieces> addZerosToAll(FailureOr<Pieces> pieces,
                                       const LeftOut &zeros) {
  if (succeeded(pieces))
    for (Piece &piece : *pieces)
      piece.value = addZeros(piece.value, zeros);
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
  if (isForall)
    return evaluator.undecided(
        loop, "iterations that overwrite each other's elements");
  LeftOut zeros = takeZeros(*changes);
  if (!zeros.isNothing() && areDisjoint(*changes))
    return addZerosToAll(apply(*changes), zeros);
  bool readsOld = llvm::any_of(
      *changes, [](const Change &change) { return change.readsOld; });
  if (readsOld)
    return evaluator.undecided(
        loop, "iterations that do more to one element than add, or than take "
              "its maximum or minimum");
  return addZerosToAll(applyLast(*changes), zeros);
}
