//===- Reduction.cpp - What iterations make of one element ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"
#include "Simplify.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

/// The other terms of `families`, of which one is `start` and always there;
/// nothing if not exactly one is.
static std::optional<Families> dropStart(ArrayRef<Family> families,
                                         BlockArgument start) {
  Families others;
  unsigned numStarts = 0;
  for (const Family &family : families) {
    bool isStart = isEverywhere(family) && isReadOf(family.term, start);
    numStarts += isStart;
    if (!isStart)
      others.push_back(family);
  }
  if (numStarts != 1)
    return std::nullopt;
  return others;
}

/// What is subtracted, added with the other sign.
static Families getSubtracted(const Expr &difference) {
  Type type = difference.type;
  if (isa<IntegerType>(type))
    return Families{Family{{}, {}, negate(difference.operands[1])}};
  ExprRef zero = makeConstant(Builder(type.getContext()).getZeroAttr(type));
  ExprRef negative = makeApply(difference.name, difference.attributes, type,
                               {zero, difference.operands[1]}, nullptr);
  return Families{Family{{}, {}, addZeros(negative, {LeftOut::Zero::Unknown})}};
}

static bool reads(const ExprRef &expr, BlockArgument argument) {
  bool isRead = false;
  walkReads(expr,
            [&](const Expr &read) { isRead |= read.argument == argument; });
  return isRead;
}

/// What `choice`, by a comparison of what is chosen, is of `start`, which one
/// of its two terms is made of: their maximum or minimum where all are numbers.
static std::optional<Reduction> findChosen(const ExprRef &choice,
                                           BlockArgument start) {
  ArrayRef<ExprRef> chosen = ArrayRef<ExprRef>(choice->operands).drop_front();
  StringRef extremum = getChosenExtremum(choice->operands);
  bool isFirst = reads(chosen[0], start);
  const ExprRef &term = chosen[isFirst];
  if (extremum.empty() || reads(term, start) || !isNumber(term))
    return std::nullopt;
  std::optional<Reduction> before = Reduction::find(chosen[!isFirst], start);
  LeftOut zeros = choice->leftOut;
  zeros.add({LeftOut::Zero::Unknown, isComputed(term)});
  if (!before || !before->add({extremum, {Family{{}, {}, term}}, zeros, true}))
    return std::nullopt;
  return before;
}

std::optional<Reduction> Reduction::find(const ExprRef &next,
                                         BlockArgument start) {
  if (isReadOf(next, start))
    return Reduction{{}, getTermsAndZeros(next), {}};
  if (isApply(next, "arith.select"))
    return findChosen(next, start);
  unsigned numReads = 0;
  walkReads(next,
            [&](const Expr &read) { numReads += read.argument == start; });
  if (numReads != 1)
    return std::nullopt;
  bool isDifference =
      next->kind == Kind::Apply && next->attributes.empty() &&
      (next->name == "arith.subf" || next->name == "arith.subi");
  if (isDifference && isReadOf(next->operands[0], start))
    return Reduction{{}, getSubtracted(*next), {}};
  bool isSum = next->kind == Kind::Sum;
  if (!isSum && !isExtremum(*next))
    return std::nullopt;
  std::optional<Families> terms = dropStart(
      isSum ? getTermsAndZeros(next) : getExtremumTerms(next, next->name),
      start);
  if (!terms)
    return std::nullopt;
  if (isSum)
    return Reduction{{}, *terms, {}};
  return Reduction{next->name, *terms, next->leftOut};
}

bool Reduction::add(const Reduction &other) {
  if (isNothing())
    extremum = other.extremum;
  if (!other.isNothing() && extremum != other.extremum)
    return false;
  llvm::append_range(terms, other.terms);
  ofNumbers |= other.ofNumbers;
  // Where and how often zeros are added does not matter, as signs do not.
  if (!other.zeros.isNothing())
    zeros.add({LeftOut::Zero::Unknown, other.zeros.isOfComputed});
  return true;
}

ExprRef Reduction::apply(const ExprRef &start, Operation *origin) const {
  if (ofNumbers && !isNumber(start))
    return nullptr;
  Families families = {{{}, {}, start, origin}};
  llvm::append_range(families, terms);
  return extremum.empty()
             ? makeSum(start->type, families)
             : addZeros(makeExtremum(extremum, start->type, families), zeros);
}
