//===- IndexRanges.cpp - What indices lie between ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using llvm::ConstantRange;

static ConstantRange makeRange(int64_t constant) {
  return ConstantRange(APInt(64, constant, /*isSigned=*/true));
}

ConstantRange IndexRanges::get(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return makeRange(*constant);
  return get(cast<Value>(index));
}

ConstantRange IndexRanges::getBetween(OpFoldResult low, OpFoldResult high,
                                      OpFoldResult step) {
  APInt least = get(low).getSignedMin();
  APInt most = get(high).getSignedMax().ssub_sat(APInt(64, 1));
  // A loop without iterations has no index: any range is right.
  if (most.slt(least))
    return ConstantRange(least);
  std::optional<int64_t> start = getConstantIntValue(low);
  std::optional<int64_t> distance = getConstantIntValue(step);
  if (start && *start >= 0 && distance && *distance > 0)
    most -= (most - least).urem(APInt(64, *distance));
  return ConstantRange::getNonEmpty(least, most + 1);
}

ConstantRange IndexRanges::get(AffineExpr expr, ValueRange dims,
                               ValueRange symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return makeRange(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return get(dims[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return get(symbols[symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  ConstantRange first = get(binary.getLHS(), dims, symbols);
  ConstantRange second = get(binary.getRHS(), dims, symbols);
  if (expr.getKind() == AffineExprKind::Add)
    return first.sadd_sat(second);
  if (expr.getKind() == AffineExprKind::Mul)
    return first.smul_sat(second);
  // Divisors are positive; of what is negative nothing is said.
  if (!first.isAllNonNegative() || !second.getSingleElement())
    return ConstantRange::getFull(64);
  if (expr.getKind() == AffineExprKind::Mod)
    return first.srem(second);
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return first.sdiv(second);
  return first.sdiv(second).sadd_sat(ConstantRange(APInt(64, 0), APInt(64, 2)));
}

ConstantRange IndexRanges::get(const IndexSum &sum) {
  auto add = [this](ConstantRange range, const auto &factors) {
    for (auto [index, factor] : factors)
      range = range.sadd_sat(get(index).smul_sat(makeRange(factor)));
    return range;
  };
  ConstantRange range = add(makeRange(sum.constant), sum.factors);
  for (auto [index, factor] : sum.factors) {
    std::optional<IndexQuotient> quotient = getQuotient(index);
    auto dividend =
        quotient ? sum.factors.find(quotient->dividend) : sum.factors.end();
    int64_t rest, left;
    if (dividend == sum.factors.end() ||
        llvm::MulOverflow(dividend->second, quotient->divisor, rest) ||
        llvm::AddOverflow(factor, rest, left))
      continue;
    // What is left of the dividend is the remainder.
    auto factors = sum.factors;
    factors.erase(quotient->dividend);
    factors[index] = left;
    ConstantRange remainder = makeRange(0).unionWith(
        makeRange(quotient->divisor - 1), ConstantRange::Signed);
    range =
        range.intersectWith(add(remainder.smul_sat(makeRange(dividend->second))
                                    .sadd_sat(makeRange(sum.constant)),
                                factors),
                            ConstantRange::Signed);
  }
  return range;
}

ConstantRange IndexRanges::get(Value index) {
  if (auto it = known.find(index); it != known.end())
    return it->second;
  ConstantRange range = compute(index);
  known.insert({index, range});
  return range;
}

ConstantRange IndexRanges::getLoopIndex(BlockArgument index) {
  auto loop =
      dyn_cast_or_null<LoopLikeOpInterface>(index.getOwner()->getParentOp());
  auto counted = dyn_cast_or_null<scf::ForOp>(loop.getOperation());
  if (!loop || (counted && counted.getUnsignedCmp()))
    return ConstantRange::getFull(64);
  auto indices = loop.getLoopInductionVars();
  auto lows = loop.getLoopLowerBounds(), highs = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (indices && lows && highs && steps)
    for (auto [own, low, high, step] :
         llvm::zip_equal(*indices, *lows, *highs, *steps))
      if (own == index)
        return getBetween(low, high, step);
  return ConstantRange::getFull(64);
}

ConstantRange IndexRanges::getExtremum(AffineMap map, ValueRange operands,
                                       bool isLeast) {
  ValueRange dims = operands.take_front(map.getNumDims());
  ValueRange symbols = operands.drop_front(map.getNumDims());
  ConstantRange range = get(map.getResult(0), dims, symbols);
  for (AffineExpr expr : map.getResults().drop_front()) {
    ConstantRange one = get(expr, dims, symbols);
    range = isLeast ? range.smin(one) : range.smax(one);
  }
  return range;
}

/// Whether `compare` holds for all numbers of its ranges, or for none; nothing
/// where that differs.
static std::optional<bool> evaluate(arith::CmpIOp compare,
                                    const ConstantRange &lhs,
                                    const ConstantRange &rhs) {
  auto get = [](const ConstantRange &range) {
    return ConstantIntRanges::fromSigned(range.getSignedMin(),
                                         range.getSignedMax());
  };
  // Both enumerations are the same.
  auto predicate = static_cast<intrange::CmpPredicate>(compare.getPredicate());
  return intrange::evaluatePred(predicate, get(lhs), get(rhs));
}

ConstantRange IndexRanges::getRangeOfDivision(Value dividend, Value divisor,
                                              bool isRemainder) {
  ConstantRange first = get(dividend), second = get(divisor);
  // Of what is negative nothing is said.
  if (!first.isAllNonNegative() || !second.isAllNonNegative() ||
      second.contains(APInt::getZero(64)))
    return ConstantRange::getFull(64);
  return isRemainder ? first.urem(second) : first.udiv(second);
}

Value IndexRanges::getOnlyChoice(arith::SelectOp op) {
  auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return nullptr;
  auto holds = evaluate(compare, get(compare.getLhs()), get(compare.getRhs()));
  if (!holds)
    return nullptr;
  return *holds ? op.getTrueValue() : op.getFalseValue();
}

ConstantRange IndexRanges::getChoice(arith::SelectOp op) {
  if (Value only = getOnlyChoice(op))
    return get(only);
  ConstantRange first = get(op.getTrueValue());
  ConstantRange second = get(op.getFalseValue());
  auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
  bool isOfBoth = compare && compare.getLhs() == op.getTrueValue() &&
                  compare.getRhs() == op.getFalseValue();
  if (isOfBoth && compare.getPredicate() == arith::CmpIPredicate::slt)
    return first.smin(second);
  if (isOfBoth && compare.getPredicate() == arith::CmpIPredicate::sgt)
    return first.smax(second);
  return first.unionWith(second, ConstantRange::Signed);
}

ConstantRange IndexRanges::compute(Value index) {
  if (auto argument = dyn_cast<BlockArgument>(index))
    return getLoopIndex(argument);
  if (IndexSum sum = IndexSum::get(index); !sum.factors.contains(index))
    return get(sum);
  return llvm::TypeSwitch<Operation *, ConstantRange>(index.getDefiningOp())
      .Case([&](affine::AffineApplyOp op) {
        return getExtremum(op.getAffineMap(), op.getMapOperands(), true);
      })
      .Case([&](affine::AffineMinOp op) {
        return getExtremum(op.getMap(), op.getOperands(), /*isLeast=*/true);
      })
      .Case([&](affine::AffineMaxOp op) {
        return getExtremum(op.getMap(), op.getOperands(), /*isLeast=*/false);
      })
      .Case([&](arith::MinSIOp op) {
        return get(op.getLhs()).smin(get(op.getRhs()));
      })
      .Case([&](arith::MaxSIOp op) {
        return get(op.getLhs()).smax(get(op.getRhs()));
      })
      .Case([&](arith::SelectOp op) { return getChoice(op); })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp>(
          [&](auto op) {
            return getRangeOfDivision(op.getLhs(), op.getRhs(),
                                      isa<arith::RemUIOp, arith::RemSIOp>(op));
          })
      // No tensor has a negative size.
      .Case<tensor::DimOp, memref::DimOp>([](Operation *) {
        return ConstantRange(APInt(64, 0), APInt::getSignedMinValue(64));
      })
      .Default([](Operation *) { return ConstantRange::getFull(64); });
}

Value IndexRanges::skipChoices(Value index) {
  while (auto choice = index.getDefiningOp<arith::SelectOp>()) {
    Value only = getOnlyChoice(choice);
    if (!only)
      break;
    index = only;
  }
  return index;
}

std::optional<IndexQuotient> IndexRanges::getQuotient(Value index) {
  Operation *op = skipChoices(index).getDefiningOp();
  IndexQuotient quotient{};
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    if (auto division = getDivision(map.getResult(0), AffineExprKind::FloorDiv,
                                    map.getNumDims()))
      quotient = {apply.getMapOperands()[division->first], division->second};
  } else if (isa_and_nonnull<arith::DivUIOp, arith::DivSIOp,
                             arith::FloorDivSIOp>(op)) {
    quotient = {op->getOperand(0),
                getConstantIntValue(op->getOperand(1)).value_or(0)};
  }
  if (!quotient.dividend || quotient.divisor <= 0 ||
      !get(quotient.dividend).isAllNonNegative())
    return std::nullopt;
  return IndexQuotient{skipChoices(quotient.dividend), quotient.divisor};
}
