//===- Places.cpp - Integers that say where to read -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;
using Predicate = arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static bool isSelect(const ExprRef &expr) {
  return isApply(expr, "arith.select");
}

/// What `expr`, a comparison of integers, asks; nothing if it is none.
static std::optional<Predicate> getPredicate(const ExprRef &expr) {
  if (expr->kind != Kind::Apply || expr->name != "arith.cmpi" ||
      expr->attributes.size() != 1)
    return std::nullopt;
  auto predicate = expr->attributes.getAs<IntegerAttr>("predicate");
  if (!predicate)
    return std::nullopt;
  return static_cast<Predicate>(predicate.getInt());
}

void certify::addFacts(const ExprRef &condition, bool value,
                       PlaceFacts &facts) {
  if (!isApply(condition, value ? "arith.andi" : "arith.ori")) {
    facts.emplace_back(condition, value);
    return;
  }
  for (const ExprRef &operand : condition->operands)
    addFacts(operand, value, facts);
}

static PlaceFacts withFacts(const PlaceFacts &facts, const ExprRef &condition,
                            bool value) {
  PlaceFacts all = facts;
  addFacts(condition, value, all);
  return all;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

PlaceRange certify::getTypeRange(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() > 32 || integer.getWidth() == 0)
    return {std::numeric_limits<int64_t>::min(),
            std::numeric_limits<int64_t>::max()};
  int64_t end = int64_t(1) << (integer.getWidth() - 1);
  return {-end, end - 1};
}

std::optional<int64_t> certify::getInteger(const ExprRef &expr) {
  auto value = expr->kind == Kind::Constant
                   ? dyn_cast<IntegerAttr>(expr->constant)
                   : IntegerAttr();
  if (!value || value.getValue().getBitWidth() > 64)
    return std::nullopt;
  return value.getValue().getSExtValue();
}

static Predicate invert(Predicate predicate) {
  return arith::invertPredicate(predicate);
}

/// The same of operands the other way around.
static Predicate reverse(Predicate predicate) {
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ugt;
  case Predicate::ule:
    return Predicate::uge;
  case Predicate::ugt:
    return Predicate::ult;
  case Predicate::uge:
    return Predicate::ule;
  case Predicate::eq:
  case Predicate::ne:
    return predicate;
  }
  llvm_unreachable("unknown predicate");
}

/// The signed predicate that says the same of numbers that are not negative.
static Predicate addSign(Predicate predicate) {
  switch (predicate) {
  case Predicate::ult:
    return Predicate::slt;
  case Predicate::ule:
    return Predicate::sle;
  case Predicate::ugt:
    return Predicate::sgt;
  case Predicate::uge:
    return Predicate::sge;
  default:
    return predicate;
  }
}

/// Narrows `range` of a number to what `predicate` says of it and another.
static void narrow(PlaceRange &range, Predicate predicate,
                   const PlaceRange &other) {
  bool isUnsigned = addSign(predicate) != predicate;
  if (isUnsigned && other.least < 0)
    return;
  // What is below a number without a sign has none.
  if (predicate == Predicate::ult || predicate == Predicate::ule)
    range.least = std::max<int64_t>(range.least, 0);
  else if (isUnsigned && range.least < 0)
    return;
  switch (addSign(predicate)) {
  case Predicate::slt:
    range.most = std::min(range.most, other.most - 1);
    return;
  case Predicate::sle:
    range.most = std::min(range.most, other.most);
    return;
  case Predicate::sgt:
    range.least = std::max(range.least, other.least + 1);
    return;
  case Predicate::sge:
    range.least = std::max(range.least, other.least);
    return;
  case Predicate::eq:
    range = {std::max(range.least, other.least),
             std::min(range.most, other.most)};
    return;
  default:
    return;
  }
}

static void narrowByFacts(PlaceRange &range, const ExprRef &expr,
                          const PlaceFacts &facts) {
  for (const auto &[condition, value] : facts) {
    std::optional<Predicate> predicate = getPredicate(condition);
    if (!predicate)
      continue;
    if (!value)
      predicate = invert(*predicate);
    for (unsigned number : {0, 1}) {
      if (!areSame(condition->operands[number], expr))
        continue;
      PlaceRange other = getPlaceRange(condition->operands[1 - number]);
      if (getTypeRange(IntegerType::get(expr->type.getContext(), 32))
              .contains(other))
        narrow(range, number == 0 ? *predicate : reverse(*predicate), other);
    }
  }
}

PlaceRange certify::add(const PlaceRange &a, const PlaceRange &b) {
  return {a.least + b.least, a.most + b.most};
}

PlaceRange certify::multiply(const PlaceRange &a, const PlaceRange &b) {
  int64_t corners[] = {a.least * b.least, a.least * b.most, a.most * b.least,
                       a.most * b.most};
  return {*llvm::min_element(corners), *llvm::max_element(corners)};
}

