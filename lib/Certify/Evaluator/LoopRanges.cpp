//===- LoopRanges.cpp - Iterations of loops ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Leaves e of ⌈e/c⌉, where `limit` is that or can be written so for a constant
/// c, and returns c; otherwise returns 1.
static int64_t takeDivisor(AffineExpr &limit) {
  auto quotient = dyn_cast<AffineBinaryOpExpr>(limit);
  bool isQuotient = quotient && (limit.getKind() == AffineExprKind::CeilDiv ||
                                 limit.getKind() == AffineExprKind::FloorDiv);
  auto divisor = isQuotient ? dyn_cast<AffineConstantExpr>(quotient.getRHS())
                            : AffineConstantExpr();
  if (!divisor || divisor.getValue() <= 0)
    return 1;
  bool isFloor = limit.getKind() == AffineExprKind::FloorDiv;
  limit = quotient.getLHS();
  // ⌊e/c⌋ is ⌈(e - c + 1)/c⌉.
  if (isFloor)
    limit = limit - (divisor.getValue() - 1);
  return divisor.getValue();
}

LogicalResult LoopRanges::addLimits(AffineMap map, ValueRange operands,
                                    bool areUpper, const LinearExpr &index,
                                    System &range, Operation *loop) {
  SmallVector<LinearExpr> values;
  for (Value operand : operands) {
    FailureOr<LinearExpr> value = sizes.evaluateSingle(operand, loop);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  auto dims = ArrayRef(values).take_front(map.getNumDims());
  auto symbols = ArrayRef(values).drop_front(map.getNumDims());
  for (AffineExpr limit : map.getResults()) {
    // ⌈e/c⌉ <= i where e <= c*i, and i < ⌈e/c⌉ where c*i < e.
    LinearExpr multiple = index * DynamicAPInt(takeDivisor(limit));
    Part where;
    FailureOr<LinearExpr> value =
        indices.evaluateAffine(limit, dims, symbols, where, loop);
    if (failed(value))
      return failure();
    if (!where.locals.empty())
      return obstacle.undecided(loop,
                                "a loop bound that is a sum of quotients");
    areUpper ? range.addAtMost(multiple + 1, *value)
             : range.addAtMost(*value, multiple);
  }
  return success();
}

bool LoopRanges::fits(const LinearExpr &number, Type type,
                      const System &scope) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() >= 64)
    return true;
  LinearExpr end((int64_t(1) << integer.getWidth()) / 2);
  System beyond = scope;
  beyond.addAtMost(end, number);
  return solver.isEmpty(beyond);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static bool isQuotientOp(Operation *op) {
  return isa_and_nonnull<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
      op);
}

/// What `op` divides its first operand by, if that is a positive constant.
static std::optional<int64_t> getDivisor(Operation *op) {
  std::optional<int64_t> divisor =
      isQuotientOp(op) ? getConstantIntValue(op->getOperand(1)) : std::nullopt;
  return divisor && *divisor > 0 ? divisor : std::nullopt;
}

/// The two values that `limit`, which an affine op makes none of, is the least
/// of, or `isUpper` is false and it is the greatest.
static std::optional<std::pair<Value, Value>> getChoice(Operation *limit,
                                                        bool isUpper) {
  if (isUpper ? isa_and_nonnull<arith::MinSIOp>(limit)
              : isa_and_nonnull<arith::MaxSIOp>(limit))
    return std::pair(limit->getOperand(0), limit->getOperand(1));
  auto select = dyn_cast_or_null<arith::SelectOp>(limit);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>()
                        : arith::CmpIOp();
  bool isOfBoth = compare && compare.getLhs() == select.getTrueValue() &&
                  compare.getRhs() == select.getFalseValue();
  auto wanted = isUpper ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt;
  if (!isOfBoth || compare.getPredicate() != wanted)
    return std::nullopt;
  return std::pair(select.getTrueValue(), select.getFalseValue());
}

/// c where `value` is `quotient` + c or, `isNegated`, c - `quotient`.
static std::optional<int64_t> getDistance(Value value, Value quotient,
                                          bool isNegated) {
  if (value == quotient && !isNegated)
    return 0;
  Operation *op = value.getDefiningOp();
  if (isNegated && isa_and_nonnull<arith::SubIOp>(op) &&
      op->getOperand(1) == quotient)
    return getConstantIntValue(op->getOperand(0));
  if (!isNegated && isa_and_nonnull<arith::AddIOp>(op) &&
      op->getOperand(0) == quotient)
    return getConstantIntValue(op->getOperand(1));
  return std::nullopt;
}

