//===- Expr.cpp - Elements as symbolic expressions --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expr.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

ExprRef certify::makeUndefined(Type type) {
  Expr expr{};
  expr.kind = Kind::Undefined;
  expr.type = type;
  return std::make_shared<const Expr>(std::move(expr));
}

ExprRef certify::makeConstant(TypedAttr value) {
  Expr expr{};
  expr.kind = Kind::Constant;
  expr.type = value.getType();
  expr.constant = value;
  return std::make_shared<const Expr>(std::move(expr));
}

ExprRef certify::makeRead(BlockArgument argument,
                          ArrayRef<LinearExpr> indices) {
  Expr expr{};
  expr.kind = Kind::Read;
  expr.type = getElementTypeOrSelf(argument.getType());
  expr.argument = argument;
  expr.indices.assign(indices.begin(), indices.end());
  return std::make_shared<const Expr>(std::move(expr));
}

ExprRef certify::makeRead(ElementsAttr constant, ArrayRef<LinearExpr> indices) {
  Expr expr{};
  expr.kind = Kind::Read;
  expr.type = constant.getElementType();
  expr.constant = cast<TypedAttr>(constant);
  expr.indices.assign(indices.begin(), indices.end());
  return std::make_shared<const Expr>(std::move(expr));
}

ExprRef certify::makeRead(std::shared_ptr<const CommonValue> common, Type type,
                          ArrayRef<LinearExpr> indices) {
  Expr expr{};
  expr.kind = Kind::Read;
  expr.type = type;
  expr.common = std::move(common);
  expr.indices.assign(indices.begin(), indices.end());
  return std::make_shared<const Expr>(std::move(expr));
}

bool certify::isZero(const ExprRef &expr) {
  if (expr->kind == Kind::Sum)
    return expr->families.empty();
  if (expr->kind != Kind::Constant)
    return false;
  if (auto value = dyn_cast<FloatAttr>(expr->constant))
    return value.getValue().isZero();
  auto value = dyn_cast<IntegerAttr>(expr->constant);
  return value && value.getValue().isZero();
}

//===----------------------------------------------------------------------===//
// Zeros that are left out
//===----------------------------------------------------------------------===//

void LeftOut::add(const LeftOut &other) {
  // Where 0 is added, other zeros add nothing.
  if (zero == Zero::None || other.zero == Zero::Positive)
    zero = other.zero;
  isOfComputed |= other.isOfComputed;
}

LeftOut certify::getZeros(const ExprRef &zero) {
  if (zero->kind == Kind::Constant) {
    auto value = dyn_cast<FloatAttr>(zero->constant);
    bool isPositive = value && !value.getValue().isNegative();
    return {isPositive ? LeftOut::Zero::Positive : LeftOut::Zero::None};
  }
  LeftOut zeros = zero->leftOut;
  if (isa<FloatType>(zero->type) && zeros.zero == LeftOut::Zero::None)
    zeros.zero = LeftOut::Zero::Unknown;
  return zeros;
}

ExprRef certify::addZeros(const ExprRef &expr, const LeftOut &zeros) {
  if (zeros.isNothing())
    return expr;
  Expr sum = *expr;
  sum.leftOut.add(zeros);
  return std::make_shared<const Expr>(std::move(sum));
}

Families certify::getTermsAndZeros(const ExprRef &expr) {
  Families families = expr->families;
  if (!expr->leftOut.isNothing())
    families.push_back(
        {{}, {}, addZeros(makeSum(expr->type, {}), expr->leftOut)});
  return families;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The sum or extremum `expr` of `families` instead of its own.
ExprRef certify::remake(const Expr &expr, ArrayRef<Family> families) {
  return addZeros(expr.kind == Kind::Sum
                      ? makeSum(expr.type, families)
                      : makeExtremum(expr.name, expr.type, families),
                  expr.leftOut);
}

/// `expr` with `replace` applied to its reads and constants and `onDomain` to
/// the domains of its families.
static ExprRef rewrite(const ExprRef &expr,
                       llvm::function_ref<ExprRef(const ExprRef &)> replace,
                       llvm::function_ref<System(const System &)> onDomain) {
  if (expr->kind == Kind::Apply) {
    SmallVector<ExprRef> operands =
        llvm::map_to_vector(expr->operands, [&](const ExprRef &operand) {
          return rewrite(operand, replace, onDomain);
        });
    if (operands == expr->operands)
      return expr;
    return addZeros(
        makeApply(expr->name, expr->attributes, expr->type, operands, nullptr),
        expr->leftOut);
  }
  if (expr->kind != Kind::Sum && expr->kind != Kind::Extremum)
    return replace(expr);
  Families families;
  for (const Family &family : expr->families)
    families.push_back({family.instance, onDomain(family.domain),
                        rewrite(family.term, replace, onDomain),
                        family.origin});
  return remake(*expr, families);
}

ExprRef certify::substitute(const ExprRef &expr,
                            const DenseMap<Var, LinearExpr> &values) {
  if (values.empty())
    return expr;
  return rewrite(
      expr,
      [&](const ExprRef &leaf) {
        if (leaf->kind != Kind::Read || leaf->indices.empty())
          return leaf;
        Expr read = *leaf;
        for (LinearExpr &index : read.indices)
          index = index.substitute(values);
        return std::make_shared<const Expr>(std::move(read));
      },
      [&](const System &domain) { return domain.substitute(values); });
}

ExprRef certify::replaceReads(const ExprRef &expr, BlockArgument argument,
                              const ExprRef &value) {
  return rewrite(
      expr,
      [&](const ExprRef &leaf) {
        bool isIt = leaf->kind == Kind::Read && leaf->argument == argument;
        return isIt ? addZeros(value, leaf->leftOut) : leaf;
      },
      [](const System &domain) { return domain; });
}

SmallVector<Var> certify::renameVars(Solver &solver, ArrayRef<Var> vars,
                                     DenseMap<Var, LinearExpr> &values) {
  return llvm::map_to_vector(vars, [&](Var var) {
    Var fresh = solver.makeVar();
    values[var] = LinearExpr::var(fresh);
    return fresh;
  });
}

Family certify::renameInstance(Solver &solver, const Family &family) {
  DenseMap<Var, LinearExpr> values;
  SmallVector<Var> instance = renameVars(solver, family.instance, values);
  return {instance, family.domain.substitute(values),
          substitute(family.term, values), family.origin};
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

void certify::walkReads(const ExprRef &expr,
                        llvm::function_ref<void(const Expr &)> callback) {
  if (expr->kind == Kind::Read)
    callback(*expr);
  for (const ExprRef &operand : expr->operands)
    walkReads(operand, callback);
  for (const Family &family : expr->families)
    walkReads(family.term, callback);
}

bool certify::isApply(const ExprRef &expr, StringRef name) {
  return expr->kind == Kind::Apply && expr->name == name &&
         expr->attributes.empty();
}

bool certify::isReadOf(const ExprRef &expr, BlockArgument argument) {
  return expr->kind == Kind::Read && expr->argument == argument;
}

bool certify::contains(const ExprRef &expr,
                       llvm::function_ref<bool(const Expr &)> predicate) {
  return predicate(*expr) ||
         llvm::any_of(expr->operands,
                      [&](const ExprRef &operand) {
                        return contains(operand, predicate);
                      }) ||
         llvm::any_of(expr->families, [&](const Family &family) {
           return contains(family.term, predicate);
         });
}
