//===- RingTerms.cpp - Sums of integers, multiplied out ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RingTerms.h"
#include "Simplify.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

/// Terms that a product may become.
static constexpr size_t kMostTerms = 256;

/// The terms of `expr` if it is a sum or a difference of such as are always
/// there; empty for other expressions.
static SmallVector<ExprRef> splitSum(const ExprRef &expr) {
  if (isApply(expr, "arith.subi"))
    return {expr->operands[0], negate(expr->operands[1])};
  if (isApply(expr, "arith.addi"))
    return {expr->operands[0], expr->operands[1]};
  if (expr->kind != Kind::Sum || !llvm::all_of(expr->families, isEverywhere))
    return {};
  return llvm::map_to_vector(expr->families,
                             [](const Family &family) { return family.term; });
}

namespace {
/// Which sums and differences are multiplied out.
struct Choice {
  /// Those of nothing but constants and its elements; null for all.
  BlockArgument argument;
  /// Where this is subtracted, differences stay; where another constant is,
  /// that is this and a rest. Null for none.
  TypedAttr kept = {};
};
} // namespace

/// The constant that `expr` is a difference from; null where it is none.
static IntegerAttr getSubtractedConstant(const Expr &expr) {
  bool isDifference = expr.kind == Kind::Apply && expr.name == "arith.subi" &&
                      expr.operands[1]->kind == Kind::Constant;
  return isDifference ? dyn_cast<IntegerAttr>(expr.operands[1]->constant)
                      : IntegerAttr();
}

/// The terms that `expr` becomes by `choice`; empty where it stays.
static SmallVector<ExprRef> splitBy(const ExprRef &expr, const Choice &choice) {
  bool isOther =
      choice.argument && contains(expr, [&](const Expr &part) {
        return part.kind == Kind::Read && part.argument != choice.argument;
      });
  if (isOther)
    return {};
  IntegerAttr subtracted = getSubtractedConstant(*expr);
  if (!choice.kept || !subtracted ||
      subtracted.getType() != choice.kept.getType())
    return choice.kept ? SmallVector<ExprRef>() : splitSum(expr);
  APInt kept = cast<IntegerAttr>(choice.kept).getValue();
  if (subtracted.getValue() == kept)
    return {};
  auto rest =
      IntegerAttr::get(subtracted.getType(), kept - subtracted.getValue());
  return {makeApply(expr->name, expr->attributes, expr->type,
                    {expr->operands[0], makeConstant(choice.kept)}, nullptr),
          makeConstant(rest)};
}

/// The same for a product with such a factor.
static SmallVector<ExprRef> splitTerm(const ExprRef &term,
                                      const Choice &choice) {
  if (!isApply(term, "arith.muli"))
    return splitBy(term, choice);
  for (unsigned number : {0, 1}) {
    SmallVector<ExprRef> terms = splitBy(term->operands[number], choice);
    for (ExprRef &part : terms)
      part = makeApply(term->name, term->attributes, term->type,
                       {part, term->operands[1 - number]}, nullptr);
    if (!terms.empty())
      return terms;
  }
  return {};
}

/// Multiplies out the terms of `families`; returns whether there was something
/// to do.
static bool multiplyOut(Families &families, const Choice &choice) {
  bool isChanged = false;
  for (size_t number = 0;
       number < families.size() && families.size() < kMostTerms;) {
    SmallVector<ExprRef> terms = splitTerm(families[number].term, choice);
    if (terms.empty()) {
      ++number;
      continue;
    }
    isChanged = true;
    families[number].term = terms.front();
    for (const ExprRef &term : ArrayRef(terms).drop_front()) {
      Family other = families[number];
      other.term = term;
      families.push_back(other);
    }
  }
  llvm::erase_if(families,
                 [](const Family &family) { return isZero(family.term); });
  return isChanged;
}

/// What may show that `first` and `second` are equal: bare elements of each
/// argument, differences from each constant that `second` subtracts, or all.
static SmallVector<Choice> getChoices(const Families &first,
                                      const Families &second) {
  llvm::SetVector<BlockArgument> arguments;
  llvm::SetVector<Attribute> subtracted;
  for (const Family &family : first)
    contains(family.term, [&](const Expr &part) {
      if (part.kind == Kind::Read && part.argument)
        arguments.insert(part.argument);
      return false;
    });
  for (const Family &family : second)
    contains(family.term, [&](const Expr &part) {
      if (IntegerAttr constant = getSubtractedConstant(part))
        subtracted.insert(constant);
      return false;
    });
  SmallVector<Choice> choices;
  for (BlockArgument argument : arguments) {
    choices.push_back({argument});
    for (Attribute constant : subtracted)
      choices.push_back({argument, cast<TypedAttr>(constant)});
  }
  choices.push_back({BlockArgument()});
  return choices;
}

/// Whether `expr` is a constant, or has a constant factor, that is negative.
static bool isNegative(const ExprRef &expr) {
  if (expr->kind == Kind::Constant) {
    auto value = dyn_cast<IntegerAttr>(expr->constant);
    return value && value.getValue().isNegative();
  }
  return isApply(expr, "arith.muli") &&
         llvm::any_of(expr->operands, [](const ExprRef &operand) {
           return operand->kind == Kind::Constant && isNegative(operand);
         });
}

/// Moves the terms of `from` with negative factors to `to`, with the other
/// sign; returns whether there are some.
static bool moveNegative(Families &from, Families &to) {
  size_t count = from.size();
  for (Family &family : from)
    if (isNegative(family.term)) {
      Family moved = family;
      moved.term = negate(family.term);
      to.push_back(moved);
    }
  llvm::erase_if(from,
                 [](const Family &family) { return isNegative(family.term); });
  return from.size() != count;
}

SmallVector<RingSums> certify::multiplyOut(const Families &first,
                                           const Families &second) {
  // What was never written is not even equal to itself.
  auto isNumber = [](const Family &family) {
    return isa<IntegerType>(family.term->type) && isFinite(family.term);
  };
  if (!llvm::all_of(first, isNumber) || !llvm::all_of(second, isNumber))
    return {};
  SmallVector<RingSums> all;
  for (const Choice &choice : getChoices(first, second)) {
    RingSums sums = {first, second};
    bool isChanged = ::multiplyOut(sums.first, choice);
    isChanged |= ::multiplyOut(sums.second, choice);
    Families moved;
    isChanged |= moveNegative(sums.first, moved);
    isChanged |= moveNegative(sums.second, sums.first);
    sums.second.append(moved);
    if (isChanged)
      all.push_back(std::move(sums));
  }
  return all;
}
