//===- Interpolation.cpp - What lies between expressions ---------- -*- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpolation.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

bool Interpolation::rename(ArrayRef<Var> first, ArrayRef<Var> second) {
  if (first.size() != second.size())
    return false;
  for (auto [a, b] : llvm::zip_equal(first, second))
    if (a != b)
      renamed[b] = LinearExpr::var(a);
  return true;
}

std::optional<LinearExpr> Interpolation::find(const LinearExpr &first,
                                              const LinearExpr &second) const {
  LinearExpr difference = second.substitute(renamed) - first;
  if (!difference.isConstant() || (!step && difference.getConstant() != 0))
    return std::nullopt;
  return step ? first + *step * difference.getConstant() : first;
}

std::optional<System> Interpolation::find(const System &first,
                                          const System &second) const {
  if (first.getConstraints().size() != second.getConstraints().size())
    return std::nullopt;
  System result;
  for (auto [a, b] :
       llvm::zip_equal(first.getConstraints(), second.getConstraints())) {
    std::optional<LinearExpr> expr = find(a.expr, b.expr);
    if (!expr || a.isEquality != b.isEquality)
      return std::nullopt;
    result.add({*expr, a.isEquality});
  }
  return result;
}

std::optional<Family> Interpolation::find(const Family &first,
                                          const Family &second) {
  if (!rename(first.instance, second.instance))
    return std::nullopt;
  std::optional<System> domain = find(first.domain, second.domain);
  ExprRef term = domain ? find(first.term, second.term) : nullptr;
  if (!term)
    return std::nullopt;
  return Family{first.instance, *domain, term, first.origin};
}

ExprRef Interpolation::find(const ExprRef &first, const ExprRef &second) {
  bool isAlike =
      first->kind == second->kind && first->type == second->type &&
      first->constant == second->constant &&
      first->argument == second->argument && first->common == second->common &&
      first->indices.size() == second->indices.size() &&
      first->name == second->name && first->attributes == second->attributes &&
      first->operands.size() == second->operands.size() &&
      first->families.size() == second->families.size() &&
      first->leftOut.zero == second->leftOut.zero &&
      first->leftOut.isOfComputed == second->leftOut.isOfComputed;
  if (!isAlike)
    return nullptr;
  Expr result = *first;
  for (auto [index, other] : llvm::zip_equal(result.indices, second->indices)) {
    std::optional<LinearExpr> between = find(index, other);
    if (!between)
      return nullptr;
    index = *between;
  }
  for (auto [operand, other] :
       llvm::zip_equal(result.operands, second->operands)) {
    operand = find(operand, other);
    if (!operand)
      return nullptr;
  }
  for (auto [family, other] :
       llvm::zip_equal(result.families, second->families)) {
    std::optional<Family> between = find(family, other);
    if (!between)
      return nullptr;
    family = *between;
  }
  return std::make_shared<const Expr>(std::move(result));
}
