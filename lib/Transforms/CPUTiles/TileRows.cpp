//===- TileRows.cpp - Vectors of a register tile ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileRows.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/Costs/RegisterTile.h"
#include "convoy/Transforms/Costs/VectorCosts.h"
#include "convoy/Transforms/Utils/LinearIndex.h"
#include "convoy/Transforms/Utils/SumOfProducts.h"
#include "convoy/Transforms/Utils/TrailingUnits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The most products of a tile, each of which is code of its own: many more
/// than registers hold.
static constexpr int64_t kMostOfTile = 65536;

std::optional<TileShape> TileShape::find(Operation *op) {
  auto lanes = op->getAttrOfType<TileLanesAttr>(TileLanesAttr::getAttrName());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !lanes || lanes.getLanes() > kMostUnrolled ||
      op->getNumResults() != 1)
    return std::nullopt;
  ArrayRef<int64_t> sizes =
      cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  SmallVector<int64_t> loops = linalgOp.getStaticLoopRanges();
  int64_t dim = lanes.getDim();
  bool sumsLanes = dim >= int64_t(sizes.size());
  if (dim >= int64_t(loops.size()) ||
      !canUnroll(sumsLanes ? ArrayRef<int64_t>(loops) : sizes, kMostOfTile) ||
      (lanes.getMasked() && (sumsLanes || !canMask(linalgOp))))
    return std::nullopt;
  // Elements that lie apart are written one by one.
  bool masked =
      lanes.getMasked() && llvm::all_of(sizes.drop_front(dim + 1),
                                        [](int64_t size) { return size == 1; });
  return TileShape(sizes, dim, lanes.getLanes(), masked);
}

SmallVector<TileRow> TileShape::getRows() const {
  SmallVector<TileRow> rows = {
      {SmallVector<int64_t>(sizes.size(), 0), vectorLanes, vectorLanes}};
  SmallVector<unsigned> dims =
      llvm::to_vector(llvm::seq<unsigned>(sizes.size()));
  if (sumsLanes())
    llvm::stable_sort(
        dims, [&](unsigned a, unsigned b) { return sizes[a] > sizes[b]; });
  else
    std::rotate(dims.begin() + laneDim, dims.begin() + laneDim + 1, dims.end());
  for (unsigned dim : dims) {
    int64_t step = dim == laneDim ? vectorLanes : 1;
    SmallVector<TileRow> longer;
    for (const TileRow &row : rows)
      for (int64_t index = 0; index < sizes[dim]; index += step) {
        longer.push_back(row);
        longer.back().index[dim] = index;
        if (dim != laneDim)
          continue;
        int64_t lanes = std::min(step, sizes[dim] - index);
        longer.back().lanes = lanes;
        longer.back().vectorLanes =
            masked ? int64_t(llvm::bit_ceil(uint64_t(lanes))) : lanes;
      }
    rows = std::move(longer);
  }
  return rows;
}

SmallVector<SmallVector<int64_t>>
mlir::convoy::getTerms(linalg::LinalgOp op, const TileShape &shape) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<SmallVector<int64_t>> terms = {
      SmallVector<int64_t>(op.getNumLoops(), 0)};
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  bool sumsLanes = shape.sumsLanes();
  if (sumsLanes)
    llvm::stable_sort(loops, [&](unsigned a, unsigned b) {
      return a == shape.getLaneDim() && b != shape.getLaneDim();
    });
  for (unsigned loop : loops) {
    int64_t step =
        sumsLanes && loop == shape.getLaneDim() ? shape.getVectorLanes() : 1;
    SmallVector<SmallVector<int64_t>> longer;
    for (const SmallVector<int64_t> &term : terms)
      for (int64_t index = 0; index < sizes[loop]; index += step) {
        longer.push_back(term);
        longer.back()[loop] = index;
      }
    terms = std::move(longer);
  }
  return terms;
}

bool TileShape::canRead(AffineMap map, unsigned laneLoop) const {
  int64_t steps = 0;
  for (AffineExpr expr : map.getResults()) {
    std::optional<SmallVector<int64_t>> coefficients =
        getCoefficients(expr, map.getNumDims(), map.getNumSymbols());
    if (!coefficients || (steps != 0 && (*coefficients)[laneLoop] != 0))
      return false;
    steps += (*coefficients)[laneLoop];
  }
  return steps >= (sumsLanes() ? 1 : 0) && steps <= kMostApart;
}

//===----------------------------------------------------------------------===//
// Whole tiles
//===----------------------------------------------------------------------===//

static ArrayAttr getInBounds(OpBuilder &builder, VectorType type) {
  return builder.getBoolArrayAttr(SmallVector<bool>(type.getRank(), true));
}

