//===- Pieces.h - An element in all cases of its indices --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_PIECES_H
#define CONVOY_LIB_CERTIFY_TERMS_PIECES_H

#include "../Linear/Cases.h"
#include "Expr.h"

#include "mlir/IR/ValueRange.h"

namespace mlir::convoy::certify {

/// What an element is where some conditions on its indices hold.
using Piece = Case<ExprRef>;
using Pieces = Cases<ExprRef>;

/// `piece` with new unknowns for its locals and with `values` in the place of
/// others.
Piece instantiate(Solver &solver, const Piece &piece,
                  DenseMap<Var, LinearExpr> values);

/// `pieces` where the conditions of `where`, a case or a part, hold as well.
template <typename Where>
Pieces restrict(Pieces pieces, const Where &where) {
  for (Piece &piece : pieces)
    addConditions(piece, where);
  return pieces;
}

/// `pieces` without those that `context` rules out.
Pieces prune(Solver &solver, Pieces pieces, const System &context);

/// `pieces` outside `where`, in the cases that `context` allows; nothing if
/// that has no formula.
std::optional<Pieces> subtract(Solver &solver, Pieces pieces, const Part &where,
                               const System &context);

/// The pieces that `read(value, inCase)` finds in each of `cases` that
/// `context` allows, where the case holds.
template <typename T, typename Read>
FailureOr<Pieces> readCases(Solver &solver, const Cases<T> &cases,
                            const System &context, Read read) {
  Pieces pieces;
  for (const Case<T> &one : cases) {
    System inCase = context & one.domain;
    // A case that is alone holds everywhere.
    if (cases.size() > 1 && solver.isEmpty(inCase))
      continue;
    FailureOr<Pieces> found = read(one.value, inCase);
    if (failed(found))
      return failure();
    llvm::append_range(pieces, restrict(std::move(*found), one));
  }
  return pieces;
}

/// What `read(number)` finds for each value of `at`, an index below `size`.
template <typename Read>
FailureOr<Pieces> readEach(Solver &solver, const LinearExpr &at, int64_t size,
                           const System &context, Read read) {
  Pieces pieces;
  for (int64_t number = 0; number < size; ++number) {
    System here;
    here.addEqual(at, number);
    System inCase = context & here;
    if (solver.isEmpty(inCase))
      continue;
    FailureOr<Pieces> elements = read(number, inCase);
    if (failed(elements))
      return failure();
    llvm::append_range(pieces, restrict(std::move(*elements), Part{{}, here}));
  }
  return pieces;
}

/// Whether `parts`, pieces or cases, leave nothing of `bounds`.
template <typename T>
bool coverBounds(Solver &solver, const T &parts, const System &bounds) {
  std::optional<Parts> rest = Parts{Part()};
  for (const auto &part : parts) {
    rest = solver.subtract(bounds, *rest, part.locals, part.domain);
    if (!rest)
      return false;
  }
  return rest->empty() || solver.isEmpty(bounds);
}

/// What `apply` makes of a value of each operand, in all combinations of the
/// cases that `read` finds for them.
FailureOr<Pieces> combine(ValueRange operands,
                          function_ref<FailureOr<Pieces>(Value)> read,
                          function_ref<ExprRef(ArrayRef<ExprRef>)> apply);

/// The same in the combinations that `context` allows: for operands that have
/// cases in common, of which all combinations would be too many.
FailureOr<Pieces> combine(Solver &solver, const System &context,
                          ValueRange operands,
                          function_ref<FailureOr<Pieces>(Value)> read,
                          function_ref<ExprRef(ArrayRef<ExprRef>)> apply);

/// The same of `count` operands, by their numbers.
FailureOr<Pieces> combine(Solver &solver, const System &context, unsigned count,
                          function_ref<FailureOr<Pieces>(unsigned)> read,
                          function_ref<ExprRef(ArrayRef<ExprRef>)> apply);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_PIECES_H
