//===- IndexSums.cpp - Indices as sums of multiples -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexSums.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using llvm::ConstantRange;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

bool IndexSum::add(const IndexSum &other, int64_t factor) {
  auto addTo = [&](int64_t &number, int64_t addend) {
    int64_t product;
    return !llvm::MulOverflow(addend, factor, product) &&
           !llvm::AddOverflow(number, product, number);
  };
  for (auto [index, multiple] : other.factors)
    if (!addTo(factors[index], multiple))
      return false;
  factors.remove_if([](const auto &term) { return term.second == 0; });
  return addTo(constant, other.constant);
}

bool IndexSum::hasSameFactors(const IndexSum &other) const {
  return factors.size() == other.factors.size() &&
         llvm::all_of(factors, [&](const auto &term) {
           auto it = other.factors.find(term.first);
           return it != other.factors.end() && it->second == term.second;
         });
}

/// `a + factor * b`, or nothing where that overflows.
static std::optional<IndexSum> addSums(IndexSum a, const IndexSum &b,
                                       int64_t factor) {
  return a.add(b, factor) ? std::optional(std::move(a)) : std::nullopt;
}

/// `a * b`, or nothing where neither is constant.
static std::optional<IndexSum> multiplySums(const IndexSum &a,
                                            const IndexSum &b) {
  if (b.factors.empty())
    return addSums({}, a, b.constant);
  return a.factors.empty() ? addSums({}, b, a.constant) : std::nullopt;
}

namespace {
/// Finds what an index is, and each index that it is made of once.
class SumFinder {
public:
  IndexSum get(OpFoldResult index) {
    if (std::optional<int64_t> constant = getConstantIntValue(index))
      return IndexSum{{}, *constant};
    auto value = cast<Value>(index);
    if (auto it = known.find(value); it != known.end())
      return it->second;
    IndexSum itself;
    itself.factors[value] = 1;
    IndexSum sum = find(value).value_or(itself);
    known[value] = sum;
    return sum;
  }

private:
  /// Of what makes `value`; nothing where that is no sum.
  std::optional<IndexSum> find(Value value);
  std::optional<IndexSum> find(AffineExpr expr, ValueRange dims,
                               ValueRange symbols);

  DenseMap<Value, IndexSum> known;
};
} // namespace

std::optional<IndexSum> SumFinder::find(AffineExpr expr, ValueRange dims,
                                        ValueRange symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexSum{{}, constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return get(dims[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return get(symbols[symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  bool isSum = expr.getKind() == AffineExprKind::Add;
  if (!isSum && expr.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  std::optional<IndexSum> first = find(binary.getLHS(), dims, symbols);
  std::optional<IndexSum> second = find(binary.getRHS(), dims, symbols);
  if (!first || !second)
    return std::nullopt;
  return isSum ? addSums(*first, *second, 1) : multiplySums(*first, *second);
}

std::optional<IndexSum> SumFinder::find(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<IndexSum>>(op)
      .Case([&](affine::AffineApplyOp apply) {
        unsigned numDims = apply.getAffineMap().getNumDims();
        ValueRange operands = apply.getMapOperands();
        return find(apply.getAffineMap().getResult(0),
                    operands.take_front(numDims), operands.drop_front(numDims));
      })
      .Case([&](arith::AddIOp op) {
        return addSums(get(op.getLhs()), get(op.getRhs()), 1);
      })
      .Case([&](arith::SubIOp op) {
        return addSums(get(op.getLhs()), get(op.getRhs()), -1);
      })
      .Case([&](arith::MulIOp op) {
        return multiplySums(get(op.getLhs()), get(op.getRhs()));
      })
      .Default([](Operation *) { return std::nullopt; });
}

IndexSum IndexSum::get(OpFoldResult index) { return SumFinder().get(index); }

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

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
  ConstantRange range = makeRange(sum.constant);
  for (auto [index, factor] : sum.factors)
    range = range.sadd_sat(get(index).smul_sat(makeRange(factor)));
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

ConstantRange IndexRanges::getQuotient(Value dividend, Value divisor,
                                       bool isRemainder) {
  ConstantRange first = get(dividend), second = get(divisor);
  // Of what is negative nothing is said.
  if (!first.isAllNonNegative() || !second.isAllNonNegative() ||
      second.contains(APInt::getZero(64)))
    return ConstantRange::getFull(64);
  return isRemainder ? first.urem(second) : first.udiv(second);
}

ConstantRange IndexRanges::getChoice(arith::SelectOp op) {
  ConstantRange first = get(op.getTrueValue());
  ConstantRange second = get(op.getFalseValue());
  auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
  if (compare && compare.getLhs().getType().isIndex())
    if (auto holds =
            evaluate(compare, get(compare.getLhs()), get(compare.getRhs())))
      return *holds ? first : second;
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
            return getQuotient(op.getLhs(), op.getRhs(),
                               isa<arith::RemUIOp, arith::RemSIOp>(op));
          })
      .Default([](Operation *) { return ConstantRange::getFull(64); });
}
