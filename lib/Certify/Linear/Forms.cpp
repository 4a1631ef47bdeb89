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

std::optional<std::pair<Var, LinearExpr>>
Forms::findValue(MayTake mayTake) const {
  for (const auto &[terms, bounds] : forms)
    if (bounds.isPoint())
      for (const auto &[var, factor] : terms)
        if (llvm::abs(factor) == 1 && mayTake(var)) {
          LinearExpr rest = LinearExpr::form(terms) - LinearExpr(*bounds.lower);
          return std::pair(var, LinearExpr::var(var) - rest * factor);
        }
  return findSameQuotient(mayTake);
}

std::optional<std::pair<Var, LinearExpr>>
Forms::findSameQuotient(MayTake mayTake) const {
  struct Quotient {
    LinearExpr dividend;
    DynamicAPInt divisor;
    Var var;
  };
  std::vector<Quotient> quotients;
  for (const auto &[terms, bounds] : forms) {
    if (!bounds.lower || !bounds.upper)
      continue;
    for (const auto &[var, factor] : terms) {
      // lower <= rest + factor * var <= upper has one solution at most.
      DynamicAPInt divisor = llvm::abs(factor);
      if (*bounds.upper - *bounds.lower >= divisor)
        continue;
      LinearExpr rest = LinearExpr::form(terms) - LinearExpr::var(var) * factor;
      LinearExpr dividend = factor > 0 ? LinearExpr(*bounds.upper) - rest
                                       : rest - LinearExpr(*bounds.lower);
      for (const Quotient &other : quotients) {
        bool isSame = other.var != var && other.divisor == divisor &&
                      other.dividend == dividend;
        if (isSame && mayTake(var))
          return std::pair(var, LinearExpr::var(other.var));
        if (isSame && mayTake(other.var))
          return std::pair(other.var, LinearExpr::var(var));
      }
      quotients.push_back({dividend, divisor, var});
    }
  }
  return std::nullopt;
}

/// The bounds of a form that follow from those of its unknowns alone.
Forms::Bounds Forms::getRange(const Terms &terms) const {
  Bounds range{DynamicAPInt(0), DynamicAPInt(0)};
  for (const auto &[var, factor] : terms) {
    auto it = forms.find(Terms{{var, DynamicAPInt(1)}});
    Bounds bounds = it == forms.end() ? Bounds() : it->second;
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

bool Forms::dropImplied() {
  for (auto it = forms.begin(); it != forms.end();) {
    auto &[terms, bounds] = *it;
    if (terms.size() > 1) {
      Bounds range = getRange(terms);
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
                                            const Bounds &bounds) const {
  for (const auto &[var, divisor] : terms) {
    DynamicAPInt step = llvm::abs(divisor);
    if (step == 1)
      continue;
    Terms multiples, rest;
    for (const auto &term : terms)
      (term.second % step == 0 ? multiples : rest).push_back(term);
    if (rest.empty())
      continue;
    Bounds range = getRange(rest);
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

std::optional<bool> Forms::split() {
  for (auto it = forms.begin(); it != forms.end(); ++it) {
    const auto &[terms, bounds] = *it;
    if (terms.size() < 2 || !bounds.lower || !bounds.upper)
      continue;
    if (std::optional<Constraints> parts = splitForm(terms, bounds)) {
      forms.erase(it);
      return reduce(*parts);
    }
  }
  return std::nullopt;
}

/// The equation that says of `expr`, a multiple of the divisor of its factors,
/// which multiple it is, if only one lies within the bounds and an unknown can
/// be taken out by it.
static std::optional<Constraint> findMultiple(const LinearExpr &expr,
                                              const DynamicAPInt &lower,
                                              const DynamicAPInt &upper) {
  if (expr.isConstant())
    return std::nullopt;
  LinearExpr divided = expr.divideByFactors().first;
  ArrayRef<std::pair<Var, DynamicAPInt>> terms = divided.getTerms();
  DynamicAPInt divisor = expr.getTerms().front().second / terms.front().second;
  DynamicAPInt least = ceilDiv(lower, divisor);
  bool isOnly = least == floorDiv(upper, divisor);
  bool hasUnit = llvm::any_of(
      terms, [](const auto &term) { return llvm::abs(term.second) == 1; });
  if (!isOnly || !hasUnit)
    return std::nullopt;
  return Constraint{divided - LinearExpr(least), true};
}

std::optional<Constraint> Forms::findSameDigit() const {
  struct Bounded {
    LinearExpr form;
    DynamicAPInt lower, upper;
  };
  std::vector<Bounded> known;
  for (const auto &[terms, bounds] : forms) {
    if (terms.size() < 2 || !bounds.lower || !bounds.upper)
      continue;
    Bounded form{LinearExpr::form(terms), *bounds.lower, *bounds.upper};
    for (const Bounded &other : known) {
      if (auto same =
              findMultiple(form.form - other.form, form.lower - other.upper,
                           form.upper - other.lower))
        return same;
      if (auto same =
              findMultiple(form.form + other.form, form.lower + other.lower,
                           form.upper + other.upper))
        return same;
    }
    known.push_back(std::move(form));
  }
  return std::nullopt;
}

bool Forms::simplify(Constraints &constraints) {
  Forms forms;
  if (!forms.reduce(constraints))
    return false;
  std::optional<bool> isSplit;
  do {
    while (auto value = forms.findValue([](Var) { return true; }))
      if (!forms.replace(value->first, value->second))
        return false;
    isSplit = forms.split();
    if (!isSplit)
      if (std::optional<Constraint> same = forms.findSameDigit())
        isSplit = forms.reduce(*same);
    if (isSplit && !*isSplit)
      return false;
  } while (isSplit);
  constraints = forms.getConstraints();
  return true;
}

bool Forms::compact(Constraints &constraints, SmallVectorImpl<Var> &locals,
                    DenseMap<Var, LinearExpr> &values) {
  Forms forms;
  if (!forms.reduce(constraints))
    return false;
  auto isLocal = [&](Var var) { return llvm::is_contained(locals, var); };
  while (auto value = forms.findValue(isLocal)) {
    if (!forms.replace(value->first, value->second))
      return false;
    llvm::erase(locals, value->first);
    DenseMap<Var, LinearExpr> last;
    last[value->first] = value->second;
    for (auto &known : values)
      known.second = known.second.substitute(last);
    values[value->first] = value->second;
  }
  constraints = forms.getConstraints();
  return true;
}

bool System::compact(SmallVectorImpl<Var> &locals,
                     DenseMap<Var, LinearExpr> &values) {
  return Forms::compact(constraints, locals, values);
}
