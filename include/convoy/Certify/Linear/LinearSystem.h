//===- LinearSystem.h - Integer points of linear constraints ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_LINEAR_LINEARSYSTEM_H
#define CONVOY_CERTIFY_LINEAR_LINEARSYSTEM_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace mlir::convoy::certify {

using llvm::DynamicAPInt;

/// An integer unknown. Numbers are given out by Solver::makeVar.
using Var = unsigned;

/// A sum of multiples of unknowns and a constant, exact for any size.
class LinearExpr {
public:
  LinearExpr(int64_t constant = 0) : constant(constant) {}
  LinearExpr(const DynamicAPInt &constant) : constant(constant) {}
  static LinearExpr var(Var var);
  /// The sum of `terms`, which are as getTerms returns them.
  static LinearExpr form(ArrayRef<std::pair<Var, DynamicAPInt>> terms);

  /// The unknowns that stand in it with their factors, which are not 0, in the
  /// order of their numbers.
  ArrayRef<std::pair<Var, DynamicAPInt>> getTerms() const { return terms; }
  const DynamicAPInt &getConstant() const { return constant; }
  bool isConstant() const { return terms.empty(); }

  LinearExpr &operator+=(const LinearExpr &other);
  LinearExpr &operator*=(const DynamicAPInt &factor);
  LinearExpr operator+(const LinearExpr &other) const;
  LinearExpr operator-(const LinearExpr &other) const;
  LinearExpr operator*(const DynamicAPInt &factor) const;
  bool operator==(const LinearExpr &other) const;

  /// What `var` is multiplied by, which may be 0.
  DynamicAPInt getFactor(Var var) const;
  /// This with `values` in the place of their unknowns.
  LinearExpr substitute(const DenseMap<Var, LinearExpr> &values) const;
  /// Its value at `point`, where unknowns that have none are 0.
  int64_t evaluate(const DenseMap<Var, int64_t> &point) const;
  /// This divided by the greatest common divisor of its factors, the constant
  /// rounded down; with the remainder that was lost.
  std::pair<LinearExpr, DynamicAPInt> divideByFactors() const;

private:
  SmallVector<std::pair<Var, DynamicAPInt>, 4> terms;
  DynamicAPInt constant;
};

/// `expr` = 0 or `expr` >= 0.
struct Constraint {
  LinearExpr expr;
  bool isEquality;
};

using Constraints = SmallVector<Constraint, 0>;

/// The size of a dimension: the least of these, or 0 where that is negative.
/// Tiles at a border have several.
using Size = SmallVector<LinearExpr, 1>;

/// What holds wherever `constraint` does not: one constraint or two.
SmallVector<Constraint, 2> negate(const Constraint &constraint);

/// Constraints that hold together.
class System {
public:
  ArrayRef<Constraint> getConstraints() const { return constraints; }
  bool isUniverse() const { return constraints.empty(); }

  void add(Constraint constraint) {
    constraints.push_back(std::move(constraint));
  }
  void addEqual(const LinearExpr &a, const LinearExpr &b) {
    add({a - b, true});
  }
  /// a <= b.
  void addAtMost(const LinearExpr &a, const LinearExpr &b) {
    add({b - a, false});
  }
  /// lower <= expr < upper.
  void addRange(const LinearExpr &lower, const LinearExpr &expr,
                const LinearExpr &upper) {
    addAtMost(lower, expr);
    addAtMost(expr + 1, upper);
  }
  /// lower <= expr < size.
  void addRange(const LinearExpr &lower, const LinearExpr &expr,
                const Size &size) {
    addAtMost(lower, expr);
    for (const LinearExpr &upper : size)
      addAtMost(expr + 1, upper);
  }
  void append(const System &other) {
    llvm::append_range(constraints, other.constraints);
  }
  /// Both hold.
  System operator&(const System &other) const {
    System both = *this;
    both.append(other);
    return both;
  }
  System substitute(const DenseMap<Var, LinearExpr> &values) const;
  /// Merges what it says several times, and takes unknowns of `locals` out that
  /// are equal to others; `values` gets those, and what others of them that are
  /// left were before they stood for remainders. Where `context` holds alone is
  /// it to stay the same, which has none of `locals`. Returns false if there
  /// are no points.
  bool compact(SmallVectorImpl<Var> &locals, DenseMap<Var, LinearExpr> &values,
               const System &context = {});
  /// Takes those of `locals` out, unless `isUsed`, that are quotients of
  /// others: these then lie where there is one between its bounds.
  void dropQuotients(SmallVectorImpl<Var> &locals,
                     llvm::function_ref<bool(Var)> isUsed);

private:
  Constraints constraints;
};

/// Unknowns of a system expressed in the others.
struct Elimination {
  DenseMap<Var, LinearExpr> values;
  /// New unknowns, each a quotient rounded down: one value for each point.
  SmallVector<Var> quotients;
  System definitions;
  /// What the others must satisfy for the unknowns to exist.
  System conditions;
  /// The unknowns that the others do not determine by a formula.
  SmallVector<Var> unsolved;
};

/// A part of a set: where `domain` holds for the one possible value of
/// `locals`.
struct Part {
  SmallVector<Var> locals;
  System domain;
};

using Parts = SmallVector<Part, 0>;

/// Decides questions about the integer points of systems, exactly. Constraints
/// that share no unknown are asked apart: first simplified as bounds of linear
/// forms, and what that leaves open is asked of MLIR's Presburger library once.
class Solver {
public:
  /// After so many seconds of computing all systems are called empty, so that
  /// whoever asks ends soon, and nothing that was found counts.
  explicit Solver(double seconds);

  bool hasExpired();
  Var makeVar() { return numVars++; }

  bool isEmpty(const System &system);
  /// Whether no point of `system`, which has points, satisfies `extra`.
  bool excludes(const System &system, const Constraint &extra);
  /// Whether all points of `system`, which has points, satisfy `constraint`.
  bool implies(const System &system, const Constraint &constraint);
  /// Whether that is found soon: if not, `constraint` may be implied all the
  /// same.
  bool impliesPlainly(const System &system, const Constraint &constraint);
  /// A point of `system`, if it has any.
  std::optional<DenseMap<Var, int64_t>> findPoint(const System &system);

  /// Expresses `vars` in the other unknowns of `system`.
  Elimination eliminate(ArrayRef<Var> vars, const System &system);
  /// The same where each constraint says it by itself: no points are looked
  /// for.
  Elimination eliminateByForm(ArrayRef<Var> vars, const System &system);
  /// The points of `from` for which no values of `vars` satisfy `system`, as
  /// disjoint parts of `from` with points; nothing if `vars` have neither a
  /// formula nor bounds between which there is an integer.
  std::optional<Parts> subtract(const System &from, ArrayRef<Var> vars,
                                const System &system);
  /// The same for each of `parts` of `from`.
  std::optional<Parts> subtract(const System &from, ArrayRef<Part> parts,
                                ArrayRef<Var> vars, const System &system);

private:
  bool isComponentEmpty(const Constraints &constraints);

  double deadline; ///< in seconds of the thread's own time
  bool isExpired = false;
  Var numVars = 0;
  /// Whether systems are empty, by what they are but for unknowns' numbers.
  llvm::StringMap<bool> known;
  /// Whether a short search shows that they are.
  llvm::StringMap<bool> plain;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_CERTIFY_LINEAR_LINEARSYSTEM_H
