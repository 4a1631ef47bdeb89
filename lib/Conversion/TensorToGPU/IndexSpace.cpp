//===- IndexSpace.cpp - Affine indices over values of a kernel --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexSpace.h"
#include "KernelBuilder.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::convoy;

AffineExpr IndexSpace::add(Range range, int64_t divisor, Value source) {
  bool isZero = range.low == 0 && range.high == 0;
  dims.push_back({range, isZero ? 0 : divisor, source, {}, {}});
  return getAffineDimExpr(dims.size() - 1, context);
}

void IndexSpace::setValue(AffineExpr dim, Value value) {
  dims[cast<AffineDimExpr>(dim).getPosition()].value = value;
}

SmallVector<AffineExpr> IndexSpace::expressResults(AffineMap map,
                                                   ValueRange mapOperands) {
  SmallVector<AffineExpr> operands;
  for (Value operand : mapOperands) {
    operands.push_back(express(operand));
    if (!operands.back())
      return {};
  }
  auto exprs = ArrayRef(operands);
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr result) {
    return result.replaceDimsAndSymbols(exprs.take_front(map.getNumDims()),
                                        exprs.drop_front(map.getNumDims()));
  });
}

AffineExpr IndexSpace::express(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getConstant(*constant);
  if (AffineExpr expr = bound.lookup(cast<Value>(value)))
    return expr;
  for (auto [position, dim] : llvm::enumerate(dims))
    if (dim.source && dim.source == dyn_cast<Value>(value))
      return getAffineDimExpr(position, context);
  Operation *op = cast<Value>(value).getDefiningOp();
  // What is not known of shapes is the batch.
  if (isa_and_nonnull<tensor::DimOp, memref::DimOp>(op))
    return getSize(ShapedType::kDynamic);
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op)) {
    SmallVector<AffineExpr> results =
        expressResults(apply.getAffineMap(), apply.getMapOperands());
    return results.empty() ? AffineExpr() : results.front();
  }
  auto min = dyn_cast_or_null<affine::AffineMinOp>(op);
  if (!min)
    return {};
  SmallVector<AffineExpr> bounds =
      expressResults(min.getAffineMap(), min.getMapOperands());
  if (bounds.empty())
    return {};
  Range range = getRange(bounds.front());
  for (AffineExpr bound : bounds)
    range = {std::min(range.low, getRange(bound).low),
             std::min(range.high, getRange(bound).high)};
  AffineExpr least = add(range, /*divisor=*/1, min.getResult());
  dims.back().bounds = std::move(bounds);
  return least;
}

IndexSpace::Range IndexSpace::getRange(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (isa<AffineDimExpr>(expr))
    return getDim(expr).range;
  if (isa<AffineSymbolExpr>(expr))
    return {0, kMaxNarrowElements};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Range left = getRange(binary.getLHS()), right = getRange(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {left.low + right.low, left.high + right.high};
  case AffineExprKind::Mul: {
    auto [low, high] =
        std::minmax({left.low * right.low, left.low * right.high,
                     left.high * right.low, left.high * right.high});
    return {low, high};
  }
  case AffineExprKind::FloorDiv:
    return {llvm::divideFloorSigned(left.low, right.low),
            llvm::divideFloorSigned(left.high, right.low)};
  case AffineExprKind::CeilDiv:
    return {llvm::divideCeilSigned(left.low, right.low),
            llvm::divideCeilSigned(left.high, right.low)};
  case AffineExprKind::Mod:
    if (left.low >= 0 && left.high < right.low)
      return left;
    return {0, right.low - 1};
  default:
    llvm_unreachable("not a binary expression");
  }
}

int64_t IndexSpace::getDivisor(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue());
  if (isa<AffineDimExpr>(expr))
    return getDim(expr).divisor;
  if (isa<AffineSymbolExpr>(expr))
    return 1;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = getDivisor(binary.getLHS());
  int64_t right = getDivisor(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
  case AffineExprKind::Mod:
    return std::gcd(left, right);
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return left % right == 0 ? left / right : 1;
  default:
    llvm_unreachable("not a binary expression");
  }
}

