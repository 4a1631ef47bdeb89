//===- Polynomials.cpp - Sums of products in exact arithmetic -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Polynomials.h"
#include "Simplify.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

void certify::sortUnique(SmallVectorImpl<unsigned> &numbers) {
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
}

Monomial Monomial::operator*(const Monomial &other) const {
  Monomial product = *this;
  product.coefficient *= other.coefficient;
  llvm::append_range(product.factors, other.factors);
  llvm::append_range(product.bound, other.bound);
  llvm::append_range(product.constraints, other.constraints);
  sortUnique(product.constraints);
  return product;
}

//===----------------------------------------------------------------------===//
// Numbers of factors and constraints
//===----------------------------------------------------------------------===//

static void print(const LinearExpr &expr, llvm::raw_ostream &os) {
  for (const auto &[var, factor] : expr.getTerms())
    os << factor << '*' << var << ' ';
  os << expr.getConstant() << ';';
}

unsigned Polynomials::getConstraint(Constraint constraint) {
  // One of all its multiples.
  auto [simple, remainder] = constraint.expr.divideByFactors();
  if (!constraint.isEquality || remainder == 0)
    constraint.expr = simple;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (constraint.isEquality ? '=' : '>');
  print(constraint.expr, os);
  auto [it, isNew] = numbersOfConstraints.try_emplace(text, constraints.size());
  if (isNew)
    constraints.push_back(constraint);
  return it->second;
}

bool Polynomials::constrain(Monomial &monomial, const System &domain,
                            const Renaming &renaming) {
  for (const Constraint &constraint : domain.getConstraints()) {
    LinearExpr expr = constraint.expr.substitute(renaming);
    if (!expr.isConstant()) {
      monomial.constraints.push_back(
          getConstraint({expr, constraint.isEquality}));
      continue;
    }
    bool holds = constraint.isEquality ? expr.getConstant() == 0
                                       : expr.getConstant() >= 0;
    if (!holds)
      return false;
  }
  sortUnique(monomial.constraints);
  return true;
}

unsigned Polynomials::addFactor(ExprRef expr) {
  SmallVector<unsigned, 4> &bound = boundInFactors.emplace_back();
  for (Var var : getUnknowns(expr))
    if (var >= getBound(0))
      bound.push_back(var - getBound(0));
  sortUnique(bound);
  factors.push_back(std::move(expr));
  return factors.size() - 1;
}

