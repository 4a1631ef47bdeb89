//===- GuardDivisions.cpp - Let no division end the program -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_GUARDDIVISIONSPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// Whether each element of `divisor` is known, and one that no CPU stumbles on.
static bool isHarmless(Value divisor, bool isSigned) {
  auto isFine = [&](const APInt &number) {
    return !number.isZero() && !(isSigned && number.isAllOnes());
  };
  Attribute constant;
  if (!matchPattern(divisor, m_Constant(&constant)))
    return false;
  if (auto number = dyn_cast<IntegerAttr>(constant))
    return isFine(number.getValue());
  auto numbers = dyn_cast<DenseIntElementsAttr>(constant);
  return numbers && llvm::all_of(numbers.getValues<APInt>(), isFine);
}

/// Puts 1 in the place of those elements of the divisor of `division` that give
/// no quotient.
static void guard(Operation *division, bool isSigned) {
  Value dividend = division->getOperand(0), divisor = division->getOperand(1);
  if (isHarmless(divisor, isSigned))
    return;
  OpBuilder builder(division);
  Location loc = division->getLoc();
  Type type = divisor.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto fill = [&](const APInt &number) -> Value {
    TypedAttr value =
        builder.getIntegerAttr(getElementTypeOrSelf(type), number);
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, number);
    return LLVM::ConstantOp::create(builder, loc, type, value);
  };
  auto compare = [&](Value value, const APInt &number) -> Value {
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, value,
                                fill(number));
  };
  Value isWrong = compare(divisor, APInt::getZero(width));
  if (isSigned) {
    // The quotient of these is one more than the largest number.
    Value isMinusOne = compare(divisor, APInt::getAllOnes(width));
    Value isLeast = compare(dividend, APInt::getSignedMinValue(width));
    Value both = LLVM::AndOp::create(builder, loc, isMinusOne, isLeast);
    isWrong = LLVM::OrOp::create(builder, loc, isWrong, both);
  }
  Value one = fill(APInt(width, 1));
  division->setOperand(
      1, LLVM::SelectOp::create(builder, loc, isWrong, one, divisor));
}

namespace {
struct GuardDivisionsPass final
    : mlir::convoy::impl::GuardDivisionsPassBase<GuardDivisionsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (isa<LLVM::SDivOp, LLVM::SRemOp>(op))
        guard(op, /*isSigned=*/true);
      else if (isa<LLVM::UDivOp, LLVM::URemOp>(op))
        guard(op, /*isSigned=*/false);
    });
  }
};
} // namespace
