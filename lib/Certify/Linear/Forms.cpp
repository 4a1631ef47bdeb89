//===- Forms.cpp - Constraints as bounds of linear forms --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"

using namespace mlir;
using namespace mlir::convoy::certify;

void Forms::Bounds::add(const Bounds &other) {
  if (other.lower && (!lower || *other.lower > *lower))
    lower = other.lower;
  if (other.upper && (!upper || *other.upper < *upper))
    upper = other.upper;
}

/// Adds a constraint; returns false if it contradicts the others.
bool Forms::add(const Constraint &constraint) {
  auto [expr, lost] = constraint.expr.divideByFactors();
  if (constraint.isEquality && lost != 0)
    return false;
  const DynamicAPInt &constant = expr.getConstant();
  if (expr.isConstant())
    return constraint.isEquality ? constant == 0 : constant >= 0;
  // The first factor of a form is positive.
  bool isNegated = expr.getTerms().front().second < 0;
  Terms terms(expr.getTerms().begin(), expr.getTerms().end());
  if (isNegated)
    for (auto &term : terms)
      term.second = -term.second;
  // form + c >= 0, or c - form >= 0.
  Bounds bounds;
  if (constraint.isEquality || !isNegated)
    bounds.lower = isNegated ? constant : -constant;
  if (constraint.isEquality || isNegated)
    bounds.upper = isNegated ? constant : -constant;
  Bounds &all = forms[std::move(terms)];
  all.add(bounds);
  return !all.isEmpty();
}

void Forms::append(const Terms &terms, const Bounds &bounds,
                   Constraints &constraints) {
  LinearExpr form = LinearExpr::form(terms);
  if (bounds.isPoint()) {
    constraints.push_back({form - LinearExpr(*bounds.lower), true});
    return;
  }
  if (bounds.lower)
    constraints.push_back({form - LinearExpr(*bounds.lower), false});
  if (bounds.upper)
    constraints.push_back({LinearExpr(*bounds.upper) - form, false});
}

Constraints Forms::getConstraints() const {
  Constraints constraints;
  for (const auto &[terms, bounds] : forms)
    append(terms, bounds, constraints);
  return constraints;
}

/// What an unknown that may be taken out is where `expr` = 0, if its factor is
/// one.
static std::optional<std::pair<Var, LinearExpr>>
solve(const LinearExpr &expr, llvm::function_ref<bool(Var)> mayTake) {
  for (const auto &[var, factor] : expr.getTerms())
    if (llvm::abs(factor) == 1 && mayTake(var))
      return std::pair(var, LinearExpr::var(var) - expr * factor);
  return std::nullopt;
}

std::optional<std::pair<Var, LinearExpr>>
Forms::findValue(MayTake mayTake) const {
  for (const auto &[terms, bounds] : forms)
    if (bounds.isPoint())
      if (auto value = solve(
              LinearExpr::form(terms) - LinearExpr(*bounds.lower), mayTake))
        return value;
  return findSameDigit(mayTake);
}

/// What is zero where `expr`, which lies from `lower` to `upper`, can be only
/// one multiple of its factors' divisor.
static std::optional<LinearExpr> findOnlyMultiple(const LinearExpr &expr,
                                                  const DynamicAPInt &lower,
                                                  const DynamicAPInt &upper) {
  if (expr.isConstant())
    return std::nullopt;
  LinearExpr divided = expr.divideByFactors().first;
  DynamicAPInt divisor =
      expr.getTerms().front().second / divided.getTerms().front().second;
  DynamicAPInt least = ceilDiv(lower, divisor);
  if (least != floorDiv(upper, divisor))
    return std::nullopt;
  return divided - LinearExpr(least);
}

bool Forms::haveDivisor(const Terms &a, const Terms &b, bool isSum) {
  DynamicAPInt divisor(0);
  auto divides = [&](const DynamicAPInt &factor) {
    divisor = llvm::gcd(divisor, llvm::abs(factor));
    return divisor != 1;
  };
  auto first = a.begin();
  for (const auto &[var, factor] : b) {
    for (; first != a.end() && first->first < var; ++first)
      if (!divides(first->second))
        return false;
    bool isShared = first != a.end() && first->first == var;
    DynamicAPInt all = isShared ? first++->second : DynamicAPInt(0);
    if (!divides(isSum ? all + factor : all - factor))
      return false;
  }
  return std::all_of(first, a.end(),
                     [&](const auto &term) { return divides(term.second); }) &&
         divisor != 0;
}

