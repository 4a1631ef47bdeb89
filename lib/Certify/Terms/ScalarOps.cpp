//===- ScalarOps.cpp - Expressions of scalar ops ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
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

/// Attributes of an op that change its value: flags that allow no more than
/// another order of a sum, or one rounding less, do not.
static DictionaryAttr getMeaningfulAttributes(Operation *op) {
  NamedAttrList attributes(
      op->getPropertiesAsAttribute()
          ? cast<DictionaryAttr>(op->getPropertiesAsAttribute())
          : op->getAttrDictionary());
  bool isInOrder = op->hasAttr(kInOrder);
  auto freedoms = isInOrder ? arith::FastMathFlags::none
                            : arith::FastMathFlags::reassoc |
                                  arith::FastMathFlags::contract;
  if (auto flags = attributes.getNamed("fastmath"))
    if (auto value = dyn_cast<arith::FastMathFlagsAttr>(flags->getValue()))
      if (!bitEnumContainsAny(value.getValue(),
                              ~freedoms & arith::FastMathFlags::fast))
        attributes.erase("fastmath");
  if (isInOrder)
    attributes.set(kInOrder, UnitAttr::get(op->getContext()));
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
  if (ExprRef folded = fold(name, attributes, type, operands))
    return folded;
  if (ExprRef place = simplifyPlace(name, attributes, type, operands))
    return place;
  // A product with one is not rounded, whatever the order.
  if (attributes.size() == 1 && attributes.contains(kInOrder) &&
      name == "arith.mulf")
    for (unsigned number : {0, 1})
      if (isOne(operands[number]))
        return operands[1 - number];
  if (attributes.empty())
    if (ExprRef simple = simplify(name, type, operands))
      return simple;
  if (attributes.empty() && isExtremum(name)) {
    Families terms;
    for (const ExprRef &operand : operands)
      terms.push_back({{}, {}, operand, origin});
    return makeExtremum(name, type, terms);
  }
  Expr expr{};
  expr.kind = Kind::Apply;
  expr.type = type;
  expr.name = name;
  expr.attributes = attributes;
  expr.operands = showZeros(name, operands);
  expr.isOfCut = name == "arith.fptosi" || name == "arith.fptoui";
  for (const ExprRef &operand : expr.operands) {
    expr.size = llvm::SaturatingAdd(expr.size, operand->size);
    expr.isOfCut |= operand->isOfCut;
  }
  // Weights are told apart by the order of their factors.
  bool isOrdered = attributes.contains(kInOrder) &&
                   llvm::none_of(operands, [](const ExprRef &operand) {
                     return operand->kind == Kind::Constant;
                   });
  if (commutes(name) && !isOrdered) {
    std::optional<std::string> a = getShape(operands[0]),
                               b = getShape(operands[1]);
    if (a && b && *b < *a)
      std::swap(expr.operands[0], expr.operands[1]);
  }
  return std::make_shared<const Expr>(std::move(expr));
}

ExprRef certify::makeApply(StringRef name, Type type,
                           ArrayRef<ExprRef> operands, Operation *origin) {
  return makeApply(name, DictionaryAttr::get(type.getContext()), type, operands,
                   origin);
}

ExprRef certify::makeApply(Operation *op, ArrayRef<ExprRef> operands) {
  return makeApply(op->getName().getStringRef(), getMeaningfulAttributes(op),
                   getElementTypeOrSelf(op->getResult(0).getType()), operands,
                   op);
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
  if (expr->kind == Kind::Sum || expr->kind == Kind::Extremum)
    return remake(wide, wide.families);
  return std::make_shared<const Expr>(std::move(wide));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Prints `type` in less time than MLIR's printer takes to begin.
static void printType(Type type, llvm::raw_ostream &os) {
  if (type.isSignlessInteger())
    os << 'i' << type.getIntOrFloatBitWidth();
  else if (isa<FloatType, IndexType>(type))
    os << type.getAbstractType().getName();
  else
    os << type;
}

/// Prints `constant` in less time than MLIR's printer takes to begin.
static void printConstant(TypedAttr constant, llvm::raw_ostream &os) {
  auto integer = dyn_cast<IntegerAttr>(constant);
  auto number = dyn_cast<FloatAttr>(constant);
  if (!integer && !number) {
    os << constant;
    return;
  }
  os << (integer ? integer.getValue() : number.getValue().bitcastToAPInt());
  printType(constant.getType(), os);
}

/// Prints what `expr` reads an element of.
static void printTensor(const Expr &expr, llvm::raw_ostream &os) {
  if (expr.constant) {
    os << "constant" << expr.constant.getAsOpaquePointer();
    return;
  }
  if (expr.common) {
    os << "common" << static_cast<const void *>(expr.common.get());
    return;
  }
  // Of two functions, arguments with the same number are the same.
  os << "argument" << expr.argument.getArgNumber();
  if (!isa<FunctionOpInterface>(expr.argument.getOwner()->getParentOp()))
    os << '@' << expr.argument.getOwner();
}

static bool printShape(const ExprRef &expr, llvm::raw_ostream &os);

static bool printShapes(ArrayRef<ExprRef> operands, llvm::raw_ostream &os) {
  os << '(';
  for (const ExprRef &operand : operands) {
    if (!printShape(operand, os))
      return false;
    os << ',';
  }
  os << ')';
  return true;
}

/// Prints the shape of `expr`; returns false if it has none.
static bool printShape(const ExprRef &expr, llvm::raw_ostream &os) {
  if (expr->shape.text) {
    os << *expr->shape.text;
    return true;
  }
  // Of a sum without terms, too.
  if (isZero(expr)) {
    os << "zero";
    printType(expr->type, os);
    return true;
  }
  switch (expr->kind) {
  case Kind::Undefined:
    os << "undefined";
    return true;
  case Kind::Constant:
    printConstant(expr->constant, os);
    return true;
  case Kind::Read:
    printTensor(*expr, os);
    return true;
  case Kind::Number:
    os << "number";
    printType(expr->type, os);
    return true;
  case Kind::Gather:
    os << "gather ";
    printTensor(*expr, os);
    return printShapes(expr->operands, os);
  case Kind::Apply:
    if (isOfUnknownSign(*expr))
      return false;
    os << expr->name;
    if (!expr->attributes.empty())
      os << expr->attributes;
    printType(expr->type, os);
    return printShapes(expr->operands, os);
  case Kind::Sum:
    if (!isSumOfPlaces(*expr))
      return false;
    os << "sum";
    printType(expr->type, os);
    return printShapes(
        llvm::map_to_vector(expr->families,
                            [](const Family &family) { return family.term; }),
        os);
  case Kind::Extremum:
    return false;
  }
  llvm_unreachable("unknown kind of expression");
}

std::optional<std::string> certify::getShape(const ExprRef &expr) {
  if (expr->shape.text)
    return expr->shape.text;
  std::string shape;
  llvm::raw_string_ostream os(shape);
  if (!printShape(expr, os))
    return std::nullopt;
  expr->shape.text = shape;
  return shape;
}
