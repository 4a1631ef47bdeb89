//===- TransposeResults.cpp - Results whose lanes lie apart -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

#include "convoy/Transforms/CPUTiles/Passes.h"
#include "convoy/Transforms/Costs/CycleCosts.h"
#include "convoy/Transforms/Costs/RegisterTileSearch.h"
#include "convoy/Transforms/Utils/ContractionPart.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/LoopStrides.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_TRANSPOSERESULTSPASS
#include "convoy/Transforms/CPUTiles/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The least part of the time of the multiply-adds that this must save. Where
/// lanes go on from one row of less than two vectors to the next, each row is
/// copied by itself, which takes longer than estimated: there any gain is one.
static constexpr double kLeastTransposeGain = 0.1;

/// The most terms of a sum. More hide the stores of single elements, and are
/// read anew for each part from beyond the cache: gradients of filters over
/// images of 28x28 to 112x112 pixels ran at half the speed in parts. Rows of
/// less than a vector take longer to copy than that.
static constexpr double kMostTermsInParts = 512;

namespace {
/// Computes one contraction with the lanes innermost, part by part, and
/// transposes each part into the result: a matrix of lanes by columns, all
/// dimensions behind that of the lanes, for each index of those before it.
class ResultTransposer {
public:
  ResultTransposer(RewriterBase &rewriter, linalg::GenericOp contraction,
                   unsigned lanes)
      : rewriter(rewriter), contraction(contraction), loc(contraction.getLoc()),
        shape(cast<RankedTensorType>(contraction.getResult(0).getType())
                  .getShape()),
        lanes(lanes), rank(shape.size()) {}

  /// Makes a contraction of the same that leaves the lanes innermost, beside
  /// the old one.
  linalg::GenericOp createTransposed();
  /// Replaces the old contraction by parts of such a one that take at most
  /// `bytes` each, if there are any.
  LogicalResult transpose(int64_t bytes);

private:
  /// What sums start from.
  linalg::FillOp getFill() {
    return contraction.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  }
  /// The dimensions of the result as those of matrices.
  SmallVector<ReassociationIndices> getMatrices() const;
  /// Chooses the size of a part: 1 along outer dimensions, some lanes, and as
  /// many columns as fit `bytes`. False where these are too few.
  bool choosePart(int64_t bytes);
  /// Where the part at `matrix`, an index for each dimension of the matrices,
  /// lies in the result.
  SmallVector<OpFoldResult> getOffsets(ValueRange matrix);
  /// The part of `transposed` at `offsets` of the result.
  FailureOr<Value> computePartAt(linalg::GenericOp transposed,
                                 ArrayRef<OpFoldResult> offsets);
  /// Ends the iterations of `loop` with inserting the transposed `value` at
  /// `matrix`.
  void insertPart(Value value, ValueRange matrix, scf::ForallOp loop);
  /// The size of a part along a dimension of the matrices.
  int64_t getPartSize(unsigned matrixDim) const;
  Value collapse(Value tensor, ArrayRef<ReassociationIndices> groups);

  RewriterBase &rewriter;
  linalg::GenericOp contraction;
  Location loc;
  ArrayRef<int64_t> shape;
  unsigned lanes, rank; ///< the lanes' dimension of the result, and how many
  SmallVector<int64_t> part; ///< by dimension of the result
};
} // namespace

SmallVector<ReassociationIndices> ResultTransposer::getMatrices() const {
  SmallVector<ReassociationIndices> groups;
  if (lanes > 0)
    groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(lanes)));
  groups.push_back({int64_t(lanes)});
  groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(lanes + 1, rank)));
  return groups;
}