/// The range of what an op of integers of at most 32 bits makes, from those of
/// its operands: `type` where they do not tell.
static PlaceRange getApplyRange(const Expr &expr, ArrayRef<PlaceRange> operands,
                                const PlaceRange &type) {
  if (expr.name == "arith.subi")
    return add(operands[0], {-operands[1].most, -operands[1].least});
  if (expr.name == "arith.muli")
    return multiply(operands[0], operands[1]);
  PlaceRange range = operands.front();
  for (const PlaceRange &operand : operands.drop_front()) {
    if (expr.name == "arith.maxsi")
      range = {std::max(range.least, operand.least),
               std::max(range.most, operand.most)};
    if (expr.name == "arith.minsi")
      range = {std::min(range.least, operand.least),
               std::min(range.most, operand.most)};
  }
  if (expr.name == "arith.maxsi" || expr.name == "arith.minsi")
    return range;
  bool hasLimit = operands.size() == 2 && operands[1].least > 0;
  if (hasLimit && expr.name == "arith.remui")
    return {0, operands[1].most - 1};
  if (hasLimit && expr.name == "arith.andi")
    return {0, operands[1].most};
  return type;
}

/// The range of `expr` from what it is made of.
static PlaceRange getOwnRange(const ExprRef &expr, const PlaceFacts &facts,
                              const PlaceRange &type) {
  if (std::optional<int64_t> constant = getInteger(expr))
    return {*constant, *constant};
  if (isSelect(expr)) {
    PlaceRange first = getPlaceRange(expr->operands[1],
                                     withFacts(facts, expr->operands[0], true));
    PlaceRange second = getPlaceRange(
        expr->operands[2], withFacts(facts, expr->operands[0], false));
    if (first.isEmpty() || second.isEmpty())
      return first.isEmpty() ? second : first;
    return {std::min(first.least, second.least),
            std::max(first.most, second.most)};
  }
  auto getRange = [&](const ExprRef &part) {
    return getPlaceRange(part, facts);
  };
  PlaceRange range = type;
  if (expr->kind == Kind::Sum && llvm::all_of(expr->families, isEverywhere)) {
    range = {0, 0};
    for (const Family &family : expr->families)
      range = add(range, getRange(family.term));
  } else if (expr->kind == Kind::Apply && expr->attributes.empty() &&
             llvm::all_of(expr->operands, [&](const ExprRef &operand) {
               return operand->type == expr->type;
             })) {
    range = getApplyRange(*expr, llvm::map_to_vector(expr->operands, getRange),
                          type);
  }
  // What wraps around could be anything.
  return type.contains(range) ? range : type;
}

