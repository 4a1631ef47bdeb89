//===- TileMatrices.cpp - Register tiles as matrices ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileMatrices.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/Utils/Divisibility.h"
#include "convoy/Transforms/Utils/SumOfProducts.h"
#include "convoy/Transforms/Utils/WordProducts.h"
#include "convoy/Transforms/Utils/WordViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;

bool mlir::convoy::hasMatrices(Operation *op) {
  auto lanes = op->getAttrOfType<TileLanesAttr>(TileLanesAttr::getAttrName());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return lanes && lanes.getMatrices() && linalgOp &&
         linalgOp.getNumReductionLoops() > 0;
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// The only reduction of `op` of more than one step, else its last one;
/// nothing where there are several.
static std::optional<unsigned> findTermLoop(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  std::optional<unsigned> found;
  for (unsigned loop : reductions) {
    if (op.getStaticLoopRanges()[loop] == 1)
      continue;
    if (found)
      return std::nullopt;
    found = loop;
  }
  return found ? found : std::optional(reductions.back());
}

/// Whether `map` reads elements that follow each other along `loop` in its last
/// dimension.
static bool endsWith(AffineMap map, unsigned loop) {
  return map.isProjectedPermutation() && map.getNumResults() > 0 &&
         map.getResults().back() == getAffineDimExpr(loop, map.getContext());
}

/// The loop of `op` along which the rows of a matrix follow each other: the
/// innermost of more than one step, else of one, that the first factor runs
/// along and the lanes do not. Nothing where the other one runs along any such.
static std::optional<unsigned> findRowLoop(linalg::LinalgOp op, AffineMap rows,
                                           AffineMap columns,
                                           unsigned laneLoop) {
  std::optional<unsigned> found;
  int64_t steps = 0;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    int64_t size = op.getStaticLoopRanges()[loop];
    bool isParallel =
        op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel;
    if (!isParallel || loop == laneLoop)
      continue;
    if (size > 1 &&
        (columns.isFunctionOfDim(loop) || !rows.isFunctionOfDim(loop)))
      return std::nullopt;
    if (rows.isFunctionOfDim(loop) && (size > 1 || steps <= 1)) {
      found = loop;
      steps = size;
    }
  }
  return found;
}