linalg::GenericOp ResultTransposer::createTransposed() {
  rewriter.setInsertionPoint(contraction);
  unsigned numLoops = contraction.getNumLoops();
  // The lanes' loop goes behind those of the other dimensions.
  SmallVector<AffineExpr> moved(numLoops);
  SmallVector<int64_t> sizes;
  for (unsigned loop = 0; loop < numLoops; ++loop) {
    unsigned place = loop;
    if (loop == lanes)
      place = rank - 1;
    else if (loop > lanes && loop < rank)
      --place;
    moved[loop] = rewriter.getAffineDimExpr(place);
    if (loop < rank && loop != lanes)
      sizes.push_back(shape[loop]);
  }
  sizes.push_back(shape[lanes]);
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  for (AffineMap &map : MutableArrayRef(maps).drop_back())
    map = map.replaceDimsAndSymbols(moved, {}, numLoops, 0);

  Value empty = tensor::EmptyOp::create(
      rewriter, loc, sizes,
      getElementTypeOrSelf(contraction.getResult(0).getType()));
  Value zeros = fillAs(rewriter, loc, getFill(), empty);
  auto transposed = linalg::GenericOp::create(
      rewriter, loc, zeros.getType(), contraction.getInputs(), zeros, maps,
      contraction.getIteratorTypesArray());
  IRMapping mapping;
  contraction.getRegion().cloneInto(&transposed.getRegion(), mapping);
  return transposed;
}

/// Erases what createTransposed made.
static void eraseTransposed(RewriterBase &rewriter,
                            linalg::GenericOp transposed) {
  Operation *fill = transposed.getOutputs()[0].getDefiningOp();
  Operation *empty = cast<linalg::FillOp>(fill).getOutputs()[0].getDefiningOp();
  for (Operation *op : {transposed.getOperation(), fill, empty})
    rewriter.eraseOp(op);
}

bool ResultTransposer::choosePart(int64_t bytes) {
  int64_t elements = bytes / getElementBytes(contraction.getResult(0));
  part.assign(shape.begin(), shape.end());
  for (unsigned dim = 0; dim < lanes; ++dim)
    part[dim] = 1;
  // Only the first of the columns' dimensions can be cut: what is left of the
  // others lies side by side.
  unsigned cut = lanes + 1;
  while (cut + 1 < rank && shape[cut] == 1)
    ++cut;
  int64_t inner = 1;
  for (int64_t size : shape.drop_front(cut + 1))
    inner *= size;
  // Few lanes: the factor that has them is packed anew for each part.
  constexpr int64_t LeastLanes = 48, LeastColumns = 64;
  int64_t width = std::min(LeastLanes, shape[lanes]);
  while (shape[lanes] % width != 0)
    ++width;
  int64_t size = shape[cut];
  while (size > 1 &&
         (shape[cut] % size != 0 || width * size * inner > elements))
    --size;
  if (width * size * inner > elements ||
      size * inner < std::min(LeastColumns, shape[cut] * inner))
    return false;
  part[lanes] = width;
  part[cut] = size;
  return true;
}

SmallVector<OpFoldResult> ResultTransposer::getOffsets(ValueRange matrix) {
  SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0));
  auto divide = [&](Value index, int64_t by, unsigned dim, unsigned first) {
    AffineExpr expr = rewriter.getAffineDimExpr(0).floorDiv(by);
    // All that is left, in the outermost dimension.
    if (llvm::any_of(shape.slice(first, dim - first),
                     [](int64_t size) { return size != 1; }))
      expr = expr % shape[dim];
    return affine::makeComposedFoldedAffineApply(rewriter, loc, expr, {index});
  };
  int64_t inner = 1;
  for (unsigned dim = lanes; dim-- > 0;) {
    offsets[dim] = divide(matrix.front(), inner, dim, 0);
    inner *= shape[dim];
  }
  offsets[lanes] = matrix.drop_back().back();
  inner = 1;
  for (unsigned dim = rank; dim-- > lanes + 1;) {
    if (part[dim] < shape[dim])
      offsets[dim] = divide(matrix.back(), inner, dim, lanes + 1);
    inner *= shape[dim];
  }
  return offsets;
}

