//===- VectorizeTiles.cpp - Register tiles as rows of vectors ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrailingUnits.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Passes.h"
#include "convoy/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_VECTORIZETILESPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// One vector of a tile: the index of its first element and how many elements
/// it has along the lanes.
struct TileRow {
  SmallVector<int64_t> index;
  int64_t lanes;
};

/// The shape of a tile, which of its dimensions holds the lanes, and how many
/// of them fit into a vector register. A vector that no register holds would
/// be taken apart into its elements where loops carry it.
class TileShape {
public:
  TileShape(ArrayRef<int64_t> sizes, unsigned laneDim, int64_t vectorLanes)
      : sizes(sizes), laneDim(laneDim), vectorLanes(vectorLanes) {}

  unsigned getLaneDim() const { return laneDim; }
  /// The vectors that make up the tile, those along the lanes next to each
  /// other: they share the elements that are in every lane, which then need no
  /// registers of their own for long.
  SmallVector<TileRow> getRows() const {
    SmallVector<TileRow> rows = {
        {SmallVector<int64_t>(sizes.size(), 0), vectorLanes}};
    SmallVector<unsigned> dims =
        llvm::to_vector(llvm::seq<unsigned>(sizes.size()));
    std::rotate(dims.begin() + laneDim, dims.begin() + laneDim + 1, dims.end());
    for (unsigned dim : dims) {
      int64_t step = dim == laneDim ? vectorLanes : 1;
      SmallVector<TileRow> longer;
      for (const TileRow &row : rows)
        for (int64_t index = 0; index < sizes[dim]; index += step) {
          longer.push_back(row);
          longer.back().index[dim] = index;
          if (dim == laneDim)
            longer.back().lanes = std::min(step, sizes[dim] - index);
        }
      rows = std::move(longer);
    }
    return rows;
  }

private:
  SmallVector<int64_t> sizes;
  unsigned laneDim;
  int64_t vectorLanes;
};

/// Replaces the ops of register tiles by ops on their rows.
class TileVectorizer {
public:
  TileVectorizer(RewriterBase &rewriter, int64_t registers)
      : rewriter(rewriter), registers(registers) {}

  /// Vectorizes a fill, an elementwise op or a contraction outside any loop.
  void vectorize(linalg::LinalgOp op);
  /// Vectorizes loops that hold one contraction, the tile carried as rows.
  void vectorize(scf::ForOp outermost, linalg::GenericOp contraction);
  /// Writes the rows that something other than a tile reads, and erases the ops
  /// that were replaced.
  void finish();

private:
  struct Tile {
    SmallVector<Value> rows;
    Value destination;
    TileShape shape;
  };
  /// The destination of `tile` with its rows written.
  Value writeTile(const Tile &tile, Location loc);
  /// The rows of `tile`, whose index is that of `shape`.
  SmallVector<Value> readTile(Location loc, Value tile, const TileShape &shape);
  /// The row of an operand of an op with these loops: a vector along the lanes,
  /// or one element in every lane.
  Value readRow(Location loc, Value operand, AffineMap map,
                ArrayRef<int64_t> loopIndex, unsigned laneLoop, int64_t lanes);
  /// The body of `op` on one row.
  Value computeRow(linalg::LinalgOp op, ValueRange operands, int64_t lanes);
  /// All rows of `op`, given those of its init.
  SmallVector<Value> computeRows(linalg::LinalgOp op, ArrayRef<Value> init,
                                 const TileShape &shape);
  void replaceByRows(Operation *op, Value tile, SmallVector<Value> rows,
                     Value destination, const TileShape &shape);
  /// The tensor that a replaced tile would have been written into.
  Value getDestination(Value tile) const;
  Value index(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }

