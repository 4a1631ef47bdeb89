//===- Comparison.h - Whether two expressions are equal ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_COMPARISON_COMPARISON_H
#define CONVOY_LIB_CERTIFY_COMPARISON_COMPARISON_H

#include "../Terms/Arguments.h"
#include "../Terms/Arithmetic.h"
#include "../Terms/Expr.h"

#include "convoy/Certify/Comparison/Certificate.h"

#include <map>

namespace mlir::convoy::certify {

/// Compares expressions for one element of a result, of which `element` are the
/// indices. For the unknowns that arguments have, small values are tried.
class Comparison {
public:
  Comparison(Solver &solver, ArrayRef<LinearExpr> element,
             const Arguments &arguments)
      : solver(solver), element(element), arguments(&arguments),
        sizes(arguments.getUnknowns()) {}

  /// Whether `before` and `after` are equal wherever `domain`, which has
  /// points, holds; if not, getCertificate says why.
  bool areEqual(const ExprRef &before, const ExprRef &after,
                const System &domain,
                Arithmetic arithmetic = Arithmetic::AnyOrder);
  const Certificate &getCertificate() const { return certificate; }
  /// Whether the certificate says where a term of each function stands.
  bool saysBothPlaces() const { return isOfBothPlaces; }

private:
  enum class Side { Before, After };

  bool compare(const ExprRef &before, const ExprRef &after,
               const System &domain);
  /// The points of `domain` where `a` and `b`, of one shape, differ in one
  /// index of what they read; nothing if there are none.
  std::optional<System> findOtherReads(const ExprRef &a, const ExprRef &b,
                                       const System &domain);
  /// Compares sums that are formed in other types, and says so if that is all.
  bool comparePrecisions(const ExprRef &before, const ExprRef &after,
                         Type typeBefore, Type typeAfter, const System &domain);
  /// Compares operands with sums in them in both orders; says nothing if they
  /// are not equal.
  bool compareCommuting(const ExprRef &before, const ExprRef &after,
                        const System &domain);
  /// Compares a number that is rounded with one that is not, as a number of the
  /// wider type that it is exactly; says nothing if they are not equal.
  bool compareRounded(const ExprRef &before, const ExprRef &after,
                      const System &domain);
  /// Compares expressions of which one at least is an extremum by `name`: the
  /// sets of their terms.
  bool compareExtrema(const ExprRef &before, const ExprRef &after,
                      StringRef name, const System &domain);
  /// Says that the types of the expressions differ.
  bool failAtType(const ExprRef &before, const ExprRef &after,
                  const System &domain);
  /// Compares expressions of which one at least was never written.
  bool compareUndefined(const ExprRef &before, const ExprRef &after,
                        const System &domain);
  /// The terms of one shape that the first expression has, and the second.
  using TermsOfBoth = std::pair<Families, Families>;
  using TermsByShape = std::map<std::string, TermsOfBoth>;
  /// Adds those of `families` that have points in `domain` to the `member` of
  /// `groups` that their shape is, or to `nested` if they have none.
  void groupByShape(const Families &families, Families TermsOfBoth::*member,
                    const System &domain,
                    std::map<std::string, TermsOfBoth> &groups,
                    SmallVectorImpl<const Family *> &nested);
  /// Compares sums, those of integers also multiplied out.
  bool compareSums(const Families &before, const Families &after,
                   const System &domain);
  bool compareTerms(const Families &before, const Families &after,
                    const System &domain);
  /// Takes what `other`, a copy of this, has found out.
  void takeFindings(const Comparison &other);
  bool compareGroup(const Families &before, const Families &after,
                    const System &domain);
  /// Whether each of the terms of `before`, which have sums in them, is one of
  /// `after`, and the other way around. Says nothing if not.
  bool matchNestedSums(ArrayRef<const Family *> before,
                       ArrayRef<const Family *> after, const System &domain);
  /// `expr` with zeros in the place of sums of integers that add up to nothing.
  ExprRef dropZeroSums(const ExprRef &expr, const System &domain);
  /// Takes terms out of `nested` that are nothing since a sum within them is.
  void dropVanishing(SmallVectorImpl<const Family *> &nested,
                     const System &domain);
  /// The same where one side may have a term of `groups` in the place of a sum
  /// of one term: such terms are added to it, and are taken out of `groups`
  /// where they match.
  bool matchNested(SmallVectorImpl<const Family *> &before,
                   SmallVectorImpl<const Family *> &after, TermsByShape &groups,
                   const System &domain);
  /// The same of terms without sums, each as often.
  bool matchOneByOne(const Families &before, const Families &after,
                     const System &domain);
  bool isSameFamily(const Family &before, const Family &after,
                    const System &domain);
  /// Whether each term of `terms` is one of `others`, which `side` lacks if
  /// not.
  bool isCovered(const Families &terms, const Families &others, Side side,
                 const System &domain);
  /// Whether some term stands in `terms` twice, and a point where one does.
  std::optional<System> findDuplicate(const Families &terms,
                                      const System &domain);
  /// Whether what a term reads determines its instance.
  bool isInjective(const Family &family);
  /// `expr` without what it has nowhere in `domain`, to which quotients are
  /// added that it has then.
  ExprRef simplify(const ExprRef &expr, System &domain);
  ExprRef simplifyTerm(const ExprRef &term, const System &domain);
  /// Lets `family` be one term that is there everywhere in `domain`, if it is.
  void takeOnlyTerm(Family &family, System &domain);