std::optional<SmallVector<int64_t>>
IndexSpace::getCoefficients(AffineExpr expr) const {
  SmallVector<int64_t> coefficients;
  // A dimension times the batch is no sum.
  if (!expr.isPureAffine() ||
      failed(getFlattenedAffineExpr(expr, dims.size(), /*numSymbols=*/1,
                                    &coefficients)) ||
      coefficients.size() != dims.size() + 2)
    return std::nullopt;
  return coefficients;
}

bool IndexSpace::isContiguousInBatch(AffineExpr address, AffineExpr dim,
                                     int64_t width) const {
  unsigned position = cast<AffineDimExpr>(dim).getPosition();
  if (!address.isPureAffine())
    return false;
  // Parts of several loops are numbered by one dimension, which other addresses
  // have quotients and remainders of.
  AffineExpr first = simplifyAffineExpr(address - dim, dims.size(), 0);
  return !first.isFunctionOfDim(position) && getDivisor(first) % width == 0;
}

bool IndexSpace::isContiguous(AffineExpr address, AffineExpr dim,
                              int64_t width) const {
  // Addresses are linear in the batch, so that what holds for two of them holds
  // for all.
  return llvm::all_of(ArrayRef<int64_t>{0, 1}, [&](int64_t batch) {
    return isContiguousInBatch(address.replaceSymbols(getConstant(batch)), dim,
                               width);
  });
}

Value IndexSpace::materializeLeast(OpBuilder &builder, Location loc,
                                   ArrayRef<AffineExpr> exprs) const {
  Value least = materialize(builder, loc, exprs.front());
  for (AffineExpr expr : exprs.drop_front())
    least = arith::MinUIOp::create(builder, loc, least,
                                   materialize(builder, loc, expr));
  return least;
}

Value IndexSpace::materializeSum(OpBuilder &builder, Location loc,
                                 ArrayRef<int64_t> coefficients) const {
  // What changes least often comes first, so that loops can leave it outside.
  Value sum;
  auto add = [&](Value term) {
    sum =
        sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
  };
  auto addTerm = [&](Value term, int64_t coefficient) {
    if (coefficient != 1)
      term = arith::MulIOp::create(
          builder, loc, term,
          arith::ConstantIndexOp::create(builder, loc, coefficient));
    add(term);
  };
  for (auto [dim, coefficient] :
       llvm::zip_equal(dims, coefficients.drop_back(2)))
    if (coefficient != 0)
      addTerm(dim.bounds.empty() ? dim.value
                                 : materializeLeast(builder, loc, dim.bounds),
              coefficient);
  if (int64_t coefficient = coefficients.drop_back().back())
    addTerm(kernel->getBatch(), coefficient);
  if (coefficients.back() != 0 || !sum)
    add(arith::ConstantIndexOp::create(builder, loc, coefficients.back()));
  return sum;
}

Value IndexSpace::materialize(OpBuilder &builder, Location loc,
                              AffineExpr expr) const {
  if (std::optional<SmallVector<int64_t>> coefficients = getCoefficients(expr))
    return materializeSum(builder, loc, *coefficients);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value left = materialize(builder, loc, binary.getLHS());
  Value right = materialize(builder, loc, binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, loc, left, right);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, loc, left, right);
  case AffineExprKind::FloorDiv:
    return arith::DivUIOp::create(builder, loc, left, right);
  case AffineExprKind::Mod:
    return arith::RemUIOp::create(builder, loc, left, right);
  default:
    llvm_unreachable("no index of a tensor is rounded up");
  }
}

Value IndexSpace::emitIsInside(OpBuilder &builder, Location loc,
                               AffineExpr expr, int64_t size,
                               Value other) const {
  // Negative numbers are large ones without their sign.
  Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                      materialize(builder, loc, expr),
                                      materializeSize(builder, loc, size));
  return emitAnd(builder, loc, other, holds);
}

Value mlir::convoy::emitAnd(OpBuilder &builder, Location loc, Value left,
                            Value right) {
  if (!left || !right)
    return left ? left : right;
  return arith::AndIOp::create(builder, loc, left, right);
}
