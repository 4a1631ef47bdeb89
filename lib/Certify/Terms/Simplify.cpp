//===- Simplify.cpp - Scalar ops with simpler values ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"
#include "Widenings.h"
#include "Words.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

//===----------------------------------------------------------------------===//
// Finite values
//===----------------------------------------------------------------------===//

/// Whether `constant` holds numbers alone: no NaN and no infinity.
static bool isFinite(TypedAttr constant) {
  if (auto value = dyn_cast<FloatAttr>(constant))
    return value.getValue().isFinite();
  auto elements = dyn_cast<DenseElementsAttr>(constant);
  if (!elements)
    return isa<IntegerAttr>(constant);
  return !isa<FloatType>(elements.getElementType()) ||
         llvm::all_of(elements.getValues<APFloat>(),
                      [](const APFloat &value) { return value.isFinite(); });
}

/// Whether the scalar op `name` makes numbers of all numbers: others divide by
/// zero, have no value for negative numbers, or are soon infinite.
static bool isBounded(StringRef name) {
  static const llvm::StringSet<> bounded = {
      "arith.addi",     "arith.subi",     "arith.muli",    "arith.negf",
      "arith.extf",     "arith.extsi",    "arith.extui",   "arith.trunci",
      "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf",
      "arith.maxsi",    "arith.maxui",    "arith.minsi",   "arith.minui",
      "arith.andi",     "arith.ori",      "arith.xori",    "arith.cmpi",
      "arith.cmpf",     "arith.select",   "math.absf",     "math.ceil",
      "math.copysign",  "math.cos",       "math.erf",      "math.floor",
      "math.sin",       "math.tanh"};
  return bounded.contains(name);
}

/// Whether the scalar op `name` does so unless its result is larger than
/// numbers of its type are.
static bool mayOverflow(StringRef name) {
  static const llvm::StringSet<> may = {"arith.addf", "arith.subf",
                                        "arith.mulf", "arith.truncf",
                                        "math.fma",   kMultiple};
  return may.contains(name);
}

/// Whether narrowing to `type` makes an infinity of the constant `expr`.
static bool overflows(const ExprRef &expr, Type type) {
  auto value = dyn_cast_or_null<FloatAttr>(expr->constant);
  if (!value)
    return false;
  APFloat narrow = value.getValue();
  bool losesInfo = false;
  narrow.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  return !narrow.isFinite();
}

bool certify::isFinite(const ExprRef &expr) {
  switch (expr->kind) {
  case Kind::Undefined:
    return false;
  case Kind::Constant:
    return ::isFinite(expr->constant);
  case Kind::Number:
    return true;
  case Kind::Read:
  case Kind::Gather:
    if (expr->constant)
      return ::isFinite(expr->constant);
    if (expr->common)
      return expr->common->isNumber;
    // What an op starts from, its body does not know yet.
    return isa<FunctionOpInterface>(expr->argument.getOwner()->getParentOp());
  case Kind::Apply:
    if (expr->name == "arith.truncf" &&
        overflows(expr->operands[0], expr->type))
      return false;
    // Bits are an integer whatever number they are of.
    return (isBounded(expr->name) || mayOverflow(expr->name) ||
            (expr->name == "arith.bitcast" && isa<IntegerType>(expr->type))) &&
           llvm::all_of(expr->operands, [](const ExprRef &operand) {
             return isFinite(operand);
           });
  case Kind::Sum:
  case Kind::Extremum:
    return llvm::all_of(expr->families, [](const Family &family) {
      return isFinite(family.term);
    });
  }
  llvm_unreachable("unknown kind of expression");
}