/// The mask for the first `lanes` elements of each row of `type`, whose
/// dimensions are those of a tensor by `map`, the lanes last. Masks have them
/// in the tensor's order.
static Value createMask(OpBuilder &builder, Location loc, VectorType type,
                        AffineMap map, int64_t lanes) {
  VectorType maskType = vector::inferTransferOpMaskType(type, map);
  SmallVector<int64_t> sizes(maskType.getShape());
  AffineExpr laneDim = map.getResults().back();
  sizes[llvm::count_if(map.getResults(), [&](AffineExpr dim) {
    return cast<AffineDimExpr>(dim).getPosition() <
           cast<AffineDimExpr>(laneDim).getPosition();
  })] = lanes;
  return vector::ConstantMaskOp::create(builder, loc, maskType, sizes);
}

SmallVector<TileShape::Column>
TileShape::getColumns(OpBuilder &builder, Location loc,
                      RankedTensorType tensor) const {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> dims;
  // Lower dimensions of masks are taken for others where one is left out.
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (dim != laneDim &&
        (size > 1 || (masked && dim < laneDim && !dims.empty()))) {
      shape.push_back(size);
      dims.push_back(builder.getAffineDimExpr(dim));
    }
  shape.push_back(0);
  dims.push_back(builder.getAffineDimExpr(laneDim));
  auto map = AffineMap::get(tensor.getRank(), 0, dims, builder.getContext());

  SmallVector<TileRow> rows = getRows();
  int64_t count = llvm::divideCeil(sizes[laneDim], vectorLanes);
  SmallVector<Column> columns;
  for (int64_t first = 0; first < count; ++first) {
    shape.back() = rows[first].vectorLanes;
    Column column{
        VectorType::get(shape, tensor.getElementType()), map, {}, {}, {}};
    if (rows[first].lanes < rows[first].vectorLanes)
      column.mask =
          createMask(builder, loc, column.type, map, rows[first].lanes);
    for (int64_t index :
         ArrayRef(rows[first].index).take_front(tensor.getRank()))
      column.indices.push_back(
          arith::ConstantIndexOp::create(builder, loc, index));
    for (int64_t row = first; row < int64_t(rows.size()); row += count)
      column.rows.push_back(row);
    columns.push_back(std::move(column));
  }
  return columns;
}

SmallVector<int64_t> TileShape::getPosition(const Column &column,
                                            int64_t number) const {
  return delinearize(number,
                     computeStrides(column.type.getShape().drop_back()));
}

SmallVector<Value> TileShape::read(OpBuilder &builder, Location loc,
                                   Value tensor) const {
  tensor = dropUnitsAfter(builder, loc, tensor, laneDim);
  auto type = cast<RankedTensorType>(tensor.getType());
  Value padding = ub::PoisonOp::create(builder, loc, type.getElementType());
  SmallVector<Value> rows(getRows().size());
  for (const Column &column : getColumns(builder, loc, type)) {
    Value read = vector::TransferReadOp::create(
        builder, loc, column.type, tensor, column.indices,
        AffineMapAttr::get(column.map), padding, column.mask,
        getInBounds(builder, column.type));
    for (auto [number, row] : llvm::enumerate(column.rows))
      rows[row] = column.type.getRank() == 1
                      ? read
                      : vector::ExtractOp::create(builder, loc, read,
                                                  getPosition(column, number));
  }
  return rows;
}