PlaceRange certify::getPlaceRange(const ExprRef &expr,
                                  const PlaceFacts &facts) {
  PlaceRange type = getTypeRange(expr->type);
  auto integer = dyn_cast<IntegerType>(expr->type);
  if (!integer || integer.getWidth() > 32) {
    std::optional<int64_t> constant = getInteger(expr);
    return constant ? PlaceRange{*constant, *constant} : type;
  }
  PlaceRange range = getOwnRange(expr, facts, type);
  narrowByFacts(range, expr, facts);
  return range;
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// The same, with what was found for other parts.
static ExprRef assume(const ExprRef &expr, const PlaceFacts &facts,
                      DenseMap<const Expr *, ExprRef> &found);

static ExprRef assumeAnew(const ExprRef &expr, const PlaceFacts &facts,
                          DenseMap<const Expr *, ExprRef> &found) {
  for (const auto &[condition, value] : facts)
    if (expr->type.isInteger(1) && areSame(expr, condition))
      return makeConstant(BoolAttr::get(expr->type.getContext(), value));
  if (expr->kind != Kind::Apply && expr->kind != Kind::Gather)
    return expr;
  SmallVector<ExprRef> operands =
      llvm::map_to_vector(expr->operands, [&](const ExprRef &operand) {
        return assume(operand, facts, found);
      });
  return remake(expr, operands);
}

/// Whether `predicate` holds of all numbers in two ranges; nothing if it does
/// of some.
static std::optional<bool> decide(Predicate predicate, const PlaceRange &a,
                                  const PlaceRange &b) {
  auto mayHold = [&](Predicate asked) {
    PlaceRange range = a;
    narrow(range, asked, b);
    return !range.isEmpty();
  };
  if (!mayHold(predicate))
    return false;
  if (!mayHold(invert(predicate)))
    return true;
  return std::nullopt;
}

/// A comparison of `choice`, of one of two integers by a condition, with
/// another that holds for just one of the two: the condition, or null.
static ExprRef simplifyCompared(Predicate predicate, const ExprRef &choice,
                                const PlaceRange &other) {
  std::optional<bool> holds[2];
  for (bool value : {false, true}) {
    PlaceFacts facts;
    addFacts(choice->operands[0], value, facts);
    holds[value] =
        decide(predicate, getPlaceRange(choice->operands[value ? 1 : 2], facts),
               other);
  }
  return holds[1] == true && holds[0] == false ? choice->operands[0] : nullptr;
}

/// The greater or lesser of `place` and `limit` where ranges tell which that
/// is, for each choice of `place` by itself; null where they do not.
static ExprRef simplifyLimited(StringRef name, const ExprRef &place,
                               const ExprRef &limit, const PlaceFacts &facts) {
  PlaceRange own = getPlaceRange(place, facts), other = getPlaceRange(limit);
  bool isMaximum = name == "arith.maxsi";
  if (isMaximum ? own.least >= other.most : own.most <= other.least)
    return place;
  if (isMaximum ? own.most <= other.least : own.least >= other.most)
    return limit;
  if (!isSelect(place))
    return nullptr;
  ExprRef first = simplifyLimited(name, place->operands[1], limit,
                                  withFacts(facts, place->operands[0], true));
  ExprRef second =
      first ? simplifyLimited(name, place->operands[2], limit,
                              withFacts(facts, place->operands[0], false))
            : nullptr;
  if (!second)
    return nullptr;
  return makeApply("arith.select", place->attributes, place->type,
                   {place->operands[0], first, second}, nullptr);
}

static ExprRef assume(const ExprRef &expr, const PlaceFacts &facts,
                      DenseMap<const Expr *, ExprRef> &found) {
  auto [it, isNew] = found.try_emplace(expr.get());
  if (!isNew)
    return it->second;
  ExprRef result = assumeAnew(expr, facts, found);
  return found[expr.get()] = result;
}

ExprRef certify::assume(const ExprRef &expr, const PlaceFacts &facts) {
  DenseMap<const Expr *, ExprRef> found;
  return ::assume(expr, facts, found);
}

/// Whether `expr` has a place in it that is known by more facts.
static bool hasGather(const ExprRef &expr) {
  return expr->isOfCut && contains(expr, [](const Expr &part) {
           return part.kind == Kind::Gather;
         });
}

/// A choice of an element: where it is chosen, the condition holds.
static ExprRef simplifyChosen(DictionaryAttr attributes, Type type,
                              ArrayRef<ExprRef> operands) {
  SmallVector<ExprRef> assumed(operands);
  for (bool value : {false, true}) {
    ExprRef &operand = assumed[value ? 1 : 2];
    if (!hasGather(operand))
      continue;
    PlaceFacts facts;
    addFacts(operands[0], value, facts);
    operand = assume(operand, facts);
  }
  if (llvm::equal(assumed, operands))
    return nullptr;
  return makeApply("arith.select", attributes, type, assumed, nullptr);
}

ExprRef certify::simplifyPlace(StringRef name, DictionaryAttr attributes,
                               Type type, ArrayRef<ExprRef> operands) {
  if (llvm::none_of(operands,
                    [](const ExprRef &operand) { return operand->isOfCut; }))
    return nullptr;
  if (name == "arith.select" && attributes.empty())
    return simplifyChosen(attributes, type, operands);
  if (operands.size() != 2 || !type.isSignlessInteger() ||
      operands[0]->type != operands[1]->type)
    return nullptr;
  if (name == "arith.cmpi" && attributes.size() == 1) {
    auto predicate = attributes.getAs<IntegerAttr>("predicate");
    if (!predicate || !isSelect(operands[0]) || !getInteger(operands[1]))
      return nullptr;
    return simplifyCompared(static_cast<Predicate>(predicate.getInt()),
                            operands[0], getPlaceRange(operands[1]));
  }
  if (!attributes.empty() || (name != "arith.maxsi" && name != "arith.minsi"))
    return nullptr;
  for (unsigned number : {0, 1})
    if (getInteger(operands[1 - number]))
      return simplifyLimited(name, operands[number], operands[1 - number], {});
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// The number that `place` is, if it is known.
static std::optional<LinearExpr> getKnown(const ExprRef &place) {
  if (place->kind == Kind::Number && place->type.isIndex())
    return place->indices.front();
  PlaceRange range = getPlaceRange(place);
  if (range.least != range.most)
    return std::nullopt;
  return LinearExpr(range.least);
}

/// `value` as an index, a number even where it is constant: whether that is
/// seen depends on how loops over one element are written.
static ExprRef makeIndex(const LinearExpr &value, MLIRContext *context) {
  Expr expr{};
  expr.kind = Kind::Number;
  expr.type = IndexType::get(context);
  expr.indices.push_back(value);
  return std::make_shared<const Expr>(std::move(expr));
}

ExprRef certify::makeGather(const Expr &tensor, ArrayRef<ExprRef> places) {
  Expr expr{};
  expr.type = tensor.type;
  expr.constant = tensor.constant;
  expr.argument = tensor.argument;
  expr.common = tensor.common;
  expr.leftOut = tensor.leftOut;
  bool areKnown = true;
  for (const ExprRef &place : places) {
    std::optional<LinearExpr> known = getKnown(place);
    areKnown = areKnown && known;
    expr.indices.push_back(known.value_or(LinearExpr()));
    expr.operands.push_back(known ? makeIndex(*known, tensor.type.getContext())
                                  : place);
    expr.isOfCut |= place->isOfCut;
    expr.size = llvm::SaturatingAdd(expr.size, place->size);
  }
  expr.kind = areKnown ? Kind::Read : Kind::Gather;
  if (areKnown)
    expr.operands.clear();
  else
    expr.indices.clear();
  return std::make_shared<const Expr>(std::move(expr));
}
