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

template <typename Op>
static Op getDefiningOp(OpFoldResult value) {
  auto operand = dyn_cast<Value>(value);
  return operand ? operand.getDefiningOp<Op>() : Op();
}

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

static bool isQuotientOp(Operation *op) {
  return isa_and_nonnull<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
      op);
}

/// The dividend of `value`, where that is a quotient by a constant, which
/// `divisor` gets: rounded down if the dividend is not negative. Else null.
static Value takeDivisor(OpFoldResult value, int64_t &divisor) {
  auto operand = dyn_cast<Value>(value);
  Operation *op = operand ? operand.getDefiningOp() : nullptr;
  if (!isQuotientOp(op))
    return nullptr;
  std::optional<int64_t> constant = getConstantIntValue(op->getOperand(1));
  if (!constant || *constant < 1)
    return nullptr;
  divisor = *constant;
  return op->getOperand(0);
}

LogicalResult LoopRanges::addLimit(OpFoldResult limit, bool isUpper,
                                   const LinearExpr &index, System &range,
                                   Operation *loop) {
  int64_t divisor = 1;
  if (Value dividend = takeDivisor(limit, divisor)) {
    FailureOr<LinearExpr> value = sizes.evaluateSingle(dividend, loop);
    if (failed(value))
      return failure();
    if (!solver.implies(scopes.getScope(loop), {*value, false}))
      return obstacle.undecided(loop, "a loop bound that is a quotient of a "
                                      "number that may be negative");
    // ⌊e/c⌋ <= i where e < c*i + c, and i < ⌊e/c⌋ where c*i + c <= e.
    LinearExpr next = (index + 1) * DynamicAPInt(divisor);
    isUpper ? range.addAtMost(next, *value) : range.addAtMost(*value + 1, next);
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
  auto max = getDefiningOp<affine::AffineMaxOp>(dimension.lower);
  auto min = getDefiningOp<affine::AffineMinOp>(dimension.upper);
  if (max && min && dimension.step == 1) {
    // Each value within the limits is an iteration.
    if (failed(addLimits(max.getMap(), max.getOperands(), /*areUpper=*/false,
                         number, range, loop)) ||
        failed(addLimits(min.getMap(), min.getOperands(), /*areUpper=*/true,
                         number, range, loop)))
      return failure();
    indices.bind(dimension.index, number);
    return success();
  }
  int64_t divisor = 1;
  bool isQuotient = takeDivisor(dimension.lower, divisor) ||
                    takeDivisor(dimension.upper, divisor);
  LinearExpr index = number;
  if (isQuotient && dimension.step == 1) {
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
