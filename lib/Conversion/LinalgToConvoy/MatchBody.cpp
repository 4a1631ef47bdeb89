//===- MatchBody.cpp - Recognises the body of a convolution -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Reads the body of one op, from what it yields back to its arguments.
class BodyMatcher {
public:
  BodyMatcher(linalg::LinalgOp op, Refuse refuse)
      : op(op), body(*op.getBlock()), refuse(refuse) {}

  FailureOr<std::array<Factor, 2>> match();

private:
  FailureOr<Value> matchSum();
  FailureOr<Factor> matchFactor(Value value);
  LogicalResult matchZeroPoint(Value value, Factor &factor);
  LogicalResult matchExtensions(Value &value, Factor &factor);
  /// The tensor that `value` is an element of, or null.
  OpOperand *getTensorOperand(Value value);
  /// What `value` is, to be read after "but got".
  std::string describe(Value value);

  linalg::LinalgOp op;
  Block &body;
  Refuse refuse;
};
} // namespace

std::string BodyMatcher::describe(Value value) {
  if (value.getParentBlock() != &body)
    return "a value from outside of the body";
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ("operand #" + Twine(argument.getArgNumber())).str();
  return value.getDefiningOp()->getName().getStringRef().str();
}

OpOperand *BodyMatcher::getTensorOperand(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &body)
    return nullptr;
  OpOperand &operand = op->getOpOperand(argument.getArgNumber());
  return isa<ShapedType>(operand.get().getType()) ? &operand : nullptr;
}

/// Takes `out + product` apart and returns the product.
FailureOr<Value> BodyMatcher::matchSum() {
  Value yielded = body.getTerminator()->getOperand(0);
  Operation *sum = yielded.getDefiningOp();
  if (!isa_and_present<arith::AddFOp, arith::AddIOp>(sum))
    return refuse("expected the body to add a product to its output, but it "
                  "yields " +
                  describe(yielded));
  Value output = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  for (unsigned index : {0, 1})
    if (sum->getOperand(index) == output)
      return sum->getOperand(1 - index);
  return refuse(
      "expected the body to add a product to its output, but it adds " +
      describe(sum->getOperand(0)) + " and " + describe(sum->getOperand(1)));
}

/// Takes `value`, which an element is reduced by, as its zero point.
LogicalResult BodyMatcher::matchZeroPoint(Value value, Factor &factor) {
  bool isScalar =
      !isa<ShapedType>(value.getType()) &&
      (value.getParentBlock() != &body || matchPattern(value, m_Constant()) ||
       (isa<BlockArgument>(value) && !getTensorOperand(value)));
  if (isScalar) {
    factor.zeroPoint = value;
    return success();
  }
  Factor extended;
  Value element = value;
  if (failed(matchExtensions(element, extended)))
    return failure();
  OpOperand *operand = element == value ? nullptr : getTensorOperand(element);
  if (!operand || !op.isDpsInput(operand))
    return refuse("expected a scalar or extended zero point, but got " +
                  describe(value));
  factor.zeroPoints = operand;
  factor.areZeroPointsUnsigned = extended.isUnsigned;
  return success();
}

/// Takes the extensions around `value` off and notes their signedness.
LogicalResult BodyMatcher::matchExtensions(Value &value, Factor &factor) {
  std::optional<bool> isUnsigned;
  while (Operation *cast = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(cast))
      break;
    bool zeroExtends = isa<arith::ExtUIOp>(cast);
    if (isUnsigned.value_or(zeroExtends) != zeroExtends)
      return refuse("expected one signedness, but an element is both sign- and "
                    "zero-extended");
    isUnsigned = zeroExtends;
    value = cast->getOperand(0);
  }
  factor.isUnsigned = isUnsigned.value_or(false);
  return success();
}

FailureOr<Factor> BodyMatcher::matchFactor(Value value) {
  Factor factor;
  if (auto difference = value.getDefiningOp<arith::SubIOp>()) {
    if (failed(matchZeroPoint(difference.getRhs(), factor)))
      return failure();
    value = difference.getLhs();
  }
  if (failed(matchExtensions(value, factor)))
    return failure();
  factor.operand = getTensorOperand(value);
  if (!factor.operand || !op.isDpsInput(factor.operand))
    return refuse(
        "expected a factor to be an input's element, extended or not, "
        "but got " +
        describe(value));
  return factor;
}

FailureOr<std::array<Factor, 2>> BodyMatcher::match() {
  for (Operation &inner : body.without_terminator())
    if (!isPure(&inner))
      return refuse("expected a body without side effects, but got " +
                    inner.getName().getStringRef());
  FailureOr<Value> product = matchSum();
  if (failed(product))
    return failure();
  Operation *multiplication = product->getDefiningOp();
  if (isa_and_present<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
          multiplication))
    return refuse("expected factors to be extended before they are multiplied, "
                  "but the product is, by " +
                  describe(*product));
  if (!isa_and_present<arith::MulFOp, arith::MulIOp>(multiplication))
    return refuse("expected a product to be added, but got " +
                  describe(*product));
  FailureOr<Factor> lhs = matchFactor(multiplication->getOperand(0));
  if (failed(lhs))
    return failure();
  FailureOr<Factor> rhs = matchFactor(multiplication->getOperand(1));
  if (failed(rhs))
    return failure();
  if (lhs->operand == rhs->operand)
    return refuse("expected a product of two inputs, but both factors are "
                  "operand #" +
                  Twine(lhs->operand->getOperandNumber()));
  return std::array{*lhs, *rhs};
}

FailureOr<std::array<Factor, 2>>
mlir::convoy::matchMultiplyAdd(linalg::LinalgOp op, Refuse refuse) {
  return BodyMatcher(op, refuse).match();
}
