//===- SplitPads.cpp - Reduce windows at padding by themselves --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/TensorOps/Passes.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/OpTile.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SPLITPADSPASS
#include "convoy/Transforms/TensorOps/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The most parts of a result: those of the borders of two dimensions. Each is
/// a case of its own for a proof.
static constexpr size_t kMaxParts = 9;

namespace {
/// Some steps of a loop.
struct Steps {
  int64_t first, size;
};

/// Positions along one dimension of windows, and the taps that meet elements
/// and no padding at all of them.
struct DimPart {
  Steps positions, taps;
};

/// A dimension of a padded input along which windows move: position p, from
/// `low` elements before the first one, has taps that are `dilation` apart.
struct WindowDim {
  unsigned dim, positionLoop, tapLoop;
  int64_t stride, dilation, positions, taps;
  int64_t low, input;

  /// Where the taps of position `position` meet elements.
  Steps getTaps(int64_t position) const;
  /// The parts of its positions; none where one meets padding alone.
  std::vector<DimPart> getParts() const;
};

/// A reduction that takes the largest or smallest of each window, begins with
/// what its input is padded with, and thus may leave padding out.
class PaddedReduction {
public:
  static std::optional<PaddedReduction> match(linalg::GenericOp op);

  /// Replaces it by the parts of its result; fails where they are too many.
  bool split(RewriterBase &rewriter);

private:
  using Part = SmallVector<DimPart>;

  /// Finds how windows move along the dimensions that are padded.
  bool findDims();
  std::vector<Part> getParts() const;
  /// `result` with one part of it.
  Value computePart(RewriterBase &rewriter, const Part &part, Value result);

  linalg::GenericOp op;
  linalg::FillOp fill;
  OpOperand *input = nullptr;
  tensor::PadOp pad;
  SmallVector<WindowDim> dims;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Steps WindowDim::getTaps(int64_t position) const {
  int64_t place = position * stride - low;
  int64_t first =
      std::max<int64_t>(llvm::divideCeilSigned(-place, dilation), 0);
  int64_t end = llvm::divideFloorSigned(input - 1 - place, dilation) + 1;
  return {first, std::min(end, taps) - first};
}

std::vector<DimPart> WindowDim::getParts() const {
  // The first position that meets no padding below, and the first after it that
  // meets padding above: those between them are one part.
  int64_t begin = llvm::divideCeilSigned(low, stride);
  int64_t last = input - 1 + low - (taps - 1) * dilation;
  int64_t end = std::min(llvm::divideFloorSigned(last, stride) + 1, positions);
  std::vector<DimPart> parts;
  for (int64_t position = 0; position < positions;) {
    Steps met = getTaps(position);
    if (met.size <= 0 || parts.size() > kMaxParts)
      return {};
    int64_t size = position == begin && begin < end ? end - begin : 1;
    if (!parts.empty() && parts.back().taps.first == met.first &&
        parts.back().taps.size == met.size)
      parts.back().positions.size += size;
    else
      parts.push_back({{position, size}, met});
    position += size;
  }
  return parts;
}

std::vector<PaddedReduction::Part> PaddedReduction::getParts() const {
  std::vector<Part> parts = {{}};
  for (const WindowDim &dim : dims) {
    std::vector<DimPart> ofDim = dim.getParts();
    std::vector<Part> longer;
    for (const Part &part : parts) {
      for (const DimPart &one : ofDim) {
        longer.push_back(part);
        longer.back().push_back(one);
      }
    }
    if (longer.size() > kMaxParts)
      return {};
    parts = std::move(longer);
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Whether a number that is taken once more changes nothing.
static bool isIdempotent(Operation *op) {
  return isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                         arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp,
                         arith::MaxUIOp, arith::MinUIOp>(op);
}

/// Whether both are the same constant.
static bool isSameConstant(Value a, Value b) {
  Attribute first, second;
  return a && b && matchPattern(a, m_Constant(&first)) &&
         matchPattern(b, m_Constant(&second)) && first == second;
}

std::optional<PaddedReduction> PaddedReduction::match(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return std::nullopt;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!result.isProjectedPermutation() ||
      result.getNumResults() != op.getNumParallelLoops())
    return std::nullopt;
  Block *body = op.getBody();
  Operation *last = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isIdempotent(last) ||
      !llvm::hasSingleElement(body->without_terminator()))
    return std::nullopt;
  PaddedReduction found;
  found.op = op;
  found.fill = op.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  Value sum = body->getArgument(op.getNumDpsInputs());
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value argument = op.getMatchingBlockArgument(operand);
    bool isReduced =
        (last->getOperand(0) == argument && last->getOperand(1) == sum) ||
        (last->getOperand(1) == argument && last->getOperand(0) == sum);
    if (isReduced)
      found.input = operand;
  }
  if (!found.input || !found.fill)
    return std::nullopt;
  found.pad = found.input->get().getDefiningOp<tensor::PadOp>();
  bool fits = found.pad &&
              isSameConstant(found.pad.getConstantPaddingValue(),
                             found.fill.getInputs()[0]) &&
              found.findDims();
  return fits ? std::optional(found) : std::nullopt;
}

/// The loop and its factor in `expr`, a loop or a positive multiple of one.
static std::optional<std::pair<unsigned, int64_t>> matchTerm(AffineExpr expr) {
  int64_t factor = 1;
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expr)) {
    auto constant = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (product.getKind() != AffineExprKind::Mul || !constant)
      return std::nullopt;
    factor = constant.getValue();
    expr = product.getLHS();
  }
  auto loop = dyn_cast<AffineDimExpr>(expr);
  if (!loop || factor < 1)
    return std::nullopt;
  return std::pair{loop.getPosition(), factor};
}

