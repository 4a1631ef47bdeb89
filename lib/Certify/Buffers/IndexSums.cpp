//===- IndexSums.cpp - Indices as sums of multiples -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexSums.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

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
OpFoldResult IndexSum::make(OpBuilder &builder, Location loc,
                            const IRMapping &mapping) const {
  SmallVector<Value> operands;
  AffineExpr sum = builder.getAffineConstantExpr(constant);
  for (auto [index, factor] : factors) {
    sum = sum + builder.getAffineDimExpr(operands.size()) * factor;
    operands.push_back(mapping.lookupOrDefault(index));
  }
  if (operands.empty())
    return builder.getIndexAttr(constant);
  return affine::AffineApplyOp::create(
             builder, loc, AffineMap::get(operands.size(), 0, sum), operands)
      .getResult();
}

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
// Quotients
//===----------------------------------------------------------------------===//

std::optional<std::pair<unsigned, int64_t>>
certify::getDivision(AffineExpr expr, AffineExprKind kind, unsigned numDims) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || binary.getKind() != kind)
    return std::nullopt;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!divisor || divisor.getValue() <= 0)
    return std::nullopt;
  if (auto dim = dyn_cast<AffineDimExpr>(binary.getLHS()))
    return std::pair(dim.getPosition(), divisor.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(binary.getLHS()))
    return std::pair(numDims + symbol.getPosition(), divisor.getValue());
  return std::nullopt;
}

/// Returns what has taken the place of `op`; null if nothing has.
static affine::AffineApplyOp separateQuotients(affine::AffineApplyOp op) {
  AffineExpr expr = op.getAffineMap().getResult(0);
  unsigned numDims = op.getAffineMap().getNumDims();
  OpBuilder builder(op);
  SmallVector<Value> quotients;
  DenseMap<std::pair<unsigned, int64_t>, AffineExpr> known;
  DenseMap<AffineExpr, AffineExpr> replacements;
  expr.walk([&](AffineExpr part) {
    bool isQuotient = part.getKind() == AffineExprKind::FloorDiv;
    if (!isQuotient && part.getKind() != AffineExprKind::Mod)
      return;
    auto division = getDivision(part, part.getKind(), numDims);
    if (!division || (isQuotient && part == expr))
      return;
    auto [operand, divisor] = *division;
    AffineExpr &quotient = known[*division];
    if (!quotient) {
      // Behind the operands that there are.
      quotient = builder.getAffineSymbolExpr(op.getAffineMap().getNumSymbols() +
                                             quotients.size());
      quotients.push_back(affine::AffineApplyOp::create(
          builder, op.getLoc(), builder.getAffineDimExpr(0).floorDiv(divisor),
          op.getMapOperands()[operand]));
    }
    AffineExpr whole = cast<AffineBinaryOpExpr>(part).getLHS();
    replacements[part] = isQuotient ? quotient : whole - quotient * divisor;
  });
  if (quotients.empty())
    return nullptr;
  SmallVector<Value> operands(op.getMapOperands());
  llvm::append_range(operands, quotients);
  auto map = AffineMap::get(
      numDims, op.getAffineMap().getNumSymbols() + quotients.size(),
      expr.replace(replacements));
  auto sum = affine::AffineApplyOp::create(builder, op.getLoc(), map, operands);
  op.replaceAllUsesWith(sum.getResult());
  op.erase();
  return sum;
}

void certify::separateQuotients(Operation *root) {
  root->walk([](affine::AffineApplyOp op) {
    // Quotients of quotients are found once these are indices.
    while (op)
      op = ::separateQuotients(op);
  });
}
