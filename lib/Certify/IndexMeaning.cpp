//===- IndexMeaning.cpp - Values of indices ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

FailureOr<LinearExpr> Denoter::addAffine(AffineExpr expr,
                                         ArrayRef<LinearExpr> dims,
                                         ArrayRef<LinearExpr> symbols,
                                         SmallVectorImpl<Var> &locals,
                                         System &domain, Operation *op) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearExpr(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<LinearExpr> lhs =
      addAffine(binary.getLHS(), dims, symbols, locals, domain, op);
  FailureOr<LinearExpr> rhs =
      addAffine(binary.getRHS(), dims, symbols, locals, domain, op);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  if (lhs->isConstant() && expr.getKind() == AffineExprKind::Mul)
    std::swap(*lhs, *rhs);
  if (!rhs->isConstant())
    return undecided(op, "an index that is not linear");
  DynamicAPInt number = rhs->getConstant();
  if (expr.getKind() == AffineExprKind::Mul)
    return *lhs * number;
  if (number <= 0)
    return undecided(op, "a division by a number that is not positive");
  // Quotient and remainder, rounded down; up is the same of the negation.
  bool isCeil = expr.getKind() == AffineExprKind::CeilDiv;
  LinearExpr dividend = isCeil ? *lhs + LinearExpr(number - 1) : *lhs;
  locals.push_back(solver.makeVar());
  LinearExpr quotient = LinearExpr::var(locals.back());
  LinearExpr remainder = dividend - quotient * number;
  domain.addRange(0, remainder, number);
  return expr.getKind() == AffineExprKind::Mod ? remainder : quotient;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The least of `values`, or with `sign` -1 the greatest: one case for each.
static IndexCases getLeastOf(const Case<SmallVector<LinearExpr>> &values,
                             int sign) {
  IndexCases cases;
  for (unsigned least = 0; least < values.value.size(); ++least) {
    Case<LinearExpr> &result = cases.emplace_back();
    result.locals = values.locals;
    result.domain = values.domain;
    result.value = values.value[least];
    for (unsigned other = 0; other < values.value.size(); ++other)
      if (other != least)
        // Of equal values the first counts.
        result.domain.addAtMost((result.value + LinearExpr(0)) *
                                        DynamicAPInt(sign) +
                                    LinearExpr(other < least ? 1 : 0),
                                values.value[other] * DynamicAPInt(sign));
  }
  return cases;
}

/// The value of `size`.
static IndexCases getCases(const Size &size) {
  if (size.size() == 1)
    return {{{}, {}, size.front()}};
  IndexCases cases;
  for (Case<LinearExpr> &least :
       getLeastOf({{}, {}, SmallVector<LinearExpr>(size)}, 1))
    llvm::append_range(
        cases,
        getLeastOf({{}, least.domain, {least.value, LinearExpr(0)}}, -1));
  return cases;
}

FailureOr<IndicesCases> Denoter::getIndices(ArrayRef<OpFoldResult> values,
                                            const Body *body) {
  IndicesCases combined(1);
  for (OpFoldResult value : values) {
    if (std::optional<int64_t> constant = getConstantIntValue(value)) {
      for (auto &combination : combined)
        combination.value.push_back(*constant);
      continue;
    }
    FailureOr<IndexCases> cases = getIndex(cast<Value>(value), body);
    if (failed(cases))
      return failure();
    IndicesCases longer;
    for (const auto &combination : combined)
      for (const Case<LinearExpr> &index : *cases) {
        longer.push_back(combination);
        llvm::append_range(longer.back().locals, index.locals);
        longer.back().domain.append(index.domain);
        longer.back().value.push_back(index.value);
      }
    combined = std::move(longer);
    // Combinations that contradict themselves would multiply.
    if (combined.size() > 2)
      llvm::erase_if(combined, [&](const auto &combination) {
        return solver.isEmpty(arguments.sizes & combination.domain);
      });
  }
  return combined;
}

/// A quotient's remainder as affine.delinearize_index computes its result
/// `number` from the index as symbol 0, or null if sizes are dynamic.
static AffineExpr getDigit(affine::AffineDelinearizeIndexOp op,
                           unsigned number) {
  AffineExpr digit = getAffineSymbolExpr(0, op.getContext());
  if (llvm::any_of(op.getStaticBasis(), ShapedType::isDynamic))
    return {};
  // Without an outer bound the basis has one size less than there are results.
  unsigned first = op.getNumResults() - op.getStaticBasis().size();
  int64_t inner = 1;
  for (unsigned other = number + 1; other < op.getNumResults(); ++other)
    inner *= op.getStaticBasis()[other - first];
  digit = digit.floorDiv(inner);
  return number == 0 ? digit : digit % op.getStaticBasis()[number - first];
}

/// What affine.linearize_index computes from the indices as symbols, or null.
static AffineExpr getNumber(affine::AffineLinearizeIndexOp op) {
  if (llvm::any_of(op.getStaticBasis(), ShapedType::isDynamic))
    return {};
  unsigned numDigits = op.getMultiIndex().size();
  unsigned first = numDigits - op.getStaticBasis().size();
  AffineExpr number = getAffineConstantExpr(0, op.getContext());
  int64_t inner = 1;
  for (unsigned digit = numDigits; digit-- > 0;) {
    number = number + getAffineSymbolExpr(digit, op.getContext()) * inner;
    if (digit >= first)
      inner *= op.getStaticBasis()[digit - first];
  }
  return number;
}

/// The affine expression that an op on indices computes from its operands as
/// symbols, or null.
static AffineExpr getAffineForm(OpResult result) {
  Operation *op = result.getOwner();
  MLIRContext *context = op->getContext();
  AffineExpr a = getAffineSymbolExpr(0, context);
  AffineExpr b = getAffineSymbolExpr(1, context);
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](arith::AddIOp) { return a + b; })
      .Case([&](arith::SubIOp) { return a - b; })
      .Case([&](arith::MulIOp) { return a * b; })
      .Case([&](arith::FloorDivSIOp) { return a.floorDiv(b); })
      .Case([&](arith::CeilDivSIOp) { return a.ceilDiv(b); })
      .Case([&](arith::IndexCastOp) { return a; })
      .Case([&](affine::AffineDelinearizeIndexOp op) {
        return getDigit(op, result.getResultNumber());
      })
      .Case([&](affine::AffineLinearizeIndexOp op) { return getNumber(op); })
      .Default(AffineExpr());
}

