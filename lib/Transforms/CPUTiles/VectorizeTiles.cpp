//===- VectorizeTiles.cpp - Register tiles as rows of vectors ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileMatrices.h"
#include "TileOps.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/CPUTiles/Passes.h"
#include "convoy/Transforms/Utils/LoopAnnotation.h"
#include "convoy/Transforms/Utils/PlanErrors.h"
#include "convoy/Transforms/Utils/VectorBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <map>

namespace mlir::convoy {
#define GEN_PASS_DEF_VECTORIZETILESPASS
#include "convoy/Transforms/CPUTiles/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// What is added to a row of a tile at a time, or computed of it: one term, or
/// one of each lane where lanes are summed.
struct Product {
  unsigned row;
  SmallVector<int64_t> index; ///< where the loops of its op stand
  int64_t lanes, vectorLanes;
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
  /// What was read of each input, by its index and its lanes, or, where it is a
  /// vector of terms, by the index of the first. All rows and terms share it.
  using KnownRows = SmallVector<std::map<SmallVector<int64_t>, Value>>;
  struct Tile {
    SmallVector<Value> rows;
    Value destination;
    TileShape shape;
    /// Where rows are those of matrices of sums, these, else none.
    std::optional<TileMatrices> matrices = std::nullopt;
    SmallVector<Value> sums = {};

    Value write(OpBuilder &builder, Location loc) const {
      return matrices ? matrices->write(builder, loc, sums, destination)
                      : shape.write(builder, loc, rows, destination);
    }
  };
  /// The rows that `tile` was replaced by, if they are those of `shape`, or
  /// null: what reads it otherwise reads the tensor that finish() writes.
  const Tile *findTile(Value tile, const TileShape &shape) const;
  /// The rows of `tile`, whose index is that of `shape`.
  SmallVector<Value> readTile(Location loc, Value tile, const TileShape &shape);
  /// Brings products into the order in which to compute them: those that share
  /// a vector along the lanes follow each other if registers hold neither all
  /// such vectors nor fewer elements.
  void sortProducts(linalg::LinalgOp op, const TileShape &shape,
                    MutableArrayRef<Product> products) const;
  /// All rows of `op`, or its matrices, given those of its init.
  SmallVector<Value> computeRows(linalg::LinalgOp op, ArrayRef<Value> init,
                                 const TileShape &shape);
  /// The row of `product` with it added to `init`, what its init or the
  /// products before left, if `op` takes that. `known` is what was read before.
  Value computeProduct(linalg::LinalgOp op, Value init, const TileShape &shape,
                       const Product &product, KnownRows &known);
  /// What a row whose loops stand at `index` takes of `operand`, an input that
  /// is no tile.
  Value readOperand(linalg::LinalgOp op, OpOperand *operand,
                    const RowOperand &row, ArrayRef<int64_t> index,
                    KnownRows &known);
  /// What the sums of `op` start from, as rows or matrices: what is in `init`,
  /// or zero where lanes are summed.
  SmallVector<Value> startSums(linalg::LinalgOp op, Value init,
                               const TileShape &shape);
  /// Leaves the rows of `sums`, those of `op`, in the place of the result of
  /// `outermost`, which is `op` or the loops around it.
  void finishSums(Operation *outermost, linalg::LinalgOp op,
                  SmallVector<Value> sums, Value init, const TileShape &shape);
  void replaceByRows(Operation *op, Value tile, SmallVector<Value> rows,
                     Value destination, const TileShape &shape);
  /// The tensor that a replaced tile would have been written into.
  Value getDestination(Value tile, const TileShape &shape) const;