  /// Tries values where terms alone do not decide.
  void tryValues(const ExprRef &before, const ExprRef &after,
                 const System &domain);
  /// Whether some values make a difference at `point`, which is then reported
  /// if `reports`; nothing if there are none to try.
  std::optional<bool> findOtherValues(const ExprRef &before,
                                      const ExprRef &after,
                                      const DenseMap<Var, int64_t> &point,
                                      bool reports);

  /// A point of `points` where sizes are small, or else any, if there is one.
  std::optional<DenseMap<Var, int64_t>> findPoint(const System &points);
  bool fail(Certificate::Verdict verdict, const Twine &message,
            Operation *op = nullptr);
  bool failAt(const System &points, const ExprRef &term, StringRef what,
              StringRef otherwise, Operation *op);
  /// Leaves it undecided for `reason`, with a term of each function that it is
  /// about, as they are somewhere in `domain`, and where they are added; either
  /// may be null.
  bool leaveUndecided(StringRef reason, const Family *before,
                      const Family *after, const System &domain);
  std::string describeInstead(const DenseMap<Var, int64_t> &point,
                              const Family &term, const Families &others,
                              const System &domain, Operation *&op);

  Solver &solver;
  SmallVector<LinearExpr> element;
  const Arguments *arguments;
  SmallVector<Var> sizes;
  Certificate certificate;
  /// Where the difference is, if there is one.
  DenseMap<Var, int64_t> place;
  /// Whether it is one of how terms are written, which may have equal values.
  bool isOfForm = false;
  /// Whether it is one of rounding alone, which exact values do not show.
  bool isOfPrecision = false;
  bool isOfBothPlaces = false;
};

/// The indices of all reads in `expr`, in order.
SmallVector<LinearExpr> getReadIndices(const ExprRef &expr);
/// Where `a` and `b`, of one shape, read the same elements.
System getSameReads(const ExprRef &a, const ExprRef &b);

/// `expr` with the values of `point` in the place of unknowns, as text.
std::string toString(const ExprRef &expr, const DenseMap<Var, int64_t> &point);
std::string toString(ArrayRef<LinearExpr> indices,
                     const DenseMap<Var, int64_t> &point);
/// `op`, or what it stands in if only that has a place in a file, as ops in the
/// body of a named op of linalg.
Operation *findPlaced(Operation *op);
/// `linalg.dot at dot.mlir:3:8`, the name alone where the place is not known.
std::string describeOrigin(Operation *op);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_COMPARISON_COMPARISON_H
