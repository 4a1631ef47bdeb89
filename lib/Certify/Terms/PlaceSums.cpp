//===- PlaceSums.cpp - Places as sums of multiples --------------*- C++ -*-===//
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceSums.h"
#include "Simplify.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

/// Adds `factor` times `expr` to `sum`; returns false if that takes large
/// numbers.
static bool addTerms(const ExprRef &expr, int64_t factor, PlaceSum &sum) {
  constexpr int64_t Most = int64_t(1) << 28;
  constexpr int64_t MostConstant = int64_t(1) << 60;
  constexpr size_t MostTerms = 4;
  if (factor < -Most || factor > Most)
    return false;
  if (std::optional<int64_t> constant = getInteger(expr)) {
    sum.constant += factor * *constant;
    return sum.constant >= -MostConstant && sum.constant <= MostConstant;
  }
  if (expr->kind == Kind::Sum && llvm::all_of(expr->families, isEverywhere))
    return llvm::all_of(expr->families, [&](const Family &family) {
      return addTerms(family.term, factor, sum);
    });
  if (isApply(expr, "arith.subi"))
    return addTerms(expr->operands[0], factor, sum) &&
           addTerms(expr->operands[1], -factor, sum);
  if (isApply(expr, "arith.muli"))
    for (unsigned number : {0, 1})
      if (std::optional<int64_t> by = getInteger(expr->operands[number]))
        return addTerms(expr->operands[1 - number], factor * *by, sum);
  for (auto &[term, own] : sum.terms)
    if (areSame(term, expr)) {
      own += factor;
      return own >= -Most && own <= Most;
    }
  if (sum.terms.size() == MostTerms)
    return false;
  sum.terms.emplace_back(expr, factor);
  return true;
}

PlaceSum certify::getPlaceSum(const ExprRef &expr, const PlaceFacts &facts) {
  PlaceSum sum;
  PlaceRange all = {0, 0};
  bool isSmall = addTerms(expr, 1, sum);
  if (isSmall) {
    all = {sum.constant, sum.constant};
    for (const auto &[term, factor] : sum.terms)
      all = add(all, multiply(getPlaceRange(term, facts), {factor, factor}));
  }
  if (isSmall && getTypeRange(expr->type).contains(all))
    return sum;
  return PlaceSum{{{expr, 1}}, 0};
}