  RewriterBase &rewriter;
  int64_t registers;
  llvm::MapVector<Value, Tile> tiles;
  SmallVector<Operation *> replaced;
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

const TileVectorizer::Tile *
TileVectorizer::findTile(Value tile, const TileShape &shape) const {
  const auto *it = tiles.find(tile);
  bool isSame = it != tiles.end() && it->second.shape == shape;
  return isSame ? &it->second : nullptr;
}

SmallVector<Value> TileVectorizer::readTile(Location loc, Value tile,
                                            const TileShape &shape) {
  if (const Tile *known = findTile(tile, shape))
    return known->rows;
  return shape.read(rewriter, loc, tile);
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// The products of a tile, term by term, each with all rows of `shape`.
static SmallVector<Product> getProducts(linalg::LinalgOp op,
                                        const TileShape &shape) {
  AffineMap output = op.getIndexingMapsArray().back();
  SmallVector<TileRow> rows = shape.getRows();
  SmallVector<Product> products;
  for (const SmallVector<int64_t> &term : getTerms(op, shape)) {
    int64_t lanes = shape.getVectorLanes();
    if (shape.sumsLanes())
      lanes = std::min(lanes, op.getStaticLoopRanges()[shape.getLaneDim()] -
                                  term[shape.getLaneDim()]);
    for (auto [number, row] : llvm::enumerate(rows)) {
      Product &product = products.emplace_back(Product{
          unsigned(number), term, std::min(row.lanes, lanes), row.vectorLanes});
      for (auto [dim, value] : llvm::enumerate(row.index))
        product.index[output.getDimPosition(dim)] = value;
    }
  }
  return products;
}

/// Whether `op` reads at one term what it reads at another: products of terms
/// that each loop has to itself read all else.
static bool sharesTerms(linalg::LinalgOp op) {
  return !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isProjectedPermutation();
  });
}

void TileVectorizer::sortProducts(linalg::LinalgOp op, const TileShape &shape,
                                  MutableArrayRef<Product> products) const {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Where each product reads each of two factors first.
  std::array<SmallVector<unsigned>, 2> firsts;
  std::array<size_t, 2> reads;
  for (unsigned factor : {0, 1}) {
    std::map<SmallVector<int64_t>, unsigned> known;
    for (auto [number, product] : llvm::enumerate(products))
      firsts[factor].push_back(
          known.try_emplace(maps[factor].compose(product.index), number)
              .first->second);
    reads[factor] = known.size();
  }
  unsigned longer = reads[0] > reads[1] ? 0 : 1;
  if (!maps[longer].isFunctionOfDim(shape.getLaneLoop(maps.back())) ||
      int64_t(shape.getRows().size() + reads[longer]) <= registers)
    return;
  auto order = llvm::to_vector(llvm::seq<unsigned>(products.size()));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return firsts[longer][a] < firsts[longer][b];
  });
  llvm::copy(llvm::map_to_vector(
                 order, [&](unsigned number) { return products[number]; }),
             products.begin());
}

Value TileVectorizer::readOperand(linalg::LinalgOp op, OpOperand *operand,
                                  const RowOperand &row,
                                  ArrayRef<int64_t> index, KnownRows &known) {
  std::optional<unsigned> loop = getVectorOfTerms(op, row.map);
  if (!loop || row.map.isFunctionOfDim(row.laneLoop))
    return row.read(rewriter, op.getLoc(), index);
  SmallVector<int64_t> at = row.map.compose(index);
  int64_t term = std::exchange(at.back(), 0);
  Value &terms = known[operand->getOperandNumber()][at];
  if (!terms)
    terms = readTerms(rewriter, op.getLoc(), operand->get(), at,
                      op.getStaticLoopRanges()[*loop]);
  // LLVM would read elements that are taken out one by one.
  return vector::ShuffleOp::create(rewriter, op.getLoc(), terms, terms,
                                   SmallVector<int64_t>(row.vectorLanes, term));
}

/// Whether `op` converts each element of `input`, the same for all lanes,
/// before it does anything else with it: once for vectors of all lengths.
static bool convertsElement(linalg::LinalgOp op, OpOperand *input,
                            unsigned laneLoop) {
  BlockArgument element = op.getMatchingBlockArgument(input);
  return isa<RankedTensorType>(input->get().getType()) &&
         !op.getMatchingIndexingMap(input).isFunctionOfDim(laneLoop) &&
         element.hasOneUse() &&
         isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
             *element.user_begin());
}

