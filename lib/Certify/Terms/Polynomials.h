//===- Polynomials.h - Sums of products in exact arithmetic -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_POLYNOMIALS_H
#define CONVOY_LIB_CERTIFY_TERMS_POLYNOMIALS_H

#include "Arithmetic.h"
#include "Fractions.h"

#include <map>
#include <tuple>
#include <vector>

namespace mlir::convoy::certify {

/// An unknown in the place of one that a sum binds: no solver gives out as
/// many.
inline Var getBound(unsigned number) { return (Var(1) << 31) + number; }

/// A product of factors and how often it is there, for each point of a domain.
/// Factors and constraints are numbers, given out by `Polynomials`.
struct Monomial {
  SmallVector<unsigned, 3> factors;     ///< in order
  SmallVector<unsigned, 3> constraints; ///< in order, none twice
  SmallVector<unsigned, 2> bound; ///< the numbers of bound unknowns, in order
  Fraction coefficient{1};
  Operation *origin = nullptr;

  auto getKey() const { return std::tie(bound, factors, constraints); }
  Monomial operator*(const Monomial &other) const;
};
using Polynomial = std::vector<Monomial>;

/// What expressions are in exact arithmetic. Terms are the same if they are
/// written in the same way but for the names of unknowns that they bind.
class Polynomials {
public:
  /// Unknowns that terms bind are numbered from `firstBound` on.
  Polynomials(Solver &solver, Arithmetic arithmetic, Expansion expansion,
              unsigned firstBound = 0)
      : solver(solver), arithmetic(arithmetic), expansion(expansion),
        firstBound(firstBound) {}

  /// `expr` as a polynomial where `context` holds, its terms collected. Nothing
  /// if it is too large, or made of what is no number.
  std::optional<Polynomial> read(const ExprRef &expr, const System &context);
  /// `polynomial` times `factor` as an expression of `type`, with `zeros` left
  /// out; null where a coefficient is no number of f64, unless those may be
  /// multiples.
  ExprRef write(const Polynomial &polynomial, const Fraction &factor, Type type,
                bool hasMultiples);

private:
  /// The unknowns that sums around bind, as unknowns of their own.
  using Renaming = DenseMap<Var, LinearExpr>;

  void add(Polynomial &terms, const ExprRef &expr, const Monomial &times,
           const Renaming &renaming, unsigned depth);
  void addFamily(Polynomial &terms, const Family &family, const Monomial &times,
                 const Renaming &renaming, unsigned depth);
  void addProduct(Polynomial &terms, const ExprRef &expr, const Monomial &times,
                  const Renaming &renaming, unsigned depth);
  void addNamed(Polynomial &terms, const Expr &read, const Monomial &times,
                const Renaming &renaming, unsigned depth);
  /// `expr`, which other ops make of sums, with these multiplied out.
  ExprRef expandOperands(const ExprRef &expr);
  ExprRef expand(const ExprRef &expr);
  void addFactor(Polynomial &terms, const ExprRef &expr, Monomial times,
                 const Renaming &renaming);
  void push(Polynomial &terms, Monomial monomial);
  /// Adds the constraints of `domain` to `monomial`; returns false if one holds
  /// nowhere.
  bool constrain(Monomial &monomial, const System &domain,
                 const Renaming &renaming);
  /// Takes bound unknowns out that no factor has and that are quotients of
  /// others where `context` holds, as those are that say which block an index
  /// lies in.
  void dropQuotients(Monomial &monomial, const System &context);
  Polynomial collect(Polynomial terms);

  std::optional<Fraction> getConstantFactor(const Expr &constant);
  /// Lets bound unknowns have the first numbers, in their order.
  void renumber(Monomial &monomial);
  /// Takes constraints out that hold anyway, as `context` says.
  void dropImplied(Polynomial &terms, const System &context);
  unsigned addFactor(ExprRef expr);
  unsigned getFactor(const ExprRef &expr, const Renaming &renaming);
  unsigned getConstraint(Constraint constraint);
  ExprRef writeProduct(const Monomial &monomial, Type type);

  Solver &solver;
  Arithmetic arithmetic;
  Expansion expansion;
  unsigned firstBound;
  bool isNumber = true; ///< all that was read is, and it is not too large
  LeftOut zeros;
  size_t numTerms = 0;
  SmallVector<ExprRef, 0> factors;
  /// Of each factor, the numbers of the bound unknowns that it has, in order.
  SmallVector<SmallVector<unsigned, 4>, 0> boundInFactors;
  Constraints constraints;
  /// What bound unknowns and constraints of monomials are without quotients.
  using Domain = std::pair<SmallVector<unsigned, 2>, SmallVector<unsigned, 3>>;
  std::map<std::pair<Domain, SmallVector<unsigned, 2>>, std::optional<Domain>>
      withoutQuotients; ///< nothing of domains without points
  /// What factors and constraints are with other numbers of bound unknowns, by
  /// what these were.
  struct Renumbered {
    Renaming renaming;
    DenseMap<unsigned, unsigned> factors, constraints;
  };
  std::map<SmallVector<unsigned, 2>, Renumbered> renumbered;
  std::map<std::string, unsigned> numbersOfFactors, numbersOfConstraints;
};

/// Whether `expr` reads what has a name that `expansion` puts its elements in
/// the place of.
bool isExpanded(const Expr &expr, Expansion expansion);

/// Whether `expr` is made of a sum or a difference.
bool hasSum(const ExprRef &expr);

/// `numbers` in order, none twice.
void sortUnique(SmallVectorImpl<unsigned> &numbers);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_POLYNOMIALS_H