FailureOr<IndexCases> Denoter::getIndex(Value value, const Body *body) {
  if (auto it = inductionVars.find(value); it != inductionVars.end())
    return IndexCases{{{}, {}, it->second}};
  if (auto it = singleValues.find(value); it != singleValues.end())
    return IndexCases{{{}, {}, it->second}};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return undecided(argument.getOwner()->getParentOp(),
                       "an index that a loop carries");
    return IndexCases{{{}, {}, getSymbol(argument, -1)}};
  }
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return IndexCases{{{}, {}, LinearExpr(constant.getInt())}};
  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(op); index && body)
    return IndexCases{{{}, {}, body->loops[index.getDim()]}};
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> number = dim.getConstantIndex()) {
      FailureOr<Size> size = getSize(dim.getSource(), *number);
      if (failed(size))
        return failure();
      return getCases(*size);
    }
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (std::optional<int64_t> number = dim.getConstantIndex())
      if (auto buffer = dyn_cast<BlockArgument>(dim.getSource())) {
        FailureOr<Size> size = getBufferSize(buffer, *number);
        if (failed(size))
          return failure();
        return getCases(*size);
      }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return getSelected(select, body);
  return getComputedIndex(cast<OpResult>(value), body);
}

FailureOr<IndexCases> Denoter::getSelected(arith::SelectOp op,
                                           const Body *body) {
  auto conditions = getCondition(op.getCondition(), body);
  FailureOr<IndexCases> ifTrue = getIndex(op.getTrueValue(), body);
  FailureOr<IndexCases> ifFalse = getIndex(op.getFalseValue(), body);
  if (failed(conditions) || failed(ifTrue) || failed(ifFalse))
    return failure();
  IndexCases cases;
  for (const Case<bool> &condition : *conditions)
    for (const Case<LinearExpr> &chosen :
         condition.value ? *ifTrue : *ifFalse) {
      cases.push_back(chosen);
      llvm::append_range(cases.back().locals, condition.locals);
      cases.back().domain.append(condition.domain);
    }
  return cases;
}

FailureOr<IndexCases> Denoter::getComputedIndex(OpResult result,
                                                const Body *body) {
  Operation *op = result.getOwner();
  FailureOr<IndicesCases> operands =
      getIndices(getAsOpFoldResult(op->getOperands()), body);
  if (failed(operands))
    return failure();
  IndexCases cases;
  for (Case<SmallVector<LinearExpr>> &operand : *operands) {
    SmallVector<AffineExpr> results;
    unsigned numDims = 0;
    int sign = 0;
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      results.push_back(apply.getAffineMap().getResult(0));
      numDims = apply.getAffineMap().getNumDims();
    } else if (auto min = dyn_cast<affine::AffineMinOp>(op)) {
      llvm::append_range(results, min.getMap().getResults());
      numDims = min.getMap().getNumDims();
      sign = 1;
    } else if (auto max = dyn_cast<affine::AffineMaxOp>(op)) {
      llvm::append_range(results, max.getMap().getResults());
      numDims = max.getMap().getNumDims();
      sign = -1;
    } else if (isa<arith::MinSIOp, arith::MaxSIOp>(op)) {
      results = {getAffineSymbolExpr(0, op->getContext()),
                 getAffineSymbolExpr(1, op->getContext())};
      sign = isa<arith::MinSIOp>(op) ? 1 : -1;
    } else if (AffineExpr form = getAffineForm(result)) {
      results.push_back(form);
    } else {
      return undecided(op, "an op on indices whose meaning is not known");
    }
    ArrayRef<LinearExpr> values = operand.value;
    Case<SmallVector<LinearExpr>> computed = {
        operand.locals, operand.domain, {}};
    for (AffineExpr result : results) {
      FailureOr<LinearExpr> value = addAffine(
          result, values.take_front(numDims), values.drop_front(numDims),
          computed.locals, computed.domain, op);
      if (failed(value))
        return failure();
      computed.value.push_back(*value);
    }
    if (sign == 0)
      cases.push_back({computed.locals, computed.domain, computed.value[0]});
    else
      llvm::append_range(cases, getLeastOf(computed, sign));
  }
  return cases;
}
