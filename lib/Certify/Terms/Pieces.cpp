//===- Pieces.cpp - An element in all cases of its indices ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

Piece certify::instantiate(Solver &solver, const Piece &piece,
                           DenseMap<Var, LinearExpr> values) {
  SmallVector<Var> locals = renameVars(solver, piece.locals, values);
  return {locals, piece.domain.substitute(values),
          substitute(piece.value, values)};
}

Pieces certify::prune(Solver &solver, Pieces pieces, const System &context) {
  llvm::erase_if(pieces, [&](const Piece &piece) {
    return solver.isEmpty(context & piece.domain);
  });
  return pieces;
}

std::optional<Pieces> certify::subtract(Solver &solver, Pieces pieces,
                                        const Part &where,
                                        const System &context) {
  Pieces kept;
  for (Piece &piece : pieces) {
    System there = context & piece.domain;
    // A piece that is not touched stays whole.
    if (solver.isEmpty(there & where.domain)) {
      kept.push_back(std::move(piece));
      continue;
    }
    std::optional<Parts> outside =
        solver.subtract(there, where.locals, where.domain);
    if (!outside)
      return std::nullopt;
    for (const Part &part : *outside)
      llvm::append_range(kept, restrict({piece}, part));
  }
  return kept;
}

/// What `apply` makes of the combinations of what `read` finds for `count`
/// operands, without those, also of the first operands alone, that `isPossible`
/// denies.
static FailureOr<Pieces>
combineSome(unsigned count, function_ref<FailureOr<Pieces>(unsigned)> read,
            function_ref<ExprRef(ArrayRef<ExprRef>)> apply,
            function_ref<bool(const System &)> isPossible) {
  Cases<SmallVector<ExprRef>> combined(1);
  for (unsigned number = 0; number < count; ++number) {
    FailureOr<Pieces> pieces = read(number);
    if (failed(pieces))
      return failure();
    Cases<SmallVector<ExprRef>> longer;
    for (const auto &combination : combined)
      for (const Piece &piece : *pieces) {
        Case<SmallVector<ExprRef>> both = combination;
        addConditions(both, piece);
        // A case that is alone holds everywhere.
        bool isAlone = combined.size() == 1 && pieces->size() == 1;
        if (!isAlone && !isPossible(both.domain))
          continue;
        both.value.push_back(piece.value);
        longer.push_back(std::move(both));
      }
    combined = std::move(longer);
  }
  return llvm::map_to_vector<0>(combined, [&](const auto &values) {
    return Piece{values.locals, values.domain, apply(values.value)};
  });
}

FailureOr<Pieces>
certify::combine(ValueRange operands,
                 function_ref<FailureOr<Pieces>(Value)> read,
                 function_ref<ExprRef(ArrayRef<ExprRef>)> apply) {
  return combineSome(
      operands.size(), [&](unsigned number) { return read(operands[number]); },
      apply, [](const System &) { return true; });
}

FailureOr<Pieces>
certify::combine(Solver &solver, const System &context, ValueRange operands,
                 function_ref<FailureOr<Pieces>(Value)> read,
                 function_ref<ExprRef(ArrayRef<ExprRef>)> apply) {
  return combine(
      solver, context, operands.size(),
      [&](unsigned number) { return read(operands[number]); }, apply);
}

FailureOr<Pieces>
certify::combine(Solver &solver, const System &context, unsigned count,
                 function_ref<FailureOr<Pieces>(unsigned)> read,
                 function_ref<ExprRef(ArrayRef<ExprRef>)> apply) {
  return combineSome(count, read, apply, [&](const System &domain) {
    return !solver.isEmpty(context & domain);
  });
}
