//===- Evaluation.cpp - Values of expressions at one element ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "PointWalk.h"

#include "convoy/Support/RandomNumbers.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <map>
#include <numeric>
#include <utility>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

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
    return indices.empty()
               ? number + 2
               : int64_t(::convoy::RandomNumbers(uint64_t(mixed)).next() % 9) -
                     4;
  case Kind::Bits: {
    Type type = getElementTypeOrSelf(argument.getType());
    // Zero points are wide, but fit bytes.
    bool isNarrow = type.isInteger() && type.getIntOrFloatBitWidth() <= 16;
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

static std::optional<Number> getNumber(TypedAttr constant) {
  if (auto value = dyn_cast<IntegerAttr>(constant))
    return value.getValue().getSExtValue();
  auto value = dyn_cast<FloatAttr>(constant);
  return value ? Real::get(value.getValue()) : std::optional<Number>();
}

/// The element at `indices` of a tensor that is constant.
static std::optional<Number> getNumber(ElementsAttr constant,
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

namespace {
/// Evaluates expressions for one assignment.
class Evaluation {
public:
  explicit Evaluation(Assignment assignment) : assignment(assignment) {}

  std::optional<Number> evaluate(const ExprRef &expr, const Point &point);

private:
  std::optional<Number> evaluateRead(const Expr &read, const Point &point);
  std::optional<Number> evaluateApply(const Expr &apply, const Point &point);
  std::optional<Number> evaluateSum(const Expr &sum, const Point &point);
  std::optional<Number> evaluateExtremum(const Expr &extremum,
                                         const Point &point);
  /// The element at `indices` of what two functions have in common, where
  /// arguments have the sizes and values that they have at `point`.
  std::optional<Number> evaluateCommon(const CommonValue &common,
                                       ArrayRef<int64_t> indices,
                                       const Point &point);

  Assignment assignment;
  /// Of points, some milliseconds; and for what is in common, up to seconds.
  int64_t budget = 50'000, budgetOfElements = 500'000;
  /// How many elements of what is in common are being evaluated.
  unsigned depth = 0;
  /// What is in common is made of what is, too: not each time anew.
  using Element = std::pair<const CommonValue *, SmallVector<int64_t>>;
  std::map<Element, std::optional<Number>> elements;
};
} // namespace

std::optional<Number> Evaluation::evaluateCommon(const CommonValue &common,
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
  std::optional<Number> value;
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

std::optional<Number> Evaluation::evaluateRead(const Expr &read,
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
      return makeNumber(point.lookup(*unknown), read.type);
  return makeNumber(assignment.getElement(read.argument, indices), read.type);
}

std::optional<Number> Evaluation::evaluateApply(const Expr &expr,
                                                const Point &point) {
  SmallVector<Number> operands;
  for (const ExprRef &operand : expr.operands) {
    std::optional<Number> value = evaluate(operand, point);
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  return applyToNumbers(expr, operands);
}

std::optional<Number> Evaluation::evaluateSum(const Expr &expr,
                                              const Point &point) {
  std::optional<Number> sum = makeNumber(0, expr.type);
  for (const Family &family : expr.families) {
    auto add = [&](const Point &at) {
      std::optional<Number> term = evaluate(family.term, at);
      sum = term ? addNumbers(expr.type, *sum, *term) : std::nullopt;
      return sum.has_value();
    };
    if (!PointWalk(family, point, budget).run(add))
      return std::nullopt;
  }
  return sum;
}

std::optional<Number> Evaluation::evaluateExtremum(const Expr &expr,
                                                   const Point &point) {
  std::optional<Number> chosen;
  for (const Family &family : expr.families) {
    auto take = [&](const Point &at) {
      std::optional<Number> term = evaluate(family.term, at);
      chosen = term && chosen
                   ? chooseNumber(expr.name, expr.type, *chosen, *term)
                   : term;
      return chosen.has_value();
    };
    if (!PointWalk(family, point, budget).run(take))
      return std::nullopt;
  }
  return chosen;
}

std::optional<Number> Evaluation::evaluate(const ExprRef &expr,
                                           const Point &point) {
  switch (expr->kind) {
  case Expr::Kind::Undefined:
    return makeNumber(NeverWritten, expr->type);
  case Expr::Kind::Constant:
    return getNumber(expr->constant);
  case Expr::Kind::Read:
    return evaluateRead(*expr, point);
  case Expr::Kind::Number:
    return makeNumber(expr->indices.front().evaluate(point), expr->type);
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

std::optional<Number> certify::evaluate(const ExprRef &expr, const Point &point,
                                        Assignment assignment) {
  return Evaluation(assignment).evaluate(expr, point);
}
