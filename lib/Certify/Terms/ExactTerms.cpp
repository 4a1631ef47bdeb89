//===- ExactTerms.cpp - Elements in exact arithmetic ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactTerms.h"
#include "Polynomials.h"
#include "Simplify.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

/// Whether `expr` is made by arithmetic that a polynomial has, or has a name.
static bool isOfArithmetic(const ExprRef &expr) {
  return isa<FloatType>(expr->type) &&
         (expr->kind == Kind::Sum || expr->common || expr->name == kMultiple ||
          isApply(expr, "arith.mulf") || isApply(expr, "arith.negf") ||
          isApply(expr, "arith.subf"));
}

ExprRef certify::collectTerms(Solver &solver, const ExprRef &expr,
                              const System &context, Arithmetic arithmetic,
                              Expansion expansion) {
  if (!isOfArithmetic(expr))
    return expr;
  Polynomials polynomials(solver, arithmetic, expansion);
  std::optional<Polynomial> terms = polynomials.read(expr, context);
  ExprRef collected = terms ? polynomials.write(*terms, Fraction(1), expr->type,
                                                /*hasMultiples=*/true)
                            : nullptr;
  return collected ? collected : expr;
}

std::optional<ExactPair> certify::multiplyOut(Solver &solver,
                                              const ExprRef &first,
                                              const ExprRef &second,
                                              const System &context,
                                              Arithmetic arithmetic) {
  if (!isa<FloatType>(first->type) || first->type != second->type)
    return std::nullopt;
  Fraction factor(1);
  // Apart: what is left out of one is not left out of the other.
  SmallVector<std::pair<std::unique_ptr<Polynomials>, Polynomial>, 2> both;
  for (const ExprRef &expr : {first, second}) {
    auto polynomials =
        std::make_unique<Polynomials>(solver, arithmetic, Expansion::All);
    std::optional<Polynomial> terms = polynomials->read(expr, context);
    if (!terms)
      return std::nullopt;
    for (const Monomial &term : *terms)
      factor.num = llvm::lcm(factor.num, term.coefficient.den);
    both.emplace_back(std::move(polynomials), std::move(*terms));
  }
  auto write = [&](auto &one) {
    return one.first->write(one.second, factor, first->type,
                            /*hasMultiples=*/false);
  };
  ExactPair pair{write(both[0]), write(both[1]), factor.num};
  if (!pair.first || !pair.second)
    return std::nullopt;
  return pair;
}

/// Whether `pieces` cover `bounds`, and are numbers of floating point.
static bool areAllNumbers(Solver &solver, const Pieces &pieces,
                          const System &bounds) {
  auto isNumber = [](const Piece &piece) {
    return isa<FloatType>(piece.value->type) && isFinite(piece.value);
  };
  return llvm::all_of(pieces, isNumber) && coverBounds(solver, pieces, bounds);
}

static Families getFamilies(const Pieces &pieces, Operation *origin) {
  Families families;
  for (const Piece &piece : pieces)
    families.push_back({piece.locals, piece.domain, piece.value, origin});
  return families;
}

void certify::joinZeros(Solver &solver, Pieces &pieces, const System &bounds) {
  auto holdsZero = [](const Piece &piece) { return isZero(piece.value); };
  if (pieces.size() < 2 || llvm::none_of(pieces, holdsZero) ||
      !areAllNumbers(solver, pieces, bounds))
    return;
  ExprRef sum =
      makeSum(pieces.front().value->type, getFamilies(pieces, nullptr));
  pieces = {Piece{{}, {}, addZeros(sum, {LeftOut::Zero::Unknown})}};
}

bool certify::areWorthNaming(Solver &solver, const Pieces &pieces,
                             const System &bounds) {
  auto isSum = [](const Piece &piece) {
    return contains(piece.value, [](const Expr &part) {
      return part.families.size() > 1 ||
             llvm::any_of(part.families, [](const Family &family) {
               return !family.instance.empty();
             });
    });
  };
  return llvm::any_of(pieces, isSum) && areAllNumbers(solver, pieces, bounds);
}

ExprRef certify::nameElements(ArrayRef<Var> indices, const Pieces &pieces,
                              OpResult origin) {
  bool isVector = isa<VectorType>(origin.getType());
  CommonValue value{origin.getOwner(),
                    /*isNumber=*/true,
                    /*hasSameZeros=*/false,
                    SmallVector<Var>(indices),
                    getFamilies(pieces, origin.getOwner()),
                    isVector ? CommonValue::Owner::Vector
                             : CommonValue::Owner::Tensor};
  // What it is in this iteration of the loops around.
  for (Var var : getFreeUnknowns(value.elements))
    if (!llvm::is_contained(indices, var))
      value.indices.push_back(var);
  SmallVector<LinearExpr> at =
      llvm::map_to_vector(value.indices, LinearExpr::var);
  Type type = pieces.front().value->type;
  return makeRead(std::make_shared<const CommonValue>(std::move(value)), type,
                  at);
}

Pieces certify::expandNames(Solver &solver, const Pieces &pieces,
                            Expansion expansion) {
  Pieces expanded;
  for (const Piece &piece : pieces) {
    const Expr &value = *piece.value;
    if (!isExpanded(value, expansion)) {
      expanded.push_back(piece);
      continue;
    }
    DenseMap<Var, LinearExpr> values;
    for (auto [var, index] :
         llvm::zip_equal(value.common->indices, value.indices))
      values[var] = index;
    Pieces elements;
    for (const Family &family : value.common->elements)
      elements.push_back(instantiate(
          solver, {family.instance, family.domain, family.term}, values));
    llvm::append_range(expanded,
                       restrict(expandNames(solver, elements, expansion),
                                Part{piece.locals, piece.domain}));
  }
  return expanded;
}

bool certify::hasProductOfSums(const ExprRef &expr) {
  return contains(expr, [](const Expr &part) {
    return part.kind == Kind::Apply && part.name == "arith.mulf" &&
           llvm::all_of(part.operands, hasSum);
  });
}
