//===- Evaluation.cpp - Values of expressions at one element ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "PointWalk.h"

#include "Simplify.h"
#include "convoy/Support/RandomNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>
#include <utility>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// How many bits `type` has: an index is taken to have 64.
static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

int64_t Assignment::getElement(BlockArgument argument,
                               ArrayRef<int64_t> indices) const {
  int64_t number = argument.getArgNumber();
  int64_t mixed = number * 97 + draw * 389 + 13;
  for (int64_t index : indices)
    mixed = (mixed * 31 + index * 7 + 5) % 10007;
  switch (kind) {
  case Kind::Constant:
    return number + 2;
  case Kind::Negative:
    return indices.empty() ? number + 2 : -number - 2;
  case Kind::Place:
    return number + 2 +
           std::accumulate(indices.begin(), indices.end(), int64_t(0));
  case Kind::Mixed:
    return indices.empty() ? number + 2 : mixed % 9 - 4;
  case Kind::Bits: {
    Type type = getElementTypeOrSelf(argument.getType());
    // Zero points are wide, but fit bytes.
    bool isNarrow = isa<IntegerType>(type) && getWidth(type) <= 16;
    return isNarrow && !indices.empty()
               ? int64_t(::convoy::RandomNumbers(uint64_t(mixed)).next())
               : Assignment{Kind::Mixed, draw, arguments}.getElement(argument,
                                                                     indices);
  }
  }
  llvm_unreachable("unknown kind of assignment");
}

StringRef Assignment::describe() const {
  switch (kind) {
  case Kind::Constant:
    return "where all of argument N is N + 2";
  case Kind::Negative:
    return "where all of argument N is -N - 2";
  case Kind::Place:
    return "where each element of argument N is N + 2 + the sum of its indices";
  case Kind::Mixed:
    return "where arguments hold numbers from -4 to 4";
  case Kind::Bits:
    return "where arguments hold numbers from -4 to 4, integers of up to 16 "
           "bits any";
  }
  llvm_unreachable("unknown kind of assignment");
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// What an element holds that is never written: it could be anything.
static constexpr int64_t NeverWritten = 1009;

/// `value` as a number of `type` with a sign; floating point holds all.
static int64_t wrap(int64_t value, Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() >= 64)
    return value;
  return llvm::SignExtend64(uint64_t(value), integer.getWidth());
}

static std::optional<int64_t> getNumber(TypedAttr constant) {
  if (auto value = dyn_cast<IntegerAttr>(constant))
    return value.getValue().getSExtValue();
  auto value = dyn_cast<FloatAttr>(constant);
  if (!value)
    return std::nullopt;
  llvm::APSInt integer(32, /*isUnsigned=*/false);
  bool isExact = false;
  value.getValue().convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  if (!isExact)
    return std::nullopt;
  return integer.getExtValue();
}

/// The element at `indices` of a tensor that is constant.
static std::optional<int64_t> getNumber(ElementsAttr constant,
                                        ArrayRef<int64_t> indices) {
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(constant);
  int64_t place = 0;
  for (auto [size, index] :
       llvm::zip_equal(constant.getShapedType().getShape(), indices)) {
    if (index < 0 || index >= size)
      return std::nullopt;
    place = place * size + index;
  }
  if (!dense)
    return std::nullopt;
  return getNumber(
      cast<TypedAttr>(*(dense.getValues<Attribute>().begin() + place)));
}

