//===- Sums.cpp - Sums of sets of terms -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

//===----------------------------------------------------------------------===//
// Terms that are always there
//===----------------------------------------------------------------------===//

bool certify::isEverywhere(const Family &family) {
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

/// Makes one number of all that are always there, and of the constant.
static void foldNumbers(Families &families, Type type) {
  auto isNumber = [](const Family &family) {
    return isEverywhere(family) && family.term->kind == Kind::Number;
  };
  if (!isa<IntegerType>(type) || llvm::none_of(families, isNumber))
    return;
  LinearExpr sum;
  Operation *origin = nullptr;
  llvm::erase_if(families, [&](const Family &family) {
    bool isConstant =
        isEverywhere(family) && family.term->kind == Kind::Constant;
    if (isConstant)
      sum += cast<IntegerAttr>(family.term->constant).getValue().getSExtValue();
    else if (isNumber(family))
      sum += family.term->indices.front();
    else
      return false;
    origin = family.origin;
    return true;
  });
  families.push_back({{}, {}, makeNumber(sum, type), origin});
}

/// A term and how often a sum has it.
struct Multiple {
  ExprRef term;
  APInt factor;
};

/// `expr`, of integers, as a multiple of what it is a constant factor of.
static Multiple getMultiple(const ExprRef &expr) {
  unsigned width = expr->type.getIntOrFloatBitWidth();
  if (isApply(expr, "arith.muli"))
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

/// Makes one term of the first two multiples of the same that are always there;
/// returns false if there are none.
static bool foldTwoMultiples(Families &families) {
  for (size_t first = 0; first < families.size(); ++first)
    for (size_t second = first + 1; second < families.size(); ++second) {
      if (!isEverywhere(families[first]) || !isEverywhere(families[second]) ||
          !isa<FloatType, IntegerType>(families[first].term->type))
        continue;
      ExprRef sum = addMultiples(families[first].term, families[second].term);
      if (!sum)
        continue;
      families[first].term = sum;
      families.erase(families.begin() + second);
      return true;
    }
  return false;
}

/// Does so for as long as there are some.
static void foldMultiples(Families &families) {
  // Sums of many terms are of different ones.
  constexpr size_t MostTerms = 32;
  if (families.size() > MostTerms)
    return;
  while (foldTwoMultiples(families))
    ;
  llvm::erase_if(families,
                 [](const Family &family) { return isZero(family.term); });
}

//===----------------------------------------------------------------------===//
// Differences of integers
//===----------------------------------------------------------------------===//

static bool isDifference(const Family &family) {
  const ExprRef &term = family.term;
  return isEverywhere(family) && isa<IntegerType>(term->type) &&
         isApply(term, "arith.subi");
}

/// Makes two terms of each difference of integers that is always there, so that
/// they may cancel out against others. Integers wrap around, and are a ring.
static void splitDifferences(Families &families) {
  if (families.size() < 2)
    return;
  for (size_t number = 0; number < families.size(); ++number) {
    if (!isDifference(families[number]))
      continue;
    SmallVector<ExprRef> operands = families[number].term->operands;
    families[number].term = operands[0];
    Operation *origin = families[number].origin;
    families.push_back({{}, {}, negate(operands[1]), origin});
  }
}

/// Two terms of which one is subtracted as their difference, as it is written
/// alone; null for others.
static ExprRef joinDifference(Type type, ArrayRef<Family> families) {
  if (!isa<IntegerType>(type) || type.isInteger(1) || families.size() != 2 ||
      !llvm::all_of(families, isEverywhere))
    return nullptr;
  auto getSubtracted = [](const ExprRef &term) -> ExprRef {
    if (term->kind == Kind::Constant) {
      auto value = dyn_cast<IntegerAttr>(term->constant);
      return value && value.getValue().isNegative() ? negate(term) : nullptr;
    }
    Multiple multiple = getMultiple(term);
    return multiple.factor.isAllOnes() ? multiple.term : nullptr;
  };
  for (unsigned number : {0, 1}) {
    ExprRef subtracted = getSubtracted(families[number].term);
    const ExprRef &other = families[1 - number].term;
    bool isFromConstant = other->kind == Kind::Constant;
    if (subtracted && (isFromConstant || !getSubtracted(other)))
      return makeApply("arith.subi", DictionaryAttr::get(type.getContext()),
                       type, {other, subtracted}, families[number].origin);
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// All terms
//===----------------------------------------------------------------------===//

/// Whether `expr` is a sum of few numbers that are always there, some of them
/// made of what was cut off.
static bool mayBeSumOfPlaces(const Expr &expr) {
  constexpr size_t MostTerms = 4;
  return expr.isOfCut && expr.families.size() <= MostTerms &&
         llvm::all_of(expr.families, isEverywhere);
}

/// Brings the terms of such a sum into the order of their shapes.
static void sortPlaces(Expr &expr) {
  if (!mayBeSumOfPlaces(expr) || expr.families.size() < 2)
    return;
  SmallVector<std::pair<std::string, Family>> terms;
  for (const Family &family : expr.families) {
    std::optional<std::string> shape = getShape(family.term);
    if (!shape)
      return;
    terms.emplace_back(std::move(*shape), family);
  }
  llvm::stable_sort(
      terms, [](const auto &a, const auto &b) { return a.first < b.first; });
  for (auto [family, term] : llvm::zip_equal(expr.families, terms))
    family = std::move(term.second);
}

bool certify::isSumOfPlaces(const Expr &expr) {
  if (!mayBeSumOfPlaces(expr))
    return false;
  std::set<std::string> shapes;
  return llvm::all_of(expr.families, [&](const Family &family) {
    std::optional<std::string> shape = getShape(family.term);
    return shape && shapes.insert(std::move(*shape)).second;
  });
}

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
  splitDifferences(expr.families);
  foldConstants(expr.families);
  foldNumbers(expr.families, type);
  foldMultiples(expr.families);
  // As a constant it has its place in the order of operands.
  if (expr.families.empty() && isa<IntegerType>(type))
    return addZeros(makeConstant(IntegerAttr::get(type, 0)), expr.leftOut);
  if (ExprRef difference = joinDifference(type, expr.families))
    return difference;
  for (const Family &family : expr.families) {
    expr.size = llvm::SaturatingAdd(expr.size, family.term->size);
    expr.isOfCut |= family.term->isOfCut;
  }
  sortPlaces(expr);
  // One term that is always there is no sum.
  if (expr.families.size() == 1 && isEverywhere(expr.families[0]))
    return addZeros(expr.families[0].term, expr.leftOut);
  return std::make_shared<const Expr>(std::move(expr));
}
