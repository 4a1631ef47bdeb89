//===- Certify.cpp - Proves that two functions mean the same ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Certify.h"
#include "Comparison.h"
#include "Denoter.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Verdict = Certificate::Verdict;

static Certificate getUndecided(const Obstacle &obstacle) {
  Certificate certificate;
  certificate.verdict = Verdict::Undecided;
  certificate.message = obstacle.reason;
  certificate.op = obstacle.op;
  return certificate;
}

static Certificate getDifferent(const Twine &message, Operation *op) {
  Certificate certificate;
  certificate.verdict = Verdict::Different;
  certificate.message = message.str();
  certificate.op = op;
  return certificate;
}

/// Compares result `number`, which the functions return as `before` and
/// `after`.
static Certificate compareResult(Solver &solver, const Arguments &arguments,
                                 Denoter &denoterBefore, Value before,
                                 Denoter &denoterAfter, Value after) {
  SmallVector<LinearExpr> element;
  for (int64_t dim = 0;
       dim < cast<RankedTensorType>(before.getType()).getRank(); ++dim)
    element.push_back(LinearExpr::var(solver.makeVar()));
  FailureOr<System> bounds = denoterBefore.getBounds(before, element);
  if (failed(bounds))
    return getUndecided(denoterBefore.getObstacle());
  *bounds = *bounds & arguments.sizes;
  FailureOr<Pieces> piecesBefore =
      denoterBefore.readAt(before, element, *bounds);
  if (failed(piecesBefore))
    return getUndecided(denoterBefore.getObstacle());
  FailureOr<Pieces> piecesAfter = denoterAfter.readAt(after, element, *bounds);
  if (failed(piecesAfter))
    return getUndecided(denoterAfter.getObstacle());
  Comparison comparison(solver, element);
  unsigned numPieces = 0;
  for (const Piece &first : *piecesBefore)
    for (const Piece &second : *piecesAfter) {
      System domain = *bounds & first.domain;
      domain.append(second.domain);
      if (solver.isEmpty(domain))
        continue;
      ++numPieces;
      if (!comparison.areEqual(applyContracts(first.value, arguments),
                               applyContracts(second.value, arguments), domain))
        return comparison.getCertificate();
    }
  Certificate certificate = comparison.getCertificate();
  certificate.numPieces = numPieces;
  return certificate;
}

/// The values that `function` returns.
static OperandRange getReturned(FunctionOpInterface function) {
  return function.getFunctionBody().front().getTerminator()->getOperands();
}

Certificate mlir::convoy::certifyRewrite(FunctionOpInterface before,
                                         FunctionOpInterface after) {
  if (before.getArgumentTypes() != after.getArgumentTypes() ||
      before.getResultTypes() != after.getResultTypes())
    return getDifferent("the functions have other arguments or results", after);
  Solver solver;
  Arguments arguments;
  Denoter denoterBefore(solver, arguments), denoterAfter(solver, arguments);
  for (auto [function, denoter] :
       {std::pair(before, &denoterBefore), std::pair(after, &denoterAfter)}) {
    if (function.isExternal() || !function.getFunctionBody().hasOneBlock())
      return getUndecided({function, "a function without one block"});
    if (function == before && failed(denoter->assumeContracts(function)))
      return getUndecided(denoter->getObstacle());
    Certificate bounds = checkBounds(function, *denoter);
    if (bounds.verdict != Verdict::Certified)
      return bounds;
  }
  Certificate all;
  for (auto [first, second] :
       llvm::zip_equal(getReturned(before), getReturned(after))) {
    if (!isa<RankedTensorType>(first.getType()))
      return getUndecided({before, "a result that is no tensor"});
    Certificate one = compareResult(solver, arguments, denoterBefore, first,
                                    denoterAfter, second);
    if (one.verdict != Verdict::Certified)
      return one;
    all.numPieces += one.numPieces;
    all.numFamilies += one.numFamilies;
  }
  return all;
}
