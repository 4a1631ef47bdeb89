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

std::optional<std::pair<Var, LinearExpr>> Forms::solve(const LinearExpr &expr,
                                                       MayTake mayTake) {
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

std::optional<bool> Forms::split() {
  UnknownBounds own = getUnknownBounds(), unknowns = narrowUnknowns();
  for (auto it = forms.begin(); it != forms.end(); ++it) {
    const auto &[terms, bounds] = *it;
    if (terms.size() < 2)
      continue;
    std::optional<Constraints> parts;
    if (bounds.lower && bounds.upper)
      parts = splitForm(terms, bounds, unknowns);
    if (!parts && !bounds.isPoint())
      parts = roundForm(terms, bounds, own);
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
  auto take = [&](const std::pair<Var, LinearExpr> &value) {
    if (!replace(value.first, value.second))
      return false;
    took(value.first, value.second);
    return true;
  };
  bool isDone = false;
  while (!isDone) {
    while (auto value = findValue(mayTake))
      if (!take(*value))
        return false;
    std::optional<bool> isSplit = split();
    if (isSplit && !*isSplit)
      return false;
    auto same = isSplit ? std::nullopt : findSameQuotient(mayTake);
    if (same && !take(*same))
      return false;
    isDone = !isSplit && !same;
  }
  return true;
}

bool Forms::simplify(Constraints &constraints) {
  Forms forms;
  if (!forms.reduce(constraints) ||
      !forms.takeOut([](Var) { return true; }, [](Var, const LinearExpr &) {}))
    return false;
  constraints = forms.getConstraints();
  return true;
}

/// The constraints of `system` that are connected with `constraints` and have
/// none of `locals`, which may stand for something else elsewhere.
static Constraints getConnected(ArrayRef<Constraint> constraints,
                                const System &system, ArrayRef<Var> locals) {
  llvm::SmallDenseSet<Var, 16> vars;
  auto addVars = [&](const Constraint &constraint) {
    for (const auto &term : constraint.expr.getTerms())
      vars.insert(term.first);
  };
  llvm::for_each(constraints, addVars);
  Constraints connected;
  SmallVector<const Constraint *> others;
  for (const Constraint &constraint : system.getConstraints())
    if (llvm::none_of(constraint.expr.getTerms(), [&](const auto &term) {
          return llvm::is_contained(locals, term.first);
        }))
      others.push_back(&constraint);
  for (size_t count = others.size() + 1; count > others.size();) {
    count = others.size();
    llvm::erase_if(others, [&](const Constraint *constraint) {
      bool isApart =
          llvm::none_of(constraint->expr.getTerms(), [&](const auto &term) {
            return vars.contains(term.first);
          });
      if (isApart)
        return false;
      addVars(*constraint);
      connected.push_back(*constraint);
      return true;
    });
  }
  return connected;
}

void Forms::dropImpliedByOthers() {
  UnknownBounds unknowns = getUnknownBounds();
  auto follows = [&](const Terms &terms, const DynamicAPInt &bound,
                     bool isLower) {
    return llvm::any_of(forms, [&](const Form &other) {
      if (other.first.size() < 2 || other.first == terms)
        return false;
      for (int sign : {1, -1}) {
        bool needsLower = isLower == (sign == 1);
        const auto &own = needsLower ? other.second.lower : other.second.upper;
        if (!own)
          continue;
        bool isSum = sign < 0;
        if (countTerms(terms, other.first, isSum) >= terms.size())
          continue;
        LinearExpr rest = LinearExpr::form(terms) -
                          LinearExpr::form(other.first) * DynamicAPInt(sign);
        Bounds range = getRange(
            {rest.getTerms().begin(), rest.getTerms().end()}, unknowns);
        DynamicAPInt least = *own * sign;
        if (isLower ? range.lower && *range.lower + least >= bound
                    : range.upper && *range.upper + least <= bound)
          return true;
      }
      return false;
    });
  };
  for (auto it = forms.begin(); it != forms.end();) {
    auto &[terms, bounds] = *it;
    if (terms.size() > 1 && !bounds.isPoint()) {
      if (bounds.lower && follows(terms, *bounds.lower, /*isLower=*/true))
        bounds.lower.reset();
      if (bounds.upper && follows(terms, *bounds.upper, /*isLower=*/false))
        bounds.upper.reset();
    }
    it = bounds.lower || bounds.upper ? std::next(it) : forms.erase(it);
  }
}

bool Forms::Bounds::include(const Bounds &other) const {
  return (!lower || (other.lower && *other.lower >= *lower)) &&
         (!upper || (other.upper && *other.upper <= *upper));
}

Constraints Forms::getConstraintsBeside(const Forms &context) const {
  Constraints constraints;
  for (const auto &[terms, bounds] : forms) {
    auto it = context.forms.find(terms);
    if (it == context.forms.end() || !bounds.include(it->second))
      append(terms, bounds, constraints);
  }
  return constraints;
}

bool Forms::compact(Constraints &constraints, SmallVectorImpl<Var> &locals,
                    DenseMap<Var, LinearExpr> &values, const System &context) {
  Constraints around = getConnected(constraints, context, locals);
  Forms known, forms;
  auto isNone = [](Var) { return false; };
  if (!known.reduce(around) ||
      !known.takeOut(isNone, [](Var, const LinearExpr &) {}))
    return false;
  forms = known;
  if (!forms.reduce(constraints))
    return false;
  auto isLocal = [&](Var var) { return llvm::is_contained(locals, var); };
  auto put = [&](Var var, const LinearExpr &value) {
    DenseMap<Var, LinearExpr> last;
    last[var] = value;
    for (auto &known : values)
      known.second = known.second.substitute(last);
    values.try_emplace(var, value);
  };
  auto note = [&](Var var, const LinearExpr &value) {
    llvm::erase(locals, var);
    put(var, value);
  };
  // Digits are told apart where remainders are unknowns of their own.
  SmallVector<Var> divided;
  auto takeRemainders = [&] {
    auto remainder = forms.findRemainder(isLocal);
    do {
      for (; remainder; remainder = forms.findRemainder(isLocal)) {
        const auto &[var, is] = *remainder;
        put(var, is);
        if (!forms.replace(var, is))
          return false;
      }
      if (!forms.takeOut(isLocal, note))
        return false;
      remainder = forms.findRemainder(isLocal);
    } while (remainder);
    return true;
  };
  bool isDone = false;
  while (!isDone) {
    if (!takeRemainders())
      return false;
    auto quotient = forms.findQuotientOfMultiples(isLocal, divided);
    isDone = !quotient;
    if (isDone)
      break;
    divided.push_back(quotient->first);
    put(quotient->first, quotient->second);
    if (!forms.replace(quotient->first, quotient->second))
      return false;
  }
  forms.dropImpliedByOthers();
  constraints = forms.getConstraintsBeside(known);
  return true;
}

bool System::compact(SmallVectorImpl<Var> &locals,
                     DenseMap<Var, LinearExpr> &values, const System &context) {
  return Forms::compact(constraints, locals, values, context);
}
