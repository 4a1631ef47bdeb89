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

size_t Forms::countTerms(const Terms &a, const Terms &b, bool isSum) {
  size_t count = a.size() + b.size();
  auto first = a.begin();
  for (const auto &[var, factor] : b) {
    while (first != a.end() && first->first < var)
      ++first;
    if (first == a.end() || first->first != var)
      continue;
    bool isGone = isSum ? first->second == -factor : first->second == factor;
    count -= isGone ? 2 : 1;
  }
  return count;
}

std::optional<std::pair<Var, LinearExpr>>
Forms::findInPairs(MayTake mayTake,
                   llvm::function_ref<std::optional<LinearExpr>(const Pair &)>
                       findZero) const {
  // Forms, and whether they have an unknown that may be taken out: a pair of
  // others says nothing of one.
  SmallVector<std::pair<const Form *, bool>> known;
  for (const Form &one : forms) {
    const auto &[terms, bounds] = one;
    if (terms.size() < 2 || !bounds.lower || !bounds.upper)
      continue;
    bool mayTakeOfOne = llvm::any_of(
        terms, [&](const auto &term) { return mayTake(term.first); });
    for (auto [other, mayTakeOfOther] : known)
      for (bool isSum : {false, true}) {
        if (!mayTakeOfOne && !mayTakeOfOther)
          continue;
        std::optional<LinearExpr> zero = findZero({one, *other, isSum});
        if (auto value = zero ? solve(*zero, mayTake) : std::nullopt)
          return value;
      }
    known.push_back({&one, mayTakeOfOne});
  }
  return std::nullopt;
}

LinearExpr Forms::Pair::getForm() const {
  LinearExpr other = LinearExpr::form(second.first);
  return LinearExpr::form(first.first) + other * DynamicAPInt(isSum ? 1 : -1);
}

Forms::Bounds Forms::Pair::getBounds() const {
  const auto &[least, most] = second.second;
  return {*first.second.lower + (isSum ? *least : -*most),
          *first.second.upper + (isSum ? *most : -*least)};
}

std::optional<std::pair<Var, LinearExpr>>
Forms::findSameDigit(MayTake mayTake) const {
  return findInPairs(
      mayTake, [](const Pair &pair) -> std::optional<LinearExpr> {
        if (!haveDivisor(pair.first.first, pair.second.first, pair.isSum))
          return std::nullopt;
        Bounds bounds = pair.getBounds();
        return findOnlyMultiple(pair.getForm(), *bounds.lower, *bounds.upper);
      });
}

std::optional<std::pair<Var, LinearExpr>>
Forms::findSameQuotient(MayTake mayTake) const {
  UnknownBounds unknowns = getUnknownBounds();
  return findInPairs(
      mayTake, [&](const Pair &pair) -> std::optional<LinearExpr> {
        const Terms &first = pair.first.first, &second = pair.second.first;
        if (countTerms(first, second, pair.isSum) + 1 >=
            first.size() + second.size())
          return std::nullopt;
        LinearExpr form = pair.getForm();
        std::optional<Constraints> parts =
            splitForm({form.getTerms().begin(), form.getTerms().end()},
                      pair.getBounds(), unknowns);
        if (!parts)
          return std::nullopt;
        return parts->front().expr.divideByFactors().first;
      });
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

std::optional<std::pair<Var, LinearExpr>>
Forms::findQuotientOfMultiples(MayTake isLocal, ArrayRef<Var> done) const {
  for (const auto &[terms, bounds] : forms)
    for (const auto &[var, factor] : terms) {
      DynamicAPInt divisor = llvm::abs(factor);
      if (divisor == 1 || !isLocal(var) || !bounds.isWithin(divisor) ||
          llvm::is_contained(done, var))
        continue;
      LinearExpr multiples;
      bool isAlone = true;
      for (const auto &[other, multiple] : terms) {
        isAlone &= other == var || !isLocal(other);
        if (other != var && multiple % divisor == 0)
          multiples += LinearExpr::var(other) * (multiple / factor);
      }
      size_t numMultiples = multiples.getTerms().size();
      if (isAlone && numMultiples > 0 && numMultiples + 1 < terms.size())
        return std::pair(var, LinearExpr::var(var) - multiples);
    }
  return std::nullopt;
}

std::optional<Constraints> Forms::findSplit(
    const Terms &terms, const UnknownBounds &unknowns,
    llvm::function_ref<std::optional<Constraints>(const Split &)> getParts) {
  for (const auto &[var, divisor] : terms) {
    Split split{llvm::abs(divisor), {}, {}, {}};
    if (split.step == 1)
      continue;
    for (const auto &term : terms)
      (term.second % split.step == 0 ? split.multiples : split.rest)
          .push_back(term);
    split.range = getRange(split.rest, unknowns);
    if (split.rest.empty() || !split.range.lower || !split.range.upper)
      continue;
    if (std::optional<Constraints> parts = getParts(split))
      return parts;
  }
  return std::nullopt;
}

std::optional<Constraints> Forms::splitForm(const Terms &terms,
                                            const Bounds &bounds,
                                            const UnknownBounds &unknowns) {
  return findSplit(
      terms, unknowns, [&](const Split &split) -> std::optional<Constraints> {
        const auto &[step, multiples, rest, range] = split;
        DynamicAPInt least = ceilDiv(*bounds.lower - *range.upper, step);
        DynamicAPInt most = floorDiv(*bounds.upper - *range.lower, step);
        if (least < most)
          return std::nullopt;
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
      });
}

std::optional<Constraints> Forms::roundForm(const Terms &terms,
                                            const Bounds &bounds,
                                            const UnknownBounds &unknowns) {
  return findSplit(
      terms, unknowns, [&](const Split &split) -> std::optional<Constraints> {
        const auto &[step, multiples, rest, range] = split;
        Bounds whole;
        bool isDecided = true;
        if (bounds.lower) {
          whole.lower = ceilDiv(*bounds.lower - *range.lower, step);
          isDecided =
              *whole.lower == ceilDiv(*bounds.lower - *range.upper, step);
        }
        if (bounds.upper) {
          whole.upper = floorDiv(*bounds.upper - *range.upper, step);
          isDecided &=
              *whole.upper == floorDiv(*bounds.upper - *range.lower, step);
        }
        if (!isDecided)
          return std::nullopt;
        Terms quotients = multiples;
        for (auto &term : quotients)
          term.second /= step;
        Constraints parts;
        append(quotients, whole, parts);
        return parts;
      });
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