  RewriterBase &rewriter;
  int64_t registers;
  llvm::MapVector<Value, Tile> tiles;
  SmallVector<Operation *> replaced;
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads `lanes` elements of `source` along `dim` from `indices`.
static Value readVector(RewriterBase &rewriter, Location loc, Value source,
                        ArrayRef<Value> indices, unsigned dim, int64_t lanes) {
  source = dropUnitsAfter(rewriter, loc, source, dim);
  auto type = cast<RankedTensorType>(source.getType());
  indices = indices.take_front(type.getRank());
  AffineMap map = AffineMap::get(
      type.getRank(), 0, rewriter.getAffineDimExpr(dim), rewriter.getContext());
  Value padding = ub::PoisonOp::create(rewriter, loc, type.getElementType());
  return vector::TransferReadOp::create(
      rewriter, loc, VectorType::get({lanes}, type.getElementType()), source,
      indices, padding, map, ArrayRef<bool>{true});
}

SmallVector<Value> TileVectorizer::readTile(Location loc, Value tile,
                                            const TileShape &shape) {
  if (auto *it = tiles.find(tile); it != tiles.end())
    return it->second.rows;
  return llvm::map_to_vector(shape.getRows(), [&](const TileRow &row) {
    SmallVector<Value> indices = llvm::map_to_vector(
        row.index, [&](int64_t value) { return index(loc, value); });
    return readVector(rewriter, loc, tile, indices, shape.getLaneDim(),
                      row.lanes);
  });
}

Value TileVectorizer::readRow(Location loc, Value operand, AffineMap map,
                              ArrayRef<int64_t> loopIndex, unsigned laneLoop,
                              int64_t lanes) {
  if (!isa<RankedTensorType>(operand.getType()))
    return vector::BroadcastOp::create(
        rewriter, loc, VectorType::get({lanes}, operand.getType()), operand);
  std::optional<unsigned> laneDim;
  SmallVector<Value> indices;
  for (auto [dim, result] : llvm::enumerate(map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(result).getPosition();
    if (loop == laneLoop)
      laneDim = dim;
    indices.push_back(index(loc, loopIndex[loop]));
  }
  if (laneDim)
    return readVector(rewriter, loc, operand, indices, *laneDim, lanes);
  Value element = tensor::ExtractOp::create(rewriter, loc, operand, indices);
  return vector::BroadcastOp::create(
      rewriter, loc, VectorType::get({lanes}, element.getType()), element);
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// a*b + c in one rounding where `add` adds a product of the same row and the
/// type has it on every machine that has vectors of it; else nothing.
static Value fuseMultiplyAdd(RewriterBase &rewriter, arith::AddFOp add) {
  Type element = getElementTypeOrSelf(add.getType());
  if (!element.isF32() && !element.isF64())
    return {};
  for (auto [factor, other] : {std::pair{add.getLhs(), add.getRhs()},
                               std::pair{add.getRhs(), add.getLhs()}}) {
    auto product = factor.getDefiningOp<arith::MulFOp>();
    if (product && product->hasOneUse())
      return vector::FMAOp::create(rewriter, add.getLoc(), product.getLhs(),
                                   product.getRhs(), other);
  }
  return {};
}

Value TileVectorizer::computeRow(linalg::LinalgOp op, ValueRange operands,
                                 int64_t lanes) {
  Block *body = op.getBlock();
  IRMapping mapping;
  mapping.map(body->getArguments(), operands);
  auto toVector = [&](Value value) -> Value {
    Value mapped = mapping.lookupOrDefault(value);
    if (isa<VectorType>(mapped.getType()))
      return mapped;
    Value splat = vector::BroadcastOp::create(
        rewriter, op.getLoc(), VectorType::get({lanes}, mapped.getType()),
        mapped);
    mapping.map(value, splat);
    return splat;
  };
  for (Operation &scalar : body->without_terminator()) {
    if (scalar.hasTrait<OpTrait::ConstantLike>()) {
      rewriter.clone(scalar, mapping);
      continue;
    }
    SmallVector<Value> inputs =
        llvm::map_to_vector(scalar.getOperands(), toVector);
    SmallVector<Type> types =
        llvm::map_to_vector(scalar.getResultTypes(), [&](Type type) -> Type {
          return VectorType::get({lanes}, type);
        });
    Operation *wide =
        rewriter.create(op.getLoc(), scalar.getName().getIdentifier(), inputs,
                        types, scalar.getAttrs());
    Value result = wide->getResult(0);
    if (auto add = dyn_cast<arith::AddFOp>(wide))
      if (Value fused = fuseMultiplyAdd(rewriter, add))
        result = fused;
    mapping.map(scalar.getResult(0), result);
  }
  return toVector(body->getTerminator()->getOperand(0));
}

SmallVector<Value> TileVectorizer::computeRows(linalg::LinalgOp op,
                                               ArrayRef<Value> init,
                                               const TileShape &shape) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap output = maps.back();
  unsigned laneLoop = output.getDimPosition(shape.getLaneDim());
  // Rows of an operand are shared by all rows of the tile with the same index
  // in that operand and as many lanes.
  SmallVector<DenseMap<ArrayRef<int64_t>, Value>> known(maps.size());
  llvm::BumpPtrAllocator allocator;
  SmallVector<Value> results;
  for (auto [number, row] : llvm::enumerate(shape.getRows())) {
    SmallVector<int64_t> loopIndex(op.getNumLoops(), 0);
    for (auto [dim, value] : llvm::enumerate(row.index))
      loopIndex[output.getDimPosition(dim)] = value;
    SmallVector<Value> operands;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      unsigned input = operand->getOperandNumber();
      SmallVector<int64_t> at = maps[input].compose(loopIndex);
      at.push_back(row.lanes);
      auto it = known[input].find(at);
      if (it == known[input].end()) {
        Value read;
        auto *tile = tiles.find(operand->get());
        if (tile != tiles.end() && maps[input] == output)
          read = tile->second.rows[number];
        else
          read = readRow(op.getLoc(), operand->get(), maps[input], loopIndex,
                         laneLoop, row.lanes);
        it = known[input]
                 .try_emplace(ArrayRef<int64_t>(at).copy(allocator), read)
                 .first;
      }
      operands.push_back(it->second);
    }
    operands.push_back(init.empty() ? Value() : init[number]);
    results.push_back(computeRow(op, operands, row.lanes));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

/// The shape of the tile that `op` computes.
static TileShape getTileShape(linalg::LinalgOp op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto lanes = op->getAttrOfType<DenseI64ArrayAttr>(kLanesAttrName);
  return TileShape(type.getShape(), lanes[0], lanes[1]);
}

Value TileVectorizer::getDestination(Value tile) const {
  auto *it = tiles.find(tile);
  return it == tiles.end() ? tile : it->second.destination;
}

void TileVectorizer::replaceByRows(Operation *op, Value tile,
                                   SmallVector<Value> rows, Value destination,
                                   const TileShape &shape) {
  tiles.insert({tile, Tile{std::move(rows), destination, shape}});
  replaced.push_back(op);
}

void TileVectorizer::vectorize(linalg::LinalgOp op) {
  rewriter.setInsertionPoint(op);
  TileShape shape = getTileShape(op);
  Value init = op.getDpsInits()[0];
  SmallVector<Value> initRows;
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    initRows = readTile(op.getLoc(), init, shape);
  replaceByRows(op, op->getResult(0), computeRows(op, initRows, shape),
                getDestination(init), shape);
}

/// Keeps LLVM from unrolling `loop`.
static void keepRolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true),
                                          {}, {}, {}, {}, {}, {});
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {},
                                              {}, {}, {}, {}, {}, {}, {}, {},
                                              {}, {}));
}

