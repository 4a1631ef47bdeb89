//===- Contractions.cpp - Products of rows and filters ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/Contractions.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/Copies.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether `op` puts the elements of one tensor into another order.
static bool isTensorCopy(Operation *op) {
  auto copy = dyn_cast<linalg::GenericOp>(op);
  return copy && copy.hasPureTensorSemantics() && isCopy(copy) &&
         copy.getMatchingIndexingMap(copy.getDpsInitOperand(0)).isIdentity();
}

bool mlir::convoy::isPackedPanel(Operation *op) {
  return op && op->hasAttr(kPackedAttrName) && isTensorCopy(op);
}

LogicalResult mlir::convoy::verifyPackedPanels(Operation *root) {
  WalkResult walk = root->walk([&](Operation *op) -> WalkResult {
    if (!op->hasAttr(kPackedAttrName) || isTensorCopy(op))
      return WalkResult::advance();
    return op->emitError() << "does not fit its plan, " << kPackedAttrName
                           << ": expected a copy of one tensor";
  });
  return failure(walk.wasInterrupted());
}

Im2colOp mlir::convoy::getRowsOf(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 ||
      op.getIndexingMapsArray()[2] !=
          AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext())
              .getMajorSubMap(op.getNumParallelLoops()))
    return {};
  Value rows = op.getInputs()[0];
  if (Operation *packed = rows.getDefiningOp(); isPackedPanel(packed))
    rows = packed->getOperand(0);
  return rows.getDefiningOp<Im2colOp>();
}

void mlir::convoy::remarkOfConvolutions(Operation *op) {
  op->walk([](ConvolutionOpInterface convolution) {
    convolution.emitRemark()
        << getWords(Choice::NoTile)
        << ": there is no contraction before convoy-conv-to-im2col";
  });
}

SmallVector<linalg::GenericOp> mlir::convoy::getContractions(Operation *op) {
  SmallVector<linalg::GenericOp> contractions;
  op->walk([&](linalg::GenericOp inner) {
    if (getRowsOf(inner))
      contractions.push_back(inner);
  });
  return contractions;
}

bool mlir::convoy::hasNoTerms(linalg::GenericOp contraction) {
  return llvm::is_contained(ArrayRef(contraction.getStaticLoopRanges())
                                .drop_front(contraction.getNumParallelLoops()),
                            0);
}

/// Whether what tiles of loops read at `map` are slices, which begin with what
/// the first step reads: not where elements are mirrored, or repeated.
static bool readsSlices(AffineMap map) {
  bool isRising = true;
  map.walkExprs([&](AffineExpr expr) {
    auto both = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!both || both.getKind() == AffineExprKind::Add)
      return;
    auto factor = dyn_cast<AffineConstantExpr>(both.getRHS());
    isRising &= both.getKind() == AffineExprKind::Mul && factor &&
                factor.getValue() >= 0;
  });
  return isRising;
}

bool mlir::convoy::isFusable(Operation *op) {
  if (isa_and_nonnull<Im2colOp, linalg::FillOp, linalg::BroadcastOp>(op))
    return true;
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  // Vectors have no index of their elements.
  if (!generic || generic.hasIndexSemantics() ||
      !llvm::all_of(generic.getIndexingMapsArray(), readsSlices))
    return false;
  // The rows of a contraction with lanes may be slices of what they were.
  return generic.getNumReductionLoops() == 0 || getRowsOf(generic) ||
         generic->hasAttr(TileLanesAttr::getAttrName());
}

/// Whether `value` is the sums of a contraction that nothing else uses.
static bool areSums(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && value.hasOneUse() && getRowsOf(op);
}

/// The operand of `op`, elementwise, with the sums that it finishes: those that
/// are computed last. None where it finishes no sums.
static OpOperand *findSums(linalg::GenericOp op) {
  OpOperand *sums = nullptr;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!areSums(operand->get()) ||
        !op.getMatchingIndexingMap(operand).isIdentity())
      continue;
    Operation *contraction = operand->get().getDefiningOp();
    if (contraction->getBlock() != op->getBlock())
      continue;
    if (!sums || sums->get().getDefiningOp()->isBeforeInBlock(contraction))
      sums = operand;
  }
  return sums;
}

