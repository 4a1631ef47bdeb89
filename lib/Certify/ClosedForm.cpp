//===- ClosedForm.cpp - What loops leave ------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClosedForm.h"
#include "Slices.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

static bool isReadOf(const ExprRef &expr, BlockArgument argument) {
  return expr->kind == Expr::Kind::Read && expr->argument == argument;
}

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

FailureOr<ClosedForm::Changes> ClosedForm::findChanges(const Pieces &next) {
  System inLoop = context & iterations.range;
  Changes changes;
  for (const Piece &piece : next) {
    System there = inLoop & piece.domain;
    if (solver.isEmpty(there))
      continue;
    if (failed(checkReads(piece.value, there)))
      return failure();
    bool isSame = isReadOf(piece.value, carried);
    if (isSame && piece.value->leftOut.isNothing())
      continue;
    unsigned numReads = 0, numStarts = isSame;
    walkReads(piece.value,
              [&](const Expr &read) { numReads += read.argument == carried; });
    for (const Family &family : piece.value->families)
      numStarts += family.instance.empty() && family.domain.isUniverse() &&
                   isReadOf(family.term, carried);
    changes.push_back({piece, numReads > 0, numReads == 1 && numStarts == 1});
  }
  return changes;
}

bool ClosedForm::areDisjoint(ArrayRef<Change> changes) {
  const System &range = iterations.range;
  DenseMap<Var, LinearExpr> later;
  for (Var number : iterations.numbers)
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

FailureOr<Pieces> ClosedForm::sum(ArrayRef<Change> changes) {
  Families terms;
  for (const Change &change : changes)
    for (Family family : getTermsAndZeros(change.piece.value)) {
      if (isReadOf(family.term, carried))
        continue;
      llvm::append_range(family.instance, change.piece.locals);
      llvm::append_range(family.instance, iterations.numbers);
      family.domain.append(change.piece.domain);
      family.domain.append(iterations.range);
      terms.push_back(renameInstance(solver, family));
    }
  FailureOr<Pieces> pieces = evaluator.readAt(init, at, context);
  if (failed(pieces))
    return failure();
  for (Piece &piece : *pieces) {
    Families families = {Family{{}, {}, piece.value}};
    llvm::append_range(families, terms);
    piece.value = makeSum(piece.value->type, families);
  }
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
    addConditions(once, Part{iterations.numbers, iterations.range});
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

FailureOr<Pieces> ClosedForm::read(const Pieces &next) {
  FailureOr<Changes> changes = findChanges(next);
  if (failed(changes))
    return failure();
  // Iterations of a forall do not see what others add.
  bool isForall = isa<scf::ForallOp>(loop);
  if (!isForall &&
      llvm::all_of(*changes, [](const Change &change) { return change.adds; }))
    return sum(*changes);
  if (areDisjoint(*changes))
    return apply(*changes);
  bool areOverwritten =
      isForall || llvm::none_of(*changes, [](const Change &change) {
        return change.readsOld;
      });
  return evaluator.undecided(
      loop, areOverwritten ? "iterations that overwrite each other's elements"
                           : "iterations that do more to one element than add");
}
