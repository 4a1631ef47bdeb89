//===- Sums.cpp - Sums of sets of terms -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

//===----------------------------------------------------------------------===//
// Terms that are always there
//===----------------------------------------------------------------------===//

/// Whether the one term of `family` is there everywhere.
static bool isEverywhere(const Family &family) {
  return family.instance.empty() && family.domain.isUniverse();
}

/// The sum of two constants of one type, or null where it is rounded.
static TypedAttr addConstants(TypedAttr a, TypedAttr b) {
  if (auto value = dyn_cast<IntegerAttr>(a))
    return IntegerAttr::get(a.getType(),
                            value.getValue() + cast<IntegerAttr>(b).getValue());
  auto value = dyn_cast<FloatAttr>(a);
  if (!value)
    return {};
  APFloat sum = value.getValue();
  if (sum.add(cast<FloatAttr>(b).getValue(), APFloat::rmNearestTiesToEven) !=
      APFloat::opOK)
    return {};
  return FloatAttr::get(a.getType(), sum);
}

/// Makes one term of the constants that are always there.
static void foldConstants(Families &families) {
  Family *constant = nullptr;
  llvm::erase_if(families, [&](Family &family) {
    bool isConstant =
        isEverywhere(family) && family.term->kind == Kind::Constant;
    if (!isConstant)
      return false;
    TypedAttr sum =
        constant ? addConstants(constant->term->constant, family.term->constant)
                 : TypedAttr();
    if (sum)
      constant->term = makeConstant(sum);
    else
      constant = &family;
    return bool(sum);
  });
}

/// A term and how often a sum has it.
struct Multiple {
  ExprRef term;
  APInt factor;
};

/// `expr`, of integers, as a multiple of what it is a constant factor of.
static Multiple getMultiple(const ExprRef &expr) {
  unsigned width = expr->type.getIntOrFloatBitWidth();
  if (expr->kind == Kind::Apply && expr->name == "arith.muli" &&
      expr->attributes.empty())
    for (unsigned number : {0, 1})
      if (expr->operands[number]->kind == Kind::Constant)
        if (auto factor =
                dyn_cast<IntegerAttr>(expr->operands[number]->constant))
          return {expr->operands[1 - number], factor.getValue()};
  return {expr, APInt(width, 1, /*isSigned=*/false, /*implicitTrunc=*/true)};
}

/// `factor` times `term`.
static ExprRef multiply(const ExprRef &term, TypedAttr factor) {
  return makeApply(isa<FloatType>(term->type) ? "arith.mulf" : "arith.muli",
                   DictionaryAttr::get(term->type.getContext()), term->type,
                   {term, makeConstant(factor)}, nullptr);
}

/// The sum of two terms of one type as one, if they are multiples of the same:
/// of floats x + x alone, which is rounded as 2x is. Else null.
static ExprRef addMultiples(const ExprRef &a, const ExprRef &b) {
  if (isa<FloatType>(a->type))
    return areSame(a, b) ? multiply(a, FloatAttr::get(a->type, 2.0)) : nullptr;
  Multiple first = getMultiple(a), second = getMultiple(b);
  if (!areSame(first.term, second.term))
    return nullptr;
  return multiply(first.term,
                  IntegerAttr::get(a->type, first.factor + second.factor));
}

/// Makes one term of multiples of the same that are always there.
static void foldMultiples(Families &families) {
  // Sums of many terms are of different ones.
  constexpr size_t MostTerms = 32;
  if (families.size() > MostTerms)
    return;
  for (size_t first = 0; first < families.size(); ++first)
    for (size_t second = first + 1; second < families.size(); ++second) {
      if (!isEverywhere(families[first]) || !isEverywhere(families[second]) ||
          !isa<FloatType, IntegerType>(families[first].term->type))
        continue;
      ExprRef sum = addMultiples(families[first].term, families[second].term);
      if (!sum)
        continue;
      families[first].term = sum;
      families.erase(families.begin() + second--);
    }
  llvm::erase_if(families,
                 [](const Family &family) { return isZero(family.term); });
}

//===----------------------------------------------------------------------===//
// All terms
//===----------------------------------------------------------------------===//

ExprRef certify::makeSum(Type type, ArrayRef<Family> families) {
  Expr expr{};
  expr.kind = Kind::Sum;
  expr.type = type;
  for (const Family &family : families) {
    LeftOut zeros =
        isZero(family.term) ? getZeros(family.term) : family.term->leftOut;
    if (zeros.zero == LeftOut::Zero::Positive && !isEverywhere(family))
      zeros.zero = LeftOut::Zero::Unknown;
    expr.leftOut.add(zeros);
    if (isZero(family.term))
      continue;
    if (family.term->kind != Kind::Sum) {
      expr.families.push_back(family);
      if (!zeros.isNothing()) {
        Expr term = *family.term;
        term.leftOut = {};
        expr.families.back().term =
            std::make_shared<const Expr>(std::move(term));
      }
      continue;
    }
    for (const Family &inner : family.term->families) {
      Family &flat = expr.families.emplace_back(inner);
      flat.instance.append(family.instance.begin(), family.instance.end());
      flat.domain.append(family.domain);
    }
  }
  foldConstants(expr.families);
  foldMultiples(expr.families);
  for (const Family &family : expr.families)
    expr.size = llvm::SaturatingAdd(expr.size, family.term->size);
  // One term that is always there is no sum.
  if (expr.families.size() == 1 && isEverywhere(expr.families[0]))
    return addZeros(expr.families[0].term, expr.leftOut);
  return std::make_shared<const Expr>(std::move(expr));
}