bool mlir::convoy::isElementwise(linalg::GenericOp op) {
  if (op.hasIndexSemantics() || op.getNumReductionLoops() > 0 ||
      op.getNumDpsInits() != 1)
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  return maps.back().isIdentity() && llvm::all_of(maps, [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

linalg::GenericOp mlir::convoy::findFinished(linalg::GenericOp op) {
  if (!isElementwise(op))
    return {};
  OpOperand *sums = findSums(op);
  return sums ? sums->get().getDefiningOp<linalg::GenericOp>()
              : linalg::GenericOp();
}

linalg::GenericOp mlir::convoy::getContractionOf(linalg::LinalgOp root) {
  auto op = cast<linalg::GenericOp>(*root);
  return op.getNumReductionLoops() > 0 ? op : findFinished(op);
}

linalg::LinalgOp mlir::convoy::getRoot(linalg::GenericOp contraction) {
  Value result = contraction.getResult(0);
  if (!result.hasOneUse())
    return contraction;
  auto user = dyn_cast<linalg::GenericOp>(*result.getUsers().begin());
  return user && findFinished(user) == contraction ? user : contraction;
}

/// Whether `value` has all elements along dimension `dim` of the tensor that it
/// is a slice of, through loops that hand it on.
static bool isWholeAlong(Value value, unsigned dim) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast_or_null<LoopLikeOpInterface>(
        argument.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
    return !init || isWholeAlong(init->get(), dim);
  }
  if (auto cast = value.getDefiningOp<tensor::CastOp>())
    return isWholeAlong(cast.getSource(), dim);
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return true;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  for (unsigned source = 0; source < dropped.size(); ++source)
    if (!dropped.test(source) && dim-- == 0)
      return slice.getStaticSizes()[source] ==
                 slice.getSourceType().getDimSize(source) &&
             isWholeAlong(slice.getSource(), source);
  return true;
}

/// Whether elements of `tensor` that follow each other along `loop` and the
/// next, of which `map` has both or none, do so in what it is a slice of.
static bool isOneLoopOfSlice(Value tensor, AffineMap map, unsigned loop) {
  std::optional<unsigned> dim =
      map.getResultPosition(getAffineDimExpr(loop + 1, map.getContext()));
  return !dim || !map.isFunctionOfDim(loop) || isWholeAlong(tensor, *dim);
}

bool mlir::convoy::isOneLoopOfResults(linalg::LinalgOp op, unsigned loop) {
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return isOneLoopOfSlice(init.get(), op.getMatchingIndexingMap(&init), loop);
  });
}

bool mlir::convoy::isOneLoopWithNext(linalg::LinalgOp op, unsigned loop) {
  return isOneLoopOfResults(op, loop) &&
         llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
           return map.isProjectedPermutation() &&
                  linalg::isDimSequencePreserved(
                      map, ReassociationIndices{loop, loop + 1});
         });
}

SmallVector<OpFoldResult>
mlir::convoy::withoutUnitLoops(OpBuilder &builder, ArrayRef<int64_t> loopSizes,
                               ArrayRef<int64_t> tileSizes) {
  SmallVector<OpFoldResult> result;
  for (auto [size, tile] : llvm::zip_equal(loopSizes, tileSizes))
    result.push_back(builder.getIndexAttr(size == tile ? 0 : tile));
  return result;
}

LogicalResult mlir::convoy::tileWithRows(RewriterBase &rewriter,
                                         linalg::GenericOp contraction,
                                         ArrayRef<int64_t> tileSizes,
                                         ArrayRef<int64_t> order) {
  using Control = scf::SCFTileAndFuseOptions::ControlFnResult;
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(
      withoutUnitLoops(rewriter, contraction.getStaticLoopRanges(), tileSizes));
  options.tilingOptions.setInterchange(order);
  options.setFusionControlFn([](tensor::ExtractSliceOp, OpResult producer,
                                bool) -> std::optional<Control> {
    if (isa<Im2colOp>(producer.getOwner()))
      return Control{};
    return std::nullopt;
  });
  rewriter.setInsertionPoint(contraction);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(*contraction), options);
  if (failed(tiled))
    return contraction.emitOpError("has a reduction that cannot be tiled");
  if (Value result = tiled->replacements.lookup(contraction.getResult(0)))
    rewriter.replaceOp(contraction, result);
  return success();
}