std::optional<TileMatrices> TileMatrices::find(linalg::LinalgOp op) {
  std::optional<TileShape> shape = TileShape::find(op);
  if (!shape || shape->sumsLanes() || op.getNumDpsInputs() != 2 ||
      !getWordParts(op))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  TileMatrices matrices(*shape);
  matrices.laneLoop = shape->getLaneLoop(maps.back());
  matrices.first = maps[0].isFunctionOfDim(matrices.laneLoop) ? 1 : 0;
  AffineMap rows = maps[matrices.first], columns = maps[1 - matrices.first];
  std::optional<unsigned> termLoop = findTermLoop(op);
  std::optional<unsigned> rowLoop =
      findRowLoop(op, rows, columns, matrices.laneLoop);
  if (!termLoop || !rowLoop || !maps.back().isProjectedPermutation() ||
      rows.isFunctionOfDim(matrices.laneLoop) || !endsWith(rows, *termLoop) ||
      !endsWith(columns, matrices.laneLoop) ||
      !columns.isFunctionOfDim(*termLoop))
    return std::nullopt;
  matrices.termLoop = *termLoop;
  matrices.rowLoop = *rowLoop;
  matrices.rowDim = *maps.back().getResultPosition(
      getAffineDimExpr(*rowLoop, op.getContext()));
  matrices.terms = op.getStaticLoopRanges()[*termLoop];
  if (matrices.terms > ::convoy::kTileWords ||
      shape->getVectorLanes() > ::convoy::kTileWords)
    return std::nullopt;

  SmallVector<TileRow> all = shape->getRows();
  int64_t lanes = op.getStaticLoopRanges()[matrices.laneLoop];
  int64_t count = llvm::divideCeil(lanes, shape->getVectorLanes());
  matrices.vectors.assign(all.begin(), all.begin() + count);
  int64_t steps = op.getStaticLoopRanges()[*rowLoop];
  int64_t most = divideEvenly(steps, ::convoy::kTileRows);
  int64_t numRows = int64_t(all.size()) / count;
  for (int64_t row = 0; row < numRows;) {
    int64_t size = std::min(most, steps - row % steps);
    matrices.blocks.push_back({row, all[row * count].index, size});
    row += size;
  }
  return matrices;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

SmallVector<Value> TileMatrices::fromRows(OpBuilder &builder, Location loc,
                                          ArrayRef<Value> rows) const {
  SmallVector<Value> matrices;
  for (const Block &block : blocks)
    for (size_t number = 0; number < vectors.size(); ++number) {
      auto getRow = [&](int64_t row) {
        return rows[(block.first + row) * vectors.size() + number];
      };
      auto type = cast<VectorType>(getRow(0).getType());
      Value matrix = ub::PoisonOp::create(
          builder, loc,
          VectorType::get({block.rows, type.getNumElements()},
                          type.getElementType()));
      for (int64_t row = 0; row < block.rows; ++row)
        matrix =
            vector::InsertOp::create(builder, loc, getRow(row), matrix, row);
      matrices.push_back(matrix);
    }
  return matrices;
}

SmallVector<Value> TileMatrices::toRows(OpBuilder &builder, Location loc,
                                        ArrayRef<Value> matrices) const {
  SmallVector<Value> rows;
  for (auto [number, block] : llvm::enumerate(blocks))
    for (int64_t row = 0; row < block.rows; ++row)
      for (Value matrix :
           matrices.slice(number * vectors.size(), vectors.size()))
        rows.push_back(vector::ExtractOp::create(builder, loc, matrix, row));
  return rows;
}

bool TileMatrices::canWrite(Value tile) const {
  return shape.getLaneDim() + 1 ==
         unsigned(cast<RankedTensorType>(tile.getType()).getRank());
}

Value TileMatrices::write(OpBuilder &builder, Location loc,
                          ArrayRef<Value> matrices, Value destination) const {
  auto rank = cast<RankedTensorType>(destination.getType()).getRank();
  AffineMap map = AffineMap::get(rank, 0,
                                 {builder.getAffineDimExpr(rowDim),
                                  builder.getAffineDimExpr(shape.getLaneDim())},
                                 builder.getContext());
  const Value *matrix = matrices.begin();
  for (const Block &block : blocks)
    for (const TileRow &vector : vectors) {
      SmallVector<Value> indices;
      for (auto [dim, index] : llvm::enumerate(block.index))
        indices.push_back(arith::ConstantIndexOp::create(
            builder, loc,
            dim == shape.getLaneDim() ? vector.index[dim] : index));
      destination =
          vector::TransferWriteOp::create(
              builder, loc, *matrix++, destination, indices,
              AffineMapAttr::get(map), builder.getBoolArrayAttr({true, true}))
              .getResult();
    }
  return destination;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Value TileMatrices::read(OpBuilder &builder, linalg::LinalgOp op,
                         unsigned number, ArrayRef<int64_t> index,
                         unsigned rowLoop, int64_t rows, unsigned columnLoop,
                         int64_t columns) const {
  Location loc = op.getLoc();
  AffineMap map = op.getIndexingMapsArray()[number];
  Value factor = op->getOperand(number);
  auto type = cast<RankedTensorType>(factor.getType());
  SmallVector<Value> indices =
      llvm::map_to_vector(map.compose(index), [&](int64_t value) -> Value {
        return arith::ConstantIndexOp::create(builder, loc, value);
      });
  auto getDim = [&](unsigned loop) {
    return builder.getAffineDimExpr(
        *map.getResultPosition(builder.getAffineDimExpr(loop)));
  };
  AffineMap order =
      AffineMap::get(type.getRank(), 0, {getDim(rowLoop), getDim(columnLoop)},
                     builder.getContext());
  auto readFrom = [&](Value source, int64_t width) {
    Type element = getElementTypeOrSelf(source.getType());
    Value padding = ub::PoisonOp::create(builder, loc, element);
    return vector::TransferReadOp::create(
        builder, loc, VectorType::get({rows, width}, element), source, indices,
        padding, order, ArrayRef<bool>{true, true});
  };
  // Rows of elements that lie side by side are rows of words.
  Value elements = columnLoop == termLoop && index[columnLoop] == 0
                       ? getElementsOfWords(builder, factor)
                       : Value();
  if (!elements)
    return readFrom(factor, columns);
  int64_t count =
      type.getElementTypeBitWidth() /
      cast<RankedTensorType>(elements.getType()).getElementTypeBitWidth();
  return vector::BitCastOp::create(
      builder, loc, VectorType::get({rows, columns}, type.getElementType()),
      readFrom(elements, columns * count));
}

SmallVector<Value> TileMatrices::multiply(OpBuilder &builder,
                                          linalg::LinalgOp op,
                                          ArrayRef<Value> sums) const {
  WordParts parts = *getWordParts(op);
  if (first == 1)
    std::swap(parts.aUnsigned, parts.bUnsigned);
  AffineMap output = op.getIndexingMapsArray().back();
  auto getLoops = [&](const SmallVector<int64_t> &index) {
    SmallVector<int64_t> loops(op.getNumLoops(), 0);
    for (auto [dim, value] : llvm::enumerate(index))
      loops[output.getDimPosition(dim)] = value;
    return loops;
  };
  SmallVector<Value> columns;
  for (const TileRow &vector : vectors)
    columns.push_back(read(builder, op, 1 - first, getLoops(vector.index),
                           termLoop, terms, laneLoop, vector.lanes));
  SmallVector<Value> results;
  for (const Block &block : blocks) {
    Value rows = read(builder, op, first, getLoops(block.index), rowLoop,
                      block.rows, termLoop, terms);
    for (Value column : columns)
      results.push_back(createMatrixSum(builder, op.getLoc(), parts, rows,
                                        column, sums[results.size()]));
  }
  return results;
}