std::optional<std::pair<Var, LinearExpr>>
Forms::findSameDigit(MayTake mayTake) const {
  using Form = std::pair<const Terms, Bounds>;
  SmallVector<const Form *> known;
  for (const Form &one : forms) {
    const auto &[terms, bounds] = one;
    if (terms.size() < 2 || !bounds.lower || !bounds.upper)
      continue;
    for (const Form *other : known)
      for (bool isSum : {false, true}) {
        if (!haveDivisor(terms, other->first, isSum))
          continue;
        LinearExpr form = LinearExpr::form(terms);
        LinearExpr others = LinearExpr::form(other->first);
        DynamicAPInt least = *other->second.lower, most = *other->second.upper;
        std::optional<LinearExpr> zero =
            isSum ? findOnlyMultiple(form + others, *bounds.lower + least,
                                     *bounds.upper + most)
                  : findOnlyMultiple(form - others, *bounds.lower - most,
                                     *bounds.upper - least);
        if (auto value = zero ? solve(*zero, mayTake) : std::nullopt)
          return value;
      }
    known.push_back(&one);
  }
  return std::nullopt;
}

Forms::UnknownBounds Forms::getUnknownBounds() const {
  UnknownBounds found;
  for (const auto &[terms, bounds] : forms)
    if (terms.size() == 1)
      found[terms.front().first] = bounds;
  return found;
}

/// The bounds of a form, but for its term of `without`, that follow from those
/// of its unknowns alone.
Forms::Bounds Forms::getRange(const Terms &terms, const UnknownBounds &unknowns,
                              std::optional<Var> without) {
  Bounds range{DynamicAPInt(0), DynamicAPInt(0)};
  for (const auto &[var, factor] : terms) {
    if (var == without)
      continue;
    Bounds bounds = unknowns.lookup(var);
    if (factor < 0)
      std::swap(bounds.lower, bounds.upper);
    if (range.lower && bounds.lower)
      *range.lower += *bounds.lower * factor;
    else
      range.lower.reset();
    if (range.upper && bounds.upper)
      *range.upper += *bounds.upper * factor;
    else
      range.upper.reset();
  }
  return range;
}

Forms::Bounds Forms::getOwnBounds(const Terms &terms, const Bounds &bounds,
                                  Var var, const UnknownBounds &unknowns) {
  // factor * var lies between what the others leave.
  Bounds rest = getRange(terms, unknowns, var), own;
  DynamicAPInt factor = LinearExpr::form(terms).getFactor(var);
  if (bounds.lower && rest.upper)
    own.lower = *bounds.lower - *rest.upper;
  if (bounds.upper && rest.lower)
    own.upper = *bounds.upper - *rest.lower;
  if (factor < 0)
    std::swap(own.lower, own.upper);
  if (own.lower)
    own.lower = ceilDiv(*own.lower, factor);
  if (own.upper)
    own.upper = floorDiv(*own.upper, factor);
  return own;
}

Forms::UnknownBounds Forms::narrowUnknowns() const {
  UnknownBounds found = getUnknownBounds();
  // What lies between two numbers is a digit of a digit at most.
  constexpr int NumRounds = 2;
  for (int round = 0; round < NumRounds; ++round)
    for (const auto &[terms, bounds] : forms)
      if (terms.size() > 1)
        for (const auto &[var, factor] : terms)
          found[var].add(getOwnBounds(terms, bounds, var, found));
  return found;
}

bool Forms::dropImplied() {
  UnknownBounds unknowns = getUnknownBounds();
  for (auto it = forms.begin(); it != forms.end();) {
    auto &[terms, bounds] = *it;
    if (terms.size() > 1) {
      Bounds range = getRange(terms, unknowns);
      if ((bounds.upper && range.lower && *range.lower > *bounds.upper) ||
          (bounds.lower && range.upper && *range.upper < *bounds.lower))
        return false;
      bool hasLower =
          range.lower && bounds.lower && *range.lower >= *bounds.lower;
      bool hasUpper =
          range.upper && bounds.upper && *range.upper <= *bounds.upper;
      if (!bounds.isPoint()) {
        if (hasLower)
          bounds.lower.reset();
        if (hasUpper)
          bounds.upper.reset();
      }
    }
    it = bounds.lower || bounds.upper ? std::next(it) : forms.erase(it);
  }
  return true;
}

bool Forms::reduce(ArrayRef<Constraint> constraints) {
  for (const Constraint &constraint : constraints)
    if (!add(constraint))
      return false;
  return dropImplied();
}

bool Forms::replace(Var var, const LinearExpr &value) {
  DenseMap<Var, LinearExpr> values;
  values[var] = value;
  Constraints changed;
  for (auto it = forms.begin(); it != forms.end();) {
    const auto &[terms, bounds] = *it;
    bool hasVar =
        llvm::any_of(terms, [&](auto &term) { return term.first == var; });
    if (hasVar)
      append(terms, bounds, changed);
    it = hasVar ? forms.erase(it) : std::next(it);
  }
  for (Constraint &constraint : changed)
    constraint.expr = constraint.expr.substitute(values);
  return reduce(changed);
}

