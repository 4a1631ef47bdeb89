//===- Gathers.cpp - Elements at computed places ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place that is computed is an unknown for as long as it takes to find what
// is read there, and then the term that computes it.
//
//===----------------------------------------------------------------------===//

#include "Gathers.h"
#include "../Terms/FloatRanges.h"
#include "../Terms/PlaceSums.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

bool certify::isOfElements(Value index) {
  SmallVector<Value> rest = {index};
  SmallPtrSet<Operation *, 16> seen;
  while (!rest.empty()) {
    Value value = rest.pop_back_val();
    if (isa<FloatType>(value.getType()))
      return true;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (isa<linalg::LinalgOp>(argument.getOwner()->getParentOp()))
        return true;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isa<tensor::ExtractOp, vector::ExtractOp>(op))
      return true;
    if (!seen.insert(op).second)
      continue;
    llvm::append_range(
        rest, llvm::make_filter_range(op->getOperands(), [](Value operand) {
          return !isa<ShapedType>(operand.getType());
        }));
  }
  return false;
}

bool certify::isGather(tensor::ExtractOp op) {
  return llvm::any_of(op.getIndices(), isOfElements);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// Reads an element of a tensor where `context` holds, for `op`.
class PlaceReader {
public:
  PlaceReader(SymbolicEvaluator &evaluator, Operation *op, Value tensor,
              const System &context)
      : evaluator(evaluator), solver(evaluator.getSolver()), op(op),
        tensor(tensor), known(context) {}

  FailureOr<Pieces> read(ArrayRef<ExprRef> places, const PlaceFacts &facts);

private:
  /// The same of both choices of dimension `dim`.
  FailureOr<Pieces> readChosen(ArrayRef<ExprRef> places, size_t dim,
                               const PlaceFacts &facts);
  /// `place` as an index, in which unknowns stand for what is computed.
  LinearExpr getIndex(const ExprRef &place, const PlaceFacts &facts);
  /// `piece` with what is computed in the place of these unknowns.
  FailureOr<Piece> bind(const Piece &piece);

  SymbolicEvaluator &evaluator;
  Solver &solver;
  Operation *op;
  Value tensor;
  System known;
  DenseMap<Var, ExprRef> unknowns;
};
} // namespace

LinearExpr PlaceReader::getIndex(const ExprRef &place,
                                 const PlaceFacts &facts) {
  if (place->kind == Expr::Kind::Number && place->type.isIndex())
    return place->indices.front();
  PlaceSum sum = getPlaceSum(place, facts);
  LinearExpr index(sum.constant);
  for (const auto &[term, factor] : sum.terms) {
    PlaceRange range = getPlaceRange(term, facts);
    if (range.least == range.most) {
      index += LinearExpr(range.least) * DynamicAPInt(factor);
      continue;
    }
    Var var = solver.makeVar();
    index += LinearExpr::var(var) * DynamicAPInt(factor);
    known.addAtMost(range.least, LinearExpr::var(var));
    known.addAtMost(LinearExpr::var(var), range.most);
    unknowns[var] = term;
  }
  return index;
}

FailureOr<Piece> PlaceReader::bind(const Piece &piece) {
  System inPiece = known & piece.domain;
  DenseMap<Var, LinearExpr> values;
  Piece bound;
  for (Var local : piece.locals) {
    auto same = llvm::find_if(unknowns, [&](const auto &unknown) {
      LinearExpr other = LinearExpr::var(unknown.first);
      return solver.implies(inPiece, {LinearExpr::var(local) - other, true});
    });
    if (same == unknowns.end())
      bound.locals.push_back(local);
    else
      values[local] = LinearExpr::var(same->first);
  }
  System domain = piece.domain.substitute(values);
  for (const Constraint &constraint : domain.getConstraints()) {
    bool isOfPlace =
        llvm::any_of(constraint.expr.getTerms(), [&](const auto &term) {
          return unknowns.contains(term.first);
        });
    if (!isOfPlace)
      bound.domain.add(constraint);
    else if (!solver.implies(known, constraint))
      return evaluator.undecided(
          op, "a computed place in a tensor of several parts");
  }
  bool isOfLoop = contains(piece.value, [](const Expr &part) {
    return part.argument && !part.indices.empty() &&
           !isa<FunctionOpInterface>(part.argument.getOwner()->getParentOp());
  });
  bound.value = isOfLoop
                    ? nullptr
                    : bindPlaces(substitute(piece.value, values), unknowns);
  if (!bound.value)
    return evaluator.undecided(
        op, "a computed place in a tensor that is no copy of others");
  return bound;
}

