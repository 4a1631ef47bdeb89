//===- MergePhases.cpp - Phases become channels -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computed one by one, the phases of few channels leave most lanes of a vector
// without work. Together they are the channels of one convolution (a sub-pixel
// convolution: Shi et al., 2016, https://arxiv.org/abs/1609.05158).
//
//===----------------------------------------------------------------------===//

#include "PhaseConv.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Costs/VectorCosts.h"
#include "convoy/Transforms/Utils/ConvRewrites.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_MERGEPHASESPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;
using ::convoy::WindowPhase;

namespace {
/// The phases of one spatial dimension as one dense window, whose taps are
/// those of every phase. A dimension without input dilation is its only phase.
struct MergedDim {
  int64_t phaseCount() const { return int64_t(phases.size()); }
  /// Where a phase's slice of the filter lies among the merged taps, counted as
  /// they lie in memory.
  int64_t getTapOffset(const WindowPhase &phase) const {
    int64_t offset = window.padLow - phase.window.padLow;
    return window.reverse ? tapCount - phase.tapCount - offset : offset;
  }

  SmallVector<WindowPhase> phases;
  WindowDim window;
  int64_t tapCount = 0;
  int64_t outputCount = 0; ///< of the longest phase
};
} // namespace

/// Merges the phases of a dimension; nothing where one has no taps or no
/// positions, or where their taps lie apart.
static std::optional<MergedDim> mergePhases(int64_t input, int64_t filter,
                                            int64_t output,
                                            const WindowDim &window) {
  MergedDim merged;
  llvm::append_range(merged.phases,
                     ::convoy::splitPhases(input, filter, output, window));
  if (merged.phases.empty() ||
      merged.phaseCount() != merged.phases.front().outputStep)
    return std::nullopt;
  merged.window = merged.phases.front().window;
  merged.outputCount = merged.phases.front().outputCount;
  int64_t end = std::numeric_limits<int64_t>::min();
  for (const WindowPhase &phase : merged.phases) {
    if (phase.tapCount == 0 ||
        (phase.window.dilation != 1 && merged.phaseCount() > 1))
      return std::nullopt;
    merged.window.padLow = std::max(merged.window.padLow, phase.window.padLow);
    end = std::max(end, phase.tapCount - phase.window.padLow);
  }
  merged.tapCount = end + merged.window.padLow;
  merged.window.padHigh = ::convoy::padHighFor(
      input, merged.tapCount, merged.outputCount, merged.window);
  return merged;
}

static std::optional<SmallVector<MergedDim>> mergePhases(ConvOp op) {
  if (countPhases(op) > ::convoy::kMostPhases)
    return std::nullopt;
  auto conv = cast<ConvolutionOpInterface>(*op);
  SmallVector<MergedDim> dims;
  for (auto [dim, letter] : llvm::enumerate(
           ::convoy::spatialLetters(op.getLayout().getSpatialRank()))) {
    std::optional<MergedDim> merged = mergePhases(
        conv.getSize(Operand::Input, letter),
        conv.getSize(Operand::Filter, letter),
        conv.getSize(Operand::Output, letter), op.getWindow().getDim(dim));
    if (!merged)
      return std::nullopt;
    dims.push_back(*merged);
  }
  return dims;
}

/// Whether an element of the result takes fewer cycles where the phases of `op`
/// are merged than where they are computed one by one.
static bool isWorthMerging(ConvOp op, ArrayRef<MergedDim> dims,
                           TargetAttr target) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  int64_t channels = conv.getSize(Operand::Output, 'f');
  int64_t lanes = target.getVectorLanes(getElementTypeOrSelf(op.getInit()));
  double splitTaps = 1, mergedTaps = 1;
  int64_t phases = 1;
  for (const MergedDim &dim : dims) {
    double taps = 0;
    for (const WindowPhase &phase : dim.phases)
      taps += double(phase.tapCount);
    splitTaps *= taps / double(dim.phaseCount());
    mergedTaps *= double(dim.tapCount);
    phases *= dim.phaseCount();
  }
  // Vectors run along the channels, or share what they read among them.
  auto getCycles = [&](double taps, int64_t channels) {
    double used = double(channels) / double(llvm::alignTo(channels, lanes));
    return taps * double(conv.getSize(Operand::Filter, 'c')) *
           target.getCore().getVectorOpCycles() / (double(lanes) * used);
  };
  char innermost = op.getLayout().getLayouts().output.letters().back();
  size_t dim = ::convoy::spatialLetters(dims.size()).find(innermost);
  bool isScattered =
      dim != std::string_view::npos && dims[dim].phaseCount() > 1;
  double store = isScattered ? kScatteredCycles : 0;
  return phases > 1 &&
         getCycles(mergedTaps, phases * channels) + kPhaseCopyCycles <
             getCycles(splitTaps, channels) + store;
}