/// x where `condition` is x <= 0, or nothing.
static std::optional<LinearExpr>
getNotPositive(Value condition, Operation *user, SymbolicSizes &sizes) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  bool isAtMost =
      compare && compare.getPredicate() == arith::CmpIPredicate::sle;
  if (!isAtMost &&
      !(compare && compare.getPredicate() == arith::CmpIPredicate::slt))
    return std::nullopt;
  FailureOr<LinearExpr> lhs = sizes.evaluateSingle(compare.getLhs(), user);
  FailureOr<LinearExpr> rhs = sizes.evaluateSingle(compare.getRhs(), user);
  if (failed(lhs) || failed(rhs))
    return std::nullopt;
  return *lhs - *rhs + (isAtMost ? 0 : 1);
}

/// x and c where `limit` is x / c rounded down or up, as it is computed by a
/// division of what is not negative: of -x for x <= 0 and of x - 1 for others
/// where it is rounded up, and of -x - 1 for x < 0 and of x for others where
/// down.
std::optional<LoopRanges::Quotient> LoopRanges::getQuotient(Operation *limit,
                                                            Operation *loop) {
  auto select = dyn_cast_or_null<arith::SelectOp>(limit);
  if (!select)
    return std::nullopt;
  for (Operation *user : select.getCondition().getUsers()) {
    auto dividend = dyn_cast<arith::SelectOp>(user);
    if (!dividend || dividend == select || !dividend->hasOneUse() ||
        dividend.getCondition() != select.getCondition())
      continue;
    Operation *quotient = *dividend->user_begin();
    std::optional<int64_t> divisor = getDivisor(quotient);
    if (!divisor || quotient->getOperand(0) != dividend)
      continue;
    Value number = quotient->getResult(0);
    auto ifNegative = getDistance(select.getTrueValue(), number, true);
    auto ifPositive = getDistance(select.getFalseValue(), number, false);
    bool isUp = ifNegative == 0 && ifPositive == 1;
    if (!isUp && !(ifNegative == -1 && ifPositive == 0))
      continue;
    FailureOr<LinearExpr> negative =
        sizes.evaluateSingle(dividend.getTrueValue(), loop);
    FailureOr<LinearExpr> positive =
        sizes.evaluateSingle(dividend.getFalseValue(), loop);
    auto condition = getNotPositive(select.getCondition(), loop, sizes);
    if (failed(negative) || failed(positive) || !condition)
      continue;
    LinearExpr x = *positive + (isUp ? 1 : 0);
    if (*negative == x * DynamicAPInt(-1) + (isUp ? 0 : -1) &&
        *condition == x + (isUp ? 0 : 1))
      return Quotient{x, *divisor, isUp};
  }
  return std::nullopt;
}

void LoopRanges::addLimit(const Quotient &limit, bool isUpper,
                          const LinearExpr &index, System &range) {
  // ⌈x/c⌉ <= i where x <= c*i, and i < ⌈x/c⌉ where c*i < x; ⌊x/c⌋ is
  // ⌈(x - c + 1)/c⌉.
  LinearExpr multiple = index * DynamicAPInt(limit.divisor);
  LinearExpr x = limit.isUp ? limit.dividend
                            : limit.dividend - LinearExpr(limit.divisor - 1);
  isUpper ? range.addAtMost(multiple + 1, x) : range.addAtMost(x, multiple);
}

bool LoopRanges::isCompound(OpFoldResult limit, bool isUpper) {
  auto value = dyn_cast<Value>(limit);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  return getDivisor(op) || isa_and_nonnull<arith::SelectOp>(op) ||
         (!isUpper && isa_and_nonnull<affine::AffineMaxOp, arith::MaxSIOp>(op));
}

LogicalResult LoopRanges::addLimit(OpFoldResult limit, bool isUpper,
                                   const LinearExpr &index, System &range,
                                   Operation *loop) {
  auto value = dyn_cast<Value>(limit);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (auto max = dyn_cast_or_null<affine::AffineMaxOp>(op); max && !isUpper)
    return addLimits(max.getMap(), max.getOperands(), isUpper, index, range,
                     loop);
  if (auto min = dyn_cast_or_null<affine::AffineMinOp>(op); min && isUpper)
    return addLimits(min.getMap(), min.getOperands(), isUpper, index, range,
                     loop);
  if (auto both = getChoice(op, isUpper))
    return success(
        succeeded(addLimit(both->first, isUpper, index, range, loop)) &&
        succeeded(addLimit(both->second, isUpper, index, range, loop)));
  if (auto quotient = getQuotient(op, loop)) {
    addLimit(*quotient, isUpper, index, range);
    return success();
  }
  if (std::optional<int64_t> divisor = getDivisor(op)) {
    FailureOr<LinearExpr> dividend =
        sizes.evaluateSingle(op->getOperand(0), loop);
    if (failed(dividend))
      return failure();
    if (!solver.implies(scopes.getScope(loop), {*dividend, false}))
      return obstacle.undecided(loop, "a loop bound that is a quotient of a "
                                      "number that may be negative");
    addLimit({*dividend, *divisor, /*isUp=*/false}, isUpper, index, range);
    return success();
  }
  if (!isUpper) {
    FailureOr<LinearExpr> start = sizes.evaluateSingle(limit, loop);
    if (succeeded(start))
      range.addAtMost(*start, index);
    return success(succeeded(start));
  }
  FailureOr<Size> end = sizes.evaluateUpperBound(limit, loop);
  if (failed(end))
    return failure();
  for (const LinearExpr &upper : *end)
    range.addAtMost(index + 1, upper);
  return success();
}

