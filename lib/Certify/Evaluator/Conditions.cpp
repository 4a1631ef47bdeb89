//===- Conditions.cpp - Cases of what compares indices ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolicIndices.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

namespace {
/// What a comparison says of a < b, a = b and a > b.
struct Outcomes {
  bool below, equal, above;
};
} // namespace

static Outcomes getOutcomes(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::slt:
  case Predicate::ult:
    return {true, false, false};
  case Predicate::sle:
  case Predicate::ule:
    return {true, true, false};
  case Predicate::sgt:
  case Predicate::ugt:
    return {false, false, true};
  case Predicate::sge:
  case Predicate::uge:
    return {false, true, true};
  case Predicate::eq:
    return {false, true, false};
  case Predicate::ne:
    return {true, false, true};
  }
  llvm_unreachable("unknown predicate");
}

static bool asksForSigns(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return predicate != Predicate::ult && predicate != Predicate::ule &&
         predicate != Predicate::ugt && predicate != Predicate::uge;
}

ConditionCases
certify::getOrderCases(const Case<SmallVector<LinearExpr>> &operands,
                       arith::CmpIPredicate predicate) {
  Outcomes outcomes = getOutcomes(predicate);
  LinearExpr difference = operands.value[0] - operands.value[1];
  auto makeCase = [&](bool value) {
    return Case<bool>{operands.locals, operands.domain, value};
  };
  bool joinsBelow = outcomes.below == outcomes.equal;
  bool joinsAbove = outcomes.above == outcomes.equal;
  Case<bool> below = makeCase(outcomes.below);
  below.domain.addAtMost(difference, joinsBelow ? 0 : -1);
  Case<bool> above = makeCase(outcomes.above);
  above.domain.addAtMost(joinsAbove ? 0 : 1, difference);
  if (joinsBelow || joinsAbove)
    return {below, above};
  Case<bool> equal = makeCase(outcomes.equal);
  equal.domain.addEqual(difference, 0);
  return {below, equal, above};
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

bool certify::isMaskOfSizes(Value mask) {
  if (auto extract = mask.getDefiningOp<vector::ExtractOp>())
    return !llvm::is_contained(extract.getStaticPosition(),
                               vector::ExtractOp::kPoisonIndex) &&
           isMaskOfSizes(extract.getSource());
  return isa_and_nonnull<vector::ConstantMaskOp, vector::CreateMaskOp>(
      mask.getDefiningOp());
}

bool certify::isElementOfMask(Value condition) {
  return condition.getType().isInteger(1) && isMaskOfSizes(condition);
}

/// Where `place` is below each of `sizes`, and where not.
static ConditionCases
getCasesWithin(Solver &solver, ArrayRef<LinearExpr> place,
               const Case<SmallVector<LinearExpr>> &sizes) {
  System within;
  for (auto [index, size] : llvm::zip_equal(place, sizes.value))
    within.addAtMost(index + 1, size);
  ConditionCases cases = {{sizes.locals, sizes.domain & within, true}};
  std::optional<Parts> outside = solver.subtract(System(), {}, within);
  for (const Part &part : *outside) {
    cases.push_back({sizes.locals, sizes.domain, false});
    addConditions(cases.back(), part);
  }
  return cases;
}

FailureOr<ConditionCases>
SymbolicIndices::evaluateMask(Value mask, ArrayRef<LinearExpr> place,
                              ArrayRef<LinearExpr> loops) {
  auto extract = mask.getDefiningOp<vector::ExtractOp>();
  SmallVector<OpFoldResult> numbers;
  if (extract)
    numbers = extract.getMixedPosition();
  else if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
    numbers =
        getAsIndexOpFoldResult(mask.getContext(), constant.getMaskDimSizes());
  else
    numbers = getAsOpFoldResult(mask.getDefiningOp()->getOperands());
  FailureOr<IndicesCases> all = evaluateAll(numbers, loops);
  if (failed(all))
    return failure();
  ConditionCases cases;
  for (Case<SmallVector<LinearExpr>> &one : *all) {
    if (!extract) {
      llvm::append_range(cases, getCasesWithin(solver, place, one));
      continue;
    }
    llvm::append_range(one.value, place);
    FailureOr<ConditionCases> ofWhole =
        evaluateMask(extract.getSource(), one.value, loops);
    if (failed(ofWhole))
      return failure();
    for (Case<bool> &part : *ofWhole) {
      addConditions(part, one);
      cases.push_back(std::move(part));
    }
  }
  return cases;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Whether `op` says if two conditions are the same, or if they are not, as the
/// expansion of quotients that are rounded down does.
static bool comparesConditions(Operation *op) {
  using Predicate = arith::CmpIPredicate;
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  return compare && compare.getLhs().getType().isInteger(1) &&
         llvm::is_contained({Predicate::eq, Predicate::ne},
                            compare.getPredicate());
}

FailureOr<ConditionCases>
SymbolicIndices::combineConditions(Operation *op, ArrayRef<LinearExpr> loops) {
  FailureOr<ConditionCases> lhs = evaluateCondition(op->getOperand(0), loops);
  FailureOr<ConditionCases> rhs = evaluateCondition(op->getOperand(1), loops);
  if (failed(lhs) || failed(rhs))
    return failure();
  auto compare = dyn_cast<arith::CmpIOp>(op);
  bool isXor = compare || isa<arith::XOrIOp>(op),
       isInverted =
           compare && compare.getPredicate() == arith::CmpIPredicate::eq,
       decisive = isa<arith::OrIOp>(op);
  ConditionCases cases;
  for (const Case<bool> &a : *lhs) {
    // Without the cases of the other operand, which would multiply.
    if (!isXor && a.value == decisive) {
      cases.push_back(a);
      continue;
    }
    for (const Case<bool> &b : *rhs) {
      Case<bool> both = a;
      addConditions(both, b);
      both.value = isXor ? (a.value != b.value) != isInverted : b.value;
      if (!solver.isEmpty(both.domain))
        cases.push_back(std::move(both));
    }
  }
  return cases;
}

FailureOr<ConditionCases>
SymbolicIndices::evaluateCondition(Value condition,
                                   ArrayRef<LinearExpr> loops) {
  IntegerAttr constant;
  if (matchPattern(condition, m_Constant(&constant)))
    return ConditionCases{{{}, {}, !constant.getValue().isZero()}};
  Operation *op = condition.getDefiningOp();
  if (isFunctionArgument(condition)) {
    // As a number with a sign true is -1.
    LinearExpr number = arguments.getIndex(cast<BlockArgument>(condition));
    ConditionCases cases = {{{}, {}, false}, {{}, {}, true}};
    cases[0].domain.addAtMost(0, number);
    cases[1].domain.addAtMost(number, -1);
    return cases;
  }
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) ||
      comparesConditions(op))
    return combineConditions(op, loops);
  if (isElementOfMask(condition))
    return evaluateMask(condition, {}, loops);
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare || !llvm::all_of(compare->getOperands(), isNumberOfArguments))
    return obstacle.undecided(condition.getParentRegion()->getParentOp(),
                              "a condition that does not compare indices");
  FailureOr<IndicesCases> operands =
      evaluateAll(getAsOpFoldResult(compare->getOperands()), loops);
  if (failed(operands))
    return failure();
  ConditionCases cases;
  for (const Case<SmallVector<LinearExpr>> &operand : *operands)
    llvm::append_range(cases,
                       asksForSigns(compare.getPredicate())
                           ? getOrderCases(operand, compare.getPredicate())
                           : compareUnsigned(compare, operand));
  return cases;
}
