//===- PlacedSums.cpp - Sums at places that an op names ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacedSums.h"

#include "convoy/Support/ConvShape.h"
#include "convoy/Support/Layout.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::convoy;

/// How many windows have an element along spatial dimension `number` at most:
/// tap k is at element s*o + d*k - pl of the image, so that those of one
/// element are s / gcd(s, d) apart.
static int64_t countOverlaps(Col2imOp op, int64_t number) {
  Im2colLayoutAttr layout = op.getLayout();
  char letter = ::convoy::spatialLetters(layout.getSpatialRank())[number];
  ArrayRef<int64_t> rows = op.getInput().getType().getShape();
  ::convoy::WindowDim window = op.getWindow().getDim(number);
  int64_t apart = window.stride / std::gcd(window.stride, window.dilation);
  int64_t taps = llvm::divideCeil(rows[layout.getWindowDim(letter)], apart);
  return std::min(taps, rows[layout.getPositionDim(letter)]);
}

/// How many elements along dimension `dim` of what is padded are the same one
/// at most.
static int64_t countCopies(PadBackwardOp op, int64_t dim) {
  int64_t low = op.getLow()[dim], high = op.getHigh()[dim];
  if (low + high == 0)
    return 1;
  int64_t size = op.getType().getDimSize(dim), all = low + size + high;
  if (size == 1)
    return all;
  switch (op.getMode()) {
  case PaddingMode::Replicate:
    return 1 + std::max(low, high);
  case PaddingMode::Circular:
    return llvm::divideCeil(all, size);
  case PaddingMode::Reflect:
    return 2 * llvm::divideCeil(all, 2 * (size - 1));
  }
  llvm_unreachable("not a padding mode");
}

static SumRange getPlacedSums(Col2imOp op, RangeLookup lookup) {
  double length = 1;
  for (int64_t dim = 0; dim < op.getLayout().getSpatialRank(); ++dim)
    length *= double(countOverlaps(op, dim));
  return SumRange(length, lookup(op.getInput()), NumberRange::constant(0));
}

static SumRange getPlacedSums(PadBackwardOp op, RangeLookup lookup) {
  double length = 1;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim)
    length *= double(countCopies(op, dim));
  return SumRange(length, lookup(op.getInput()), NumberRange::constant(0));
}

bool mlir::convoy::hasPlacedSums(Operation *op) {
  return isa<Col2imOp, PadBackwardOp, GridSampleBackwardInputOp,
             GridSampleBackwardGridOp, DeformOpInterface>(op);
}

Type mlir::convoy::getPlacedSumType(Operation *op) {
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  bool isNarrow = isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
  return isNarrow ? Float32Type::get(op->getContext()) : type;
}

std::optional<SumRange> mlir::convoy::getPlacedSums(Operation *op,
                                                    RangeLookup lookup) {
  using Sums = std::optional<SumRange>;
  return llvm::TypeSwitch<Operation *, Sums>(op)
      .Case<Col2imOp, PadBackwardOp>(
          [&](auto op) { return ::getPlacedSums(op, lookup); })
      .Case<GridSampleBackwardInputOp, GridSampleBackwardGridOp,
            DeformOpInterface>(
          [&](auto op) { return mlir::convoy::getPlacedSums(op, lookup); })
      .Default([](Operation *) { return std::nullopt; });
}

bool mlir::convoy::isMove(Operation *op, const SumRange &sum) {
  return isa<Col2imOp, PadBackwardOp>(op) && sum.length <= 1;
}

std::optional<NumberRange> mlir::convoy::getPlacedRange(Operation *op,
                                                        RangeLookup lookup) {
  std::optional<SumRange> sum = getPlacedSums(op, lookup);
  if (!sum)
    return std::nullopt;
  return fit(isMove(op, *sum) ? sum->exact : sum->fitSum(getPlacedSumType(op)),
             getElementTypeOrSelf(op->getResult(0).getType()));
}

SmallVector<Value> mlir::convoy::getTermOperands(Operation *op) {
  if (isa<GridSampleOp, GridSampleBackwardInputOp>(op))
    return {op->getOperand(0)};
  if (auto gradient = dyn_cast<GridSampleBackwardGridOp>(op))
    return {gradient.getOutputGradient(), gradient.getInput()};
  SmallVector<Value> operands(op->getOperands());
  if (auto deform = dyn_cast<DeformOpInterface>(op))
    llvm::erase_if(operands, [&](Value operand) {
      return operand == deform.getOffset() || operand == deform.getInit();
    });
  return operands;
}
