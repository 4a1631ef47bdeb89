//===- InterleavePhases.cpp - Phases side by side ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where positions lie innermost in the result, the sums of one phase lie apart.
// They are computed side by side and put in their places by vectors.
//
//===----------------------------------------------------------------------===//

#include "PhaseConv.h"

#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Utils/ConvRewrites.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_INTERLEAVEPHASESPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowPhase;

namespace {
/// Replaces one convolution with input dilation by those of its phases. For
/// each choice of phases in the other dimensions, a row of the result is made
/// up of all phases of the innermost.
class PhaseInterleaver {
public:
  PhaseInterleaver(RewriterBase &rewriter, ConvOp op, linalg::FillOp fill)
      : rewriter(rewriter), loc(op.getLoc()), op(op), fill(fill),
        layout(op.getLayout().getLayouts().output),
        spatial(::convoy::spatialLetters(layout.spatialRank())),
        innermost(spatial.find(layout.letters().back())), input(op.getInput()) {
  }

  /// Finds the phases; returns whether those of the innermost dimension lie
  /// apart, each with a position at least.
  bool findPhases();
  void interleave();

private:
  /// Pads the input once for all phases, which then need no padding.
  void padInput();
  /// The part of `result` that has the phases that were chosen in all
  /// dimensions but the innermost, computed.
  Value computeRows(Value result, ChosenPhases chosen);
  /// The sums that make up `rows`, the phases of the innermost dimension in a
  /// dimension in front of all others.
  Value createSums(RankedTensorType rows, ChosenPhases chosen);
  /// `rows` with the `sums` in their places.
  Value placeSums(Value sums, Value rows);
  /// `rows` with the last positions of the first phases, which the others do
  /// not have, in the places from `begin` on.
  Value placeRest(Value sums, Value rows, int64_t begin);
  Value createFill(Value tensor) { return fillAs(rewriter, loc, fill, tensor); }

  RewriterBase &rewriter;
  Location loc;
  ConvOp op;
  linalg::FillOp fill;
  Layout layout;
  StringRef spatial;
  size_t innermost; ///< the dimension that lies innermost in the result
  Value input;
  /// By dimension. Those of the innermost take as many positions as the longest
  /// of them, so that the sums of each lie in one piece.
  SmallVector<SmallVector<WindowPhase>> phases;
};
} // namespace

bool PhaseInterleaver::findPhases() {
  if (innermost == StringRef::npos || countPhases(op) > ::convoy::kMostPhases)
    return false;
  auto conv = cast<ConvolutionOpInterface>(*op);
  for (auto [dim, letter] : llvm::enumerate(spatial)) {
    int64_t size = conv.getSize(Operand::Input, letter);
    std::vector<WindowPhase> found = ::convoy::splitPhases(
        size, conv.getSize(Operand::Filter, letter),
        conv.getSize(Operand::Output, letter), op.getWindow().getDim(dim));
    if (dim == innermost)
      for (WindowPhase &phase : found) {
        phase.outputCount = found.front().outputCount;
        phase.window.padHigh = ::convoy::padHighFor(
            size, phase.tapCount, phase.outputCount, phase.window);
      }
    phases.emplace_back(found.begin(), found.end());
  }
  ArrayRef<WindowPhase> apart = phases[innermost];
  return apart.size() > 1 && int64_t(apart.size()) == apart[0].outputStep;
}

