//===- Extrema.cpp - Maxima and minima of sets of terms ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of numbers a maximum does not depend on the order of its terms, nor on how
// often one of them stands there: it is that of a set.
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

bool certify::isExtremum(StringRef name) {
  static const llvm::StringSet<> extrema = {
      "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf",
      "arith.maxsi",    "arith.maxui",    "arith.minsi",   "arith.minui"};
  return extrema.contains(name);
}

bool certify::isExtremum(const Expr &expr) {
  return expr.kind == Kind::Extremum ||
         (expr.kind == Kind::Apply && expr.attributes.empty() &&
          isExtremum(expr.name));
}

Families certify::getExtremumTerms(const ExprRef &expr, StringRef name) {
  if (!isExtremum(*expr) || expr->name != name)
    return Families{Family{{}, {}, expr}};
  if (expr->kind == Kind::Extremum)
    return expr->families;
  Families families;
  for (const ExprRef &operand : expr->operands)
    families.push_back({{}, {}, operand, nullptr});
  return families;
}

bool certify::isNumber(const ExprRef &expr) {
  auto value = dyn_cast_or_null<FloatAttr>(expr->constant);
  bool isConstant = expr->kind == Kind::Constant && value;
  return isConstant ? !value.getValue().isNaN() : isFinite(expr);
}

/// The terms of `families`, those of the same extremum within it being its own.
static Families flatten(StringRef name, ArrayRef<Family> families,
                        LeftOut &zeros) {
  Families terms;
  for (const Family &family : families) {
    bool isSame = isExtremum(*family.term) && family.term->name == name;
    if (!isSame) {
      terms.push_back(family);
      continue;
    }
    // Zeros that were added change a zero's sign alone.
    if (const LeftOut &added = family.term->leftOut; !added.isNothing())
      zeros.add({added.zero == LeftOut::Zero::None ? LeftOut::Zero::None
                                                   : LeftOut::Zero::Unknown,
                 added.isOfComputed});
    for (const Family &inner : getExtremumTerms(family.term, name)) {
      Family &flat = terms.emplace_back(inner);
      flat.instance.append(family.instance.begin(), family.instance.end());
      flat.domain.append(family.domain);
      if (!flat.origin)
        flat.origin = family.origin;
    }
  }
  return terms;
}

/// What `a` and `b` are together where that is one of them, or a constant: they
/// are the same, or one is the least or greatest of its type. Else null.
static ExprRef join(StringRef name, Type type, const Family &a,
                    const Family &b) {
  if (!isEverywhere(a) || !isEverywhere(b))
    return nullptr;
  if (areSame(a.term, b.term) && isFinite(a.term))
    return a.term;
  return fold(name, DictionaryAttr::get(type.getContext()), type,
              {a.term, b.term});
}

static void joinAll(StringRef name, Type type, Families &terms) {
  // Extrema of many terms are of different ones.
  constexpr size_t MostTerms = 32;
  if (terms.size() > MostTerms)
    return;
  for (size_t first = 0; first < terms.size(); ++first)
    for (size_t second = first + 1; second < terms.size();) {
      ExprRef both = join(name, type, terms[first], terms[second]);
      if (!both) {
        ++second;
        continue;
      }
      terms[first].term = both;
      terms.erase(terms.begin() + second);
    }
}

/// In the order of their shapes; those without one are last.
static void sortByShape(SmallVectorImpl<ExprRef> &operands) {
  using Shaped = std::pair<std::optional<std::string>, ExprRef>;
  auto shaped = llvm::map_to_vector(operands, [](const ExprRef &operand) {
    return Shaped(getShape(operand), operand);
  });
  llvm::stable_sort(shaped, [](const Shaped &a, const Shaped &b) {
    return a.first && (!b.first || *a.first < *b.first);
  });
  operands =
      llvm::map_to_vector(shaped, [](const Shaped &one) { return one.second; });
}

ExprRef certify::makeExtremum(StringRef name, Type type,
                              ArrayRef<Family> families) {
  LeftOut zeros;
  // Of numbers they are the same.
  bool areNumbers = llvm::all_of(
      families, [](const Family &family) { return isNumber(family.term); });
  if (areNumbers && (name == "arith.maxnumf" || name == "arith.minnumf")) {
    name = name == "arith.maxnumf" ? "arith.maximumf" : "arith.minimumf";
    zeros = {LeftOut::Zero::Unknown,
             llvm::any_of(families, [](const Family &family) {
               return isComputed(family.term);
             })};
  }
  Expr expr{};
  expr.type = type;
  expr.name = name;
  expr.attributes = DictionaryAttr::get(type.getContext());
  Families terms = flatten(name, families, zeros);
  joinAll(name, type, terms);
  if (terms.size() == 1 && isEverywhere(terms.front()))
    return addZeros(terms.front().term, zeros);
  for (const Family &term : terms) {
    expr.size = llvm::SaturatingAdd(expr.size, term.term->size);
    expr.isOfCut |= term.term->isOfCut;
  }
  if (llvm::all_of(terms, isEverywhere)) {
    expr.kind = Kind::Apply;
    expr.operands = llvm::map_to_vector(
        terms, [](const Family &term) { return term.term; });
    sortByShape(expr.operands);
  } else {
    expr.kind = Kind::Extremum;
    expr.families = std::move(terms);
  }
  return addZeros(std::make_shared<const Expr>(std::move(expr)), zeros);
}
