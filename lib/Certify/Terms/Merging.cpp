//===- Merging.cpp - Fewer cases that say the same --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Merging.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// Finds the expression that is one of two where a step is 0 and the other
/// where it is 1: constants of linear terms are those of the first and steps.
class Interpolation {
public:
  /// `step` in unknowns that both expressions share; null if it is always 0, so
  /// that only equal expressions have one in common.
  explicit Interpolation(const LinearExpr *step) : step(step) {}

  /// Takes unknowns that are bound in the second for those of the first.
  void rename(Var first, Var second) {
    if (first != second)
      renamed[second] = LinearExpr::var(first);
  }
  bool rename(ArrayRef<Var> first, ArrayRef<Var> second) {
    if (first.size() != second.size())
      return false;
    for (auto [a, b] : llvm::zip_equal(first, second))
      rename(a, b);
    return true;
  }

  std::optional<LinearExpr> find(const LinearExpr &first,
                                 const LinearExpr &second) const;
  std::optional<System> find(const System &first, const System &second) const;
  ExprRef find(const ExprRef &first, const ExprRef &second);

private:
  std::optional<Family> find(const Family &first, const Family &second);

  const LinearExpr *step;
  DenseMap<Var, LinearExpr> renamed;
};
} // namespace

std::optional<LinearExpr> Interpolation::find(const LinearExpr &first,
                                              const LinearExpr &second) const {
  LinearExpr difference = second.substitute(renamed) - first;
  if (!difference.isConstant() || (!step && difference.getConstant() != 0))
    return std::nullopt;
  return step ? first + *step * difference.getConstant() : first;
}

std::optional<System> Interpolation::find(const System &first,
                                          const System &second) const {
  if (first.getConstraints().size() != second.getConstraints().size())
    return std::nullopt;
  System result;
  for (auto [a, b] :
       llvm::zip_equal(first.getConstraints(), second.getConstraints())) {
    std::optional<LinearExpr> expr = find(a.expr, b.expr);
    if (!expr || a.isEquality != b.isEquality)
      return std::nullopt;
    result.add({*expr, a.isEquality});
  }
  return result;
}

std::optional<Family> Interpolation::find(const Family &first,
                                          const Family &second) {
  if (!rename(first.instance, second.instance))
    return std::nullopt;
  std::optional<System> domain = find(first.domain, second.domain);
  ExprRef term = domain ? find(first.term, second.term) : nullptr;
  if (!term)
    return std::nullopt;
  return Family{first.instance, *domain, term, first.origin};
}

