//===- Digits.cpp - What forms say of digits --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places in tiles are sums of digits: of multiples of one number and what is
// less than that. Two that are one number have the same digits.
//
//===----------------------------------------------------------------------===//

#include "Forms.h"

using namespace mlir;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Of two forms
//===----------------------------------------------------------------------===//

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

std::optional<std::pair<Var, LinearExpr>>
Forms::findSameQuotient(MayTake mayTake) const {
  UnknownBounds unknowns = getUnknownBounds();
  using Form = std::pair<const Terms, Bounds>;
  SmallVector<const Form *> known;
  for (const Form &one : forms) {
    const auto &[terms, bounds] = one;
    if (terms.size() < 2 || !bounds.lower || !bounds.upper)
      continue;
    for (const Form *other : known)
      for (int sign : {1, -1}) {
        LinearExpr difference =
            LinearExpr::form(terms) -
            LinearExpr::form(other->first) * DynamicAPInt(sign);
        if (difference.getTerms().size() + 1 >=
            terms.size() + other->first.size())
          continue;
        const auto &[least, most] = other->second;
        Bounds range{*bounds.lower - (sign > 0 ? *most : -*least),
                     *bounds.upper - (sign > 0 ? *least : -*most)};
        std::optional<Constraints> parts = splitForm(
            {difference.getTerms().begin(), difference.getTerms().end()}, range,
            unknowns);
        if (auto value =
                parts ? solve(parts->front().expr.divideByFactors().first,
                              mayTake)
                      : std::nullopt)
          return value;
      }
    known.push_back(&one);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Of one form
//===----------------------------------------------------------------------===//

std::optional<std::pair<Var, LinearExpr>>
Forms::findRemainder(MayTake mayTake) const {
  UnknownBounds unknowns = getUnknownBounds();
  std::optional<std::pair<Var, LinearExpr>> found;
  std::optional<DynamicAPInt> least;
  for (const auto &[terms, bounds] : forms) {
    if (terms.size() < 2 || !bounds.lower || !bounds.upper)
      continue;
    for (const auto &[var, factor] : terms) {
      if (llvm::abs(factor) != 1 || !mayTake(var))
        continue;
      DynamicAPInt divisor(0);
      for (const auto &[other, multiple] : terms)
        if (other != var)
          divisor = llvm::gcd(divisor, llvm::abs(multiple));
      // What is less than the divisor is a remainder already.
      Bounds own = unknowns.lookup(var);
      if (own.isWithin(divisor) || !bounds.isWithin(divisor) ||
          (least && *least <= divisor))
        continue;
      LinearExpr rest = LinearExpr::form(terms) * factor;
      DynamicAPInt first = factor > 0 ? *bounds.lower : -*bounds.upper;
      found = {var, LinearExpr::var(var) * DynamicAPInt(2) - rest +
                        LinearExpr(first)};
      least = divisor;
    }
  }
  return found;
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
    Bounds range = getRange(rest, unknowns);
    if (rest.empty() || !range.lower || !range.upper)
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

std::optional<Constraints> Forms::roundForm(const Terms &terms,
                                            const Bounds &bounds,
                                            const UnknownBounds &unknowns) {
  for (const auto &[var, divisor] : terms) {
    DynamicAPInt step = llvm::abs(divisor);
    if (step == 1)
      continue;
    Terms multiples, rest;
    for (const auto &term : terms)
      (term.second % step == 0 ? multiples : rest).push_back(term);
    Bounds range = getRange(rest, unknowns);
    if (rest.empty() || !range.lower || !range.upper)
      continue;
    Bounds whole;
    if (bounds.lower)
      whole.lower = ceilDiv(*bounds.lower - *range.lower, step);
    if (bounds.upper)
      whole.upper = floorDiv(*bounds.upper - *range.upper, step);
    bool isDecided =
        (!bounds.lower ||
         *whole.lower == ceilDiv(*bounds.lower - *range.upper, step)) &&
        (!bounds.upper ||
         *whole.upper == floorDiv(*bounds.upper - *range.lower, step));
    if (!isDecided)
      continue;
    for (auto &term : multiples)
      term.second /= step;
    Constraints parts;
    append(multiples, whole, parts);
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