unsigned Polynomials::getFactor(const ExprRef &expr, const Renaming &renaming) {
  std::optional<std::string> text = getShape(expr);
  // With a sum in it: another each time.
  if (!text)
    return addFactor(substitute(expr, renaming));
  llvm::raw_string_ostream os(*text);
  os << '|';
  walkReads(expr, [&](const Expr &read) {
    for (const LinearExpr &index : read.indices)
      print(index.substitute(renaming), os);
  });
  auto [it, isNew] = numbersOfFactors.try_emplace(*text, factors.size());
  if (isNew)
    addFactor(substitute(expr, renaming));
  return it->second;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Terms that an expression may have before the same are collected: some
/// hundred bytes each. F(6x6, 3x3) has 64 products of 64 times 9.
static constexpr size_t kMostMonomials = 200'000;

void Polynomials::push(Polynomial &terms, Monomial monomial) {
  isNumber = isNumber && ++numTerms <= kMostMonomials && !solver.hasExpired();
  if (!isNumber)
    return;
  llvm::sort(monomial.factors);
  terms.push_back(std::move(monomial));
}

std::optional<Fraction> Polynomials::getConstantFactor(const Expr &constant) {
  auto value = dyn_cast_or_null<FloatAttr>(constant.constant);
  if (constant.kind != Kind::Constant || !value)
    return std::nullopt;
  return arithmetic == Arithmetic::Fractions
             ? getRoundedFraction(value.getValue())
             : getFraction(value.getValue());
}

ExprRef Polynomials::expand(const ExprRef &expr) {
  bool isExpandable = contains(expr, [&](const Expr &part) {
    return isExpanded(part, expansion) || !part.families.empty();
  });
  if (!isExpandable)
    return expr;
  if (!isa<FloatType>(expr->type))
    return expandOperands(expr);
  // Unknowns that sums around bind are none of its own.
  unsigned first = firstBound;
  for (Var var : getUnknowns(expr))
    if (var >= getBound(0))
      first = std::max(first, var - getBound(0) + 1);
  Polynomials inner(solver, arithmetic, expansion, first);
  std::optional<Polynomial> terms = inner.read(expr, System());
  ExprRef expanded = terms ? inner.write(*terms, Fraction(1), expr->type,
                                         /*hasMultiples=*/true)
                           : nullptr;
  isNumber = isNumber && expanded;
  return expanded ? expanded : expr;
}

ExprRef Polynomials::expandOperands(const ExprRef &expr) {
  if (expr->kind == Kind::Extremum) {
    Families families = expr->families;
    for (Family &family : families)
      family.term = expand(family.term);
    return remake(*expr, families);
  }
  SmallVector<ExprRef> operands = llvm::map_to_vector(
      expr->operands, [&](const ExprRef &operand) { return expand(operand); });
  return operands == expr->operands ? expr : remake(expr, operands);
}

void Polynomials::addFactor(Polynomial &terms, const ExprRef &expr,
                            Monomial times, const Renaming &renaming) {
  isNumber = isNumber && isFinite(expr);
  if (!isNumber)
    return;
  bool isLeaf = expr->operands.empty() && expr->families.empty();
  times.factors.push_back(
      expansion == Expansion::All && !isLeaf
          ? getFactor(expandOperands(substitute(expr, renaming)), Renaming())
          : getFactor(expr, renaming));
  push(terms, std::move(times));
}

void Polynomials::addFamily(Polynomial &terms, const Family &family,
                            const Monomial &times, const Renaming &renaming,
                            unsigned depth) {
  Renaming inner = renaming;
  Monomial product = times;
  for (Var var : family.instance) {
    inner[var] = LinearExpr::var(getBound(depth));
    product.bound.push_back(depth++);
  }
  if (family.origin)
    product.origin = family.origin;
  if (constrain(product, family.domain, inner))
    add(terms, family.term, product, inner, depth);
}

bool certify::isExpanded(const Expr &expr, Expansion expansion) {
  using Owner = CommonValue::Owner;
  if (!expr.common || expr.common->owner == Owner::Both)
    return false;
  return expansion == Expansion::All || (expansion == Expansion::Vectors &&
                                         expr.common->owner == Owner::Vector);
}

bool certify::hasSum(const ExprRef &expr) {
  return contains(expr, [](const Expr &part) {
    return (part.kind == Kind::Sum && !part.families.empty()) ||
           (part.kind == Kind::Apply && part.name == "arith.subf");
  });
}

/// The constant in `expr`, a product, and its other operand.
static std::pair<ExprRef, ExprRef> splitProduct(const ExprRef &expr) {
  const ExprRef &first = expr->operands[0], &second = expr->operands[1];
  return first->kind == Kind::Constant ? std::pair(first, second)
                                       : std::pair(second, first);
}

void Polynomials::addProduct(Polynomial &terms, const ExprRef &expr,
                             const Monomial &times, const Renaming &renaming,
                             unsigned depth) {
  auto [constant, other] = splitProduct(expr);
  if (std::optional<Fraction> factor = getConstantFactor(*constant)) {
    Monomial scaled = times;
    scaled.coefficient *= *factor;
    return add(terms, other, scaled, renaming, depth);
  }
  bool isOfSums = llvm::all_of(expr->operands, hasSum);
  if (isOfSums && expansion != Expansion::All)
    return addFactor(terms, expr, times, renaming);
  Polynomial first, second;
  add(first, expr->operands[0], times, renaming, depth);
  // Unknowns that the second binds are others than those of the first.
  unsigned inside = depth;
  for (const Monomial &monomial : first)
    for (unsigned bound : monomial.bound)
      inside = std::max(inside, bound + 1);
  add(second, expr->operands[1], Monomial(), renaming, inside);
  for (const Monomial &a : first)
    for (const Monomial &b : second)
      push(terms, a * b);
}

/// Adds the element of something named that `read` reads.
void Polynomials::addNamed(Polynomial &terms, const Expr &read,
                           const Monomial &times, const Renaming &renaming,
                           unsigned depth) {
  Renaming inner;
  for (auto [var, index] : llvm::zip_equal(read.common->indices, read.indices))
    inner[var] = index.substitute(renaming);
  for (const Family &family : read.common->elements)
    addFamily(terms, family, times, inner, depth);
}

void Polynomials::add(Polynomial &terms, const ExprRef &expr,
                      const Monomial &times, const Renaming &renaming,
                      unsigned depth) {
  if (!isNumber)
    return;
  if (!expr->leftOut.isNothing())
    zeros.add({LeftOut::Zero::Unknown, expr->leftOut.isOfComputed});
  auto addMultiple = [&](const ExprRef &term, const Fraction &factor) {
    Monomial scaled = times;
    scaled.coefficient *= factor;
    add(terms, term, scaled, renaming, depth);
  };
  if (std::optional<Fraction> value = getConstantFactor(*expr)) {
    Monomial constant = times;
    constant.coefficient *= *value;
    return push(terms, std::move(constant));
  }
  if (expr->kind == Kind::Sum) {
    for (const Family &family : expr->families)
      addFamily(terms, family, times, renaming, depth);
    return;
  }
  if (isExpanded(*expr, expansion))
    return addNamed(terms, *expr, times, renaming, depth);
  if (expr->kind == Kind::Apply && expr->name == kMultiple) {
    auto get = [&](StringRef name) {
      return DynamicAPInt(expr->attributes.getAs<IntegerAttr>(name).getInt());
    };
    return addMultiple(expr->operands[0],
                       Fraction(get("numerator"), get("denominator")));
  }
  if (isApply(expr, "arith.negf"))
    return addMultiple(expr->operands[0], Fraction(-1));
  if (isApply(expr, "arith.subf")) {
    add(terms, expr->operands[0], times, renaming, depth);
    return addMultiple(expr->operands[1], Fraction(-1));
  }
  if (isApply(expr, "arith.mulf"))
    return addProduct(terms, expr, times, renaming, depth);
  addFactor(terms, expr, times, renaming);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// `term` times `coefficient` by an op that the IR does not have; null where
/// this is no fraction of two numbers of 64 bits.
static ExprRef makeMultiple(const ExprRef &term, const Fraction &coefficient) {
  constexpr int64_t Most = int64_t(1) << 62;
  if (presburger::abs(coefficient) > Fraction(Most) ||
      coefficient.den > DynamicAPInt(Most))
    return nullptr;
  Builder builder(term->type.getContext());
  auto attributes = builder.getDictionaryAttr(
      {builder.getNamedAttr(
           "denominator", builder.getI64IntegerAttr(int64_t(coefficient.den))),
       builder.getNamedAttr(
           "numerator", builder.getI64IntegerAttr(int64_t(coefficient.num)))});
  return makeApply(kMultiple, attributes, term->type, {term}, nullptr);
}

ExprRef Polynomials::writeProduct(const Monomial &monomial, Type type) {
  ExprRef product;
  for (unsigned number : monomial.factors)
    product = product ? makeApply("arith.mulf", type,
                                  {product, factors[number]}, monomial.origin)
                      : factors[number];
  return product;
}

ExprRef Polynomials::write(const Polynomial &polynomial, const Fraction &factor,
                           Type type, bool hasMultiples) {
  Families families;
  for (const Monomial &monomial : polynomial) {
    // A coefficient has a type of its own: no number of `type` is as exact.
    Fraction coefficient = monomial.coefficient * factor;
    ExprRef term = writeProduct(monomial, type);
    if (!term || coefficient != Fraction(1)) {
      TypedAttr constant =
          makeFloat(coefficient, Float64Type::get(type.getContext()));
      if (constant && !term)
        term = makeConstant(constant);
      else if (term && hasMultiples)
        term = makeMultiple(term, coefficient);
      else if (constant)
        term = makeApply("arith.mulf", type, {term, makeConstant(constant)},
                         monomial.origin);
      else
        return nullptr;
      if (!term)
        return nullptr;
    }
    DenseMap<Var, LinearExpr> values;
    Family family{{}, {}, nullptr, monomial.origin};
    for (unsigned bound : monomial.bound) {
      family.instance.push_back(solver.makeVar());
      values[getBound(bound)] = LinearExpr::var(family.instance.back());
    }
    for (unsigned number : monomial.constraints)
      family.domain.add({constraints[number].expr.substitute(values),
                         constraints[number].isEquality});
    family.term = substitute(term, values);
    families.push_back(std::move(family));
  }
  return addZeros(makeSum(type, families), zeros);
}