Value TileVectorizer::computeProduct(linalg::LinalgOp op, Value init,
                                     const TileShape &shape,
                                     const Product &product, KnownRows &known) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap output = maps.back();
  SmallVector<Value> operands;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    unsigned input = operand->getOperandNumber();
    SmallVector<int64_t> at = maps[input].compose(product.index);
    int64_t lanes = product.lanes, vectorLanes = product.vectorLanes;
    if (!shape.sumsLanes() &&
        convertsElement(op, operand, shape.getLaneLoop(output)))
      lanes = vectorLanes = shape.getVectorLanes();
    llvm::append_values(at, lanes, vectorLanes);
    Value &read = known[input][at];
    if (!read) {
      const Tile *tile = findTile(operand->get(), shape);
      if (tile && maps[input] == output)
        read = tile->rows[product.row];
      else
        read = readOperand(op, operand,
                           RowOperand{operand->get(), maps[input],
                                      shape.getLaneLoop(output), lanes,
                                      vectorLanes},
                           product.index, known);
    }
    operands.push_back(read);
  }
  operands.push_back(init);
  return computeOnVectors(rewriter, op, operands, product.vectorLanes);
}

SmallVector<Value> TileVectorizer::computeRows(linalg::LinalgOp op,
                                               ArrayRef<Value> init,
                                               const TileShape &shape) {
  if (hasMatrices(op))
    return TileMatrices::find(op)->multiply(rewriter, op, init);
  KnownRows known(op.getNumDpsInputs());
  SmallVector<Value> results(init);
  results.resize(shape.getRows().size());
  SmallVector<Product> products = getProducts(op, shape);
  if (!shape.sumsLanes() && op->getNumOperands() == 3) {
    size_t together = sharesTerms(op) ? products.size() : results.size();
    for (size_t first = 0; first < products.size(); first += together)
      sortProducts(op, shape, MutableArrayRef(products).slice(first, together));
  }
  for (const Product &product : products)
    results[product.row] =
        computeProduct(op, results[product.row], shape, product, known);
  return results;
}

