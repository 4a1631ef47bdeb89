//===- SymbolicIndices.cpp - Indices as linear expressions ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolicIndices.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

FailureOr<LinearExpr>
SymbolicIndices::evaluateAffine(AffineExpr expr, ArrayRef<LinearExpr> dims,
                                ArrayRef<LinearExpr> symbols, Part &where,
                                Operation *op) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return LinearExpr(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<LinearExpr> lhs =
      evaluateAffine(binary.getLHS(), dims, symbols, where, op);
  FailureOr<LinearExpr> rhs =
      evaluateAffine(binary.getRHS(), dims, symbols, where, op);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  if (lhs->isConstant() && expr.getKind() == AffineExprKind::Mul)
    std::swap(*lhs, *rhs);
  if (!rhs->isConstant())
    return obstacle.undecided(op, "an index that is not linear");
  DynamicAPInt number = rhs->getConstant();
  if (expr.getKind() == AffineExprKind::Mul)
    return *lhs * number;
  if (number <= 0)
    return obstacle.undecided(op,
                              "a division by a number that is not positive");
  // Quotient and remainder, rounded down; up is the same of the negation.
  bool isCeil = expr.getKind() == AffineExprKind::CeilDiv;
  LinearExpr dividend = isCeil ? *lhs + LinearExpr(number - 1) : *lhs;
  where.locals.push_back(solver.makeVar());
  LinearExpr quotient = LinearExpr::var(where.locals.back());
  LinearExpr remainder = dividend - quotient * number;
  where.domain.addRange(0, remainder, number);
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

FailureOr<IndicesCases>
SymbolicIndices::evaluateAll(ArrayRef<OpFoldResult> indices,
                             ArrayRef<LinearExpr> loops) {
  IndicesCases combined(1);
  for (OpFoldResult operand : indices) {
    if (std::optional<int64_t> constant = getConstantIntValue(operand)) {
      for (auto &combination : combined)
        combination.value.push_back(*constant);
      continue;
    }
    FailureOr<IndexCases> cases = evaluate(cast<Value>(operand), loops);
    if (failed(cases))
      return failure();
    IndicesCases longer;
    for (const auto &combination : combined)
      for (const Case<LinearExpr> &index : *cases) {
        longer.push_back(combination);
        addConditions(longer.back(), index);
        longer.back().value.push_back(index.value);
      }
    combined = std::move(longer);
    // Combinations that contradict themselves would multiply.
    if (combined.size() > 2)
      llvm::erase_if(combined, [&](const auto &combination) {
        return solver.isEmpty(arguments.getAssumptions() & combination.domain);
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

namespace {
/// What an op on indices computes from its operands, the first of which are
/// dimensions and the others symbols: an affine expression, or the least or the
/// greatest of several.
struct AffineForms {
  SmallVector<AffineExpr> exprs; ///< none if that is not known
  unsigned numDims = 0;
  int sign = 0; ///< 1 for the least, -1 for the greatest

  AffineForms(AffineExpr expr) {
    if (expr)
      exprs.push_back(expr);
  }
  AffineForms(ArrayRef<AffineExpr> exprs, unsigned numDims, int sign)
      : exprs(exprs), numDims(numDims), sign(sign) {}
  AffineForms(AffineMap map, int sign)
      : AffineForms(map.getResults(), map.getNumDims(), sign) {}
};
} // namespace

/// Whether arithmetic in `type` is that of integers: of all index types, whose
/// values are taken to fit, and of those as wide. Narrower ones wrap around,
/// and of wider ones an index holds a part.
static bool isWideIndex(Type type) {
  return type.isIndex() || type.isInteger(64);
}

/// Whether the result of `op` is the number that its operands make in integers:
/// what is widened is the same number, however narrow.
static bool keepsNumbers(OpResult result) {
  auto type = dyn_cast<IntegerType>(result.getType());
  return isWideIndex(result.getType()) ||
         (type && type.getWidth() < 64 &&
          isa<arith::ExtSIOp, arith::ExtUIOp>(result.getOwner()));
}

static AffineForms getAffineForms(OpResult result) {
  Operation *op = result.getOwner();
  if (!keepsNumbers(result))
    return AffineForms(AffineExpr());
  AffineExpr a = getAffineSymbolExpr(0, op->getContext());
  AffineExpr b = getAffineSymbolExpr(1, op->getContext());
  return llvm::TypeSwitch<Operation *, AffineForms>(op)
      .Case([](affine::AffineApplyOp op) {
        return AffineForms(op.getAffineMap(), 0);
      })
      .Case([](affine::AffineMinOp op) { return AffineForms(op.getMap(), 1); })
      .Case([](affine::AffineMaxOp op) { return AffineForms(op.getMap(), -1); })
      .Case([&](arith::MinSIOp) { return AffineForms({a, b}, 0, 1); })
      .Case([&](arith::MaxSIOp) { return AffineForms({a, b}, 0, -1); })
      .Case([&](arith::AddIOp) { return a + b; })
      .Case([&](arith::SubIOp) { return a - b; })
      .Case([&](arith::MulIOp) { return a * b; })
      .Case([&](arith::FloorDivSIOp) { return a.floorDiv(b); })
      .Case([&](arith::CeilDivSIOp) { return a.ceilDiv(b); })
      .Case<arith::IndexCastOp, arith::ExtSIOp>([&](auto) { return a; })
      .Case([&](affine::AffineDelinearizeIndexOp op) {
        return getDigit(op, result.getResultNumber());
      })
      .Case([](affine::AffineLinearizeIndexOp op) { return getNumber(op); })
      .Default(AffineForms(AffineExpr()));
}

FailureOr<IndexCases> SymbolicIndices::evaluate(Value index,
                                                ArrayRef<LinearExpr> loops) {
  if (auto it = bound.find(index); it != bound.end())
    return IndexCases{{{}, {}, it->second}};
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (!isa<FunctionOpInterface>(parent))
      return obstacle.undecided(parent, "an index that a loop carries");
    auto type = dyn_cast<IntegerType>(argument.getType());
    if (type && type.getWidth() > 64)
      return obstacle.undecided(parent, "an index of more than 64 bits");
    return IndexCases{{{}, {}, arguments.getIndex(argument)}};
  }
  IntegerAttr constant;
  if (matchPattern(index, m_Constant(&constant))) {
    std::optional<int64_t> value = constant.getValue().trySExtValue();
    if (!value)
      return obstacle.undecided(index.getDefiningOp(),
                                "a constant of more than 64 bits");
    return IndexCases{{{}, {}, LinearExpr(*value)}};
  }
  Operation *op = index.getDefiningOp();
  if (auto iteration = dyn_cast<linalg::IndexOp>(op);
      iteration && !loops.empty())
    return IndexCases{{{}, {}, loops[iteration.getDim()]}};
  // Of memory only the sizes of arguments are known.
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op);
      isa<tensor::DimOp>(op) ||
      (isa<memref::DimOp>(op) && isa<BlockArgument>(dim.getShapedValue())))
    if (std::optional<int64_t> number = getConstantIntValue(dim.getDimension()))
      return evaluateSize(dim, *number);
  // Whoever asks again gets the same unknowns: quotients of one index that
  // meet in another cancel out.
  bool isKnown = loops.empty() && evaluated.contains(index);
  if (isKnown)
    return evaluated.lookup(index);
  auto select = dyn_cast<arith::SelectOp>(op);
  FailureOr<IndexCases> cases =
      select ? evaluateSelect(select, loops)
             : evaluateResult(cast<OpResult>(index), loops);
  if (failed(cases))
    return failure();
  for (Case<LinearExpr> &one : *cases)
    one.domain.dropQuotients(
        one.locals, [&](Var var) { return one.value.getFactor(var) != 0; });
  if (loops.empty())
    evaluated[index] = *cases;
  return cases;
}

FailureOr<IndexCases> SymbolicIndices::evaluateSize(ShapedDimOpInterface op,
                                                    int64_t dim) {
  Value shaped = op.getShapedValue();
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.hasRank() || dim < 0 || dim >= type.getRank())
    return obstacle.undecided(op, "a dimension that its operand may not have");
  FailureOr<Size> size = getSize(shaped, dim);
  if (failed(size))
    return failure();
  if (size->size() == 1)
    return IndexCases{{{}, {}, size->front()}};
  // The least of several, or 0 where that is negative.
  IndexCases cases;
  for (const Case<LinearExpr> &least :
       getLeastOf({{}, {}, SmallVector<LinearExpr>(*size)}, 1))
    llvm::append_range(
        cases,
        getLeastOf({{}, least.domain, {least.value, LinearExpr(0)}}, -1));
  return cases;
}

FailureOr<IndexCases>
SymbolicIndices::evaluateSelect(arith::SelectOp op,
                                ArrayRef<LinearExpr> loops) {
  auto conditions = evaluateCondition(op.getCondition(), loops);
  FailureOr<IndexCases> ifTrue = evaluate(op.getTrueValue(), loops);
  FailureOr<IndexCases> ifFalse = evaluate(op.getFalseValue(), loops);
  if (failed(conditions) || failed(ifTrue) || failed(ifFalse))
    return failure();
  IndexCases cases;
  for (const Case<bool> &condition : *conditions)
    for (const Case<LinearExpr> &chosen :
         condition.value ? *ifTrue : *ifFalse) {
      cases.push_back(chosen);
      addConditions(cases.back(), condition);
    }
  return cases;
}

LogicalResult
SymbolicIndices::appendQuotient(Operation *op,
                                const Case<SmallVector<LinearExpr>> &numbers,
                                IndexCases &cases) {
  AffineExpr a = getAffineDimExpr(0, op->getContext());
  AffineExpr b = getAffineDimExpr(1, op->getContext());
  for (bool isNegative : {false, true}) {
    Part where = {numbers.locals, numbers.domain};
    if (isNegative)
      where.domain.addAtMost(numbers.value[0], -1);
    else
      where.domain.addAtMost(0, numbers.value[0]);
    if (solver.isEmpty(arguments.getScope() & getLoops(op) & where.domain))
      continue;
    AffineExpr quotient = isNegative ? a.ceilDiv(b) : a.floorDiv(b);
    FailureOr<LinearExpr> value =
        evaluateAffine(isa<arith::DivSIOp>(op) ? quotient : a - quotient * b,
                       numbers.value, {}, where, op);
    if (failed(value))
      return failure();
    cases.push_back({where.locals, where.domain, *value});
  }
  return success();
}

FailureOr<IndexCases>
SymbolicIndices::evaluateResult(OpResult result, ArrayRef<LinearExpr> loops) {
  Operation *op = result.getOwner();
  if (!llvm::all_of(op->getOperandTypes(),
                    [](Type type) { return type.isIntOrIndex(); }))
    return obstacle.undecided(op,
                              "an op on indices whose meaning is not known");
  FailureOr<IndicesCases> operands =
      evaluateAll(getAsOpFoldResult(op->getOperands()), loops);
  if (failed(operands))
    return failure();
  AffineForms forms = getAffineForms(result);
  IndexCases cases;
  for (const Case<SmallVector<LinearExpr>> &operand : *operands) {
    if (keepsNumbers(result) && isUnsigned(op)) {
      FailureOr<IndexCases> ofBits = evaluateUnsigned(op, operand);
      if (failed(ofBits))
        return failure();
      llvm::append_range(cases, *ofBits);
      continue;
    }
    if (keepsNumbers(result) && isa<arith::DivSIOp, arith::RemSIOp>(op)) {
      if (failed(appendQuotient(op, operand, cases)))
        return failure();
      continue;
    }
    if (forms.exprs.empty())
      return obstacle.undecided(op,
                                "an op on indices whose meaning is not known");
    ArrayRef<LinearExpr> values = operand.value;
    Part where = {operand.locals, operand.domain};
    SmallVector<LinearExpr> computed;
    for (AffineExpr expr : forms.exprs) {
      FailureOr<LinearExpr> value =
          evaluateAffine(expr, values.take_front(forms.numDims),
                         values.drop_front(forms.numDims), where, op);
      if (failed(value))
        return failure();
      computed.push_back(*value);
    }
    if (forms.sign == 0)
      cases.push_back({where.locals, where.domain, computed.front()});
    else
      llvm::append_range(
          cases,
          getLeastOf({where.locals, where.domain, computed}, forms.sign));
  }
  return cases;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

bool certify::isFunctionArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

bool certify::isNumberOfArguments(Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  if (value.getType().isIndex())
    return true;
  if (!type || type.getWidth() > 64)
    return false;
  if (isFunctionArgument(value))
    return true;
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::ConstantOp>(op) ||
         (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op) &&
          isNumberOfArguments(op->getOperand(0)));
}
