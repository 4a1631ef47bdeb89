//===- UnsignedIndices.cpp - Indices without a sign -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that take the bits of an index for a number without a sign: the same as
// the others where it is not negative, and exact where it is.
//
//===----------------------------------------------------------------------===//

#include "SymbolicIndices.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Numbers, and what their bits are without a sign.
struct Bits {
  SmallVector<LinearExpr> numbers, without;
};
} // namespace

/// 2 to the power of `width`.
static DynamicAPInt getPower(unsigned width) {
  DynamicAPInt power(1);
  for (unsigned bit = 0; bit < width; ++bit)
    power *= 2;
  return power;
}

/// `numbers` of `width` bits in the cases that their signs make, as far as
/// `assumptions` allow these.
static Cases<Bits> splitBySigns(const Case<SmallVector<LinearExpr>> &numbers,
                                unsigned width, const System &assumptions,
                                Solver &solver) {
  Cases<Bits> cases = {{numbers.locals, numbers.domain, {}}};
  for (const LinearExpr &number : numbers.value) {
    Cases<Bits> longer;
    for (const Case<Bits> &one : cases) {
      size_t numBefore = longer.size();
      for (bool isNegative : {false, true}) {
        Case<Bits> next = one;
        if (isNegative)
          next.domain.addAtMost(number, -1);
        else
          next.domain.addAtMost(0, number);
        if (solver.isEmpty(assumptions & next.domain))
          continue;
        next.value.numbers.push_back(number);
        next.value.without.push_back(
            isNegative ? number + LinearExpr(getPower(width)) : number);
        longer.push_back(std::move(next));
      }
      // What holds anyway is not said.
      if (longer.size() == numBefore + 1)
        longer.back().domain = one.domain;
    }
    cases = std::move(longer);
  }
  return cases;
}