Value TileShape::write(OpBuilder &builder, Location loc, ArrayRef<Value> rows,
                       Value tensor) const {
  Value written = dropUnitsAfter(builder, loc, tensor, laneDim);
  auto type = cast<RankedTensorType>(written.getType());
  for (const Column &column : getColumns(builder, loc, type)) {
    Value block = rows[column.rows.front()];
    if (column.type.getRank() > 1) {
      block = ub::PoisonOp::create(builder, loc, column.type);
      for (auto [number, row] : llvm::enumerate(column.rows))
        block = vector::InsertOp::create(builder, loc, rows[row], block,
                                         getPosition(column, number));
    }
    written = vector::TransferWriteOp::create(
                  builder, loc, block, written, column.indices,
                  AffineMapAttr::get(column.map), column.mask,
                  getInBounds(builder, column.type))
                  .getResult();
  }
  return restoreUnits(builder, loc, written, tensor);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Value createIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Reads `lanes` elements of `source` along `dim` from `indices` into a vector
/// of `vectorLanes`, zero in the other lanes.
static Value readWithZeros(OpBuilder &builder, Location loc, Value source,
                           ArrayRef<Value> indices, unsigned dim, int64_t lanes,
                           int64_t vectorLanes) {
  source = dropUnitsAfter(builder, loc, source, dim);
  auto type = cast<RankedTensorType>(source.getType());
  indices = indices.take_front(type.getRank());
  AffineMap map = AffineMap::get(
      type.getRank(), 0, builder.getAffineDimExpr(dim), builder.getContext());
  auto vector = VectorType::get({vectorLanes}, type.getElementType());
  if (lanes == vectorLanes) {
    Value padding = ub::PoisonOp::create(builder, loc, type.getElementType());
    return vector::TransferReadOp::create(builder, loc, vector, source, indices,
                                          padding, map, ArrayRef<bool>{true});
  }
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  Value mask = vector::ConstantMaskOp::create(builder, loc,
                                              vector.clone(builder.getI1Type()),
                                              ArrayRef<int64_t>{lanes});
  return vector::TransferReadOp::create(builder, loc, vector, source, indices,
                                        map, zero, mask,
                                        builder.getBoolArrayAttr({true}));
}

/// How far `expr`, which is linear, goes on in a step of `loop`.
static int64_t getStride(AffineExpr expr, unsigned loop, unsigned numLoops) {
  return (*getCoefficients(expr, numLoops, 0))[loop];
}

std::optional<unsigned> mlir::convoy::getVectorOfTerms(linalg::LinalgOp op,
                                                       AffineMap map) {
  if (map.getNumResults() == 0 || !map.isProjectedPermutation())
    return std::nullopt;
  unsigned loop = cast<AffineDimExpr>(map.getResults().back()).getPosition();
  bool isSum =
      op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  return isSum && op.getStaticLoopRanges()[loop] > 1 ? std::optional(loop)
                                                     : std::nullopt;
}

Value mlir::convoy::readTerms(RewriterBase &rewriter, Location loc,
                              Value operand, ArrayRef<int64_t> position,
                              int64_t terms) {
  SmallVector<Value> indices =
      llvm::map_to_vector(position, [&](int64_t value) {
        return createIndex(rewriter, loc, value);
      });
  return readWithZeros(rewriter, loc, operand, indices, indices.size() - 1,
                       terms, terms);
}

Value RowOperand::read(RewriterBase &rewriter, Location loc,
                       ArrayRef<int64_t> loopIndex) const {
  auto splat = [&](Value element) -> Value {
    return vector::BroadcastOp::create(
        rewriter, loc, VectorType::get({vectorLanes}, element.getType()),
        element);
  };
  if (!isa<RankedTensorType>(operand.getType()))
    return splat(operand);
  SmallVector<Value> indices =
      llvm::map_to_vector(map.compose(loopIndex), [&](int64_t value) {
        return createIndex(rewriter, loc, value);
      });
  for (auto [dim, result] : llvm::enumerate(map.getResults())) {
    if (!result.isFunctionOfDim(laneLoop))
      continue;
    int64_t stride = getStride(result, laneLoop, map.getNumDims());
    Value all = readWithZeros(rewriter, loc, operand, indices, dim,
                              (lanes - 1) * stride + 1, vectorLanes * stride);
    if (stride == 1)
      return all;
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < vectorLanes; ++lane)
      order.push_back(lane * stride);
    return vector::ShuffleOp::create(rewriter, loc, all, all, order);
  }
  return splat(tensor::ExtractOp::create(rewriter, loc, operand, indices));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static Value add(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs.getType())))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

static Value sumLanes(OpBuilder &builder, Location loc, Value row) {
  int64_t lanes = cast<VectorType>(row.getType()).getNumElements();
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    auto getHalf = [&](int64_t first) -> Value {
      return vector::ExtractStridedSliceOp::create(
          builder, loc, row, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{half},
          ArrayRef<int64_t>{1});
    };
    Value low = getHalf(0);
    Value high = getHalf(half);
    row = add(builder, loc, low, high);
  }
  return vector::ExtractOp::create(builder, loc, row, int64_t(0));
}

Value mlir::convoy::addLanes(RewriterBase &rewriter, Location loc,
                             ArrayRef<Value> rows, const TileShape &shape,
                             Value destination) {
  for (auto [row, at] : llvm::zip_equal(rows, shape.getRows())) {
    SmallVector<Value> indices =
        llvm::map_to_vector(at.index, [&](int64_t value) {
          return createIndex(rewriter, loc, value);
        });
    Value start =
        tensor::ExtractOp::create(rewriter, loc, destination, indices);
    Value sum = add(rewriter, loc, start, sumLanes(rewriter, loc, row));
    destination =
        tensor::InsertOp::create(rewriter, loc, sum, destination, indices);
  }
  return destination;
}