bool PaddedReduction::findDims() {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto source = cast<RankedTensorType>(pad.getSource().getType());
  if (!source.hasStaticShape() || !pad.getLow().empty() ||
      !pad.getHigh().empty() || llvm::any_of(sizes, ShapedType::isDynamic) ||
      llvm::is_contained(sizes, 0))
    return false;
  AffineMap map = op.getMatchingIndexingMap(input);
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    int64_t low = pad.getStaticLow()[dim], high = pad.getStaticHigh()[dim];
    if (low == 0 && high == 0)
      continue;
    auto sum = dyn_cast<AffineBinaryOpExpr>(index);
    if (low < 0 || high < 0 || !sum || sum.getKind() != AffineExprKind::Add)
      return false;
    auto position = matchTerm(sum.getLHS()), tap = matchTerm(sum.getRHS());
    if (!position || !tap)
      return false;
    if (kinds[position->first] == utils::IteratorType::reduction)
      std::swap(position, tap);
    if (kinds[position->first] != utils::IteratorType::parallel ||
        kinds[tap->first] != utils::IteratorType::reduction)
      return false;
    dims.push_back({unsigned(dim), position->first, tap->first,
                    position->second, tap->second, sizes[position->first],
                    sizes[tap->first], low, source.getDimSize(dim)});
  }
  // The loops of a window index no other dimension.
  return llvm::all_of(dims, [&](const WindowDim &window) {
    return llvm::count_if(map.getResults(), [&](AffineExpr index) {
             return index.isFunctionOfDim(window.positionLoop) ||
                    index.isFunctionOfDim(window.tapLoop);
           }) == 1;
  });
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

Value PaddedReduction::computePart(RewriterBase &rewriter, const Part &part,
                                   Value result) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> offsets, steps;
  for (int64_t size : op.getStaticLoopRanges()) {
    offsets.push_back(rewriter.getIndexAttr(0));
    steps.push_back(rewriter.getIndexAttr(size));
  }
  AffineMap results = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  TensorSlice read(rewriter, loc, pad.getSource());
  TensorSlice box(rewriter, loc, result);
  for (auto [window, one] : llvm::zip_equal(dims, part)) {
    auto [positions, taps] = one;
    for (auto [loop, range] : {std::pair{window.positionLoop, positions},
                               std::pair{window.tapLoop, taps}}) {
      offsets[loop] = rewriter.getIndexAttr(range.first);
      steps[loop] = rewriter.getIndexAttr(range.size);
    }
    read.narrow(window.dim,
                positions.first * window.stride - window.low +
                    taps.first * window.dilation,
                (positions.size - 1) * window.stride +
                    (taps.size - 1) * window.dilation + 1);
    box.narrow(*results.getResultPosition(
                   rewriter.getAffineDimExpr(window.positionLoop)),
               positions.first, positions.size);
  }
  // The part's own place in the result, which the fill is in, too.
  Value elements = read.extract();
  Value init = fillAs(rewriter, loc, fill, box.extract());
  linalg::LinalgOp reduced =
      createTile(rewriter, op, offsets, steps,
                 {{input->getOperandNumber(), elements},
                  {op.getDpsInitOperand(0)->getOperandNumber(), init}});
  return box.insert(reduced->getResult(0));
}

bool PaddedReduction::split(RewriterBase &rewriter) {
  std::vector<Part> parts = getParts();
  if (dims.empty() || parts.empty())
    return false;
  rewriter.setInsertionPoint(op);
  Value result = fill.getOutputs()[0];
  for (const Part &part : parts)
    result = computePart(rewriter, part, result);
  rewriter.replaceOp(op, result);
  for (Operation *before : {fill.getOperation(), pad.getOperation()})
    if (isOpTriviallyDead(before))
      rewriter.eraseOp(before);
  return true;
}

namespace {
struct SplitPadsPass final
    : mlir::convoy::impl::SplitPadsPassBase<SplitPadsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : ops)
      if (std::optional<PaddedReduction> reduction = PaddedReduction::match(op))
        (void)reduction->split(rewriter);
  }
};
} // namespace