SmallVector<Value> TileVectorizer::startSums(linalg::LinalgOp op, Value init,
                                             const TileShape &shape) {
  Location loc = op.getLoc();
  if (!shape.sumsLanes()) {
    SmallVector<Value> rows = readTile(loc, init, shape);
    return hasMatrices(op)
               ? TileMatrices::find(op)->fromRows(rewriter, loc, rows)
               : rows;
  }
  auto type = VectorType::get({shape.getVectorLanes()},
                              getElementTypeOrSelf(init.getType()));
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  return SmallVector<Value>(shape.getRows().size(), zero);
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

Value TileVectorizer::getDestination(Value tile, const TileShape &shape) const {
  const Tile *known = findTile(tile, shape);
  return known ? known->destination : tile;
}

void TileVectorizer::replaceByRows(Operation *op, Value tile,
                                   SmallVector<Value> rows, Value destination,
                                   const TileShape &shape) {
  tiles.insert({tile, Tile{std::move(rows), destination, shape}});
  replaced.push_back(op);
}

void TileVectorizer::vectorize(linalg::LinalgOp op) {
  rewriter.setInsertionPoint(op);
  TileShape shape = TileShape::get(op);
  Value init = op.getDpsInits()[0];
  SmallVector<Value> initRows;
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    initRows = startSums(op, init, shape);
  finishSums(op, op, computeRows(op, initRows, shape), init, shape);
}

void TileVectorizer::finishSums(Operation *outermost, linalg::LinalgOp op,
                                SmallVector<Value> sums, Value init,
                                const TileShape &shape) {
  Location loc = outermost->getLoc();
  Value result = outermost->getResult(0);
  if (hasMatrices(op)) {
    std::optional<TileMatrices> matrices = TileMatrices::find(op);
    replaceByRows(outermost, result, matrices->toRows(rewriter, loc, sums),
                  getDestination(init, shape), shape);
    if (matrices->canWrite(result)) {
      tiles.find(result)->second.matrices = matrices;
      tiles.find(result)->second.sums = std::move(sums);
    }
    return;
  }
  if (!shape.sumsLanes()) {
    replaceByRows(outermost, result, std::move(sums),
                  getDestination(init, shape), shape);
    return;
  }
  rewriter.replaceAllUsesWith(result,
                              addLanes(rewriter, loc, sums, shape, init));
  replaced.push_back(outermost);
}

void TileVectorizer::vectorize(scf::ForOp outermost,
                               linalg::GenericOp contraction) {
  TileShape shape = TileShape::get(contraction);
  Value init = outermost.getInitArgs()[0];
  rewriter.setInsertionPoint(outermost);
  SmallVector<Value> rows = startSums(contraction, init, shape);

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
    if (int64_t(shape.getRows().size()) > registers / 4)
      forbidUnrolling(newLoop);
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
  rewriter.setInsertionPoint(outermost);
  finishSums(outermost, contraction, std::move(rows), init, shape);
}

void TileVectorizer::finish() {
  DenseSet<Operation *> gone(replaced.begin(), replaced.end());
  for (auto &[value, tile] : tiles) {
    auto isRead = [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return !llvm::any_of(gone,
                           [&](Operation *op) { return op->isAncestor(user); });
    };
    auto isDestination = [value = value](const auto &other) {
      return other.second.destination == value;
    };
    if (llvm::none_of(value.getUses(), isRead) &&
        llvm::none_of(tiles, isDestination))
      continue;
    rewriter.setInsertionPointAfterValue(value);
    Value written = tile.write(rewriter, value.getLoc());
    rewriter.replaceUsesWithIf(value, written, isRead);
    for (auto &other : llvm::make_filter_range(tiles, isDestination))
      other.second.destination = written;
  }
  for (Operation *op : llvm::reverse(replaced)) {
    op->dropAllUses();
    rewriter.eraseOp(op);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

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
  if (!contraction || !isTile(contraction) || !hasFewTerms(contraction) ||
      contraction.getDpsInits()[0] != tile)
    return {};
  return contraction;
}

/// Checks that `op`, which is not vectorized, was not meant to be.
static LogicalResult checkIsNoTile(Operation &op) {
  Attribute lanes = op.getAttr(TileLanesAttr::getAttrName());
  bool isEmpty = llvm::any_of(op.getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::is_contained(tensor.getShape(), 0);
  });
  if (!lanes || isEmpty)
    return success();
  return emitPlanError(&op, lanes) << "it cannot be computed by such vectors";
}

namespace {
struct VectorizeTilesPass final
    : mlir::convoy::impl::VectorizeTilesPassBase<VectorizeTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    int64_t registers = TargetAttr::lookup(getOperation()).getRegisters();
    for (Region &region : getOperation()->getRegions())
      if (failed(vectorizeRegion(region, rewriter, registers)))
        return signalPassFailure();
  }

private:
  /// Replaces the tiles of each block, outer blocks first: a reduction loop is
  /// replaced whole, before what is in it.
  static LogicalResult vectorizeRegion(Region &region, RewriterBase &rewriter,
                                       int64_t registers) {
    for (Block &block : region) {
      TileVectorizer tiles(rewriter, registers);
      SmallVector<Operation *> others;
      for (Operation &op : llvm::make_early_inc_range(block)) {
        auto loop = dyn_cast<scf::ForOp>(op);
        if (linalg::GenericOp contraction =
                loop ? getContraction(loop) : linalg::GenericOp())
          tiles.vectorize(loop, contraction);
        else if (isTile(&op) && hasFewTerms(cast<linalg::LinalgOp>(op)))
          tiles.vectorize(cast<linalg::LinalgOp>(op));
        else
          others.push_back(&op);
      }
      tiles.finish();
      for (Operation *op : others) {
        if (failed(checkIsNoTile(*op)))
          return failure();
        for (Region &inner : op->getRegions())
          if (failed(vectorizeRegion(inner, rewriter, registers)))
            return failure();
      }
    }
    return success();
  }
};
} // namespace
