//===- ResultComparison.cpp - Whether two tensors are equal -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResultComparison.h"
#include "../Evaluator/Contracts.h"
#include "../Terms/ExactTerms.h"
#include "Comparison.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Verdict = Certificate::Verdict;

Certificate certify::getUndecided(const Obstacle &obstacle) {
  Certificate certificate;
  certificate.verdict = Verdict::Undecided;
  certificate.message = obstacle.reason;
  certificate.op = obstacle.op;
  return certificate;
}

Certificate certify::getDifferent(const Twine &message, Operation *op) {
  Certificate certificate;
  certificate.verdict = Verdict::Different;
  certificate.message = message.str();
  certificate.op = op;
  return certificate;
}

void certify::merge(Certificate &all, const Certificate &other) {
  all.verdict = other.verdict;
  all.message = other.message;
  all.op = other.op;
  all.addConditions(other);
  all.numPieces += other.numPieces;
  all.numFamilies += other.numFamilies;
}

/// What makes `value` in a function, in brackets; nothing for an argument.
static std::string describeIn(StringRef function, Value value) {
  std::string text;
  if (Operation *op = value.getDefiningOp())
    llvm::raw_string_ostream(text)
        << " (in the " << function << " function: " << describeOrigin(op)
        << ')';
  return text;
}

static std::string describeFirst(Value before) {
  return describeIn("first", before);
}

/// Lets `certificate`, by which `before` and `after` may not be equal, say
/// where either is made, unless its op is of that function.
static void describeOther(Certificate &certificate, Value before, Value after) {
  if (!certificate.op)
    certificate.op = after.getDefiningOp();
  bool isOfFirst = certificate.op && before.getParentRegion()->isAncestor(
                                         certificate.op->getParentRegion());
  certificate.message +=
      isOfFirst ? describeIn("second", after) : describeFirst(before);
}

bool ResultComparison::coverAll(const Pieces &pieces, const System &bounds) {
  return coverBounds(solver, pieces, bounds);
}

Certificate ResultComparison::compareElements(Value before, Value after,
                                              const System &scope) {
  SmallVector<LinearExpr> element;
  for (int64_t dim = 0;
       dim < cast<RankedTensorType>(before.getType()).getRank(); ++dim)
    element.push_back(LinearExpr::var(solver.makeVar()));
  FailureOr<System> bounds =
      evaluatorBefore.getSizes().getBounds(before, element);
  if (failed(bounds))
    return getUndecided(evaluatorBefore.getObstacle().get());
  bounds->append(arguments.getScope());
  bounds->append(scope);
  FailureOr<Pieces> piecesBefore =
      evaluatorBefore.readAt(before, element, *bounds);
  if (failed(piecesBefore))
    return getUndecided(evaluatorBefore.getObstacle().get());
  FailureOr<Pieces> piecesAfter =
      evaluatorAfter.readAt(after, element, *bounds);
  if (failed(piecesAfter))
    return getUndecided(evaluatorAfter.getObstacle().get());
  if (evaluatorAfter.getArithmetic() != Arithmetic::AnyOrder) {
    *piecesBefore = expandNames(solver, *piecesBefore, Expansion::All);
    *piecesAfter = expandNames(solver, *piecesAfter, Expansion::All);
  }
  // Again: reading may have found quotients of sizes.
  bounds->append(arguments.getScope());
  if (!coverAll(*piecesBefore, *bounds))
    return getUndecided({before.getDefiningOp(), "elements without a meaning"});
  if (!coverAll(*piecesAfter, *bounds))
    return getUndecided({after.getDefiningOp(), "elements without a meaning"});
  Certificate certificate =
      compare(*piecesBefore, *piecesAfter, element, *bounds);
  if (certificate.verdict == Verdict::Undecided && !saysBothPlaces)
    describeOther(certificate, before, after);
  return certificate;
}

Certificate ResultComparison::compare(const Pieces &before, const Pieces &after,
                                      ArrayRef<LinearExpr> element,
                                      const System &bounds) {
  Comparison comparison(solver, element, arguments);
  saysBothPlaces = false;
  auto assumesNoOverflow = [](const Expr &part) {
    return part.leftOut.isOfComputed;
  };
  auto isLeftover = [&](const Expr &part) {
    return part.kind == Expr::Kind::Undefined && arguments.mayHaveLeftovers();
  };
  bool isAssumed = false;
  unsigned numPieces = 0;
  for (const Piece &first : before)
    for (const Piece &second : after) {
      System domain = bounds & first.domain;
      domain.append(second.domain);
      if (solver.isEmpty(domain))
        continue;
      ++numPieces;
      if (contains(first.value, isLeftover) ||
          contains(second.value, isLeftover))
        return getUndecided({nullptr, "what a part of a workspace holds behind "
                                      "another's use of it"});
      if (!comparison.areEqual(applyContracts(first.value, arguments),
                               applyContracts(second.value, arguments), domain,
                               evaluatorAfter.getArithmetic())) {
        saysBothPlaces = comparison.saysBothPlaces();
        return comparison.getCertificate();
      }
      isAssumed = isAssumed || contains(first.value, assumesNoOverflow) ||
                  contains(second.value, assumesNoOverflow);
    }
  Certificate certificate = comparison.getCertificate();
  certificate.assumesNoOverflow = isAssumed;
  certificate.numPieces = numPieces;
  return certificate;
}

