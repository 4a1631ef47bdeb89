//===- Comparison.cpp - Whether two expressions are equal -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "../Terms/EqualReads.h"
#include "../Terms/ExactTerms.h"
#include "../Terms/Simplify.h"
#include "../Terms/ZeroSigns.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;
using Verdict = Certificate::Verdict;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

SmallVector<LinearExpr> certify::getReadIndices(const ExprRef &expr) {
  SmallVector<LinearExpr> indices;
  walkReads(expr, [&](const Expr &read) {
    llvm::append_range(indices, read.indices);
  });
  return indices;
}

System certify::getSameReads(const ExprRef &a, const ExprRef &b) {
  System same;
  for (auto [x, y] : llvm::zip_equal(getReadIndices(a), getReadIndices(b)))
    same.addEqual(x, y);
  return same;
}

/// `expr` as the terms of a sum.
static Families getTerms(const ExprRef &expr) {
  if (expr->kind == Kind::Sum)
    return expr->families;
  if (isZero(expr))
    return {};
  return {Family{{}, {}, expr, nullptr}};
}

bool Comparison::fail(Verdict verdict, const Twine &message, Operation *op) {
  certificate.verdict = verdict;
  certificate.message = message.str();
  certificate.op = op ? findPlaced(op) : nullptr;
  return false;
}

void Comparison::takeOnlyTerm(Family &family, System &domain) {
  std::optional<Parts> without =
      solver.subtract(domain, family.instance, family.domain);
  if (!without || !without->empty())
    return;
  Elimination only = solver.eliminate(family.instance, family.domain);
  if (!only.unsolved.empty())
    return; // perhaps several
  // There is a point, and one formula for it.
  domain.append(only.definitions);
  family = {{}, {}, substitute(family.term, only.values), family.origin};
}

/// The same of a term, whose instance has no place for quotients.
ExprRef Comparison::simplifyTerm(const ExprRef &term, const System &domain) {
  System known = domain;
  ExprRef simple = simplify(term, known);
  bool hasQuotients =
      known.getConstraints().size() > domain.getConstraints().size();
  return hasQuotients ? term : simple;
}

