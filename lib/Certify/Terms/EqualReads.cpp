//===- EqualReads.cpp - One way to write what is read -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EqualReads.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

namespace {
class ReadUnifier {
public:
  explicit ReadUnifier(Solver &solver) : solver(solver) {}

  ExprRef unify(const ExprRef &expr, const System &domain);

private:
  bool areEqual(ArrayRef<LinearExpr> first, ArrayRef<LinearExpr> second,
                const System &domain);
  ExprRef unifyRead(const ExprRef &read, const System &domain);
  Family unifyTerm(const Family &family, const System &domain);

  Solver &solver;
  /// Of each element one read, as others are written.
  SmallVector<ExprRef> known;
};
} // namespace

bool ReadUnifier::areEqual(ArrayRef<LinearExpr> first,
                           ArrayRef<LinearExpr> second, const System &domain) {
  // Most differ in a constant, which costs no proof.
  return llvm::none_of(llvm::zip_equal(first, second),
                       [](const auto &pair) {
                         auto [a, b] = pair;
                         LinearExpr rest = a - b;
                         return rest.isConstant() && rest.getConstant() != 0;
                       }) &&
         llvm::all_of(llvm::zip_equal(first, second), [&](const auto &pair) {
           auto [a, b] = pair;
           return a == b ||
                  solver.implies(domain, {a - b, /*isEquality=*/true});
         });
}

ExprRef ReadUnifier::unifyRead(const ExprRef &read, const System &domain) {
  // What has more reads is made of different ones.
  constexpr size_t MostReads = 32;
  for (const ExprRef &other : known) {
    if (other->argument != read->argument || other->common != read->common ||
        other->constant != read->constant)
      continue;
    if (other->indices == read->indices)
      return read;
    if (!areEqual(other->indices, read->indices, domain))
      continue;
    Expr same = *read;
    same.indices = other->indices;
    return std::make_shared<const Expr>(std::move(same));
  }
  if (known.size() < MostReads)
    known.push_back(read);
  return read;
}

Family ReadUnifier::unifyTerm(const Family &family, const System &domain) {
  // What holds for this term alone says nothing of others.
  size_t numKnown = known.size();
  Family same = family;
  same.term = unify(family.term, domain & family.domain);
  if (!family.instance.empty() || !family.domain.isUniverse())
    known.truncate(numKnown);
  return same;
}

ExprRef ReadUnifier::unify(const ExprRef &expr, const System &domain) {
  if (expr->kind == Kind::Read)
    return unifyRead(expr, domain);
  if (expr->kind == Kind::Apply) {
    SmallVector<ExprRef> operands =
        llvm::map_to_vector(expr->operands, [&](const ExprRef &operand) {
          return unify(operand, domain);
        });
    if (operands == expr->operands)
      return expr;
    return addZeros(
        makeApply(expr->name, expr->attributes, expr->type, operands, nullptr),
        expr->leftOut);
  }
  if (expr->families.empty())
    return expr;
  bool isChanged = false;
  Families families;
  for (const Family &family : expr->families) {
    families.push_back(unifyTerm(family, domain));
    isChanged |= families.back().term != family.term;
  }
  return isChanged ? remake(*expr, families) : expr;
}

ExprRef certify::unifyReads(Solver &solver, const ExprRef &expr,
                            const System &domain) {
  return ReadUnifier(solver).unify(expr, domain);
}
