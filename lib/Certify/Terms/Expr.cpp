//===- Expr.cpp - Elements as symbolic expressions --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expr.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

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

ExprRef certify::makeNumber(const LinearExpr &value, Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (value.isConstant()) {
    APInt bits(64, uint64_t(int64_t(value.getConstant())));
    return makeConstant(IntegerAttr::get(type, bits.sextOrTrunc(width)));
  }
  Expr expr{};
  expr.kind = Kind::Number;
  expr.type = type;
  expr.indices.push_back(value);
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

ExprRef certify::remake(const ExprRef &expr, ArrayRef<ExprRef> operands) {
  if (operands == ArrayRef(expr->operands))
    return expr;
  if (expr->kind == Kind::Gather)
    return makeGather(*expr, operands);
  return addZeros(
      makeApply(expr->name, expr->attributes, expr->type, operands, nullptr),
      expr->leftOut);
}

namespace {
/// Applies `replace` to the leaves of expressions and `onDomain` to the domains
/// of their families. What stands in them several times is rewritten once.
class Rewriting {
public:
  Rewriting(llvm::function_ref<ExprRef(const ExprRef &)> replace,
            llvm::function_ref<System(const System &)> onDomain)
      : replace(replace), onDomain(onDomain) {}

  ExprRef rewrite(const ExprRef &expr) {
    auto [it, isNew] = rewritten.try_emplace(expr.get());
    if (!isNew)
      return it->second;
    ExprRef result = rewriteAnew(expr);
    return rewritten[expr.get()] = result;
  }

private:
  ExprRef rewriteAnew(const ExprRef &expr);

  llvm::function_ref<ExprRef(const ExprRef &)> replace;
  llvm::function_ref<System(const System &)> onDomain;
  DenseMap<const Expr *, ExprRef> rewritten;
};
} // namespace

ExprRef Rewriting::rewriteAnew(const ExprRef &expr) {
  if (expr->kind == Kind::Apply || expr->kind == Kind::Gather) {
    SmallVector<ExprRef> operands =
        llvm::map_to_vector(expr->operands, [&](const ExprRef &operand) {
          return rewrite(operand);
        });
    return remake(expr, operands);
  }
  if (expr->kind != Kind::Sum && expr->kind != Kind::Extremum)
    return replace(expr);
  Families families;
  for (const Family &family : expr->families)
    families.push_back({family.instance, onDomain(family.domain),
                        rewrite(family.term), family.origin});
  return remake(*expr, families);
}

ExprRef certify::substitute(const ExprRef &expr,
                            const DenseMap<Var, LinearExpr> &values) {
  if (values.empty())
    return expr;
  return Rewriting(
             [&](const ExprRef &leaf) {
               if (leaf->indices.empty())
                 return leaf;
               if (leaf->kind == Kind::Number)
                 return makeNumber(leaf->indices.front().substitute(values),
                                   leaf->type);
               Expr read = *leaf;
               for (LinearExpr &index : read.indices)
                 index = index.substitute(values);
               return std::make_shared<const Expr>(std::move(read));
             },
             [&](const System &domain) { return domain.substitute(values); })
      .rewrite(expr);
}

ExprRef certify::replaceReads(const ExprRef &expr, BlockArgument argument,
                              const ExprRef &value) {
  return Rewriting(
             [&](const ExprRef &leaf) {
               bool isIt =
                   leaf->kind == Kind::Read && leaf->argument == argument;
               return isIt ? addZeros(value, leaf->leftOut) : leaf;
             },
             [](const System &domain) { return domain; })
      .rewrite(expr);
}

ExprRef certify::bindPlaces(const ExprRef &expr,
                            const DenseMap<Var, ExprRef> &places) {
  auto isBound = [&](const LinearExpr &number) {
    return llvm::any_of(number.getTerms(), [&](const auto &term) {
      return places.contains(term.first);
    });
  };
  bool isKnown = true;
  Type indexType = IndexType::get(expr->type.getContext());
  auto bind = [&](const LinearExpr &index) {
    if (!isBound(index))
      return makeNumber(index, indexType);
    Var var = index.getTerms().front().first;
    isKnown = isKnown && index == LinearExpr::var(var);
    return places.lookup(var);
  };
  ExprRef bound =
      Rewriting(
          [&](const ExprRef &leaf) {
            if (llvm::none_of(leaf->indices, isBound))
              return leaf;
            isKnown = isKnown && leaf->kind == Kind::Read;
            return isKnown
                       ? makeGather(*leaf,
                                    llvm::map_to_vector(leaf->indices, bind))
                       : leaf;
          },
          [&](const System &domain) {
            for (const Constraint &constraint : domain.getConstraints())
              isKnown = isKnown && !isBound(constraint.expr);
            return domain;
          })
          .rewrite(expr);
  return isKnown ? bound : nullptr;
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
  if (expr->kind == Kind::Read || expr->kind == Kind::Number)
    callback(*expr);
  for (const ExprRef &operand : expr->operands)
    walkReads(operand, callback);
  for (const Family &family : expr->families)
    walkReads(family.term, callback);
}

/// Whether these are the same terms, written in the same way.
static bool areSameTerms(const Family &a, const Family &b) {
  auto areSameConstraints = [](const Constraint &a, const Constraint &b) {
    return a.isEquality == b.isEquality && a.expr == b.expr;
  };
  return a.instance == b.instance &&
         llvm::equal(a.domain.getConstraints(), b.domain.getConstraints(),
                     areSameConstraints) &&
         areSame(a.term, b.term);
}

bool certify::areSame(const ExprRef &a, const ExprRef &b) {
  if (a == b)
    return true;
  return a->kind == b->kind && a->type == b->type &&
         a->constant == b->constant && a->argument == b->argument &&
         a->common == b->common && a->indices == b->indices &&
         a->name == b->name && a->attributes == b->attributes &&
         llvm::equal(a->operands, b->operands, areSame) &&
         llvm::equal(a->families, b->families, areSameTerms);
}

bool certify::isApply(const ExprRef &expr, StringRef name) {
  return expr->kind == Kind::Apply && expr->name == name &&
         expr->attributes.empty();
}

bool certify::isReadOf(const ExprRef &expr, BlockArgument argument) {
  return expr->kind == Kind::Read && expr->argument == argument;
}

bool certify::isSameTensor(const Expr &a, const Expr &b) {
  if (a.constant != b.constant || a.common != b.common ||
      !a.argument != !b.argument)
    return false;
  if (!a.argument)
    return true;
  auto getLoop = [](const Expr &read) {
    Block *owner = read.argument.getOwner();
    return isa<FunctionOpInterface>(owner->getParentOp()) ? nullptr : owner;
  };
  return a.argument.getArgNumber() == b.argument.getArgNumber() &&
         getLoop(a) == getLoop(b);
}

bool certify::contains(const ExprRef &expr,
                       llvm::function_ref<bool(const Expr &)> predicate) {
  SmallVector<const Expr *> rest = {expr.get()};
  // What stands in it several times is asked once.
  SmallPtrSet<const Expr *, 16> seen;
  while (!rest.empty()) {
    const Expr *part = rest.pop_back_val();
    if (!seen.insert(part).second)
      continue;
    if (predicate(*part))
      return true;
    for (const ExprRef &operand : part->operands)
      rest.push_back(operand.get());
    for (const Family &family : part->families)
      rest.push_back(family.term.get());
  }
  return false;
}

llvm::SmallDenseSet<Var> certify::getUnknowns(const ExprRef &expr) {
  llvm::SmallDenseSet<Var> unknowns;
  auto add = [&](const LinearExpr &number) {
    for (const auto &term : number.getTerms())
      unknowns.insert(term.first);
  };
  contains(expr, [&](const Expr &part) {
    llvm::for_each(part.indices, add);
    for (const Family &family : part.families)
      for (const Constraint &constraint : family.domain.getConstraints())
        add(constraint.expr);
    return false;
  });
  return unknowns;
}

SmallVector<Var> certify::getFreeUnknowns(const Families &families) {
  llvm::SmallDenseSet<Var> unknowns, bound;
  auto add = [&](const Family &family) {
    bound.insert_range(family.instance);
    for (const Constraint &constraint : family.domain.getConstraints())
      for (const auto &term : constraint.expr.getTerms())
        unknowns.insert(term.first);
  };
  for (const Family &family : families) {
    add(family);
    unknowns.insert_range(getUnknowns(family.term));
    contains(family.term, [&](const Expr &part) {
      llvm::for_each(part.families, add);
      return false;
    });
  }
  SmallVector<Var> free;
  for (Var var : unknowns)
    if (!bound.contains(var))
      free.push_back(var);
  llvm::sort(free);
  return free;
}
