//===- TermComparison.cpp - Whether sets of terms are equal -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Terms/Merging.h"
#include "../Terms/RingTerms.h"
#include "../Terms/Simplify.h"
#include "Comparison.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;
using Verdict = Certificate::Verdict;

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

/// Leaves out of the terms of an extremum by `name` the constant that changes
/// none, as minus infinity is of a maximum. An extremum is of some term at each
/// element: where there is no other than that constant on one side, there is
/// none on the other, or they are found to differ.
static void dropNeutral(StringRef name, Families &terms) {
  auto isNeutral = [name](const Family &constant, const Family &other) {
    if (constant.term->kind != Kind::Constant ||
        other.term->kind == Kind::Constant)
      return false;
    Type type = other.term->type;
    ExprRef both = fold(name, DictionaryAttr::get(type.getContext()), type,
                        {constant.term, other.term});
    return both && areSame(both, other.term);
  };
  Families all = terms;
  llvm::erase_if(terms, [&](const Family &term) {
    return llvm::any_of(
        all, [&](const Family &other) { return isNeutral(term, other); });
  });
}

bool Comparison::compareExtrema(const ExprRef &before, const ExprRef &after,
                                StringRef name, const System &domain) {
  TermsByShape groups;
  SmallVector<const Family *> nestedBefore, nestedAfter;
  Families first = getExtremumTerms(before, name);
  Families second = getExtremumTerms(after, name);
  for (Families *terms : {&first, &second}) {
    llvm::erase_if(*terms, [&](const Family &term) {
      return solver.isEmpty(domain & term.domain);
    });
    dropNeutral(name, *terms);
  }
  groupByShape(first, &TermsOfBoth::first, domain, groups, nestedBefore);
  groupByShape(second, &TermsOfBoth::second, domain, groups, nestedAfter);
  // One term may be greater than another that only one side has.
  isOfForm = true;
  bool areOnly = nestedBefore.size() == 1 && nestedAfter.size() == 1 &&
                 isEverywhere(*nestedBefore.front()) &&
                 isEverywhere(*nestedAfter.front());
  if (areOnly) {
    bool areEqual =
        compare(nestedBefore.front()->term, nestedAfter.front()->term, domain);
    isOfForm = true;
    if (!areEqual)
      return false;
  } else if (!matchNested(nestedBefore, nestedAfter, groups, domain)) {
    return leaveUndecided("a sum within a maximum or minimum",
                          nestedBefore.empty() ? nullptr : nestedBefore.front(),
                          nestedAfter.empty() ? nullptr : nestedAfter.front(),
                          domain);
  }
  return llvm::all_of(groups, [&](const auto &group) {
    const TermsOfBoth &terms = group.second;
    certificate.numFamilies += terms.first.size() + terms.second.size();
    return isCovered(terms.first, terms.second, Side::After, domain) &&
           isCovered(terms.second, terms.first, Side::Before, domain);
  });
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

void Comparison::groupByShape(const Families &families,
                              Families TermsOfBoth::*member,
                              const System &domain, TermsByShape &groups,
                              SmallVectorImpl<const Family *> &nested) {
  for (const Family &family : families) {
    if (solver.isEmpty(domain & family.domain))
      continue;
    if (std::optional<std::string> shape = getShape(family.term))
      (groups[*shape].*member).push_back(renameInstance(solver, family));
    else
      nested.push_back(&family);
  }
}

bool Comparison::compareSums(const Families &before, const Families &after,
                             const System &domain) {
  const Comparison start = *this;
  if (compareTerms(before, after, domain))
    return true;
  for (const RingSums &sums : multiplyOut(before, after)) {
    Comparison trial = start;
    if (!trial.compareTerms(sums.first, sums.second, domain))
      continue;
    takeFindings(trial);
    return true;
  }
  return false;
}

void Comparison::takeFindings(const Comparison &other) {
  certificate = other.certificate;
  place = other.place;
  isOfForm = other.isOfForm;
  isOfPrecision = other.isOfPrecision;
}

bool Comparison::compareTerms(const Families &before, const Families &after,
                              const System &domain) {
  TermsByShape groups;
  SmallVector<const Family *> nestedBefore, nestedAfter;
  groupByShape(before, &TermsOfBoth::first, domain, groups, nestedBefore);
  groupByShape(after, &TermsOfBoth::second, domain, groups, nestedAfter);
  for (auto &[shape, sides] : groups) {
    mergeNeighbours(sides.first);
    mergeNeighbours(sides.second);
  }
  if (nestedBefore.size() != nestedAfter.size()) {
    dropVanishing(nestedBefore, domain);
    dropVanishing(nestedAfter, domain);
  }
  if (!matchNested(nestedBefore, nestedAfter, groups, domain))
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
           // Places may be the same however they are computed.
           StringRef(shape).contains("gather") ||
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

ExprRef Comparison::dropZeroSums(const ExprRef &expr, const System &domain) {
  if (expr->kind == Kind::Sum && isa<IntegerType>(expr->type)) {
    Comparison trial = *this;
    ExprRef zero = makeConstant(IntegerAttr::get(expr->type, 0));
    return trial.compare(expr, zero, domain) ? zero : expr;
  }
  if (expr->kind != Kind::Apply)
    return expr;
  SmallVector<ExprRef> operands;
  for (const ExprRef &operand : expr->operands)
    operands.push_back(dropZeroSums(operand, domain));
  return operands == expr->operands ? expr : remake(expr, operands);
}

void Comparison::dropVanishing(SmallVectorImpl<const Family *> &nested,
                               const System &domain) {
  llvm::erase_if(nested, [&](const Family *family) {
    return isZero(dropZeroSums(family->term, domain & family->domain));
  });
}

bool Comparison::matchNested(SmallVectorImpl<const Family *> &before,
                             SmallVectorImpl<const Family *> &after,
                             TermsByShape &groups, const System &domain) {
  if (before.size() == after.size())
    return matchNestedSums(before, after, domain);
  auto isOneSided = [](const auto &group) {
    return group.second.first.empty() || group.second.second.empty();
  };
  // A sum of one term may be written as that term.
  for (const auto &group : llvm::make_filter_range(groups, isOneSided)) {
    auto getAddress = [](const Family &family) { return &family; };
    llvm::append_range(before, llvm::map_range(group.second.first, getAddress));
    llvm::append_range(after, llvm::map_range(group.second.second, getAddress));
  }
  if (!matchNestedSums(before, after, domain))
    return false;
  for (auto group = groups.begin(); group != groups.end();)
    group = isOneSided(*group) ? groups.erase(group) : std::next(group);
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
