//===- Expr.cpp - Elements as symbolic expressions --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expr.h"
#include "Simplify.h"
#include "ZeroSigns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

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
// Scalar ops
//===----------------------------------------------------------------------===//

/// Attributes of an op that change its value: flags that allow no more than
/// another order of a sum, or one rounding less, do not.
static DictionaryAttr getMeaningfulAttributes(Operation *op) {
  NamedAttrList attributes(
      op->getPropertiesAsAttribute()
          ? cast<DictionaryAttr>(op->getPropertiesAsAttribute())
          : op->getAttrDictionary());
  if (auto flags = attributes.getNamed("fastmath"))
    if (auto value = dyn_cast<arith::FastMathFlagsAttr>(flags->getValue()))
      if (!bitEnumContainsAny(value.getValue(),
                              ~(arith::FastMathFlags::reassoc |
                                arith::FastMathFlags::contract) &
                                  arith::FastMathFlags::fast))
        attributes.erase("fastmath");
  if (auto flags = attributes.getNamed("overflowFlags"))
    if (auto value =
            dyn_cast<arith::IntegerOverflowFlagsAttr>(flags->getValue()))
      if (value.getValue() == arith::IntegerOverflowFlags::none)
        attributes.erase("overflowFlags");
  return attributes.getDictionary(op->getContext());
}

ExprRef certify::makeApply(StringRef name, DictionaryAttr attributes, Type type,
                           ArrayRef<ExprRef> operands, Operation *origin) {
  if (attributes.empty() && (name == "arith.addf" || name == "arith.addi")) {
    Families terms;
    for (const ExprRef &operand : operands)
      terms.push_back({{}, {}, operand, origin});
    return makeSum(type, terms);
  }
  if (attributes.empty())
    if (ExprRef simple = simplify(name, type, operands))
      return simple;
  Expr expr{};
  expr.kind = Kind::Apply;
  expr.type = type;
  expr.name = name;
  expr.attributes = attributes;
  expr.operands = showZeros(name, operands);
  for (const ExprRef &operand : expr.operands)
    expr.size = llvm::SaturatingAdd(expr.size, operand->size);
  if (commutes(name)) {
    std::optional<std::string> a = getShape(operands[0]),
                               b = getShape(operands[1]);
    if (a && b && *b < *a)
      std::swap(expr.operands[0], expr.operands[1]);
  }
  return std::make_shared<const Expr>(std::move(expr));
}

ExprRef certify::makeApply(Operation *op, ArrayRef<ExprRef> operands) {
  return makeApply(op->getName().getStringRef(), getMeaningfulAttributes(op),
                   getElementTypeOrSelf(op->getResult(0).getType()), operands,
                   op);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

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
  if (expr->kind != Kind::Sum)
    return replace(expr);
  Families families;
  for (const Family &family : expr->families)
    families.push_back({family.instance, onDomain(family.domain),
                        rewrite(family.term, replace, onDomain),
                        family.origin});
  return addZeros(makeSum(expr->type, families), expr->leftOut);
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

ExprRef certify::dropPrecision(const ExprRef &expr) {
  if (!isa<FloatType>(expr->type))
    return expr;
  if (expr->kind == Kind::Apply &&
      (expr->name == "arith.extf" || expr->name == "arith.truncf"))
    return addZeros(dropPrecision(expr->operands[0]), expr->leftOut);
  Expr wide = *expr;
  wide.type = Float64Type::get(expr->type.getContext());
  if (expr->kind == Kind::Constant)
    wide.constant = convertConstant("arith.extf", expr->constant, wide.type);
  for (ExprRef &operand : wide.operands)
    operand = dropPrecision(operand);
  for (Family &family : wide.families)
    family.term = dropPrecision(family.term);
  if (expr->kind == Kind::Apply)
    return addZeros(makeApply(wide.name, wide.attributes, wide.type,
                              wide.operands, nullptr),
                    expr->leftOut);
  if (expr->kind == Kind::Sum)
    return addZeros(makeSum(wide.type, wide.families), expr->leftOut);
  return std::make_shared<const Expr>(std::move(wide));
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

/// Prints the shape of `expr`; returns false if it has none.
static bool printShape(const ExprRef &expr, llvm::raw_ostream &os) {
  switch (expr->kind) {
  case Kind::Undefined:
    os << "undefined";
    return true;
  case Kind::Constant:
    os << expr->constant;
    return true;
  case Kind::Read:
    if (expr->constant) {
      os << "constant" << expr->constant.getAsOpaquePointer();
      return true;
    }
    if (expr->common) {
      os << "common" << static_cast<const void *>(expr->common.get());
      return true;
    }
    // Of two functions, arguments with the same number are the same.
    os << "argument" << expr->argument.getArgNumber();
    if (!isa<FunctionOpInterface>(expr->argument.getOwner()->getParentOp()))
      os << '@' << expr->argument.getOwner();
    return true;
  case Kind::Apply:
    if (isOfUnknownSign(*expr))
      return false;
    os << expr->name << expr->attributes << expr->type << '(';
    for (const ExprRef &operand : expr->operands) {
      if (!printShape(operand, os))
        return false;
      os << ',';
    }
    os << ')';
    return true;
  case Kind::Sum:
    return false;
  }
  llvm_unreachable("unknown kind of expression");
}

std::optional<std::string> certify::getShape(const ExprRef &expr) {
  std::string shape;
  llvm::raw_string_ostream os(shape);
  if (!printShape(expr, os))
    return std::nullopt;
  return shape;
}