/// How many bits `value` has: those of an index are taken to be 64.
static unsigned getWidth(Value value) {
  Type type = value.getType();
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

bool SymbolicIndices::isUnsigned(Operation *op) {
  return isa<arith::DivUIOp, arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp,
             arith::IndexCastUIOp, arith::ExtUIOp>(op);
}

/// The remainder of two numbers with the sign bit, of which no multiple of the
/// second but itself is at most the first: the first, or their difference.
static void appendRemainder(const Case<Bits> &bits, IndexCases &results) {
  const LinearExpr &a = bits.value.numbers[0], &b = bits.value.numbers[1];
  for (bool isLess : {true, false}) {
    Case<LinearExpr> &result = results.emplace_back();
    result.locals = bits.locals;
    result.domain = bits.domain;
    if (isLess)
      result.domain.addAtMost(a, b - LinearExpr(1));
    else
      result.domain.addAtMost(b, a);
    result.value = isLess ? a : a - b;
  }
}

/// The least of numbers without a sign, or with `sign` -1 the greatest.
static void appendLeast(const Case<Bits> &bits, int sign, IndexCases &results) {
  const LinearExpr &a = bits.value.without[0], &b = bits.value.without[1];
  for (bool takesFirst : {true, false}) {
    Case<LinearExpr> &result = results.emplace_back();
    result.locals = bits.locals;
    result.domain = bits.domain;
    LinearExpr difference = (b - a) * DynamicAPInt(sign);
    // Of equal numbers the first counts.
    if (takesFirst)
      result.domain.addAtMost(0, difference);
    else
      result.domain.addAtMost(difference, -1);
    result.value = bits.value.numbers[takesFirst ? 0 : 1];
  }
}

Case<SmallVector<LinearExpr>>
SymbolicIndices::assumeFit(Case<SmallVector<LinearExpr>> numbers,
                           unsigned width) {
  LinearExpr least(getPower(width - 1) * DynamicAPInt(-1));
  for (const LinearExpr &number : numbers.value) {
    if (number.isConstant() || !arguments.settle({{}, {}, number}))
      continue;
    if (!solver.implies(arguments.getScope(), {number - least, false}))
      arguments.assumeAtMost(least, number);
    // Who asked knows less.
    numbers.domain.addAtMost(least, number);
  }
  return numbers;
}

FailureOr<IndexCases> SymbolicIndices::evaluateUnsigned(
    Operation *op, const Case<SmallVector<LinearExpr>> &numbers) {
  Case<SmallVector<LinearExpr>> operands =
      assumeFit(numbers, getWidth(op->getOperand(0)));
  IndexCases results;
  AffineExpr a = getAffineDimExpr(0, op->getContext());
  AffineExpr b = getAffineDimExpr(1, op->getContext());
  for (const Case<Bits> &bits :
       splitBySigns(operands, getWidth(op->getOperand(0)),
                    arguments.getScope() & getLoops(op), solver)) {
    if (isa<arith::MinUIOp, arith::MaxUIOp>(op)) {
      appendLeast(bits, isa<arith::MinUIOp>(op) ? 1 : -1, results);
      continue;
    }
    auto isNegative = [&](unsigned number) {
      return bits.value.numbers[number] != bits.value.without[number];
    };
    if (isa<arith::RemUIOp>(op) && isNegative(0) && isNegative(1)) {
      appendRemainder(bits, results);
      continue;
    }
    Part where = {bits.locals, bits.domain};
    const SmallVector<LinearExpr> &values = bits.value.without;
    FailureOr<LinearExpr> value = values[0];
    if (!isa<arith::IndexCastUIOp, arith::ExtUIOp>(op))
      value = evaluateAffine(isa<arith::DivUIOp>(op) ? a.floorDiv(b) : a % b,
                             values, {}, where, op);
    else if (getWidth(op->getOperand(0)) >= getWidth(op->getResult(0)))
      value = bits.value.numbers[0];
    if (failed(value))
      return failure();
    // A quotient by one is the dividend, with its sign.
    if (isa<arith::DivUIOp>(op) && values[1] == LinearExpr(1))
      value = bits.value.numbers[0];
    results.push_back({where.locals, where.domain, *value});
  }
  return results;
}

/// Where `number` lies from 0 to `size` - 1, and where not: all bounds are
/// said, whatever else holds, so that neighbours look alike.
static ConditionCases getCasesWithin(const Case<LinearExpr> &number,
                                     const LinearExpr &size, bool isWithin,
                                     const System &assumptions,
                                     Solver &solver) {
  ConditionCases cases;
  Case<bool> &inside =
      cases.emplace_back(Case<bool>{number.locals, number.domain, isWithin});
  inside.domain.addRange(0, number.value, size);
  for (bool isBelow : {true, false}) {
    Case<bool> outside{number.locals, number.domain, !isWithin};
    if (isBelow)
      outside.domain.addAtMost(number.value, -1);
    else
      outside.domain.addAtMost(size, number.value);
    if (!solver.isEmpty(assumptions & outside.domain))
      cases.push_back(std::move(outside));
  }
  return cases;
}

ConditionCases
SymbolicIndices::compareUnsigned(arith::CmpIOp op,
                                 const Case<SmallVector<LinearExpr>> &numbers) {
  using Predicate = arith::CmpIPredicate;
  Case<SmallVector<LinearExpr>> operands =
      assumeFit(numbers, getWidth(op.getLhs()));
  System assumptions = arguments.getScope() & getLoops(op);
  Predicate predicate = op.getPredicate();
  const LinearExpr &a = operands.value[0], &b = operands.value[1];
  if (b.isConstant() && b.getConstant() >= 0) {
    bool isWithin = predicate == Predicate::ult || predicate == Predicate::ule;
    bool isStrict = predicate == Predicate::ult || predicate == Predicate::uge;
    return getCasesWithin({operands.locals, operands.domain, a},
                          isStrict ? b : b + 1, isWithin, assumptions, solver);
  }
  ConditionCases results;
  for (const Case<Bits> &bits :
       splitBySigns(operands, getWidth(op.getLhs()), assumptions, solver))
    llvm::append_range(
        results, getOrderCases({bits.locals, bits.domain, bits.value.without},
                               predicate));
  return results;
}