bool certify::isComputed(const ExprRef &expr) {
  return contains(expr, [](const Expr &part) {
    return isa<FloatType>(part.type) &&
           (part.common || part.leftOut.isOfComputed ||
            (part.kind == Kind::Sum && !part.families.empty()) ||
            (part.kind == Kind::Apply && mayOverflow(part.name)));
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

TypedAttr certify::convertConstant(StringRef name, TypedAttr constant,
                                   Type type) {
  if (auto value = dyn_cast<IntegerAttr>(constant)) {
    unsigned width = type.getIntOrFloatBitWidth();
    if (name == "arith.trunci")
      return IntegerAttr::get(type, value.getValue().trunc(width));
    if (name == "arith.extsi")
      return IntegerAttr::get(type, value.getValue().sext(width));
    if (name == "arith.extui")
      return IntegerAttr::get(type, value.getValue().zext(width));
    return {};
  }
  auto value = dyn_cast<FloatAttr>(constant);
  if (!value || name != "arith.extf")
    return {};
  APFloat wide = value.getValue();
  bool losesInfo = false;
  wide.convert(cast<FloatType>(type).getFloatSemantics(),
               APFloat::rmNearestTiesToEven, &losesInfo);
  return FloatAttr::get(type, wide);
}

bool certify::isOne(const ExprRef &expr) {
  if (auto value = dyn_cast_or_null<FloatAttr>(expr->constant))
    return expr->kind == Kind::Constant && value.getValue().isExactlyValue(1);
  auto value = dyn_cast_or_null<IntegerAttr>(expr->constant);
  return value && expr->kind == Kind::Constant && value.getValue().isOne();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// What chooses the first operand of a comparison where it holds, else the
/// second: a maximum, a minimum, or nothing.
static StringRef getChoice(const Expr &comparison) {
  auto predicate = comparison.attributes.getAs<IntegerAttr>("predicate");
  if (!predicate || comparison.attributes.size() != 1)
    return "";
  if (comparison.name == "arith.cmpf")
    switch (static_cast<arith::CmpFPredicate>(predicate.getInt())) {
    case arith::CmpFPredicate::OGT:
    case arith::CmpFPredicate::OGE:
    case arith::CmpFPredicate::UGT:
    case arith::CmpFPredicate::UGE:
      return "arith.maximumf";
    case arith::CmpFPredicate::OLT:
    case arith::CmpFPredicate::OLE:
    case arith::CmpFPredicate::ULT:
    case arith::CmpFPredicate::ULE:
      return "arith.minimumf";
    default:
      return "";
    }
  if (comparison.name != "arith.cmpi")
    return "";
  switch (static_cast<arith::CmpIPredicate>(predicate.getInt())) {
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
    return "arith.maxsi";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
    return "arith.minsi";
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::uge:
    return "arith.maxui";
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
    return "arith.minui";
  default:
    return "";
  }
}

/// What chooses the other one.
static StringRef getOpposite(StringRef choice) {
  return llvm::StringSwitch<StringRef>(choice)
      .Case("arith.maximumf", "arith.minimumf")
      .Case("arith.minimumf", "arith.maximumf")
      .Case("arith.maxsi", "arith.minsi")
      .Case("arith.minsi", "arith.maxsi")
      .Case("arith.maxui", "arith.minui")
      .Case("arith.minui", "arith.maxui")
      .Default("");
}

StringRef certify::getChosenExtremum(ArrayRef<ExprRef> operands) {
  const Expr &condition = *operands[0];
  if (condition.kind != Kind::Apply || condition.operands.size() != 2)
    return "";
  StringRef choice = getChoice(condition);
  ArrayRef<ExprRef> compared = condition.operands;
  if (areSame(operands[1], compared[0]) && areSame(operands[2], compared[1]))
    return choice;
  bool isSwapped =
      areSame(operands[1], compared[1]) && areSame(operands[2], compared[0]);
  return isSwapped ? getOpposite(choice) : "";
}

/// A choice between two numbers that are one as that number, and between two
/// others by a comparison of the same two as their maximum or minimum; null for
/// others.
static ExprRef simplifySelect(Type type, ArrayRef<ExprRef> operands) {
  if (areSame(operands[1], operands[2]))
    return operands[1];
  StringRef choice = getChosenExtremum(operands);
  ArrayRef<ExprRef> chosen = operands.drop_front();
  if (choice.empty() || !llvm::all_of(chosen, isNumber))
    return nullptr;
  return addZeros(makeApply(choice, DictionaryAttr::get(type.getContext()),
                            type, chosen, nullptr),
                  {LeftOut::Zero::Unknown, llvm::any_of(chosen, isComputed)});
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

bool certify::commutes(StringRef name) {
  return name == "arith.mulf" || name == "arith.muli";
}

/// The constant factor of `expr`, which is multiplied by another as `name`
/// does; null if it has none.
static TypedAttr getFactor(StringRef name, const ExprRef &expr,
                           ExprRef &other) {
  if (expr->kind != Kind::Apply || expr->name != name ||
      !expr->attributes.empty())
    return {};
  for (unsigned number : {0, 1})
    if (expr->operands[number]->kind == Kind::Constant) {
      other = expr->operands[1 - number];
      return expr->operands[number]->constant;
    }
  return {};
}

/// The product of two constants where multiplying by both, one after the other,
/// is multiplying by it: of integers, which wrap around either way, and of
/// powers of two from 1 on, which round nothing and are infinite for the same
/// numbers. Else null.
static TypedAttr multiplyFactors(TypedAttr a, TypedAttr b) {
  if (auto value = dyn_cast<IntegerAttr>(a))
    return IntegerAttr::get(a.getType(),
                            value.getValue() * cast<IntegerAttr>(b).getValue());
  APFloat first = cast<FloatAttr>(a).getValue();
  APFloat second = cast<FloatAttr>(b).getValue();
  if (first.getExactLog2() < 0 || second.getExactLog2() < 0)
    return {};
  first.multiply(second, APFloat::rmNearestTiesToEven);
  return first.isFinite() ? FloatAttr::get(a.getType(), first) : TypedAttr();
}

/// `expr` times `factor` as a product with one constant, if both have one.
static ExprRef combineFactors(StringRef name, const ExprRef &expr,
                              const ExprRef &factor) {
  ExprRef other;
  TypedAttr own = getFactor(name, expr, other);
  if (!own || factor->kind != Kind::Constant)
    return nullptr;
  TypedAttr both = multiplyFactors(own, factor->constant);
  if (!both)
    return nullptr;
  return addZeros(makeApply(name, DictionaryAttr::get(both.getContext()),
                            expr->type, {other, makeConstant(both)}, nullptr),
                  expr->leftOut);
}

/// Whether `expr`, an integer, is written as a sum, a difference or something
/// with the other sign, so that terms may cancel out in what is made of it.
static bool isOfTerms(const ExprRef &expr) {
  ExprRef other;
  auto factor =
      dyn_cast_or_null<IntegerAttr>(getFactor("arith.muli", expr, other));
  return expr->kind == Kind::Sum || (factor && factor.getValue().isAllOnes()) ||
         isApply(expr, "arith.subi");
}

/// Whether two integers are the same but for constant factors.
static bool areMultiplesOfOne(const ExprRef &a, const ExprRef &b) {
  ExprRef first = a, second = b;
  bool hasFactor =
      getFactor("arith.muli", a, first) || getFactor("arith.muli", b, second);
  return hasFactor && areSame(first, second);
}

ExprRef certify::negate(const ExprRef &expr) {
  DictionaryAttr none = DictionaryAttr::get(expr->type.getContext());
  if (isApply(expr, "arith.subi"))
    return makeApply(expr->name, none, expr->type,
                     {expr->operands[1], expr->operands[0]}, nullptr);
  if (expr->kind == Kind::Sum) {
    Families families = expr->families;
    for (Family &family : families)
      family.term = negate(family.term);
    return makeSum(expr->type, families);
  }
  APInt minusOne = APInt::getAllOnes(expr->type.getIntOrFloatBitWidth());
  return makeApply("arith.muli", none, expr->type,
                   {expr, makeConstant(IntegerAttr::get(expr->type, minusOne))},
                   nullptr);
}

/// The zeros that subtracting `zero` is adding.
static LeftOut getZerosSubtracted(const ExprRef &zero) {
  LeftOut zeros = getZeros(zero);
  bool isPositive = zeros.zero == LeftOut::Zero::Positive;
  bool isNegative =
      zeros.zero == LeftOut::Zero::None && isa<FloatType>(zero->type);
  if (isPositive || isNegative)
    zeros.zero = isPositive ? LeftOut::Zero::None : LeftOut::Zero::Positive;
  return zeros;
}

/// The product of a zero and other numbers.
static ExprRef makeZeroProduct(Type type, ArrayRef<ExprRef> factors) {
  return addZeros(
      makeSum(type, {}),
      {isa<FloatType>(type) ? LeftOut::Zero::Unknown : LeftOut::Zero::None,
       llvm::any_of(factors, isComputed)});
}

ExprRef certify::simplify(StringRef name, Type type,
                          ArrayRef<ExprRef> operands) {
  bool isConversion = isWidening(name) || name == "arith.trunci";
  if (isConversion && operands[0]->kind == Kind::Constant)
    if (TypedAttr constant = convertConstant(name, operands[0]->constant, type))
      return makeConstant(constant);
  if (name == "arith.truncf" && operands[0]->kind == Kind::Apply &&
      operands[0]->name == "arith.extf" &&
      operands[0]->operands[0]->type == type)
    return addZeros(operands[0]->operands[0], operands[0]->leftOut);
  if (name == "arith.trunci")
    if (ExprRef low = takeLow(type, operands[0]))
      return low;
  if (name == "arith.bitcast")
    if (ExprRef number = castBits(type, operands[0]))
      return number;
  if (name == "arith.shrsi")
    if (ExprRef high = takeHigh(operands[0], operands[1]))
      return high;
  if ((name == "arith.truncf" || isWidening(name)) && isZero(operands[0]))
    return addZeros(makeSum(type, {}), getZeros(operands[0]));
  bool isProduct = name == "arith.mulf" || name == "arith.muli";
  auto areFinite = [&] {
    return llvm::all_of(operands,
                        [](const ExprRef &expr) { return isFinite(expr); });
  };
  if (isProduct && llvm::any_of(operands, isZero) && areFinite())
    return makeZeroProduct(type, operands);
  if (isProduct && isOne(operands[0]))
    return operands[1];
  if (isProduct && isOne(operands[1]))
    return operands[0];
  if ((name == "arith.subi" || name == "arith.subf") && isZero(operands[1]))
    return addZeros(operands[0], getZerosSubtracted(operands[1]));
  if (name == "arith.subi" && areSame(operands[0], operands[1]) && areFinite())
    return makeSum(type, {});
  if (name == "arith.subi" && isa<IntegerType>(type) &&
      (isZero(operands[0]) || llvm::any_of(operands, isOfTerms) ||
       areMultiplesOfOne(operands[0], operands[1])))
    return makeSum(type, {Family{{}, {}, operands[0]},
                          Family{{}, {}, negate(operands[1])}});
  if (isProduct)
    for (unsigned number : {0, 1})
      if (ExprRef product =
              combineFactors(name, operands[number], operands[1 - number]))
        return product;
  if (name == "arith.select")
    return simplifySelect(type, operands);
  // What is rounded once is a sum like others: in any order.
  if (name == "math.fma") {
    DictionaryAttr none = DictionaryAttr::get(type.getContext());
    ExprRef product =
        makeApply("arith.mulf", none, type, operands.take_front(2), nullptr);
    return makeApply("arith.addf", none, type, {product, operands[2]}, nullptr);
  }
  return isWidening(name) ? simplifyWidening(name, type, operands[0]) : nullptr;
}