ExprRef Interpolation::find(const ExprRef &first, const ExprRef &second) {
  bool isAlike =
      first->kind == second->kind && first->type == second->type &&
      first->constant == second->constant &&
      first->argument == second->argument && first->common == second->common &&
      first->indices.size() == second->indices.size() &&
      first->name == second->name && first->attributes == second->attributes &&
      first->operands.size() == second->operands.size() &&
      first->families.size() == second->families.size() &&
      first->leftOut.zero == second->leftOut.zero &&
      first->leftOut.isOfComputed == second->leftOut.isOfComputed;
  if (!isAlike)
    return nullptr;
  Expr result = *first;
  for (auto [index, other] : llvm::zip_equal(result.indices, second->indices)) {
    std::optional<LinearExpr> between = find(index, other);
    if (!between)
      return nullptr;
    index = *between;
  }
  for (auto [operand, other] :
       llvm::zip_equal(result.operands, second->operands)) {
    operand = find(operand, other);
    if (!operand)
      return nullptr;
  }
  for (auto [family, other] :
       llvm::zip_equal(result.families, second->families)) {
    std::optional<Family> between = find(family, other);
    if (!between)
      return nullptr;
    family = *between;
  }
  return std::make_shared<const Expr>(std::move(result));
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// A linear form without its constant.
using FormTerms = std::vector<std::pair<Var, DynamicAPInt>>;

namespace {
/// What a form lies between, if anything.
struct FormRange {
  std::optional<DynamicAPInt> lower, upper;

  bool operator==(const FormRange &other) const = default;
  bool isPoint() const { return lower && upper && *lower == *upper; }
};

/// The one form in whose range two domains differ, which follow each other.
struct FormStep {
  LinearExpr form;
  FormRange first, second;
};
} // namespace

/// What all forms of a domain lie between.
using FormRanges = std::map<FormTerms, FormRange>;

static FormRanges getRanges(const System &domain) {
  FormRanges ranges;
  for (const Constraint &constraint : domain.getConstraints()) {
    LinearExpr form = constraint.expr;
    bool isNegated = !form.isConstant() && form.getTerms().front().second < 0;
    if (isNegated)
      form *= DynamicAPInt(-1);
    FormRange &range =
        ranges[FormTerms(form.getTerms().begin(), form.getTerms().end())];
    DynamicAPInt bound = -form.getConstant();
    bool isLower = constraint.isEquality || !isNegated;
    bool isUpper = constraint.isEquality || isNegated;
    if (isLower && (!range.lower || *range.lower < bound))
      range.lower = bound;
    if (isUpper && (!range.upper || bound < *range.upper))
      range.upper = bound;
  }
  return ranges;
}

static System getDomain(const FormRanges &ranges) {
  System domain;
  for (const auto &[terms, range] : ranges) {
    LinearExpr form = LinearExpr::form(terms);
    if (range.isPoint()) {
      domain.addEqual(form, LinearExpr(*range.lower));
      continue;
    }
    if (range.lower)
      domain.addAtMost(LinearExpr(*range.lower), form);
    if (range.upper)
      domain.addAtMost(form, LinearExpr(*range.upper));
  }
  return domain;
}

static std::optional<FormStep> findStep(const FormRanges &first,
                                        const FormRanges &second) {
  if (first.size() != second.size())
    return std::nullopt;
  std::optional<FormStep> step;
  for (auto [a, b] : llvm::zip_equal(first, second)) {
    if (a.first != b.first)
      return std::nullopt;
    if (a.second == b.second)
      continue;
    auto isRange = [](const FormRange &range) {
      return range.lower && range.upper && *range.lower <= *range.upper;
    };
    if (step || !isRange(a.second) || !isRange(b.second) ||
        *a.second.upper + 1 != *b.second.lower)
      return std::nullopt;
    step = {LinearExpr::form(a.first), a.second, b.second};
  }
  return step;
}

/// `expr` where `form` is `value`, written without one of its unknowns.
static ExprRef substituteForm(const ExprRef &expr, const LinearExpr &form,
                              const DynamicAPInt &value) {
  for (const auto &[var, factor] : form.getTerms())
    if (llvm::abs(factor) == 1) {
      LinearExpr rest = form - LinearExpr::var(var) * factor;
      DenseMap<Var, LinearExpr> values;
      values[var] = (LinearExpr(value) - rest) * factor;
      return substitute(expr, values);
    }
  return expr;
}

/// The value of both pieces as one expression, or null.
static ExprRef findCommonValue(const Piece &first, const Piece &second,
                               const FormStep &step) {
  auto interpolate = [&](const ExprRef &a, const ExprRef &b,
                         const LinearExpr *number) {
    Interpolation interpolation(number);
    interpolation.rename(first.locals, second.locals);
    return interpolation.find(a, b);
  };
  if (ExprRef same = interpolate(first.value, second.value, nullptr))
    return same;
  auto at = [&](const ExprRef &value, const FormRange &range) {
    return substituteForm(value, step.form, *range.lower);
  };
  bool isFirstOfBoth = step.second.isPoint() &&
                       interpolate(at(first.value, step.second),
                                   at(second.value, step.second), nullptr);
  if (isFirstOfBoth)
    return first.value;
  if (!step.first.isPoint() || !step.second.isPoint())
    return nullptr;
  LinearExpr number = step.form - LinearExpr(*step.first.lower);
  return interpolate(at(first.value, step.first), at(second.value, step.second),
                     &number);
}

namespace {
/// A piece and what says where it holds.
struct RangedPiece {
  Piece piece;
  FormRanges ranges;
};
} // namespace

/// The ranges of `second` with the locals of `first` in the place of its own.
static FormRanges renameLocals(const RangedPiece &second, const Piece &first) {
  if (first.locals.empty())
    return second.ranges;
  DenseMap<Var, LinearExpr> values;
  for (auto [a, b] : llvm::zip_equal(first.locals, second.piece.locals))
    values[b] = LinearExpr::var(a);
  return getRanges(second.piece.domain.substitute(values));
}

/// Lets `first` hold where `second` does, too, if that follows it and both are
/// one expression; returns whether it is so.
static bool joinNeighbours(RangedPiece &first, const RangedPiece &second) {
  if (first.piece.locals.size() != second.piece.locals.size() ||
      first.piece.value->kind != second.piece.value->kind ||
      first.ranges.size() != second.ranges.size())
    return false;
  std::optional<FormStep> step =
      findStep(first.ranges, renameLocals(second, first.piece));
  if (!step)
    return false;
  ExprRef value = findCommonValue(first.piece, second.piece, *step);
  if (!value)
    return false;
  ArrayRef<std::pair<Var, DynamicAPInt>> terms = step->form.getTerms();
  first.ranges[FormTerms(terms.begin(), terms.end())].upper =
      step->second.upper;
  first.piece.domain = getDomain(first.ranges);
  first.piece.value = value;
  return true;
}

void certify::mergeNeighbours(Pieces &pieces) {
  // More are not those of a tile.
  constexpr size_t MostPieces = 64;
  if (pieces.size() < 2 || pieces.size() > MostPieces)
    return;
  SmallVector<RangedPiece, 0> ranged;
  for (Piece &piece : pieces)
    ranged.push_back({piece, getRanges(piece.domain)});
  bool isDone = false;
  while (!isDone) {
    isDone = true;
    for (size_t first = 0; first < ranged.size(); ++first)
      for (size_t second = 0; second < ranged.size(); ++second)
        if (first != second && joinNeighbours(ranged[first], ranged[second])) {
          ranged.erase(ranged.begin() + second);
          first -= second < first;
          second = -1;
          isDone = false;
        }
  }
  if (ranged.size() == pieces.size())
    return;
  pieces.clear();
  for (RangedPiece &one : ranged)
    pieces.push_back(std::move(one.piece));
}