FailureOr<Value>
ResultTransposer::computePartAt(linalg::GenericOp transposed,
                                ArrayRef<OpFoldResult> offsets) {
  SmallVector<OpFoldResult> starts, sizes;
  auto addLoop = [&](OpFoldResult start, int64_t size) {
    starts.push_back(start);
    sizes.push_back(rewriter.getIndexAttr(size));
  };
  for (unsigned dim = 0; dim < rank; ++dim)
    if (dim != lanes)
      addLoop(offsets[dim], part[dim]);
  addLoop(offsets[lanes], part[lanes]);
  SmallVector<int64_t> loopSizes = transposed.getStaticLoopRanges();
  for (int64_t size : ArrayRef(loopSizes).drop_front(rank))
    addLoop(rewriter.getIndexAttr(0), size);
  return computePart(rewriter, transposed, starts, sizes,
                     getFill().getInputs()[0]);
}

void ResultTransposer::insertPart(Value value, ValueRange matrix,
                                  scf::ForallOp loop) {
  // Columns by lanes, and lanes by columns.
  SmallVector<ReassociationIndices> groups;
  if (lanes > 0)
    groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(lanes)));
  groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(lanes, rank - 1)));
  groups.push_back({rank - 1});
  value = collapse(value, groups);
  unsigned last = groups.size() - 1;
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs()[0]);
  for (auto [dim, index] : llvm::enumerate(matrix))
    slice.narrow(dim, index, rewriter.getIndexAttr(getPartSize(dim)));
  SmallVector<AffineExpr> source;
  for (unsigned dim = 0; dim <= last; ++dim)
    source.push_back(rewriter.getAffineDimExpr(dim));
  std::swap(source[last], source[last - 1]);
  linalg::GenericOp copy = createCopy(
      rewriter, loc, value,
      AffineMap::get(groups.size(), 0, source, rewriter.getContext()),
      slice.extract());
  slice.insert(copy.getResult(0), loop);
}

int64_t ResultTransposer::getPartSize(unsigned matrixDim) const {
  int64_t size = 1;
  SmallVector<ReassociationIndices> groups = getMatrices();
  for (int64_t dim : groups[matrixDim])
    size *= part[dim];
  return size;
}

Value ResultTransposer::collapse(Value tensor,
                                 ArrayRef<ReassociationIndices> groups) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getRank() == int64_t(groups.size()))
    return tensor;
  return tensor::CollapseShapeOp::create(rewriter, loc, tensor, groups);
}

LogicalResult ResultTransposer::transpose(int64_t bytes) {
  if (!choosePart(bytes))
    return success();
  linalg::GenericOp transposed = createTransposed();
  rewriter.setInsertionPoint(contraction);
  SmallVector<ReassociationIndices> groups = getMatrices();
  Value matrices = collapse(getFill().getOutputs()[0], groups);
  auto type = cast<RankedTensorType>(matrices.getType());
  SmallVector<OpFoldResult> lower, upper, steps;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(rewriter.getIndexAttr(size));
    steps.push_back(rewriter.getIndexAttr(getPartSize(dim)));
  }
  auto loop = scf::ForallOp::create(rewriter, loc, lower, upper, steps,
                                    matrices, /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(loop.getTerminator());
  SmallVector<Value> matrix = llvm::to_vector(loop.getInductionVars());
  FailureOr<Value> value = computePartAt(transposed, getOffsets(matrix));
  if (failed(value))
    return failure();
  insertPart(*value, matrix, loop);
  rewriter.setInsertionPoint(contraction);
  Value result = loop.getResult(0);
  if (result.getType() != contraction.getResult(0).getType())
    result = tensor::ExpandShapeOp::create(
        rewriter, loc, contraction.getResult(0).getType(), result, groups);
  eraseTransposed(rewriter, transposed);
  rewriter.replaceOp(contraction, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Where it pays
//===----------------------------------------------------------------------===//

/// Whether `op` takes a part of a tensor whose elements follow each other in
/// memory: a part of one dimension, and 1 of those before it.
static bool isRun(Operation *op) {
  auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op);
  if (!slice || !slice.hasUnitStride() ||
      slice.getType().getRank() != slice.getSourceType().getRank())
    return false;
  ArrayRef<int64_t> part = slice.getType().getShape(),
                    all = slice.getSourceType().getShape();
  while (!part.empty() && part.back() == all.back()) {
    part = part.drop_back();
    all = all.drop_back();
  }
  return part.empty() ||
         llvm::all_of(part.drop_back(), [](int64_t size) { return size == 1; });
}

/// Whether the result of `contraction` is nothing but its sums, of known sizes,
/// written to a whole tensor or to elements of one that follow each other.
static bool canTranspose(linalg::GenericOp contraction) {
  auto fill = contraction.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || getRoot(contraction) != contraction)
    return false;
  // The other operands may know sizes that the result does not.
  auto type = cast<RankedTensorType>(fill.getOutputs()[0].getType());
  Operation *destination = fill.getOutputs()[0].getDefiningOp();
  return type.hasStaticShape() &&
         (isa_and_nonnull<tensor::EmptyOp, bufferization::ToTensorOp>(
              destination) ||
          isRun(destination)) &&
         llvm::none_of(contraction.getStaticLoopRanges(), [](int64_t size) {
           return size == 0 || ShapedType::isDynamic(size);
         });
}

