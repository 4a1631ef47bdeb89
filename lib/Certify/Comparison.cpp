//===- Comparison.cpp - Whether two expressions are equal -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Simplify.h"
#include "ZeroSigns.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;
using Verdict = Certificate::Verdict;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// The indices of all reads in `expr`, in order.
static SmallVector<LinearExpr> getReadIndices(const ExprRef &expr) {
  SmallVector<LinearExpr> indices;
  walkReads(expr, [&](const Expr &read) {
    llvm::append_range(indices, read.indices);
  });
  return indices;
}

/// Where `a` and `b`, of one shape, read the same elements.
static System getSameReads(const ExprRef &a, const ExprRef &b) {
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
  // There is a point, and one formula for it.
  Elimination only = solver.eliminate(family.instance, family.domain);
  domain.append(only.definitions);
  family = {{}, {}, substitute(family.term, only.values), family.origin};
}

/// Drops families without points in `domain`; what is left may be no sum.
ExprRef Comparison::simplify(const ExprRef &expr, System &domain) {
  if (expr->kind == Kind::Apply) {
    SmallVector<ExprRef> operands =
        llvm::map_to_vector(expr->operands, [&](const ExprRef &operand) {
          return simplify(operand, domain);
        });
    return addZeros(
        makeApply(expr->name, expr->attributes, expr->type, operands, nullptr),
        expr->leftOut);
  }
  if (expr->kind != Kind::Sum)
    return expr;
  Families families;
  for (const Family &family : expr->families) {
    if (solver.isEmpty(domain & family.domain))
      continue;
    families.push_back(family);
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
  return addZeros(makeSum(expr->type, families), expr->leftOut);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

bool Comparison::areEqual(const ExprRef &before, const ExprRef &after,
                          const System &domain) {
  System known = domain;
  ExprRef first = simplify(before, known), second = simplify(after, known);
  if (compare(first, second, known))
    return true;
  tryValues(first, second, known);
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
    return failAt(domain, after,
                  "the second function computes in another type:", "", nullptr);
  bool isSum = before->kind == Kind::Sum || after->kind == Kind::Sum ||
               isZero(before) || isZero(after);
  if (isSum)
    return compareSums(getTerms(before), getTerms(after), domain);
  if (before->kind == Kind::Undefined || after->kind == Kind::Undefined)
    return compareUndefined(before, after, domain);
  bool isSame =
      before->kind == after->kind && before->constant == after->constant &&
      before->name == after->name && before->attributes == after->attributes &&
      before->operands.size() == after->operands.size();
  System apart = domain;
  if (isSame && before->kind == Kind::Read) {
    isSame = getShape(before) == getShape(after);
    if (isSame)
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

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Whether one side has products of differences that the other lacks, which has
/// several kinds of products in their place.
static bool mayBeMultipliedOut(
    const std::map<std::string, std::pair<Families, Families>> &groups) {
  unsigned differences[2] = {}, products[2] = {};
  for (const auto &[shape, sides] : groups) {
    if (!sides.first.empty() && !sides.second.empty())
      continue;
    unsigned side = sides.first.empty();
    StringRef text = shape;
    products[side] += text.contains("arith.mul");
    differences[side] +=
        text.contains("arith.sub") || text.contains("arith.add");
  }
  return (differences[0] > 0 && products[1] > 1) ||
         (differences[1] > 0 && products[0] > 1);
}

/// Whether `term` is a product of elements of arguments, widened or not: sums
/// of other such terms have other values, where they do not wrap around.
static bool isPlainProduct(const ExprRef &term) {
  if (term->kind == Kind::Read)
    return term->argument != nullptr;
  return term->kind == Kind::Apply && term->attributes.empty() &&
         (term->name.starts_with("arith.mul") ||
          term->name.starts_with("arith.ext")) &&
         llvm::all_of(term->operands, isPlainProduct);
}

bool Comparison::compareSums(const Families &before, const Families &after,
                             const System &domain) {
  std::map<std::string, std::pair<Families, Families>> groups;
  using Group = std::pair<Families, Families>;
  SmallVector<const Family *> nestedBefore, nestedAfter;
  auto add = [&](const Families &families, auto member, auto &nested) {
    for (const Family &family : families) {
      if (solver.isEmpty(domain & family.domain))
        continue;
      if (std::optional<std::string> shape = getShape(family.term))
        (groups[*shape].*member).push_back(renameInstance(solver, family));
      else
        nested.push_back(&family);
    }
  };
  add(before, &Group::first, nestedBefore);
  add(after, &Group::second, nestedAfter);
  if (!matchNestedSums(nestedBefore, nestedAfter, domain))
    return leaveUndecided("a sum within a product",
                          nestedBefore.empty() ? nullptr : nestedBefore.front(),
                          nestedAfter.empty() ? nullptr : nestedAfter.front(),
                          domain);
  isOfForm = llvm::any_of(groups, [](const auto &group) {
    const auto &[shape, sides] = group;
    const Families &terms = sides.first.empty() ? sides.second : sides.first;
    // Integers of which there are enough are nothing.
    const ExprRef &term = terms.front().term;
    return !isa<FloatType>(term->type) ||
           ((sides.first.empty() || sides.second.empty() ||
             StringRef(shape).contains("constant")) &&
            !isPlainProduct(term));
  });
  if (mayBeMultipliedOut(groups))
    return leaveUndecided("products of differences that may be multiplied out",
                          before.empty() ? nullptr : &before.front(),
                          after.empty() ? nullptr : &after.front(), domain);
  // What the first function has and the second lacks tells more than the rest.
  auto areEqual = [&](const auto &group) {
    return compareGroup(group.second.first, group.second.second, domain);
  };
  auto isOfFirst = [](const auto &group) {
    return !group.second.first.empty();
  };
  return llvm::all_of(llvm::make_filter_range(groups, isOfFirst), areEqual) &&
         llvm::all_of(llvm::make_filter_range(groups, std::not_fn(isOfFirst)),
                      areEqual);
}

bool Comparison::isSameFamily(const Family &before, const Family &after,
                              const System &domain) {
  if (before.instance.size() != after.instance.size())
    return false;
  // Unknowns are taken for each other in their order: where that is another
  // one, nothing is known.
  DenseMap<Var, LinearExpr> values;
  for (auto [first, second] : llvm::zip(before.instance, after.instance))
    values[second] = LinearExpr::var(first);
  System first = domain & before.domain;
  System second = after.domain.substitute(values);
  auto implies = [&](const System &known, const System &wanted) {
    return llvm::all_of(wanted.getConstraints(), [&](const Constraint &one) {
      return solver.implies(known, one);
    });
  };
  return implies(first, second) && implies(domain & second, before.domain) &&
         compare(before.term, substitute(after.term, values), first);
}

bool Comparison::matchNestedSums(ArrayRef<const Family *> before,
                                 ArrayRef<const Family *> after,
                                 const System &domain) {
  if (before.size() != after.size())
    return false;
  SmallVector<const Family *> rest(after);
  for (const Family *first : before) {
    auto *match = llvm::find_if(rest, [&](const Family *second) {
      // One that is another says nothing of the next.
      Comparison trial = *this;
      if (!trial.isSameFamily(*first, *second, domain))
        return false;
      certificate.numFamilies = trial.certificate.numFamilies;
      return true;
    });
    if (match == rest.end())
      return false;
    rest.erase(match);
  }
  return true;
}

bool Comparison::matchOneByOne(const Families &before, const Families &after,
                               const System &domain) {
  auto getAll = [](const Families &families) {
    return llvm::map_to_vector(families,
                               [](const Family &family) { return &family; });
  };
  return matchNestedSums(getAll(before), getAll(after), domain);
}

bool Comparison::compareGroup(const Families &before, const Families &after,
                              const System &domain) {
  certificate.numFamilies += before.size() + after.size();
  bool isSameSet = isCovered(before, after, Side::After, domain) &&
                   isCovered(after, before, Side::Before, domain);
  if (!isSameSet && certificate.verdict == Verdict::Different)
    return false;
  // The sets of terms are equal, or perhaps are; each term must stand there as
  // often.
  std::optional<System> twiceBefore = findDuplicate(before, domain);
  std::optional<System> twiceAfter = findDuplicate(after, domain);
  if (!twiceBefore && !twiceAfter)
    return isSameSet;
  if (twiceBefore && twiceAfter && matchOneByOne(before, after, domain)) {
    certificate.verdict = Verdict::Certified;
    return true;
  }
  if (twiceBefore && twiceAfter)
    return leaveUndecided("terms that stand in a sum several times",
                          &before.front(), &after.front(), domain);
  const Family &term = twiceAfter ? after.front() : before.front();
  return failAt(twiceAfter ? *twiceAfter : *twiceBefore, term.term,
                twiceAfter ? "the second function adds twice"
                           : "the second function adds only once",
                "", after.front().origin);
}

bool Comparison::isCovered(const Families &terms, const Families &others,
                           Side side, const System &domain) {
  for (const Family &family : terms) {
    System all = domain & family.domain;
    std::optional<Parts> rest = Parts{Part()};
    for (const Family &candidate : others) {
      Family other = renameInstance(solver, candidate);
      System same = other.domain & getSameReads(other.term, family.term);
      rest = solver.subtract(all, *rest, other.instance, same);
      if (!rest)
        return leaveUndecided("terms that their elements do not determine",
                              side == Side::After ? &family : &other,
                              side == Side::After ? &other : &family, domain);
    }
    if (rest->empty())
      continue;
    System missing = all & rest->front().domain;
    std::optional<DenseMap<Var, int64_t>> point = findPoint(missing);
    Operation *op = family.origin;
    std::string instead;
    if (point)
      instead = describeInstead(*point, family, others, domain, op);
    return failAt(missing, family.term,
                  side == Side::After ? "the second function lacks"
                                      : "only the second function has",
                  instead, op);
  }
  return true;
}

bool Comparison::isInjective(const Family &family) {
  // What a term reads is known; are its instance's unknowns?
  System known = family.domain;
  for (const LinearExpr &index : getReadIndices(family.term))
    known.addEqual(index, LinearExpr::var(solver.makeVar()));
  return solver.eliminate(family.instance, known).unsolved.empty();
}

std::optional<System> Comparison::findDuplicate(const Families &terms,
                                                const System &domain) {
  for (const auto *first = terms.begin(); first != terms.end(); ++first) {
    if (!isInjective(*first)) {
      Family other = renameInstance(solver, *first);
      System same = domain & first->domain & other.domain &
                    getSameReads(first->term, other.term);
      for (auto [a, b] : llvm::zip(first->instance, other.instance)) {
        System apart = same;
        apart.addAtMost(LinearExpr::var(a) + 1, LinearExpr::var(b));
        if (!solver.isEmpty(apart))
          return apart;
      }
    }
    for (const auto *second = first + 1; second != terms.end(); ++second) {
      System both = domain & first->domain & second->domain &
                    getSameReads(first->term, second->term);
      if (!solver.isEmpty(both))
        return both;
    }
  }
  return std::nullopt;
}