void TileVectorizer::vectorize(scf::ForOp outermost,
                               linalg::GenericOp contraction) {
  TileShape shape = getTileShape(contraction);
  Value init = outermost.getInitArgs()[0];
  Value destination = getDestination(init);
  Value result = outermost.getResult(0);
  rewriter.setInsertionPoint(outermost);
  SmallVector<Value> rows = readTile(outermost.getLoc(), init, shape);

  // Rebuild the loops from the outside with rows in the place of the tile.
  scf::ForOp loop = outermost;
  SmallVector<scf::ForOp> newLoops;
  IRMapping mapping;
  while (true) {
    auto newLoop = scf::ForOp::create(
        rewriter, loop.getLoc(), mapping.lookupOrDefault(loop.getLowerBound()),
        mapping.lookupOrDefault(loop.getUpperBound()),
        mapping.lookupOrDefault(loop.getStep()), rows);
    newLoops.push_back(newLoop);
    // What unrolled taps share would be kept in registers that rows take.
    if (int64_t(rows.size()) > registers / 4)
      keepRolled(newLoop);
    mapping.map(loop.getInductionVar(), newLoop.getInductionVar());
    rows.assign(newLoop.getRegionIterArgs().begin(),
                newLoop.getRegionIterArgs().end());
    rewriter.setInsertionPointToEnd(newLoop.getBody());
    scf::ForOp inner;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isa<scf::ForOp>(op))
        inner = cast<scf::ForOp>(op);
      else if (&op != contraction)
        rewriter.clone(op, mapping);
    }
    if (!inner)
      break;
    loop = inner;
  }
  auto clone = cast<linalg::GenericOp>(rewriter.clone(*contraction, mapping));
  rows = computeRows(clone, rows, shape);
  rewriter.eraseOp(clone);
  for (scf::ForOp newLoop : llvm::reverse(newLoops)) {
    rewriter.setInsertionPointToEnd(newLoop.getBody());
    scf::YieldOp::create(rewriter, newLoop.getLoc(), rows);
    rows.assign(newLoop.getResults().begin(), newLoop.getResults().end());
  }
  replaceByRows(outermost, result, std::move(rows), destination, shape);
}