std::optional<Constraints> Forms::splitForm(const Terms &terms,
                                            const Bounds &bounds,
                                            const UnknownBounds &unknowns) {
  for (const auto &[var, divisor] : terms) {
    DynamicAPInt step = llvm::abs(divisor);
    if (step == 1)
      continue;
    Terms multiples, rest;
    for (const auto &term : terms)
      (term.second % step == 0 ? multiples : rest).push_back(term);
    if (rest.empty())
      continue;
    Bounds range = getRange(rest, unknowns);
    if (!range.lower || !range.upper)
      continue;
    DynamicAPInt least = ceilDiv(*bounds.lower - *range.upper, step);
    DynamicAPInt most = floorDiv(*bounds.upper - *range.lower, step);
    if (least < most)
      continue;
    // With none in between, there are no points.
    Constraints parts;
    LinearExpr whole = LinearExpr::form(multiples);
    parts.push_back({whole - LinearExpr(least * step), true});
    if (least > most)
      parts.push_back({whole - LinearExpr(most * step), true});
    LinearExpr left = LinearExpr::form(rest) + LinearExpr(least * step);
    parts.push_back({left - LinearExpr(*bounds.lower), false});
    parts.push_back({LinearExpr(*bounds.upper) - left, false});
    return parts;
  }
  return std::nullopt;
}

/// A number of which `number` times `factor`, which has no divisor in common
/// with `modulus`, leaves 1 as a remainder, from 0 to `modulus` - 1.
static DynamicAPInt invert(const DynamicAPInt &factor,
                           const DynamicAPInt &modulus) {
  // Euclid's algorithm: each number, but for multiples of the modulus, is its
  // own factor times `factor`.
  DynamicAPInt last = modulus, next = mod(factor, modulus);
  DynamicAPInt lastFactor(0), nextFactor(1);
  while (next != 0) {
    DynamicAPInt quotient = floorDiv(last, next);
    last = std::exchange(next, last - quotient * next);
    lastFactor = std::exchange(nextFactor, lastFactor - quotient * nextFactor);
  }
  return mod(lastFactor, modulus);
}

std::optional<Constraints> Forms::splitEquation(const Terms &terms,
                                                const DynamicAPInt &value,
                                                const UnknownBounds &unknowns) {
  for (const auto &[var, factor] : terms) {
    DynamicAPInt modulus(0);
    for (const auto &[other, divisor] : terms)
      if (other != var)
        modulus = llvm::gcd(modulus, llvm::abs(divisor));
    Bounds bounds = unknowns.lookup(var);
    if (modulus == 1 || !bounds.lower || !bounds.upper)
      continue;
    DynamicAPInt remainder = invert(factor, modulus) * value;
    DynamicAPInt first =
        *bounds.lower + mod(remainder - *bounds.lower, modulus);
    if (first + modulus <= *bounds.upper)
      continue;
    if (first > *bounds.upper)
      return Constraints{{LinearExpr(-1), false}};
    LinearExpr unknown = LinearExpr::var(var);
    LinearExpr rest = LinearExpr::form(terms) - LinearExpr(value);
    return Constraints{{unknown - LinearExpr(first), true},
                       {rest + (LinearExpr(first) - unknown) * factor, true}};
  }
  return std::nullopt;
}

std::optional<bool> Forms::split() {
  UnknownBounds unknowns = narrowUnknowns();
  for (auto it = forms.begin(); it != forms.end(); ++it) {
    const auto &[terms, bounds] = *it;
    if (terms.size() < 2 || !bounds.lower || !bounds.upper)
      continue;
    std::optional<Constraints> parts = splitForm(terms, bounds, unknowns);
    if (!parts && bounds.isPoint())
      parts = splitEquation(terms, *bounds.lower, unknowns);
    if (parts) {
      forms.erase(it);
      return reduce(*parts);
    }
  }
  return std::nullopt;
}

bool Forms::takeOut(MayTake mayTake,
                    llvm::function_ref<void(Var, const LinearExpr &)> took) {
  std::optional<bool> isSplit;
  do {
    while (auto value = findValue(mayTake)) {
      const auto &[var, is] = *value;
      if (!replace(var, is))
        return false;
      took(var, is);
    }
    isSplit = split();
  } while (isSplit && *isSplit);
  return !isSplit;
}

bool Forms::simplify(Constraints &constraints) {
  Forms forms;
  if (!forms.reduce(constraints) ||
      !forms.takeOut([](Var) { return true; }, [](Var, const LinearExpr &) {}))
    return false;
  constraints = forms.getConstraints();
  return true;
}

bool Forms::compact(Constraints &constraints, SmallVectorImpl<Var> &locals,
                    DenseMap<Var, LinearExpr> &values) {
  Forms forms;
  if (!forms.reduce(constraints))
    return false;
  auto isLocal = [&](Var var) { return llvm::is_contained(locals, var); };
  auto note = [&](Var var, const LinearExpr &value) {
    llvm::erase(locals, var);
    DenseMap<Var, LinearExpr> last;
    last[var] = value;
    for (auto &known : values)
      known.second = known.second.substitute(last);
    values[var] = value;
  };
  if (!forms.takeOut(isLocal, note))
    return false;
  constraints = forms.getConstraints();
  return true;
}

bool System::compact(SmallVectorImpl<Var> &locals,
                     DenseMap<Var, LinearExpr> &values) {
  return Forms::compact(constraints, locals, values);
}
