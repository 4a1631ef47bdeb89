//===- SubtractZeroPoints.cpp - Give filters zero points of 0 ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Convolution/Passes.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ZeroPoints.h"
#include "convoy/Transforms/Utils/Copies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SUBTRACTZEROPOINTSPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Layout;
using ::convoy::Operand;

/// The narrowest type of a power of 2 bits that has all differences of an
/// element and a zero point, but no wider than the sums, which wrap around.
static IntegerType getDifferenceType(Type element, Type accumulator) {
  unsigned width = std::min(2 * element.getIntOrFloatBitWidth(),
                            accumulator.getIntOrFloatBitWidth());
  return IntegerType::get(element.getContext(), width);
}

/// `value`, an element or a zero point of `type`, in the wider type `wide`.
static Value widen(OpBuilder &builder, Location loc, Value value, Type type,
                   Type wide, bool isUnsigned) {
  if (value.getType() != type)
    value = arith::TruncIOp::create(builder, loc, type, value);
  if (type == wide)
    return value;
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, loc, wide, value);
  return arith::ExtSIOp::create(builder, loc, wide, value);
}

/// The filter of `op` less its zero points.
static Value subtractZeroPoints(OpBuilder &builder, ConvolutionOpInterface op) {
  Location loc = op.getLoc();
  Value filter = op.getOperandFor(Operand::Filter);
  const Layout layout = op.getLayout().getLayouts().filter;
  Type element = getElementTypeOrSelf(filter), sum = op.getAccumulatorType();
  IntegerType wide = getDifferenceType(element, sum);
  bool isUnsigned = op.getNumerics().getFilterUnsigned();

  AffineMap identity = builder.getMultiDimIdentityMap(layout.rank());
  AffineMap channels = getLetterMap(getZeroPointLetters(op), layout.letters(),
                                    builder.getContext());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, filter), wide);
  SmallVector<utils::IteratorType> parallel(layout.rank(),
                                            utils::IteratorType::parallel);
  auto build = [&](OpBuilder &b, Location loc, ValueRange args) {
    Value tap = widen(b, loc, args[0], element, wide, isUnsigned);
    // What wraps around needs no zero point that fits the filter's type.
    Value zero = args[1];
    if (wide != sum)
      zero = widen(b, loc, zero, element, wide, isUnsigned);
    Value difference = arith::SubIOp::create(b, loc, tap, zero);
    linalg::YieldOp::create(b, loc, difference);
  };
  return linalg::GenericOp::create(
             builder, loc, empty.getType(),
             ValueRange{filter, expandZeroPoints(builder, op)}, empty,
             ArrayRef<AffineMap>{identity, channels, identity}, parallel, build)
      .getResult(0);
}

/// Gives `op` one zero point of the filter, 0 unless all channels have another.
static void rewrite(IRRewriter &rewriter, ConvolutionOpInterface op) {
  rewriter.setInsertionPoint(op);
  unsigned last = op->getNumOperands() - 1;
  Location loc = op.getLoc();
  auto type = cast<IntegerType>(op.getAccumulatorType());
  APInt number;
  if (matchPattern(op.getZeroPoints().back(), m_ConstantInt(&number))) {
    Value one = arith::ConstantOp::create(
        rewriter, loc, rewriter.getIntegerAttr(type, number));
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(last, one); });
    return;
  }
  Value filter = subtractZeroPoints(rewriter, op);
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  NumericsAttr numerics = op.getNumerics();
  bool isInputZero = matchPattern(op.getZeroPoints().front(), m_Zero());
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperand(1, filter);
    if (isInputZero)
      op->eraseOperands(last - 1, 2);
    else
      op->setOperand(last, zero);
    op.setNumericsAttr(NumericsAttr::get(
        op.getContext(), numerics.getInputUnsigned(), /*filterUnsigned=*/false,
        numerics.getAccumulator(), numerics.getPolicy(),
        numerics.getInputRange(), /*filterRange=*/nullptr));
  });
}

namespace {
struct SubtractZeroPointsPass final
    : mlir::convoy::impl::SubtractZeroPointsPassBase<SubtractZeroPointsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<ConvolutionOpInterface> ops;
    getOperation()->walk([&](ConvolutionOpInterface op) {
      if (op.hasZeroPointsPerChannel())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (ConvolutionOpInterface op : ops)
      rewrite(rewriter, op);
  }
};
} // namespace