LogicalResult LoopRanges::addDimension(Operation *loop,
                                       const Dimension &dimension,
                                       Iterations &iterations) {
  System &range = iterations.range;
  iterations.numbers.push_back(solver.makeVar());
  LinearExpr number = LinearExpr::var(iterations.numbers.back());
  LinearExpr index = number;
  // Where each value within the limits is an iteration, none need be the first.
  bool isWithin = dimension.step == 1 && (isCompound(dimension.lower, false) ||
                                          isCompound(dimension.upper, true));
  if (isWithin) {
    if (failed(
            addLimit(dimension.lower, /*isUpper=*/false, index, range, loop)))
      return failure();
  } else {
    FailureOr<LinearExpr> start = sizes.evaluateSingle(dimension.lower, loop);
    if (failed(start))
      return failure();
    index = *start + number * DynamicAPInt(dimension.step);
    range.addAtMost(0, number);
  }
  if (failed(addLimit(dimension.upper, /*isUpper=*/true, index, range, loop)))
    return failure();
  if (!fits(index + LinearExpr(dimension.step), dimension.index.getType(),
            scopes.getScope(loop) & range))
    return obstacle.undecided(loop, "a loop whose index may wrap around");
  indices.bind(dimension.index, index);
  return success();
}

void LoopRanges::addQuotients(LoopLikeOpInterface loop,
                              Iterations &iterations) {
  std::map<std::pair<void *, int64_t>, LinearExpr> known;
  for (Operation &op : loop.getLoopRegions().front()->front()) {
    bool isRemainder = isa<arith::RemUIOp, arith::RemSIOp>(op);
    // Bounds that are quotients need no unknown.
    if ((!isRemainder && !isQuotientOp(&op)) ||
        !op.getResult(0).getType().isIndex() ||
        llvm::all_of(op.getUsers(), llvm::IsaPred<scf::ForOp>))
      continue;
    std::optional<int64_t> divisor = getConstantIntValue(op.getOperand(1));
    FailureOr<IndexCases> numbers =
        obstacle.ignoreIn([&] { return indices.evaluate(op.getOperand(0)); });
    bool isSingle = succeeded(numbers) && numbers->size() == 1 &&
                    numbers->front().locals.empty();
    if (!divisor || *divisor < 1 || !isSingle)
      continue;
    LinearExpr number = numbers->front().value;
    System scope = scopes.getScope(loop) & iterations.range;
    if (!solver.implies(scope, {number, /*isEquality=*/false}))
      continue;
    auto [it, isNew] =
        known.try_emplace({op.getOperand(0).getAsOpaquePointer(), *divisor});
    LinearExpr &quotient = it->second;
    if (isNew) {
      iterations.quotients.push_back(solver.makeVar());
      quotient = LinearExpr::var(iterations.quotients.back());
      iterations.range.addRange(0, number - quotient * DynamicAPInt(*divisor),
                                LinearExpr(*divisor));
    }
    indices.bind(op.getResult(0),
                 isRemainder ? number - quotient * DynamicAPInt(*divisor)
                             : quotient);
  }
}

LogicalResult LoopRanges::enter(LoopLikeOpInterface loop) {
  if (scopes.hasLoop(loop))
    return success();
  if (auto forOp = dyn_cast<scf::ForOp>(*loop); forOp && forOp.getUnsignedCmp())
    return obstacle.undecided(loop, "a loop whose bounds are unsigned");
  std::optional<SmallVector<Value>> indexValues = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                           upper = loop.getLoopUpperBounds(),
                                           steps = loop.getLoopSteps();
  if (!indexValues || !lower || !upper || !steps)
    return obstacle.undecided(loop, "a loop without bounds");
  Iterations iterations;
  for (auto [index, from, to, by] :
       llvm::zip_equal(*indexValues, *lower, *upper, *steps)) {
    std::optional<int64_t> step = getConstantIntValue(by);
    if (!step || *step < 1)
      return obstacle.undecided(loop,
                                "a loop whose step is not a positive constant");
    if (failed(addDimension(loop, {index, from, to, *step}, iterations)))
      return failure();
  }
  addQuotients(loop, iterations);
  scopes.addLoop(loop, std::move(iterations));
  return success();
}
