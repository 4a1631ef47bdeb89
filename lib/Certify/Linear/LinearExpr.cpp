//===- LinearExpr.cpp - Sums of multiples of unknowns -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Linear/LinearSystem.h"

using namespace mlir;
using namespace mlir::convoy::certify;

LinearExpr LinearExpr::var(Var var) {
  LinearExpr result;
  result.terms.emplace_back(var, DynamicAPInt(1));
  return result;
}

LinearExpr LinearExpr::form(ArrayRef<std::pair<Var, DynamicAPInt>> terms) {
  LinearExpr result;
  result.terms.assign(terms.begin(), terms.end());
  return result;
}

LinearExpr &LinearExpr::operator+=(const LinearExpr &other) {
  return *this = *this + other;
}

LinearExpr &LinearExpr::operator*=(const DynamicAPInt &factor) {
  if (factor == 0)
    terms.clear();
  for (auto &term : terms)
    term.second *= factor;
  constant *= factor;
  return *this;
}

LinearExpr LinearExpr::operator+(const LinearExpr &other) const {
  LinearExpr result(constant + other.constant);
  const auto *a = terms.begin(), *b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    if (b == other.terms.end() || (a != terms.end() && a->first < b->first)) {
      result.terms.push_back(*a++);
    } else if (a == terms.end() || b->first < a->first) {
      result.terms.push_back(*b++);
    } else {
      if (DynamicAPInt factor = a->second + b->second; factor != 0)
        result.terms.emplace_back(a->first, factor);
      ++a, ++b;
    }
  }
  return result;
}

LinearExpr LinearExpr::operator*(const DynamicAPInt &factor) const {
  LinearExpr result = *this;
  result *= factor;
  return result;
}

LinearExpr LinearExpr::operator-(const LinearExpr &other) const {
  return *this + other * DynamicAPInt(-1);
}

bool LinearExpr::operator==(const LinearExpr &other) const {
  return terms == other.terms && constant == other.constant;
}

DynamicAPInt LinearExpr::getFactor(Var var) const {
  for (const auto &[other, factor] : terms)
    if (other == var)
      return factor;
  return DynamicAPInt(0);
}

LinearExpr
LinearExpr::substitute(const DenseMap<Var, LinearExpr> &values) const {
  auto isReplaced = [&](const auto &term) {
    return values.contains(term.first);
  };
  if (llvm::none_of(terms, isReplaced))
    return *this;
  LinearExpr result(constant);
  for (const auto &[var, factor] : terms) {
    auto it = values.find(var);
    result += (it == values.end() ? LinearExpr::var(var) : it->second) * factor;
  }
  return result;
}

int64_t LinearExpr::evaluate(const DenseMap<Var, int64_t> &point) const {
  auto value = int64_t(constant);
  for (const auto &[var, factor] : terms)
    value += int64_t(factor) * point.lookup(var);
  return value;
}

std::pair<LinearExpr, DynamicAPInt> LinearExpr::divideByFactors() const {
  DynamicAPInt divisor(0);
  for (const auto &term : terms)
    divisor = llvm::gcd(divisor, llvm::abs(term.second));
  if (divisor == 0 || divisor == 1)
    return {*this, DynamicAPInt(0)};
  LinearExpr result(llvm::floorDiv(constant, divisor));
  for (const auto &[var, factor] : terms)
    result.terms.emplace_back(var, factor / divisor);
  return {result, llvm::mod(constant, divisor)};
}

SmallVector<Constraint, 2>
mlir::convoy::certify::negate(const Constraint &constraint) {
  // expr >= 0 fails where -expr - 1 >= 0.
  LinearExpr below = constraint.expr * DynamicAPInt(-1) - 1;
  if (!constraint.isEquality)
    return {{below, false}};
  return {{below, false}, {constraint.expr - 1, false}};
}

System System::substitute(const DenseMap<Var, LinearExpr> &values) const {
  System result;
  for (const Constraint &constraint : constraints)
    result.add({constraint.expr.substitute(values), constraint.isEquality});
  return result;
}

/// What `constraints`, all that there are of `var`, say of the others if it has
/// one value where that holds: if it is a quotient of theirs, between bounds of
/// its own. Nothing if it is not known to be one.
static std::optional<Constraints>
projectQuotient(Var var, ArrayRef<const Constraint *> constraints) {
  const Constraint *lower = nullptr, *upper = nullptr;
  SmallVector<const Constraint *> bounds;
  for (const Constraint *constraint : constraints) {
    bool isOwn = constraint->expr.getTerms().size() == 1;
    bool isLower = !lower || constraint->expr == lower->expr;
    const Constraint *&side = isOwn || isLower ? lower : upper;
    if (constraint->isEquality ||
        (!isOwn && side && !(side->expr == constraint->expr)))
      return std::nullopt;
    if (isOwn)
      bounds.push_back(constraint);
    else
      side = constraint;
  }
  if (!lower || !upper)
    return std::nullopt;
  LinearExpr width = lower->expr + upper->expr;
  DynamicAPInt divisor = llvm::abs(lower->expr.getFactor(var));
  if (!width.isConstant() || width.getConstant() != divisor - 1)
    return std::nullopt;
  // Of rest + factor * var >= 0, the greatest that the second term can be.
  Constraints others;
  for (const Constraint *bound : bounds) {
    // var >= -constant, or var <= constant.
    DynamicAPInt sign = bound->expr.getFactor(var);
    if (llvm::abs(sign) != 1)
      return std::nullopt;
    DynamicAPInt limit = bound->expr.getConstant() * -sign;
    const Constraint *side =
        (lower->expr.getFactor(var) > 0) == (sign > 0) ? upper : lower;
    LinearExpr rest = side->expr + (LinearExpr(limit) - LinearExpr::var(var)) *
                                       side->expr.getFactor(var);
    others.push_back({rest, false});
  }
  return others;
}

void System::dropQuotients(SmallVectorImpl<Var> &locals,
                           llvm::function_ref<bool(Var)> isUsed) {
  auto drop = [&](Var local) {
    if (isUsed(local))
      return false;
    auto isOfLocal = [&](const Constraint &constraint) {
      return constraint.expr.getFactor(local) != 0;
    };
    SmallVector<const Constraint *> own;
    for (const Constraint &constraint : constraints)
      if (isOfLocal(constraint))
        own.push_back(&constraint);
    std::optional<Constraints> others = projectQuotient(local, own);
    if (!others)
      return false;
    llvm::erase_if(constraints, isOfLocal);
    llvm::append_range(constraints, *others);
    return true;
  };
  // One that is left out may have been the last to use another.
  for (size_t before = locals.size() + 1; locals.size() < before;) {
    before = locals.size();
    llvm::erase_if(locals, drop);
  }
}
