//===- HoistPacking.cpp - Pack whole filters at once ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/PrepackedArguments.h"
#include "convoy/Transforms/Packing/Passes.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/LinearIndex.h"
#include "convoy/Transforms/Utils/LoopValues.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_HOISTPACKINGPASS
#include "convoy/Transforms/Packing/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// A loop with constant bounds, or one of those that an `scf.forall` stands
/// for.
struct CountedLoop {
  Value variable;
  LoopValues values;
};

/// What a packed copy reads in all iterations of the loops around it.
struct PackedSource {
  /// The tensor outside of all loops.
  Value tensor;
  /// The loops on which its slices depend, outermost first.
  SmallVector<CountedLoop> loops;
  /// Where elements lie in the tensor, by dimension. The variables are the
  /// number of an iteration of each loop, then those of the copy's loops.
  SmallVector<AffineExpr> position;
};

/// Follows what a copy reads out of the loops around it.
class SourceFinder {
public:
  /// Nothing where that is no affine function of loops.
  static std::optional<PackedSource> find(linalg::GenericOp copy);

private:
  explicit SourceFinder(MLIRContext *context) : context(context) {}

  /// Fails where an op around `copy` is no loop with constant bounds.
  LogicalResult findLoops(linalg::GenericOp copy);
  /// Goes on to what `slice` is a part of.
  LogicalResult leave(tensor::ExtractSliceOp slice);
  FailureOr<AffineExpr> getExpr(OpFoldResult value);
  /// Drops the loops that no position depends on.
  void dropUnusedLoops(unsigned numCopyLoops);

  MLIRContext *context;
  PackedSource source;
};
} // namespace

LogicalResult SourceFinder::findLoops(linalg::GenericOp copy) {
  for (Operation *op = copy->getParentOp(); !isa<func::FuncOp>(op);
       op = op->getParentOp()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    std::optional<SmallVector<Value>> variables =
        loop ? loop.getLoopInductionVars() : std::nullopt;
    if (!variables)
      return failure();
    SmallVector<CountedLoop> loops;
    for (Value variable : *variables) {
      std::optional<LoopValues> values = getLoopValues(variable);
      if (!values)
        return failure();
      loops.push_back({variable, *values});
    }
    source.loops.insert(source.loops.begin(), loops.begin(), loops.end());
  }
  return success();
}

FailureOr<AffineExpr> SourceFinder::getExpr(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, context);
  for (auto [number, loop] : llvm::enumerate(source.loops))
    if (cast<Value>(value) == loop.variable)
      return getAffineDimExpr(number, context) * loop.values.step +
             loop.values.first;
  auto apply = cast<Value>(value).getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return failure();
  SmallVector<AffineExpr> operands;
  for (Value operand : apply.getMapOperands()) {
    FailureOr<AffineExpr> expr = getExpr(operand);
    if (failed(expr))
      return failure();
    operands.push_back(*expr);
  }
  AffineMap map = apply.getAffineMap();
  return map.getResult(0).replaceDimsAndSymbols(
      ArrayRef(operands).take_front(map.getNumDims()),
      ArrayRef(operands).drop_front(map.getNumDims()));
}

LogicalResult SourceFinder::leave(tensor::ExtractSliceOp slice) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<AffineExpr> position;
  ArrayRef<AffineExpr> inside = source.position;
  for (auto [dim, offset, stride] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides())) {
    FailureOr<AffineExpr> start = getExpr(offset);
    std::optional<int64_t> step = getConstantIntValue(stride);
    if (failed(start) || !step)
      return failure();
    AffineExpr expr = *start;
    if (!dropped[dim])
      expr = expr + inside.consume_front() * *step;
    position.push_back(expr);
  }
  source.position = std::move(position);
  source.tensor = slice.getSource();
  return success();
}

void SourceFinder::dropUnusedLoops(unsigned numCopyLoops) {
  auto isUsed = [&](unsigned loop) {
    return llvm::any_of(source.position, [&](AffineExpr expr) {
      return expr.isFunctionOfDim(loop);
    });
  };
  SmallVector<AffineExpr> dims;
  SmallVector<CountedLoop> used;
  for (auto [number, loop] : llvm::enumerate(source.loops)) {
    dims.push_back(getAffineDimExpr(used.size(), context));
    if (isUsed(number))
      used.push_back(loop);
  }
  for (unsigned loop = 0; loop < numCopyLoops; ++loop)
    dims.push_back(getAffineDimExpr(used.size() + loop, context));
  for (AffineExpr &expr : source.position)
    expr = expr.replaceDims(dims);
  source.loops = std::move(used);
}

