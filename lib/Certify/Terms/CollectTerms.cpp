//===- CollectTerms.cpp - The same terms of polynomials as one ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Merging.h"
#include "Polynomials.h"
#include "Simplify.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Drops what `system` says of `var` besides what makes it a quotient, where
/// the rest and `context` imply it.
static void dropImpliedBounds(Solver &solver, System &system, Var var,
                              const System &context) {
  DynamicAPInt divisor(0);
  for (const Constraint &constraint : system.getConstraints())
    divisor = std::max(divisor, llvm::abs(constraint.expr.getFactor(var)));
  dropIfImplied(
      system, context,
      [&](const Constraint &constraint) {
        DynamicAPInt factor = llvm::abs(constraint.expr.getFactor(var));
        return factor != 0 && factor < divisor &&
               constraint.expr.getTerms().size() > 1;
      },
      [&](const System &others, const Constraint &constraint) {
        return solver.implies(others, constraint);
      });
}

void Polynomials::dropQuotients(Monomial &monomial, const System &context) {
  auto isUsed = [&](unsigned bound) {
    return llvm::any_of(monomial.factors, [&](unsigned factor) {
      return llvm::is_contained(boundInFactors[factor], bound);
    });
  };
  SmallVector<unsigned, 2> unused;
  llvm::copy_if(monomial.bound, std::back_inserter(unused),
                std::not_fn(isUsed));
  if (unused.empty())
    return;
  Domain domain(monomial.bound, monomial.constraints);
  auto [it, isNew] = withoutQuotients.try_emplace({domain, unused}, domain);
  if (isNew) {
    System system;
    for (unsigned number : monomial.constraints)
      system.add(constraints[number]);
    SmallVector<Var> locals = llvm::map_to_vector(unused, getBound);
    for (Var var : locals)
      dropImpliedBounds(solver, system, var, context);
    system.dropQuotients(locals, [](Var) { return false; });
    auto &[bound, rest] = *it->second;
    llvm::erase_if(bound, [&](unsigned number) {
      return llvm::is_contained(unused, number) &&
             !llvm::is_contained(locals, getBound(number));
    });
    Monomial simple;
    if (constrain(simple, system, Renaming()))
      rest = simple.constraints;
    else
      it->second.reset();
  }
  if (it->second)
    std::tie(monomial.bound, monomial.constraints) = *it->second;
  else
    monomial.coefficient = Fraction(0);
}

void Polynomials::renumber(Monomial &monomial) {
  if (monomial.bound.empty() ||
      monomial.bound.back() + 1 == firstBound + monomial.bound.size())
    return;
  Renumbered &known = renumbered[monomial.bound];
  for (auto [place, bound] : llvm::enumerate(monomial.bound)) {
    unsigned number = firstBound + place;
    known.renaming[getBound(bound)] = LinearExpr::var(getBound(number));
    bound = number;
  }
  for (unsigned &factor : monomial.factors) {
    auto [it, isNew] = known.factors.try_emplace(factor, 0);
    if (isNew)
      it->second = getFactor(ExprRef(factors[factor]), known.renaming);
    factor = it->second;
  }
  for (unsigned &number : monomial.constraints) {
    auto [it, isNew] = known.constraints.try_emplace(number, 0);
    if (isNew) {
      Constraint constraint = constraints[number];
      constraint.expr = constraint.expr.substitute(known.renaming);
      it->second = getConstraint(constraint);
    }
    number = it->second;
  }
  llvm::sort(monomial.factors);
  sortUnique(monomial.constraints);
}

void Polynomials::dropImplied(Polynomial &terms, const System &context) {
  if (solver.isEmpty(context))
    return;
  llvm::BitVector implied(constraints.size());
  for (auto [number, constraint] : llvm::enumerate(constraints)) {
    bool isFree =
        llvm::all_of(constraint.expr.getTerms(),
                     [](const auto &term) { return term.first < getBound(0); });
    if (isFree && solver.implies(context, constraint))
      implied.set(number);
  }
  for (Monomial &term : terms)
    llvm::erase_if(term.constraints,
                   [&](unsigned number) { return implied.test(number); });
}

Polynomial Polynomials::collect(Polynomial terms) {
  using Key = std::tuple<SmallVector<unsigned, 2>, SmallVector<unsigned, 3>,
                         SmallVector<unsigned, 3>>;
  std::map<Key, size_t> places;
  Polynomial collected;
  for (Monomial &term : terms) {
    auto [it, isNew] = places.try_emplace(Key(term.getKey()), collected.size());
    if (isNew)
      collected.push_back(std::move(term));
    else
      collected[it->second].coefficient += term.coefficient;
  }
  llvm::erase_if(collected, [&](const Monomial &term) {
    bool isGone = term.coefficient == Fraction(0);
    if (isGone)
      zeros.add({LeftOut::Zero::Unknown,
                 llvm::any_of(term.factors, [&](unsigned number) {
                   return isComputed(factors[number]);
                 })});
    return isGone;
  });
  return collected;
}

std::optional<Polynomial> Polynomials::read(const ExprRef &expr,
                                            const System &context) {
  Polynomial terms;
  zeros = {};
  add(terms, expr, Monomial(), Renaming(), /*depth=*/firstBound);
  if (!isNumber)
    return std::nullopt;
  for (Monomial &term : terms) {
    dropQuotients(term, context);
    renumber(term);
  }
  dropImplied(terms, context);
  return collect(std::move(terms));
}