namespace {
/// How sums of all phases make up the result.
struct Interleaving {
  /// Sums with their phases apart from the channels, and the result with those
  /// of a spatial dimension inside of it.
  SmallVector<int64_t> apartShape, placeShape;
  /// The result, with positions past the end where not all phases have a last.
  SmallVector<int64_t> wholeShape;
  /// Which dimensions make up those of the sums, and those of the result.
  SmallVector<ReassociationIndices> phasesOfChannels, placesOfDims;
  AffineMap source; ///< where the sum lies that belongs to a place
};

/// Replaces a convolution with input dilation by one without. Tensors whose
/// channels are those of all phases have, as long as these stand apart, one
/// dimension for the phases of each spatial dimension in front of the channels.
class PhaseMerger {
public:
  PhaseMerger(RewriterBase &rewriter, ConvOp op, linalg::FillOp fill,
              ArrayRef<MergedDim> dims)
      : rewriter(rewriter), loc(op.getLoc()), op(op), fill(fill), dims(dims),
        spatial(::convoy::spatialLetters(dims.size())) {}

  void merge();

private:
  /// The taps of all phases, zeros where a phase has none, in the order in
  /// which the input lies.
  Value createFilter();
  std::string getFilterLetters();
  /// The sums of all phases, in the order of the result.
  Value createSums(Value filter);
  Interleaving getInterleaving(RankedTensorType sums);
  /// Puts each phase's sums where they belong in the result.
  Value interleave(Value sums);

  int64_t getSize(Operand operand, char letter) {
    return cast<ConvolutionOpInterface>(*op).getSize(operand, letter);
  }
  /// The numbers of a phase in every dimension, for all.
  StaticTileOffsetRange getPhases();
  /// Which dimensions of a tensor with its phases apart make up which of one
  /// with the letters `letters`.
  SmallVector<ReassociationIndices> getPhasesOfChannels(StringRef letters);

  RewriterBase &rewriter;
  Location loc;
  ConvOp op;
  linalg::FillOp fill;
  ArrayRef<MergedDim> dims;
  StringRef spatial;
};
} // namespace

StaticTileOffsetRange PhaseMerger::getPhases() {
  SmallVector<int64_t> counts = llvm::map_to_vector(
      dims, [](const MergedDim &dim) { return dim.phaseCount(); });
  return {counts, SmallVector<int64_t>(counts.size(), 1)};
}

SmallVector<ReassociationIndices>
PhaseMerger::getPhasesOfChannels(StringRef letters) {
  return groupDims(letters, [&](char letter) {
    return letter == 'f' ? int64_t(dims.size()) + 1 : 1;
  });
}

std::string PhaseMerger::getFilterLetters() {
  std::string letters = op.getLayout().getLayouts().input.letters();
  letters.erase(letters.find('n'), 1);
  return letters + 'f';
}

Value PhaseMerger::createFilter() {
  std::string letters = getFilterLetters();
  size_t rank = letters.size() + dims.size();
  // Where the phases of a dimension lie, behind taps and input channels.
  auto getPhaseDim = [&](size_t dim) { return letters.size() - 1 + dim; };
  SmallVector<int64_t> shape(rank);
  for (auto [position, letter] : llvm::enumerate(letters))
    shape[position] = letter == 'c' ? getSize(Operand::Filter, 'c') : 0;
  for (auto [dim, letter] : llvm::enumerate(spatial)) {
    shape[letters.find(letter)] = dims[dim].tapCount;
    shape[getPhaseDim(dim)] = dims[dim].phaseCount();
  }
  shape.back() = getSize(Operand::Filter, 'f');
  Type element = op.getFilter().getType().getElementType();
  Value merged = createZeros(
      rewriter, loc, getAsIndexOpFoldResult(rewriter.getContext(), shape),
      element);

  Layout layout = op.getLayout().getLayouts().filter;
  SmallVector<AffineExpr> source(layout.rank());
  for (auto [position, letter] : llvm::enumerate(letters))
    source[layout.position(letter)] =
        rewriter.getAffineDimExpr(letter == 'f' ? rank - 1 : position);
  auto order = AffineMap::get(rank, 0, source, op.getContext());
  for (SmallVector<int64_t> number : getPhases()) {
    TensorSlice taps(rewriter, loc, op.getFilter());
    TensorSlice slot(rewriter, loc, merged);
    for (auto [dim, letter] : llvm::enumerate(spatial)) {
      const WindowPhase &phase = dims[dim].phases[number[dim]];
      taps.narrow(layout.position(letter), phase.firstTap, phase.tapCount,
                  phase.tapStep);
      slot.narrow(letters.find(letter), dims[dim].getTapOffset(phase),
                  phase.tapCount);
      slot.narrow(getPhaseDim(dim), number[dim], 1);
    }
    Value ordered =
        createCopy(rewriter, loc, taps.extract(), order, slot.extract())
            .getResult(0);
    merged = slot.insert(ordered);
  }
  return tensor::CollapseShapeOp::create(rewriter, loc, merged,
                                         getPhasesOfChannels(letters));
}