std::optional<PackedSource> SourceFinder::find(linalg::GenericOp copy) {
  SourceFinder finder(copy.getContext());
  if (failed(finder.findLoops(copy)))
    return std::nullopt;
  PackedSource &source = finder.source;
  OpOperand *input = copy.getDpsInputOperand(0);
  AffineMap map = copy.getMatchingIndexingMap(input);
  source.tensor = input->get();
  for (AffineExpr expr : map.getResults())
    source.position.push_back(
        expr.shiftDims(map.getNumDims(), source.loops.size()));
  while (auto slice = source.tensor.getDefiningOp<tensor::ExtractSliceOp>())
    if (failed(finder.leave(slice)))
      return std::nullopt;
  finder.dropUnusedLoops(map.getNumDims());
  Operation *definition = source.tensor.getDefiningOp();
  bool isOutside =
      definition
          ? isa<func::FuncOp>(definition->getParentOp())
          : isa<func::FuncOp>(source.tensor.getParentBlock()->getParentOp());
  if (!isOutside || !getPrepackedArgument(source.tensor))
    return std::nullopt;
  return source;
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

/// Lets `source` read no more of its tensor than it needs, so that its indices
/// bound all that the tensor holds. Fails where indices are not linear, or
/// there are none.
static LogicalResult narrow(OpBuilder &builder, Location loc,
                            PackedSource &source, ArrayRef<int64_t> sizes) {
  if (llvm::is_contained(sizes, 0))
    return failure();
  TensorSlice slice(builder, loc, source.tensor);
  for (auto [dim, expr] : llvm::enumerate(source.position)) {
    std::optional<SmallVector<int64_t>> coefficients =
        getCoefficients(expr, sizes.size());
    if (!coefficients)
      return failure();
    int64_t least = coefficients->back(), most = least;
    for (auto [coefficient, size] : llvm::zip(*coefficients, sizes))
      (coefficient < 0 ? least : most) += coefficient * (size - 1);
    slice.narrow(dim, least, most - least + 1);
    expr = expr - least;
  }
  source.tensor = slice.extract();
  return success();
}

/// Replaces `copy` by a slice of one copy for all iterations.
static void hoist(RewriterBase &rewriter, linalg::GenericOp copy,
                  PackedSource source) {
  Location loc = copy.getLoc();
  auto type = cast<RankedTensorType>(copy.getResult(0).getType());
  SmallVector<int64_t> shape = llvm::map_to_vector(
      source.loops, [](CountedLoop loop) { return loop.values.count; });
  llvm::append_range(shape, type.getShape());
  func::FuncOp function = copy->getParentOfType<func::FuncOp>();
  rewriter.setInsertionPoint(function.front().findAncestorOpInBlock(*copy));
  if (failed(narrow(rewriter, loc, source, shape)))
    return;
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  linalg::GenericOp all = createCopy(
      rewriter, loc, source.tensor,
      AffineMap::get(shape.size(), 0, source.position, rewriter.getContext()),
      empty);

  rewriter.setInsertionPoint(copy);
  TensorSlice panel(rewriter, loc, all.getResult(0));
  for (auto [dim, loop] : llvm::enumerate(source.loops)) {
    AffineExpr number = (rewriter.getAffineDimExpr(0) - loop.values.first)
                            .floorDiv(loop.values.step);
    panel.narrow(dim,
                 affine::makeComposedFoldedAffineApply(rewriter, loc, number,
                                                       {loop.variable}),
                 rewriter.getIndexAttr(1));
  }
  rewriter.replaceOp(copy, panel.extract(type));
}

namespace {
struct HoistPackingPass final
    : mlir::convoy::impl::HoistPackingPassBase<HoistPackingPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyPackedPanels(getOperation())))
      return signalPassFailure();
    SmallVector<linalg::GenericOp> copies;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (isPackedPanel(op) && op->getParentOfType<LoopLikeOpInterface>() &&
          cast<RankedTensorType>(op.getResult(0).getType()).hasStaticShape())
        copies.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp copy : copies)
      if (std::optional<PackedSource> source = SourceFinder::find(copy))
        hoist(rewriter, copy, std::move(*source));
  }
};
} // namespace