/// Drops families without points in `domain`; what is left may be no sum.
ExprRef Comparison::simplify(const ExprRef &expr, System &domain) {
  bool hasTerms = contains(expr, [](const Expr &part) {
    return !llvm::all_of(part.families, isEverywhere);
  });
  if (!hasTerms)
    return expr;
  if (expr->kind == Kind::Apply || expr->kind == Kind::Gather) {
    SmallVector<ExprRef> operands =
        llvm::map_to_vector(expr->operands, [&](const ExprRef &operand) {
          return simplify(operand, domain);
        });
    return remake(expr, operands);
  }
  Families families;
  for (const Family &family : expr->families) {
    System inTerm = domain & family.domain;
    if (solver.isEmpty(inTerm))
      continue;
    families.push_back(family);
    families.back().term = simplifyTerm(family.term, inTerm);
    // A term that is there in the whole domain is unconditional.
    if (family.instance.empty() &&
        llvm::all_of(family.domain.getConstraints(),
                     [&](const Constraint &constraint) {
                       return solver.implies(domain, constraint);
                     }))
      families.back().domain = {};
  }
  if (families.size() == 1 && !families.front().instance.empty())
    takeOnlyTerm(families.front(), domain);
  return remake(*expr, families);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

bool Comparison::areEqual(const ExprRef &before, const ExprRef &after,
                          const System &domain, Arithmetic arithmetic) {
  ExprRef first = before, second = after;
  std::optional<ExactPair> exact;
  if (arithmetic != Arithmetic::AnyOrder)
    exact = multiplyOut(solver, before, after, domain, arithmetic);
  if (exact) {
    first = exact->first;
    second = exact->second;
  }
  System known = domain;
  first = unifyReads(solver, simplify(first, known), known);
  second = unifyReads(solver, simplify(second, known), known);
  if (compare(first, second, known))
    return true;
  // The same terms may have several coefficients, whose sums are equal.
  isOfForm |= exact.has_value();
  tryValues(first, second, known);
  if (exact && exact->factor != 1)
    llvm::raw_string_ostream(certificate.message)
        << " (of " << exact->factor << " times both)";
  return false;
}

std::optional<System> Comparison::findOtherReads(const ExprRef &a,
                                                 const ExprRef &b,
                                                 const System &domain) {
  System sameReads = getSameReads(a, b);
  for (const Constraint &same : sameReads.getConstraints())
    for (const Constraint &other : negate(same))
      if (!solver.excludes(domain, other)) {
        System points = domain;
        points.add(other);
        return points;
      }
  return std::nullopt;
}

/// The floating-point type in which `expr` forms its sum before it is rounded;
/// null if it has no terms or is no sum.
static Type getSumType(ExprRef expr) {
  while (expr->kind == Kind::Apply &&
         (expr->name == "arith.extf" || expr->name == "arith.truncf"))
    expr = expr->operands[0];
  bool hasTerms = expr->kind == Kind::Sum && !expr->families.empty();
  return hasTerms ? dyn_cast<FloatType>(expr->type) : Type();
}

/// Whether the scalar op `name` gives other numbers for others, but for
/// rounding.
static bool isInjectiveOp(StringRef name) {
  return name == "arith.extf" || name == "arith.truncf" ||
         name == "arith.extsi" || name == "arith.extui";
}

/// Whether `expr` is what a buffer of the caller held.
static bool isOfBuffer(const ExprRef &expr) {
  return expr->kind == Kind::Read && expr->argument &&
         isa<BaseMemRefType>(expr->argument.getType());
}

bool Comparison::comparePrecisions(const ExprRef &before, const ExprRef &after,
                                   Type typeBefore, Type typeAfter,
                                   const System &domain) {
  if (!compare(dropPrecision(before), dropPrecision(after), domain))
    return false;
  std::string message;
  llvm::raw_string_ostream(message)
      << "sums are formed in " << typeAfter << " instead of " << typeBefore;
  ExprRef sum = after;
  while (sum->kind == Kind::Apply)
    sum = sum->operands[0];
  isOfPrecision = true;
  certificate.hasWiderSums =
      typeAfter.getIntOrFloatBitWidth() > typeBefore.getIntOrFloatBitWidth();
  return fail(Verdict::Different, message, sum->families.back().origin);
}

bool Comparison::compareCommuting(const ExprRef &before, const ExprRef &after,
                                  const System &domain) {
  auto hasSum = [](const ExprRef &operand) { return !getShape(operand); };
  // Others have an order of their own.
  if (!llvm::any_of(before->operands, hasSum) &&
      !llvm::any_of(after->operands, hasSum))
    return false;
  for (bool isSwapped : {false, true}) {
    // An order that is another says nothing of the next.
    Comparison trial = *this;
    if (!trial.compare(before->operands[0], after->operands[isSwapped],
                       domain) ||
        !trial.compare(before->operands[1], after->operands[!isSwapped],
                       domain))
      continue;
    certificate.numFamilies = trial.certificate.numFamilies;
    return true;
  }
  return false;
}

bool Comparison::compareRounded(const ExprRef &before, const ExprRef &after,
                                const System &domain) {
  auto isRounded = [](const ExprRef &expr) {
    return expr->kind == Kind::Apply && expr->name == "arith.truncf" &&
           expr->attributes.empty();
  };
  if (isRounded(before) == isRounded(after))
    return false;
  const ExprRef &rounded = isRounded(before) ? before : after;
  Type wide = rounded->operands[0]->type;
  auto widen = [&](const ExprRef &expr) {
    return &expr == &rounded ? expr->operands[0]
                             : makeApply("arith.extf", rounded->attributes,
                                         wide, expr, nullptr);
  };
  // Numbers that are not equal may be rounded to equal ones.
  Comparison trial = *this;
  if (!trial.compare(widen(before), widen(after), domain))
    return false;
  certificate.numFamilies = trial.certificate.numFamilies;
  return true;
}

bool Comparison::compareUndefined(const ExprRef &before, const ExprRef &after,
                                  const System &domain) {
  // What a destination holds is as good as anything.
  if (before->kind == after->kind || isOfBuffer(after))
    return true;
  if (after->kind == Kind::Undefined)
    return failAt(domain, before,
                  "the second function never writes it; the first writes", "",
                  nullptr);
  return failAt(domain, after, "only the second function writes it:", "",
                nullptr);
}

bool Comparison::failAtType(const ExprRef &before, const ExprRef &after,
                            const System &domain) {
  // Bits of one width may be those of another.
  isOfForm |= isa<IntegerType>(before->type) && isa<IntegerType>(after->type);
  return failAt(domain, after,
                "the second function computes in another type:", "", nullptr);
}

bool Comparison::compare(const ExprRef &before, const ExprRef &after,
                         const System &domain) {
  if (isOfUnknownSign(*before) || isOfUnknownSign(*after))
    return fail(Verdict::Undecided,
                "a zero whose sign is not known, of which an op makes other "
                "numbers where it is negative",
                nullptr);
  Type typeBefore = getSumType(before), typeAfter = getSumType(after);
  if (typeBefore && typeAfter && typeBefore != typeAfter)
    return comparePrecisions(before, after, typeBefore, typeAfter, domain);
  if (before->type != after->type)
    return failAtType(before, after, domain);
  bool isSum = before->kind == Kind::Sum || after->kind == Kind::Sum ||
               isZero(before) || isZero(after);
  if (isSum)
    return compareSums(getTerms(before), getTerms(after), domain);
  if (before->kind == Kind::Undefined || after->kind == Kind::Undefined)
    return compareUndefined(before, after, domain);
  for (const ExprRef &either : {before, after})
    if (isExtremum(*either))
      return compareExtrema(before, after, either->name, domain);
  if (compareRounded(before, after, domain))
    return true;
  bool isSame =
      before->kind == after->kind && before->constant == after->constant &&
      before->name == after->name && before->attributes == after->attributes &&
      before->operands.size() == after->operands.size();
  System apart = domain;
  bool isLeaf = before->kind == Kind::Read || before->kind == Kind::Number;
  if (isSame && (isLeaf || before->kind == Kind::Gather)) {
    isSame = isSameTensor(*before, *after) &&
             before->indices.size() == after->indices.size();
    if (isSame && isLeaf)
      if (std::optional<System> others =
              findOtherReads(before, after, domain)) {
        isSame = false;
        apart = *others;
      }
  }
  if (!isSame) {
    // Elements of constants may be equal.
    isOfForm = before->kind != Kind::Read || after->kind != Kind::Read ||
               before->constant || after->constant || before->common ||
               after->common;
    std::optional<DenseMap<Var, int64_t>> point = findPoint(apart);
    return failAt(apart, before, "the first function has",
                  point ? toString(after, *point) : "", nullptr);
  }
  if (commutes(before->name) && compareCommuting(before, after, domain))
    return true;
  bool areEqual = llvm::all_of(
      llvm::zip(before->operands, after->operands), [&](const auto &operands) {
        return compare(std::get<0>(operands), std::get<1>(operands), domain);
      });
  // Other operands may have equal results.
  isOfForm = isOfForm || (!areEqual && !isInjectiveOp(before->name));
  return areEqual;
}