static RegisterTile getTile(linalg::GenericOp contraction, TargetAttr target) {
  return chooseRegisterTile(target, contraction,
                            getLoopStrides(contraction, getRowsOf(contraction)),
                            canStorePartialSums(contraction));
}

/// How many pixels a row has that is copied by itself, since lanes of `tile` go
/// on from one row to the next; else 0.
static int64_t getCopiedRow(linalg::GenericOp contraction,
                            const RegisterTile &tile) {
  if (!tile.outerLanes)
    return 0;
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  LoopStrides strides =
      getLoopStrides(contraction, getRowsOf(contraction)).front();
  int64_t size = sizes[tile.laneLoop];
  // Lanes are taps if pixels are summed.
  for (unsigned loop = contraction.getNumParallelLoops(); loop < sizes.size();
       ++loop)
    if (sizes[loop] > size && strides[loop] && *strides[loop] != 0 &&
        std::abs(*strides[loop]) < tile.vectorLanes)
      return 0;
  return strides[tile.laneLoop] == 1 ? size : 0;
}

/// The dimension of the result along which lanes save most, if that is enough.
static std::optional<unsigned> findLanes(RewriterBase &rewriter,
                                         linalg::GenericOp contraction,
                                         TargetAttr target) {
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  unsigned rank = contraction.getNumParallelLoops();
  double terms = 1;
  for (int64_t size : ArrayRef(sizes).drop_front(rank))
    terms *= double(size);
  RegisterTile inPlace = getTile(contraction, target);
  int64_t copied = getCopiedRow(contraction, inPlace);
  if (terms > kMostTermsInParts &&
      (copied == 0 || copied >= inPlace.vectorLanes))
    return std::nullopt;
  bool shortRows = copied > 0 && copied < 2 * inPlace.vectorLanes;
  double leastGain = shortRows ? 0 : kLeastTransposeGain;
  double least =
      inPlace.cost * (1 - leastGain) - kTransposedElementCycles / terms;
  std::optional<unsigned> best;
  for (unsigned dim = 0; dim + 1 < rank; ++dim) {
    if (sizes[dim] == 1)
      continue;
    linalg::GenericOp transposed =
        ResultTransposer(rewriter, contraction, dim).createTransposed();
    RegisterTile tile = getTile(transposed, target);
    if (tile.cost < least && tile.laneLoop == rank - 1 && !tile.outerLanes) {
      least = tile.cost;
      best = dim;
    }
    eraseTransposed(rewriter, transposed);
  }
  return best;
}

namespace {
struct TransposeResultsPass final
    : mlir::convoy::impl::TransposeResultsPassBase<TransposeResultsPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp contraction : getContractions(getOperation()))
      if (canTranspose(contraction))
        if (std::optional<unsigned> lanes =
                findLanes(rewriter, contraction, target))
          if (failed(ResultTransposer(rewriter, contraction, *lanes)
                         .transpose(target.getL2Bytes() / 4)))
            return signalPassFailure();
  }
};
} // namespace
