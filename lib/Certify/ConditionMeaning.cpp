//===- ConditionMeaning.cpp - When conditions hold --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// What a comparison says of a < b, a = b and a > b.
struct Outcomes {
  bool below, equal, above;
};
} // namespace

/// Nothing for comparisons without a sign.
static std::optional<Outcomes> getOutcomes(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::slt:
    return Outcomes{true, false, false};
  case Predicate::sle:
    return Outcomes{true, true, false};
  case Predicate::sgt:
    return Outcomes{false, false, true};
  case Predicate::sge:
    return Outcomes{false, true, true};
  case Predicate::eq:
    return Outcomes{false, true, false};
  case Predicate::ne:
    return Outcomes{true, false, true};
  default:
    return std::nullopt;
  }
}

/// The fewest cases that say of `operands`, two numbers, what `outcomes` does.
static ConditionCases
getOrderCases(const Case<SmallVector<LinearExpr>> &operands,
              Outcomes outcomes) {
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

FailureOr<ConditionCases> Denoter::combineConditions(Operation *op,
                                                     const Body *body) {
  FailureOr<ConditionCases> lhs = getCondition(op->getOperand(0), body);
  FailureOr<ConditionCases> rhs = getCondition(op->getOperand(1), body);
  if (failed(lhs) || failed(rhs))
    return failure();
  auto combine = [&](bool a, bool b) {
    return isa<arith::AndIOp>(op)  ? a && b
           : isa<arith::OrIOp>(op) ? a || b
                                   : a != b;
  };
  ConditionCases cases;
  for (const Case<bool> &a : *lhs)
    for (const Case<bool> &b : *rhs) {
      Case<bool> &both = cases.emplace_back(a);
      llvm::append_range(both.locals, b.locals);
      both.domain.append(b.domain);
      both.value = combine(a.value, b.value);
    }
  return cases;
}

FailureOr<ConditionCases> Denoter::getCondition(Value condition,
                                                const Body *body) {
  IntegerAttr constant;
  if (matchPattern(condition, m_Constant(&constant)))
    return ConditionCases{{{}, {}, !constant.getValue().isZero()}};
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return combineConditions(op, body);
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare || !compare.getLhs().getType().isIndex())
    return undecided(condition.getParentRegion()->getParentOp(),
                     "a condition that does not compare indices");
  std::optional<Outcomes> outcomes = getOutcomes(compare.getPredicate());
  if (!outcomes)
    return undecided(compare, "an unsigned comparison of indices");
  FailureOr<IndicesCases> operands =
      getIndices(getAsOpFoldResult(compare->getOperands()), body);
  if (failed(operands))
    return failure();
  ConditionCases cases;
  for (const Case<SmallVector<LinearExpr>> &operand : *operands)
    llvm::append_range(cases, getOrderCases(operand, *outcomes));
  return cases;
}

FailureOr<ConditionCases> Denoter::getBranchCases(scf::IfOp op,
                                                  Operation *inside) {
  // What is not understood here is in nobody's way yet.
  Obstacle before = obstacle;
  FailureOr<ConditionCases> cases = getCondition(op.getCondition());
  obstacle = before;
  if (failed(cases))
    return failure();
  bool isThen = op.getThenRegion().isAncestor(inside->getParentRegion());
  llvm::erase_if(*cases,
                 [&](const Case<bool> &one) { return one.value != isThen; });
  return cases;
}