Value PhaseMerger::createSums(Value filter) {
  ConvLayouts layouts = op.getLayout().getLayouts();
  layouts.filter = Layout::fromLetters(getFilterLetters());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, fill.getOutputs()[0]);
  SmallVector<WindowDim> window;
  int64_t channels = getSize(Operand::Output, 'f');
  for (auto [dim, letter] : llvm::zip_equal(dims, spatial)) {
    sizes[layouts.output.position(letter)] =
        rewriter.getIndexAttr(dim.outputCount);
    channels *= dim.phaseCount();
    window.push_back(dim.window);
  }
  sizes[layouts.output.position('f')] = rewriter.getIndexAttr(channels);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        getElementTypeOrSelf(op.getInit()));
  Value init = fillAs(rewriter, loc, fill, empty);
  return ConvOp::create(
      rewriter, loc, op.getInput(), filter, init, op.getZeroPoints(),
      ConvLayoutAttr::get(op.getContext(), layouts),
      WindowAttr::get(op.getContext(), window), op.getNumerics());
}

Interleaving PhaseMerger::getInterleaving(RankedTensorType sums) {
  Layout layout = op.getLayout().getLayouts().output;
  Interleaving result;
  result.phasesOfChannels = getPhasesOfChannels(layout.letters());
  SmallVector<AffineExpr> source(layout.rank() + dims.size());
  for (auto [position, letter] : llvm::enumerate(layout.letters())) {
    ArrayRef<int64_t> apart = result.phasesOfChannels[position];
    int64_t size = sums.getDimSize(position), last = result.placeShape.size();
    size_t dim = spatial.find(letter);
    if (letter == 'f') {
      size = getSize(Operand::Output, 'f');
      for (const MergedDim &merged : dims)
        result.apartShape.push_back(merged.phaseCount());
    }
    result.apartShape.push_back(size);
    result.placeShape.push_back(size);
    result.placesOfDims.push_back({last});
    source[apart.back()] = rewriter.getAffineDimExpr(last);
    if (dim != StringRef::npos) {
      int64_t phases = dims[dim].phaseCount();
      source[result.phasesOfChannels[layout.position('f')][dim]] =
          rewriter.getAffineDimExpr(last + 1);
      result.placeShape.push_back(phases);
      result.placesOfDims.back().push_back(last + 1);
      size *= phases;
    }
    result.wholeShape.push_back(size);
  }
  result.source =
      AffineMap::get(result.placeShape.size(), 0, source, op.getContext());
  return result;
}

Value PhaseMerger::interleave(Value sums) {
  auto type = cast<RankedTensorType>(sums.getType());
  Interleaving order = getInterleaving(type);
  auto getType = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, type.getElementType());
  };
  Value whole = fill.getOutputs()[0];
  ArrayRef<int64_t> shape = cast<RankedTensorType>(whole.getType()).getShape();
  bool isWhole = shape == ArrayRef(order.wholeShape);
  if (!isWhole)
    whole = tensor::EmptyOp::create(rewriter, loc, order.wholeShape,
                                    type.getElementType());
  Value apart = tensor::ExpandShapeOp::create(
      rewriter, loc, getType(order.apartShape), sums, order.phasesOfChannels);
  Value place = tensor::ExpandShapeOp::create(
      rewriter, loc, getType(order.placeShape), whole, order.placesOfDims);
  place = createCopy(rewriter, loc, apart, order.source, place).getResult(0);
  whole = tensor::CollapseShapeOp::create(
      rewriter, loc, getType(order.wholeShape), place, order.placesOfDims);
  if (isWhole)
    return whole;
  TensorSlice used(rewriter, loc, whole);
  for (auto [dim, size] : llvm::enumerate(shape))
    used.narrow(dim, 0, size);
  return used.extract();
}

void PhaseMerger::merge() {
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, interleave(createSums(createFilter())));
}

namespace {
struct MergePhasesPass final
    : mlir::convoy::impl::MergePhasesPassBase<MergePhasesPass> {
  using Base::Base;

  void runOnOperation() override {
    // The tiles of a GPU have lanes along other dimensions than channels.
    rewriteConvsForCPU(getOperation(), explain,
                       [](RewriterBase &rewriter, ConvOp op,
                          TargetAttr target) -> std::optional<Choice> {
                         linalg::FillOp fill = getFillOfPhases(op);
                         if (!fill)
                           return Choice::NoPhases;
                         if (!op.getZeroPoints().empty() ||
                             op.getLayout().getLayouts().output.hasGroups())
                           return Choice::ZeroPointsOrGroups;
                         std::optional<SmallVector<MergedDim>> dims =
                             mergePhases(op);
                         if (!dims || !isWorthMerging(op, *dims, target))
                           return Choice::PhasesAlone;
                         PhaseMerger(rewriter, op, fill, *dims).merge();
                         return std::nullopt;
                       });
  }
};
} // namespace