void PhaseInterleaver::padInput() {
  // Where zero points are, these are the padding.
  if (!op.getZeroPoints().empty())
    return;
  Layout inputLayout = op.getLayout().getLayouts().input;
  SmallVector<int64_t> low(inputLayout.rank(), 0), high = low;
  for (auto [letter, ofDim] : llvm::zip_equal(spatial, phases)) {
    int64_t position = inputLayout.position(letter);
    for (const WindowPhase &phase : ofDim)
      if (phase.tapCount > 0) {
        low[position] = std::max(low[position], phase.window.padLow);
        high[position] = std::max(high[position], phase.window.padHigh);
      }
    for (WindowPhase &phase : ofDim) {
      phase.window.padLow -= low[position];
      phase.window.padHigh -= high[position];
    }
  }
  auto isZero = [](int64_t size) { return size == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return;
  SmallVector<int64_t> shape(op.getInput().getType().getShape());
  for (auto [size, below, above] : llvm::zip_equal(shape, low, high))
    size += below + above;
  Type element = op.getInput().getType().getElementType();
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
  input = tensor::PadOp::create(
      rewriter, loc, RankedTensorType::get(shape, element), input,
      getAsIndexOpFoldResult(op.getContext(), low),
      getAsIndexOpFoldResult(op.getContext(), high), zero);
}

void PhaseInterleaver::interleave() {
  rewriter.setInsertionPoint(op);
  padInput();
  SmallVector<ChosenPhases> lists;
  for (auto [dim, ofDim] : llvm::enumerate(phases)) {
    lists.emplace_back();
    if (dim == innermost)
      lists.back().push_back(std::nullopt);
    else
      llvm::append_range(lists.back(), ofDim);
  }
  Value result =
      makeDestination(rewriter, op.getResult(), fill.getOutputs()[0]);
  if (!llvm::all_of(lists, haveTaps))
    result = createFill(result);
  forEachChoice(lists, [&](const ChosenPhases &chosen) {
    if (haveTaps(chosen))
      result = computeRows(result, chosen);
  });
  rewriter.replaceOp(op, result);
}

Value PhaseInterleaver::computeRows(Value result, ChosenPhases chosen) {
  TensorSlice slice(rewriter, loc, result);
  for (auto [dim, letter] : llvm::enumerate(spatial))
    if (const std::optional<WindowPhase> &phase = chosen[dim])
      slice.narrow(layout.position(letter), phase->firstOutput,
                   phase->outputCount, phase->outputStep);
  Value rows = slice.extract();
  Value sums = createSums(cast<RankedTensorType>(rows.getType()), chosen);
  Value placed = placeSums(sums, rows);
  return rows == result ? placed : slice.insert(placed);
}

Value PhaseInterleaver::createSums(RankedTensorType rows, ChosenPhases chosen) {
  ArrayRef<WindowPhase> apart = phases[innermost];
  SmallVector<int64_t> shape(rows.getShape());
  shape.back() = apart[0].outputCount;
  auto slotType = RankedTensorType::get(shape, rows.getElementType());
  shape.insert(shape.begin(), int64_t(apart.size()));
  Value sums =
      tensor::EmptyOp::create(rewriter, loc, shape, rows.getElementType());
  for (auto [number, phase] : llvm::enumerate(apart)) {
    chosen[innermost] = phase;
    TensorSlice slot(rewriter, loc, sums);
    slot.narrow(0, number, 1);
    Value sum = createFill(slot.extract(slotType));
    if (phase.tapCount > 0)
      sum = createPhaseConv(rewriter, op, input,
                            extractTaps(rewriter, op, chosen), chosen, sum);
    sums = slot.insert(sum);
  }
  return sums;
}

Value PhaseInterleaver::placeSums(Value sums, Value rows) {
  auto type = cast<RankedTensorType>(rows.getType());
  int64_t rank = type.getRank(), step = int64_t(phases[innermost].size());
  int64_t count = type.getShape().back() / step;
  TensorSlice used(rewriter, loc, sums), whole(rewriter, loc, rows);
  used.narrow(rank, 0, count);
  whole.narrow(rank - 1, 0, count * step);

  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape(type.getShape().drop_back());
  SmallVector<AffineExpr> source = {rewriter.getAffineDimExpr(rank)};
  for (int64_t dim = 0; dim < rank; ++dim) {
    groups.push_back({dim});
    source.push_back(rewriter.getAffineDimExpr(dim));
  }
  groups.back().push_back(rank);
  shape.append({count, step});
  Value part = whole.extract();
  Value place = tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()), part,
      groups);
  place =
      createCopy(rewriter, loc, used.extract(),
                 AffineMap::get(rank + 1, 0, source, op.getContext()), place)
          .getResult(0);
  Value placed = tensor::CollapseShapeOp::create(rewriter, loc, part.getType(),
                                                 place, groups);
  if (count * step == type.getShape().back())
    return placed;
  return placeRest(sums, whole.insert(placed), count * step);
}

Value PhaseInterleaver::placeRest(Value sums, Value rows, int64_t begin) {
  auto type = cast<RankedTensorType>(rows.getType());
  int64_t rank = type.getRank(), size = type.getShape().back() - begin;
  // The last position of the first phases.
  SmallVector<int64_t> shape = {size};
  llvm::append_range(shape, type.getShape().drop_back());
  TensorSlice last(rewriter, loc, sums), rest(rewriter, loc, rows);
  last.narrow(0, 0, size);
  last.narrow(rank, phases[innermost][0].outputCount - 1, 1);
  rest.narrow(rank - 1, begin, size);
  SmallVector<AffineExpr> source = {rewriter.getAffineDimExpr(rank - 1)};
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    source.push_back(rewriter.getAffineDimExpr(dim));
  Value elements =
      last.extract(RankedTensorType::get(shape, type.getElementType()));
  linalg::GenericOp copy = createCopy(
      rewriter, loc, elements, AffineMap::get(rank, 0, source, op.getContext()),
      rest.extract());
  return rest.insert(copy.getResult(0));
}

namespace {
struct InterleavePhasesPass final
    : mlir::convoy::impl::InterleavePhasesPassBase<InterleavePhasesPass> {
  using Base::Base;

  void runOnOperation() override {
    // Work-items of a GPU store their elements one by one.
    rewriteConvsForCPU(getOperation(), explain,
                       [](RewriterBase &rewriter, ConvOp op,
                          TargetAttr) -> std::optional<Choice> {
                         linalg::FillOp fill = getFillOfPhases(op);
                         if (!fill)
                           return Choice::NoPhases;
                         PhaseInterleaver interleaver(rewriter, op, fill);
                         if (!interleaver.findPhases())
                           return Choice::PhasesApart;
                         interleaver.interleave();
                         return std::nullopt;
                       });
  }
};
} // namespace
