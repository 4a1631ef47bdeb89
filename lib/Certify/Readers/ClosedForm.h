//===- ClosedForm.h - What loops leave --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_CLOSEDFORM_H
#define CONVOY_LIB_CERTIFY_READERS_CLOSEDFORM_H

#include "../Evaluator/SymbolicEvaluator.h"
#include "../Terms/Reduction.h"

namespace mlir::convoy::certify {

/// What a loop leaves of one element of a tensor that each iteration makes
/// anew: what all iterations together reduce the init by, what the one
/// iteration makes of it that touches the element, or what the last one writes.
class ClosedForm {
public:
  /// `carried` is the tensor within `loop`, and `init` what it starts as;
  /// `iterations` are those that have run, and `context` is what holds outside.
  ClosedForm(SymbolicEvaluator &evaluator, Operation *loop,
             BlockArgument carried, Value init, Iterations iterations,
             ArrayRef<LinearExpr> at, const System &context)
      : evaluator(evaluator), solver(evaluator.getSolver()), loop(loop),
        carried(carried), init(init), at(at), context(context),
        iterations(std::move(iterations)) {}

  /// `next` is the element that an iteration yields as a function of `carried`.
  FailureOr<Pieces> read(const Pieces &next);

private:
  /// How one iteration changes the element: `piece` is its new value where it
  /// is touched.
  struct Change {
    Piece piece;
    bool readsOld;
    /// If all it does with the old value is to add to it, or to take a maximum
    /// or minimum of it.
    std::optional<Reduction> reduction;
  };
  using Changes = SmallVector<Change, 0>;

  FailureOr<Changes> findChanges(const Pieces &next);
  /// Whether `value`, which an iteration yields in `domain`, reads nothing of
  /// the loop but the element of `carried` that it makes.
  LogicalResult checkReads(const ExprRef &value, const System &domain);
  /// Whether no element is changed in two iterations.
  bool areDisjoint(ArrayRef<Change> changes);
  /// Bounds that the element keeps, whatever the iteration, where `change` is
  /// made.
  SmallVector<Constraint> findBounds(const Change &change);
  /// What holds of the element, whatever the iteration, wherever one of
  /// `changes` is made.
  System findTouched(ArrayRef<Change> changes);
  /// What is left where all of `changes` reduce by one op; nothing where not.
  std::optional<FailureOr<Pieces>> reduce(ArrayRef<Change> changes);
  FailureOr<Pieces> apply(ArrayRef<Change> changes);
  /// Takes out of `changes` those that add nothing but zeros, and returns these
  /// if others add to the element or overwrite it: then it does not matter
  /// when.
  LeftOut takeZeros(Changes &changes);
  /// The same where several iterations write an element and none reads it: the
  /// last one counts.
  FailureOr<Pieces> applyLast(ArrayRef<Change> changes);
  /// The iterations, without quotients that `piece` has nothing of.
  Part getIterationsOf(const Piece &piece) const;
  /// Where an iteration makes `changes`, whatever these are.
  Pieces getWritten(ArrayRef<Change> changes);
  std::optional<Pieces> readWritten(scf::ForOp forOp, const WriteChain &chain);
  /// A piece in an iteration of its own, and the numbers of that.
  struct Once {
    Piece piece;
    SmallVector<LinearExpr> numbers;
  };
  Once runOnce(const Piece &piece);
  /// The numbers of an iteration, and where it writes.
  using Run = Case<SmallVector<LinearExpr>>;
  using Runs = Cases<SmallVector<LinearExpr>>;
  /// Those that write where they do what `written` says. Of the many writes of
  /// an unrolled loop few are left, as tiles that are side by side.
  Runs findRuns(const Pieces &written);
  /// `run` with new unknowns.
  Run instantiate(const Run &run);
  /// `pieces` without what iterations write, or those behind the iteration
  /// `number`.
  FailureOr<Pieces>
  dropWritten(FailureOr<Pieces> pieces, const Runs &written,
              std::optional<LinearExpr> number = std::nullopt);

  SymbolicEvaluator &evaluator;
  Solver &solver;
  Operation *loop;
  BlockArgument carried;
  Value init;
  ArrayRef<LinearExpr> at;
  const System &context;
  Iterations iterations;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_CLOSEDFORM_H
