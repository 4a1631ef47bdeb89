//===- Forms.h - Constraints as bounds of linear forms ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_LINEAR_FORMS_H
#define CONVOY_LIB_CERTIFY_LINEAR_FORMS_H

#include "convoy/Certify/Linear/LinearSystem.h"

#include <map>

namespace mlir::convoy::certify {

/// Constraints with one pair of bounds for each linear form, which makes them
/// few: systems that are put together from parts say most things several times.
class Forms {
public:
  /// Takes unknowns out of `constraints` and drops what follows from the rest,
  /// for as long as that gets on; returns false if they have no points. What is
  /// left has points if and only if they have.
  static bool simplify(Constraints &constraints);

  /// Takes unknowns of `locals` alone out of `constraints`, and puts what they
  /// are equal to into `values`; so it does for one that is left and from now
  /// on stands for its remainder alone. What `context` says is known, and is
  /// not said again. Returns false if there are no points.
  static bool compact(Constraints &constraints, SmallVectorImpl<Var> &locals,
                      DenseMap<Var, LinearExpr> &values, const System &context);

private:
  using Terms = std::vector<std::pair<Var, DynamicAPInt>>;
  /// lower <= form <= upper.
  struct Bounds {
    std::optional<DynamicAPInt> lower, upper;

    bool isPoint() const { return lower && upper && *lower == *upper; }
    bool isEmpty() const { return lower && upper && *lower > *upper; }
    /// Whether they leave no more than `count` numbers.
    bool isWithin(const DynamicAPInt &count) const {
      return lower && upper && *upper - *lower < count;
    }
    void add(const Bounds &other);
    /// Whether what lies within `other` lies within these.
    bool include(const Bounds &other) const;
  };

  /// Of unknowns alone.
  using UnknownBounds = llvm::SmallDenseMap<Var, Bounds, 16>;

  /// Merges the bounds of `constraints` and drops those that are implied;
  /// returns false if they contradict each other.
  bool reduce(ArrayRef<Constraint> constraints);
  bool add(const Constraint &constraint);
  /// Puts `value` in the place of `var`; returns false as reduce does.
  bool replace(Var var, const LinearExpr &value);
  /// Appends what `terms` lying within `bounds` says.
  static void append(const Terms &terms, const Bounds &bounds,
                     Constraints &constraints);
  Constraints getConstraints() const;
  /// Those that `context` does not say.
  Constraints getConstraintsBeside(const Forms &context) const;
  /// An unknown that may be taken out and what it is equal to, if some equation
  /// or two forms say so.
  using MayTake = llvm::function_ref<bool(Var)>;
  std::optional<std::pair<Var, LinearExpr>> findValue(MayTake mayTake) const;
  /// What an unknown that may be taken out is where `expr` = 0, if its factor
  /// is one.
  static std::optional<std::pair<Var, LinearExpr>> solve(const LinearExpr &expr,
                                                         MayTake mayTake);
  /// Takes all those out and tells `took` of each, for as long as split finds
  /// more of them; returns false if there are no points.
  bool takeOut(MayTake mayTake,
               llvm::function_ref<void(Var, const LinearExpr &)> took);
  using Form = std::pair<const Terms, Bounds>;
  /// The difference or the sum of two forms that have both bounds.
  struct Pair {
    const Form &first, &second;
    bool isSum;

    LinearExpr getForm() const;
    Bounds getBounds() const;
  };
  /// An unknown that may be taken out, and what it is by what is zero for the
  /// first pair of which `findZero` finds that.
  std::optional<std::pair<Var, LinearExpr>>
  findInPairs(MayTake mayTake,
              llvm::function_ref<std::optional<LinearExpr>(const Pair &)>
                  findZero) const;
  /// Of the difference or the sum of two forms only one multiple of its
  /// factors' divisor may be left, as of two quotients of one number.
  std::optional<std::pair<Var, LinearExpr>>
  findSameDigit(MayTake mayTake) const;
  /// The same where the difference or the sum of two forms leaves only one
  /// multiple, of some of its unknowns, possible.
  std::optional<std::pair<Var, LinearExpr>>
  findSameQuotient(MayTake mayTake) const;
  /// How many terms the sum of two forms has, or their difference.
  static size_t countTerms(const Terms &a, const Terms &b, bool isSum);
  /// Whether more than 1 divides all factors of the sum of two forms, or of
  /// their difference.
  static bool haveDivisor(const Terms &a, const Terms &b, bool isSum);
  /// Terms whose factors `step` divides, and the others, which lie within
  /// `range`.
  struct Split {
    DynamicAPInt step;
    Terms multiples, rest;
    Bounds range;
  };
  /// The first that `getParts` says of `terms`, split by one of their factors,
  /// where `unknowns` bound the others.
  static std::optional<Constraints> findSplit(
      const Terms &terms, const UnknownBounds &unknowns,
      llvm::function_ref<std::optional<Constraints>(const Split &)> getParts);
  /// What `terms` lying within `bounds` says if a number divides some of the
  /// factors and, by the ranges of the other unknowns, only one multiple of it
  /// can be the sum of these terms: digits that two numbers share are the same.
  static std::optional<Constraints> splitForm(const Terms &terms,
                                              const Bounds &bounds,
                                              const UnknownBounds &unknowns);
  /// The same of an equation where, by the range of an unknown, only one value
  /// of it leaves what divides the factors of the others.
  static std::optional<Constraints>
  splitEquation(const Terms &terms, const DynamicAPInt &value,
                const UnknownBounds &unknowns);
  /// A local unknown of which a form takes multiples of another, and leaves
  /// the remainder: x of 0 <= x - 4*q <= 3. With what it is of the remainder,
  /// which takes its name.
  std::optional<std::pair<Var, LinearExpr>>
  findRemainder(MayTake mayTake) const;
  /// A local unknown that is the quotient of a form by its factor, whose
  /// multiples of others are no part of it: x of 0 <= 56*a + b - 4*x <= 3. With
  /// what it is of x - 14*a, the quotient of the rest, which takes its name. It
  /// is none of `done`, which are so already.
  std::optional<std::pair<Var, LinearExpr>>
  findQuotientOfMultiples(MayTake isLocal, ArrayRef<Var> done) const;
  /// What `terms` lying within `bounds` says if a number divides some of the
  /// factors and the others, by what `unknowns` says of them, move no bound of
  /// these: r + 4*q >= 0 where q >= 0 and r is a remainder.
  static std::optional<Constraints> roundForm(const Terms &terms,
                                              const Bounds &bounds,
                                              const UnknownBounds &unknowns);
  /// Puts that in the place of the first form that it can be said of; returns
  /// false if there are no points, and nothing if there is no such form.
  std::optional<bool> split();
  /// Drops bounds that follow from those of single unknowns; returns false if
  /// one contradicts them.
  bool dropImplied();
  /// Drops bounds that follow from those of another form and of the unknowns
  /// by which it is apart from that.
  void dropImpliedByOthers();
  static Bounds getRange(const Terms &terms, const UnknownBounds &unknowns,
                         std::optional<Var> without = std::nullopt);
  UnknownBounds getUnknownBounds() const;
  /// What `terms` lying within `bounds` says of `var`, one of its unknowns.
  static Bounds getOwnBounds(const Terms &terms, const Bounds &bounds, Var var,
                             const UnknownBounds &unknowns);
  /// Bounds of unknowns that follow from those of others, besides their own.
  UnknownBounds narrowUnknowns() const;

  std::map<Terms, Bounds> forms;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_LINEAR_FORMS_H
