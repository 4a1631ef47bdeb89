//===- Arguments.cpp - What is known of functions' arguments ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Unknowns
//===----------------------------------------------------------------------===//

/// The dimension that stands for an argument itself.
static constexpr int64_t kItself = -1;

LinearExpr Arguments::getUnknown(BlockArgument argument, int64_t dim) {
  auto [it, isNew] = unknowns.try_emplace({argument.getArgNumber(), dim}, 0);
  if (isNew)
    it->second = solver.makeVar();
  return LinearExpr::var(it->second);
}

LinearExpr Arguments::getSize(BlockArgument argument, int64_t dim) {
  return getUnknown(argument, dim);
}

LinearExpr Arguments::getIndex(BlockArgument argument) {
  bool isNew = !unknowns.contains({argument.getArgNumber(), kItself});
  LinearExpr index = getUnknown(argument, kItself);
  auto type = dyn_cast<IntegerType>(argument.getType());
  if (isNew && type && type.getWidth() < 64) {
    // Of no bits there is but 0.
    int64_t half = (int64_t(1) << type.getWidth()) / 2;
    ranges.addRange(-half, index, LinearExpr(std::max<int64_t>(half, 1)));
  }
  return index;
}

std::optional<Var> Arguments::findIndex(BlockArgument argument) const {
  auto it = unknowns.find({argument.getArgNumber(), kItself});
  if (it == unknowns.end())
    return std::nullopt;
  return it->second;
}

SmallVector<Var> Arguments::getUnknowns() const {
  return llvm::map_to_vector(
      unknowns, [](const auto &unknown) { return unknown.second; });
}

bool Arguments::hasSizes() const {
  return llvm::any_of(unknowns, [](const auto &unknown) {
    return unknown.first.second != kItself;
  });
}

bool Arguments::isUnknown(Var var) const {
  return quotients.contains(var) ||
         llvm::any_of(unknowns, [&](const auto &unknown) {
           return unknown.second == var;
         });
}

bool Arguments::isKnown(const Size &size) const {
  return llvm::all_of(size, [&](const LinearExpr &value) {
    return llvm::none_of(value.getTerms(), [&](const auto &term) {
      return isUnknown(term.first);
    });
  });
}

bool Arguments::settle(const Case<LinearExpr> &one) const {
  auto isSettled = [&](const LinearExpr &expr) {
    return llvm::all_of(expr.getTerms(), [&](const auto &term) {
      return llvm::is_contained(one.locals, term.first) ||
             isUnknown(term.first);
    });
  };
  return isSettled(one.value) &&
         llvm::all_of(one.domain.getConstraints(),
                      [&](const Constraint &constraint) {
                        return isSettled(constraint.expr);
                      });
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

void Arguments::assumeEqual(const LinearExpr &a, const LinearExpr &b) {
  assumptions.addEqual(a, b);
}

void Arguments::assumeAtMost(const LinearExpr &a, const LinearExpr &b) {
  assumptions.addAtMost(a, b);
}

void Arguments::define(ArrayRef<Var> quotients, const System &definitions) {
  this->quotients.insert(quotients.begin(), quotients.end());
  assumptions.append(definitions);
}

System Arguments::getScope() const {
  System scope = assumptions & ranges;
  for (const auto &[place, unknown] : unknowns)
    if (place.second != kItself)
      scope.addAtMost(isNowhereEmpty, LinearExpr::var(unknown));
  return scope;
}

void Arguments::beginCase(const System &assumed) {
  assumptions = assumed;
  splits.clear();
  isIncomplete = false;
}

void Arguments::splitInto(const IndexCases &cases) {
  if (splits.empty())
    for (const Case<LinearExpr> &one : cases)
      splits.push_back(one.domain);
}

void Arguments::assumeIn(const IndexCases &cases) {
  splitInto(cases);
  isIncomplete = true;
}

//===----------------------------------------------------------------------===//
// Zero points
//===----------------------------------------------------------------------===//

void Arguments::addZeroPoint(BlockArgument argument, StringRef widening,
                             unsigned width) {
  auto [it, isNew] =
      widenings.try_emplace({argument.getArgNumber(), widening}, width);
  it->second = std::min(it->second, width);
}

bool Arguments::isWidened(BlockArgument argument, StringRef widening,
                          unsigned width) const {
  auto it = widenings.find({argument.getArgNumber(), widening});
  return it != widenings.end() && it->second <= width;
}