Value TileVectorizer::writeTile(const Tile &tile, Location loc) {
  unsigned laneDim = tile.shape.getLaneDim();
  Value written = dropUnitsAfter(rewriter, loc, tile.destination, laneDim);
  auto type = cast<RankedTensorType>(written.getType());
  AffineMap map =
      AffineMap::get(type.getRank(), 0, rewriter.getAffineDimExpr(laneDim),
                     rewriter.getContext());
  for (auto [row, at] : llvm::zip_equal(tile.rows, tile.shape.getRows())) {
    SmallVector<Value> indices =
        llvm::map_to_vector(ArrayRef(at.index).take_front(type.getRank()),
                            [&](int64_t value) { return index(loc, value); });
    written =
        vector::TransferWriteOp::create(rewriter, loc, row, written, indices,
                                        map, ArrayRef<bool>{true})
            .getResult();
  }
  return restoreUnits(rewriter, loc, written, tile.destination);
}

void TileVectorizer::finish() {
  DenseSet<Operation *> gone(replaced.begin(), replaced.end());
  for (auto &[value, tile] : tiles) {
    auto isRead = [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return !llvm::any_of(gone,
                           [&](Operation *op) { return op->isAncestor(user); });
    };
    if (llvm::none_of(value.getUses(), isRead))
      continue;
    rewriter.setInsertionPointAfterValue(value);
    Value written = writeTile(tile, value.getLoc());
    rewriter.replaceUsesWithIf(value, written, isRead);
  }
  for (Operation *op : llvm::reverse(replaced)) {
    op->dropAllUses();
    rewriter.eraseOp(op);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Elements of the largest tile that is unrolled into rows: more than any
/// register file holds.
static constexpr int64_t kMaxTileElements = 4096;

/// Whether `op` is marked as the op of a tile and computes one of static size.
static bool isTile(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  auto lanes = op->getAttrOfType<DenseI64ArrayAttr>(kLanesAttrName);
  if (!linalgOp || !lanes || lanes.size() != 2 || op->getNumResults() != 1)
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return lanes[0] >= 0 && lanes[0] < type.getRank() && lanes[1] > 0 &&
         type.hasStaticShape() && type.getNumElements() > 0 &&
         type.getNumElements() <= kMaxTileElements &&
         llvm::all_of(linalgOp.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

/// Whether every reduction of `op` has one term.
static bool hasOneTerm(linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return llvm::all_of(llvm::enumerate(op.getIteratorTypesArray()),
                      [&](auto entry) {
                        return entry.value() == utils::IteratorType::parallel ||
                               sizes[entry.index()] == 1;
                      });
}

/// The contraction that `loop` runs, if it and all loops in it carry the tile
/// and nothing else.
static linalg::GenericOp getContraction(scf::ForOp loop) {
  if (loop.getNumRegionIterArgs() != 1)
    return {};
  Operation *step = loop.getYieldedValues()[0].getDefiningOp();
  BlockArgument tile = loop.getRegionIterArg(0);
  if (!step || step->getBlock() != loop.getBody() || !tile.hasOneUse())
    return {};
  if (auto inner = dyn_cast<scf::ForOp>(step)) {
    if (inner.getNumRegionIterArgs() != 1 || inner.getInitArgs()[0] != tile)
      return {};
    return getContraction(inner);
  }
  auto contraction = dyn_cast<linalg::GenericOp>(step);
  if (!contraction || !isTile(contraction) || !hasOneTerm(contraction) ||
      contraction.getDpsInits()[0] != tile)
    return {};
  return contraction;
}

namespace {
struct VectorizeTilesPass final
    : mlir::convoy::impl::VectorizeTilesPassBase<VectorizeTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    int64_t registers = TargetAttr::lookup(getOperation()).getRegisters();
    for (Region &region : getOperation()->getRegions())
      vectorizeRegion(region, rewriter, registers);
  }

private:
  /// Replaces the tiles of each block, outer blocks first: a reduction loop is
  /// replaced whole, before what is in it.
  static void vectorizeRegion(Region &region, RewriterBase &rewriter,
                              int64_t registers) {
    for (Block &block : region) {
      TileVectorizer tiles(rewriter, registers);
      SmallVector<Operation *> others;
      for (Operation &op : llvm::make_early_inc_range(block)) {
        auto loop = dyn_cast<scf::ForOp>(op);
        if (linalg::GenericOp contraction =
                loop ? getContraction(loop) : linalg::GenericOp())
          tiles.vectorize(loop, contraction);
        else if (isTile(&op) && hasOneTerm(cast<linalg::LinalgOp>(op)))
          tiles.vectorize(cast<linalg::LinalgOp>(op));
        else
          others.push_back(&op);
      }
      tiles.finish();
      for (Operation *op : others)
        for (Region &inner : op->getRegions())
          vectorizeRegion(inner, rewriter, registers);
    }
  }
};
} // namespace