FailureOr<Pieces> PlaceReader::readChosen(ArrayRef<ExprRef> places, size_t dim,
                                          const PlaceFacts &facts) {
  const ExprRef &choice = places[dim];
  FailureOr<Pieces> both[2];
  for (bool value : {false, true}) {
    SmallVector<ExprRef> chosen(places);
    chosen[dim] = choice->operands[value ? 1 : 2];
    PlaceFacts all = facts;
    addFacts(choice->operands[0], value, all);
    both[value] = PlaceReader(evaluator, op, tensor, known).read(chosen, all);
    if (failed(both[value]))
      return failure();
  }
  Pieces pieces;
  for (const Piece &first : *both[1])
    for (const Piece &second : *both[0]) {
      Piece &piece = pieces.emplace_back(first);
      addConditions(piece, second);
      piece.value =
          makeApply("arith.select", choice->attributes, piece.value->type,
                    {choice->operands[0], first.value, second.value}, nullptr);
    }
  return pieces;
}

FailureOr<Pieces> PlaceReader::read(ArrayRef<ExprRef> places,
                                    const PlaceFacts &facts) {
  // Of a choice between numbers of elements each is told apart by itself.
  for (auto [dim, place] : llvm::enumerate(places))
    if (isApply(place, "arith.select") &&
        (getPlaceSum(place->operands[1], facts).terms.size() > 1 ||
         getPlaceSum(place->operands[2], facts).terms.size() > 1))
      return readChosen(places, dim, facts);
  if (solver.isEmpty(known))
    return Pieces();
  SmallVector<LinearExpr> indices = llvm::map_to_vector(
      places, [&](const ExprRef &place) { return getIndex(place, facts); });
  FailureOr<System> bounds = evaluator.getSizes().getBounds(tensor, indices);
  if (failed(bounds))
    return failure();
  for (const Constraint &bound : bounds->getConstraints())
    if (!solver.implies(known, bound))
      return evaluator.undecided(op,
                                 "an element that may lie outside its tensor");
  FailureOr<Pieces> elements = evaluator.readAt(tensor, indices, known);
  if (failed(elements))
    return failure();
  Pieces pieces;
  for (const Piece &element : *elements) {
    if (solver.isEmpty(known & element.domain))
      continue;
    FailureOr<Piece> piece = bind(element);
    if (failed(piece))
      return failure();
    pieces.push_back(std::move(*piece));
  }
  return pieces;
}

/// Whether `expr` has a sum of floating point in it, whose order is any.
static bool hasSum(const ExprRef &expr) {
  return contains(expr, [](const Expr &part) {
    bool isSum = part.kind == Expr::Kind::Sum && !part.families.empty() &&
                 isa<FloatType>(part.type);
    return isSum || (part.common && llvm::any_of(part.common->elements,
                                                 [](const Family &element) {
                                                   return hasSum(element.term);
                                                 }));
  });
}

FailureOr<Pieces> certify::readAtPlaces(SymbolicEvaluator &evaluator,
                                        Operation *op, Value tensor,
                                        ArrayRef<ExprRef> places,
                                        const PlaceFacts &facts,
                                        const System &context) {
  if (llvm::any_of(places, hasSum))
    return evaluator.undecided(
        op, "a computed place whose sums may be rounded in any order");
  if (!llvm::all_of(places, isOfNumbers))
    return evaluator.undecided(
        op, "a computed place of what may be no number, or a large one");
  return PlaceReader(evaluator, op, tensor, context).read(places, facts);
}