Certificate ResultComparison::checkEqualOperands(FunctionOpInterface function) {
  Certificate certificate;
  function->walk([&](UnrealizedConversionCastOp op) {
    if (!op->hasAttr(kMustBeEqualAttrName))
      return WalkResult::advance();
    certificate = compareElements(op.getOperand(0), op.getOperand(1),
                                  evaluatorAfter.getScopes().getScope(op));
    if (certificate.verdict == Verdict::Certified)
      return WalkResult::advance();
    certificate = getUndecided(
        {op, "a factor of which lanes must hold the same, but may not"});
    return WalkResult::interrupt();
  });
  return certificate;
}

Certificate ResultComparison::compareSize(Value before, Value after,
                                          int64_t dim) {
  FailureOr<Size> first = evaluatorBefore.getSizes().getSize(before, dim);
  if (failed(first))
    return getUndecided(evaluatorBefore.getObstacle().get());
  FailureOr<Size> second = evaluatorAfter.getSizes().getSize(after, dim);
  if (failed(second))
    return getUndecided(evaluatorAfter.getObstacle().get());
  System scope = arguments.getScope();
  if (areEqualSizes(solver, *first, *second, scope))
    return Certificate();
  // Where one of them is the larger.
  for (const Size *smaller : {&*first, &*second})
    for (const LinearExpr &bound : *smaller) {
      System points = scope;
      points.addRange(bound, LinearExpr::var(solver.makeVar()),
                      smaller == &*first ? *second : *first);
      std::optional<DenseMap<Var, int64_t>> point = solver.findPoint(points);
      if (!point)
        continue;
      int64_t here = evaluateSize(*first, *point);
      int64_t there = evaluateSize(*second, *point);
      if (here != there)
        return getDifferent("dimension " + Twine(dim) +
                                " of a result has size " + Twine(here) +
                                " in the first function, and " + Twine(there) +
                                " in the second",
                            after.getDefiningOp());
    }
  std::string reason =
      ("sizes of results that may not be equal, in dimension " + Twine(dim))
          .str();
  reason += describeFirst(before);
  Operation *op = after.getDefiningOp();
  return getUndecided(
      {op ? op : after.getParentRegion()->getParentOp(), reason});
}

Certificate ResultComparison::compareSizes(Value before, Value after) {
  auto type = cast<RankedTensorType>(before.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    Certificate certificate = compareSize(before, after, dim);
    if (certificate.verdict != Verdict::Certified)
      return certificate;
  }
  return Certificate();
}

bool certify::isComparable(Type type) {
  return isa<RankedTensorType, IndexType>(type) || type.isInteger(1) ||
         type.isInteger(64);
}

/// The cases of a number or, as 0 and 1, of a condition.
static FailureOr<IndexCases> evaluateNumber(SymbolicEvaluator &evaluator,
                                            Value value) {
  if (!value.getType().isInteger(1))
    return evaluator.getIndices().evaluate(value);
  FailureOr<ConditionCases> conditions =
      evaluator.getIndices().evaluateCondition(value);
  if (failed(conditions))
    return failure();
  IndexCases cases;
  for (const Case<bool> &one : *conditions)
    cases.push_back({one.locals, one.domain, LinearExpr(one.value ? 1 : 0)});
  return cases;
}

Certificate ResultComparison::compareNumbers(Value before, Value after) {
  Operation *op = after.getDefiningOp();
  if (!op)
    op = after.getParentRegion()->getParentOp();
  FailureOr<IndexCases> first = evaluateNumber(evaluatorBefore, before);
  if (failed(first))
    return getUndecided(evaluatorBefore.getObstacle().get());
  FailureOr<IndexCases> second = evaluateNumber(evaluatorAfter, after);
  if (failed(second))
    return getUndecided(evaluatorAfter.getObstacle().get());
  System scope = arguments.getScope();
  if (!coverBounds(solver, *first, scope) ||
      !coverBounds(solver, *second, scope))
    return getUndecided({op, "a number without a meaning"});
  Certificate certificate;
  for (const Case<LinearExpr> &one : *first)
    for (const Case<LinearExpr> &other : *second) {
      System domain = scope & one.domain;
      domain.append(other.domain);
      if (solver.isEmpty(domain))
        continue;
      ++certificate.numPieces;
      LinearExpr difference = one.value - other.value;
      if (solver.implies(domain, {difference, /*isEquality=*/true}))
        continue;
      for (int sign : {1, -1}) {
        System points = domain;
        points.addAtMost(1, difference * DynamicAPInt(sign));
        if (auto point = solver.findPoint(points))
          return getDifferent("the first function computes " +
                                  Twine(one.value.evaluate(*point)) +
                                  ", the second " +
                                  Twine(other.value.evaluate(*point)),
                              op);
      }
      return getUndecided(
          {op, "numbers that may not be equal" + describeFirst(before)});
    }
  return certificate;
}

Certificate ResultComparison::compare(Value before, Value after) {
  return isa<RankedTensorType>(before.getType())
             ? compareTensors(before, after)
             : compareNumbers(before, after);
}

Certificate ResultComparison::compareTensors(Value before, Value after) {
  Certificate certificate = compareElements(before, after);
  // After the elements: reading them may have found quotients of sizes.
  if (certificate.verdict == Verdict::Certified)
    merge(certificate, compareSizes(before, after));
  return certificate;
}