/// `value` as its bits are without a sign, ordered as they are; it fits `type`.
static uint64_t dropSign(int64_t value, Type type) {
  unsigned width = getWidth(type);
  return uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

/// What a comparison of integers, or of exact numbers as integers, says.
static std::optional<bool> compare(const Expr &expr,
                                   ArrayRef<int64_t> operands) {
  auto predicate = expr.attributes.getAs<IntegerAttr>("predicate");
  Type type = expr.operands[0]->type;
  bool isWide = getWidth(type) > 64;
  if (!predicate || expr.attributes.size() != 1 || isWide)
    return std::nullopt;
  auto holds = [](StringRef order, auto a, auto b) -> std::optional<bool> {
    return llvm::StringSwitch<std::optional<bool>>(order)
        .Case("eq", a == b)
        .Case("ne", a != b)
        .Case("lt", a < b)
        .Case("le", a <= b)
        .Case("gt", a > b)
        .Case("ge", a >= b)
        .Default(std::nullopt);
  };
  if (expr.name == "arith.cmpf") {
    // Ordered or not is the same of numbers.
    StringRef order = arith::stringifyCmpFPredicate(
        static_cast<arith::CmpFPredicate>(predicate.getInt()));
    return holds(order.drop_front(), operands[0], operands[1]);
  }
  StringRef order = arith::stringifyCmpIPredicate(
      static_cast<arith::CmpIPredicate>(predicate.getInt()));
  if (order.consume_front("u"))
    return holds(order, dropSign(operands[0], type),
                 dropSign(operands[1], type));
  // `eq` and `ne` have no sign to ask for.
  if (order.size() == 3)
    order.consume_front("s");
  return holds(order, operands[0], operands[1]);
}

/// What a maximum or minimum by the op `name` takes of two operands of `type`.
static std::optional<int64_t> choose(StringRef name, Type type, int64_t a,
                                     int64_t b) {
  if (name.ends_with("ui")) {
    if (getWidth(type) > 64)
      return std::nullopt;
    bool isLess = dropSign(a, type) < dropSign(b, type);
    return isLess == name.contains("min") ? a : b;
  }
  return name.contains("max") ? std::max(a, b) : std::min(a, b);
}

/// What the shift `expr` makes of `value`; nothing where more bits are shifted
/// than there are.
static std::optional<int64_t> shift(const Expr &expr, int64_t value,
                                    int64_t bits) {
  unsigned width = getWidth(expr.type);
  if (width > 64 || bits < 0 || bits >= int64_t(width))
    return std::nullopt;
  if (expr.name == "arith.shli")
    return int64_t(uint64_t(value) << bits);
  if (expr.name == "arith.shrui")
    return int64_t(dropSign(value, expr.type) >> bits);
  return value >> bits;
}

/// What the op `name` makes of `operands`.
static std::optional<int64_t> apply(const Expr &expr,
                                    ArrayRef<int64_t> operands) {
  int64_t result = 0;
  StringRef name = expr.name;
  if (name == "arith.cmpi" || name == "arith.cmpf") {
    std::optional<bool> holds = compare(expr, operands);
    return holds ? std::optional<int64_t>(*holds ? -1 : 0) : std::nullopt;
  }
  if (!expr.attributes.empty())
    return std::nullopt;
  if (isExtremum(expr)) {
    result = operands.front();
    for (int64_t operand : operands.drop_front()) {
      auto chosen = choose(name, expr.type, result, operand);
      if (!chosen)
        return std::nullopt;
      result = *chosen;
    }
  } else if (name == "arith.select") {
    result = operands[0] != 0 ? operands[1] : operands[2];
  } else if (name == "arith.subf" || name == "arith.subi") {
    if (llvm::SubOverflow(operands[0], operands[1], result))
      return std::nullopt;
  } else if (name == "arith.addf" || name == "arith.addi") {
    if (llvm::AddOverflow(operands[0], operands[1], result))
      return std::nullopt;
  } else if (name == "arith.mulf" || name == "arith.muli") {
    if (llvm::MulOverflow(operands[0], operands[1], result))
      return std::nullopt;
  } else if (name == "arith.negf") {
    result = -operands[0];
  } else if (name == "arith.andi") {
    result = operands[0] & operands[1];
  } else if (name == "arith.ori") {
    result = operands[0] | operands[1];
  } else if (name == "arith.xori") {
    result = operands[0] ^ operands[1];
  } else if (name.starts_with("arith.sh")) {
    std::optional<int64_t> shifted = shift(expr, operands[0], operands[1]);
    if (!shifted)
      return std::nullopt;
    result = *shifted;
  } else if (name == "arith.extui" || name == "arith.uitofp") {
    unsigned width = expr.operands[0]->type.getIntOrFloatBitWidth();
    if (width >= 64)
      return std::nullopt;
    result = int64_t(uint64_t(operands[0]) &
                     llvm::maskTrailingOnes<uint64_t>(width));
  } else if (name == "arith.extsi" || name == "arith.sitofp" ||
             name == "arith.trunci" || name == "arith.extf" ||
             name == "arith.truncf") {
    result = operands[0];
  } else {
    return std::nullopt;
  }
  return wrap(result, expr.type);
}

namespace {
/// Evaluates expressions for one assignment.
class Evaluation {
public:
  explicit Evaluation(Assignment assignment) : assignment(assignment) {}

  std::optional<int64_t> evaluate(const ExprRef &expr, const Point &point);

private:
  std::optional<int64_t> evaluateRead(const Expr &read, const Point &point);
  std::optional<int64_t> evaluateApply(const Expr &apply, const Point &point);
  std::optional<int64_t> evaluateSum(const Expr &sum, const Point &point);
  std::optional<int64_t> evaluateExtremum(const Expr &extremum,
                                          const Point &point);
  /// The element at `indices` of what two functions have in common, where
  /// arguments have the sizes and values that they have at `point`.
  std::optional<int64_t> evaluateCommon(const CommonValue &common,
                                        ArrayRef<int64_t> indices,
                                        const Point &point);

  Assignment assignment;
  /// Of points, some milliseconds; and for what is in common, up to seconds.
  int64_t budget = 50'000, budgetOfElements = 500'000;
  /// How many elements of what is in common are being evaluated.
  unsigned depth = 0;
  /// What is in common is made of what is, too: not each time anew.
  using Element = std::pair<const CommonValue *, SmallVector<int64_t>>;
  std::map<Element, std::optional<int64_t>> elements;
};
} // namespace

std::optional<int64_t> Evaluation::evaluateCommon(const CommonValue &common,
                                                  ArrayRef<int64_t> indices,
                                                  const Point &outside) {
  auto [it, isNew] =
      elements.try_emplace({&common, SmallVector<int64_t>(indices)});
  if (!isNew)
    return it->second;
  Point point;
  if (assignment.arguments)
    for (Var unknown : assignment.arguments->getUnknowns())
      point[unknown] = outside.lookup(unknown);
  for (auto [var, index] : llvm::zip_equal(common.indices, indices))
    point[var] = index;
  // All of them share a budget: each is evaluated once.
  if (depth++ == 0)
    std::swap(budget, budgetOfElements);
  std::optional<int64_t> value;
  for (const Family &family : common.elements) {
    auto take = [&](const Point &at) {
      value = evaluate(family.term, at);
      return false;
    };
    bool isElsewhere = PointWalk(family, point, budget).run(take);
    if (!isElsewhere)
      break;
  }
  if (--depth == 0)
    std::swap(budget, budgetOfElements);
  return it->second = value;
}

std::optional<int64_t> Evaluation::evaluateRead(const Expr &read,
                                                const Point &point) {
  SmallVector<int64_t> indices =
      llvm::map_to_vector(read.indices, [&](const LinearExpr &index) {
        return index.evaluate(point);
      });
  if (read.constant)
    return getNumber(cast<ElementsAttr>(read.constant), indices);
  if (read.common)
    return evaluateCommon(*read.common, indices, point);
  bool isScalar =
      assignment.arguments && indices.empty() &&
      isa<FunctionOpInterface>(read.argument.getOwner()->getParentOp());
  if (isScalar)
    if (auto unknown = assignment.arguments->findIndex(read.argument))
      return wrap(point.lookup(*unknown), read.type);
  return wrap(assignment.getElement(read.argument, indices), read.type);
}

std::optional<int64_t> Evaluation::evaluateApply(const Expr &expr,
                                                 const Point &point) {
  SmallVector<int64_t> operands;
  for (const ExprRef &operand : expr.operands) {
    std::optional<int64_t> value = evaluate(operand, point);
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  return apply(expr, operands);
}

std::optional<int64_t> Evaluation::evaluateSum(const Expr &expr,
                                               const Point &point) {
  int64_t sum = 0;
  for (const Family &family : expr.families) {
    auto add = [&](const Point &at) {
      std::optional<int64_t> term = evaluate(family.term, at);
      return term && !llvm::AddOverflow(sum, *term, sum);
    };
    if (!PointWalk(family, point, budget).run(add))
      return std::nullopt;
  }
  return wrap(sum, expr.type);
}

std::optional<int64_t> Evaluation::evaluateExtremum(const Expr &expr,
                                                    const Point &point) {
  std::optional<int64_t> chosen;
  for (const Family &family : expr.families) {
    auto take = [&](const Point &at) {
      std::optional<int64_t> term = evaluate(family.term, at);
      chosen =
          term && chosen ? choose(expr.name, expr.type, *chosen, *term) : term;
      return chosen.has_value();
    };
    if (!PointWalk(family, point, budget).run(take))
      return std::nullopt;
  }
  return chosen;
}

std::optional<int64_t> Evaluation::evaluate(const ExprRef &expr,
                                            const Point &point) {
  switch (expr->kind) {
  case Expr::Kind::Undefined:
    return wrap(NeverWritten, expr->type);
  case Expr::Kind::Constant:
    return getNumber(expr->constant);
  case Expr::Kind::Read:
    return evaluateRead(*expr, point);
  case Expr::Kind::Number:
    return wrap(expr->indices.front().evaluate(point), expr->type);
  case Expr::Kind::Gather:
    // Places depend on how floating point is rounded.
    return std::nullopt;
  case Expr::Kind::Apply:
    return evaluateApply(*expr, point);
  case Expr::Kind::Sum:
    return evaluateSum(*expr, point);
  case Expr::Kind::Extremum:
    return evaluateExtremum(*expr, point);
  }
  llvm_unreachable("unknown kind of expression");
}

std::optional<int64_t> certify::evaluate(const ExprRef &expr,
                                         const Point &point,
                                         Assignment assignment) {
  return Evaluation(assignment).evaluate(expr, point);
}
