//===- MatricesToAMX.cpp - Matrices of words in AMX's tiles -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intrinsics that name tiles by their numbers are called, not those for which
// LLVM allocates tiles: it gives each tile one shape in a whole function, and
// functions for remainders have more shapes than there are tiles.
//
//===----------------------------------------------------------------------===//

#include "TileConfigs.h"

#include "convoy/Conversion/Passes.h"
#include "convoy/Conversion/Utils/WordChains.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_MATRICESTOAMXPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CPUDotInstruction;

//===----------------------------------------------------------------------===//
// Finding products
//===----------------------------------------------------------------------===//

/// The dimension of the buffer that `transfer` reads or writes, which follows
/// the rows of its matrix; nothing where it is none, or their elements are not
/// side by side.
template <typename Transfer>
static std::optional<unsigned> getRowDim(Transfer transfer) {
  auto type = dyn_cast<MemRefType>(transfer.getShapedType());
  AffineMap map = transfer.getPermutationMap();
  if (!type || transfer.getMask() || transfer.hasOutOfBoundsDim() ||
      transfer.getVectorType().getRank() != 2 || !map.isProjectedPermutation())
    return std::nullopt;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      strides[map.getDimPosition(1)] != 1)
    return std::nullopt;
  return map.getDimPosition(0);
}

/// The read of `matrix`, of words or what they hold, if a tile can hold it;
/// null if none can.
static vector::TransferReadOp getRead(Value matrix) {
  ArrayRef<int64_t> sizes = cast<VectorType>(matrix.getType()).getShape();
  if (auto words = matrix.getDefiningOp<vector::BitCastOp>())
    matrix = words.getSource();
  auto read = matrix.getDefiningOp<vector::TransferReadOp>();
  if (!read || !getRowDim(read))
    return {};
  return sizes[0] <= ::convoy::kTileRows && sizes[1] <= ::convoy::kTileWords
             ? read
             : vector::TransferReadOp();
}

/// Products of tiles that share what they read or the loops around them.
struct TileGroup {
  SmallVector<WordChain> chains;
  llvm::SetVector<Value> rows, columns; ///< the factors of any one step

  bool fits() const {
    return chains.size() + rows.size() + columns.size() <= ::convoy::kTiles;
  }
};

/// The products of `steps`, innermost, of which a chain has one at a time.
static SmallVector<const WordStep *> getProducts(ArrayRef<WordStep> steps) {
  SmallVector<const WordStep *> products;
  for (const WordStep &step : steps) {
    if (step.loop)
      llvm::append_range(products, getProducts(step.body));
    else
      products.push_back(&step);
  }
  return products;
}

/// Whether the sums of `a` and `b` are multiplied by one group of tiles.
static bool areTogether(const WordChain &a, const WordChain &b) {
  const WordStep &first = a.steps.front(), &other = b.steps.front();
  if (first.loop || other.loop)
    return first.loop == other.loop;
  return first.words.a == other.words.a || first.words.b == other.words.b;
}

//===----------------------------------------------------------------------===//
// Multiplying
//===----------------------------------------------------------------------===//

namespace {
/// Replaces the products of a group by instructions.
class TileMultiplier {
public:
  TileMultiplier(IRRewriter &rewriter, TargetAttr target,
                 const TileGroup &group)
      : rewriter(rewriter), target(target), group(group) {}

  void replace();
  const TileConfig &getConfig() const { return config; }
  Operation *getFirst() const { return firstOp; }
  Operation *getLast() const { return lastOp; }

private:
  /// The number of the tile with this matrix of `values`, which come after
  /// `before` other tiles.
  static int64_t find(const llvm::SetVector<Value> &values, Value matrix,
                      size_t before) {
    return int64_t(before) + (llvm::find(values, matrix) - values.begin());
  }
  Value createNumber(Location loc, int64_t number) {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getI8IntegerAttr(int8_t(number)));
  }
  Operation *call(Location loc, StringRef intrinsic, ValueRange operands) {
    Operation *op = LLVM::CallIntrinsicOp::create(
        rewriter, loc, rewriter.getStringAttr(intrinsic), operands);
    own.insert(op);
    return op;
  }
  /// Notes that tile `number` holds a matrix of `type`.
  void setShape(int64_t number, VectorType type);
  /// Loads or stores tile `number` at `pointer`, rows `stride` bytes apart.
  Operation *move(Location loc, StringRef intrinsic, int64_t number,
                  Value pointer, Value stride);
  /// Loads or stores tile `number` as `transfer` does its matrix.
  template <typename Transfer>
  Operation *moveBy(Transfer transfer, StringRef intrinsic, int64_t number);
  void load(Value matrix, int64_t number);
  /// Lets tile `number` hold what `chain` starts from.
  void start(const WordChain &chain, int64_t number);
  void multiply(const WordStep &step, int64_t number);
  /// The op that writes `sums`, which are computed in `last`, if a tile can be
  /// stored in its place: nothing between uses tiles for anything else.
  vector::TransferWriteOp findWrite(Value sums, Operation *last) const;
  /// Stores tile `number` where the end of `chain` is written, if it can be.
  void store(const WordChain &chain, int64_t number);
  /// Lets what else uses the end of `chain` read it from memory.
  void finish(const WordChain &chain, int64_t number);
  /// Notes that `op` uses tiles.
  void noteLast(Operation *op) {
    if (!lastOp || lastOp->isBeforeInBlock(op))
      lastOp = op;
  }
  /// Memory for the matrix of `type` of tile `number`.
  Value getMemory(Operation *user, VectorType type);
  Value createStride(Location loc, int64_t bytes) {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getI64IntegerAttr(bytes));
  }

  IRRewriter &rewriter;
  TargetAttr target;
  const TileGroup &group;
  TileConfig config;
  Operation *firstOp = nullptr, *lastOp = nullptr;
  SmallVector<vector::TransferWriteOp> writes; ///< in whose place are tiles
  DenseSet<std::pair<Block *, Value>> loaded;
  DenseSet<Operation *> own; ///< what multiplies, and what it replaces
};
} // namespace

void TileMultiplier::setShape(int64_t number, VectorType type) {
  config.tiles[number] = {uint8_t(type.getDimSize(0)),
                          uint16_t(4 * type.getDimSize(1))};
}

Operation *TileMultiplier::move(Location loc, StringRef intrinsic,
                                int64_t number, Value pointer, Value stride) {
  return call(loc, intrinsic, {createNumber(loc, number), pointer, stride});
}

template <typename Transfer>
Operation *TileMultiplier::moveBy(Transfer transfer, StringRef intrinsic,
                                  int64_t number) {
  Location loc = transfer.getLoc();
  Value memref = transfer.getBase();
  auto metadata =
      memref::ExtractStridedMetadataOp::create(rewriter, loc, memref);
  Value size = arith::ConstantIndexOp::create(
      rewriter, loc,
      cast<MemRefType>(memref.getType()).getElementTypeBitWidth() / 8);
  Value bytes = arith::MulIOp::create(
      rewriter, loc, metadata.getStrides()[*getRowDim(transfer)], size);
  Value stride =
      arith::IndexCastOp::create(rewriter, loc, rewriter.getI64Type(), bytes);
  return move(loc, intrinsic, number,
              createPointer(rewriter, loc, memref, transfer.getIndices()),
              stride);
}

void TileMultiplier::load(Value matrix, int64_t number) {
  setShape(number, cast<VectorType>(matrix.getType()));
  moveBy(getRead(matrix), "llvm.x86.tileloadd64", number);
}

Value TileMultiplier::getMemory(Operation *user, VectorType type) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(getStackBlock(user));
  return memref::AllocaOp::create(
      rewriter, user->getLoc(),
      MemRefType::get({type.getDimSize(0), ::convoy::kTileWords},
                      type.getElementType()),
      rewriter.getI64IntegerAttr(64));
}

/// The rows that are inserted into one another to make `matrix`, the last
/// first; empty where it is not made so.
static SmallVector<vector::InsertOp> getInsertedRows(Value matrix) {
  SmallVector<vector::InsertOp> rows;
  while (auto insert = matrix.getDefiningOp<vector::InsertOp>()) {
    if (insert.hasDynamicPosition() || insert.getStaticPosition().size() != 1 ||
        !isa<VectorType>(insert.getValueToStoreType()))
      return {};
    rows.push_back(insert);
    matrix = insert.getDest();
  }
  bool isWhole =
      !rows.empty() && matrix.getDefiningOp<ub::PoisonOp>() &&
      int64_t(rows.size()) >= rows[0].getDestVectorType().getDimSize(0);
  return isWhole ? rows : SmallVector<vector::InsertOp>();
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

void TileMultiplier::start(const WordChain &chain, int64_t number) {
  const WordStep &step = chain.steps.front();
  Operation *before = step.loop ? step.getOp() : step.first;
  Value matrix = chain.getStart();
  Location loc = before->getLoc();
  auto type = cast<VectorType>(matrix.getType());
  setShape(number, type);
  rewriter.setInsertionPoint(before);
  SmallVector<vector::InsertOp> rows = getInsertedRows(matrix);
  if (isZero(matrix) ||
      (!rows.empty() && llvm::all_of(rows, [](vector::InsertOp row) {
        return isZero(row.getValueToStore());
      }))) {
    Operation *zero = call(loc, "llvm.x86.tilezero", createNumber(loc, number));
    firstOp = firstOp ? firstOp : zero;
    return;
  }
  Value memory = getMemory(before, type);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  if (rows.empty())
    vector::TransferWriteOp::create(rewriter, loc, matrix, memory,
                                    ValueRange{zero, zero},
                                    ArrayRef<bool>{true, true});
  for (vector::InsertOp row : llvm::reverse(rows)) {
    Value place = arith::ConstantIndexOp::create(rewriter, loc,
                                                 row.getStaticPosition()[0]);
    vector::StoreOp::create(rewriter, loc, row.getValueToStore(), memory,
                            ValueRange{place, zero});
  }
  Operation *read = move(loc, "llvm.x86.tileloadd64", number,
                         createPointer(rewriter, loc, memory, {zero, zero}),
                         createStride(loc, 4 * ::convoy::kTileWords));
  firstOp = firstOp ? firstOp : read;
}

void TileMultiplier::multiply(const WordStep &step, int64_t number) {
  Location loc = step.sum->getLoc();
  rewriter.setInsertionPoint(step.sum);
  for (Operation *op = step.sum;; op = getAddend(op).get().getDefiningOp()) {
    own.insert(op);
    if (op == step.first)
      break;
  }
  int64_t rows = find(group.rows, step.words.a, group.chains.size());
  int64_t columns = find(group.columns, step.words.b,
                         group.chains.size() + group.rows.size());
  for (auto [matrix, tile] :
       {std::pair(step.words.a, rows), std::pair(step.words.b, columns)})
    if (loaded.insert({step.sum->getBlock(), matrix}).second)
      load(matrix, tile);
  const CPUDotInstruction *instruction =
      findTileInstruction(step.words.parts, target);
  call(loc, instruction->tileIntrinsic,
       {createNumber(loc, number), createNumber(loc, rows),
        createNumber(loc, columns)});
}

vector::TransferWriteOp TileMultiplier::findWrite(Value sums,
                                                  Operation *last) const {
  for (OpOperand &use : sums.getUses()) {
    auto write = dyn_cast<vector::TransferWriteOp>(use.getOwner());
    if (!write || !getRowDim(write) || write->getBlock() != last->getBlock())
      continue;
    auto isOther = [&](Operation *op) {
      return op->getNumRegions() != 0 ||
             (isa<LLVM::CallIntrinsicOp, vector::ContractionOp>(op) &&
              !own.contains(op));
    };
    Operation *op = last->getNextNode();
    while (op != write && !isOther(op))
      op = op->getNextNode();
    if (op == write)
      return write;
  }
  return {};
}

void TileMultiplier::store(const WordChain &chain, int64_t number) {
  Operation *last = chain.steps.back().getOp();
  vector::TransferWriteOp write = findWrite(chain.end, last);
  if (!write)
    return;
  rewriter.setInsertionPoint(write);
  Operation *stored = moveBy(write, "llvm.x86.tilestored64", number);
  writes.push_back(write);
  noteLast(stored);
}

void TileMultiplier::finish(const WordChain &chain, int64_t number) {
  if (chain.end.use_empty())
    return;
  Operation *last = chain.steps.back().getOp();
  Location loc = last->getLoc();
  auto type = cast<VectorType>(chain.end.getType());
  Value memory = getMemory(last, type);
  rewriter.setInsertionPointAfter(last);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Operation *stored = move(loc, "llvm.x86.tilestored64", number,
                           createPointer(rewriter, loc, memory, {zero, zero}),
                           createStride(loc, 4 * ::convoy::kTileWords));
  noteLast(stored);
  Value all;
  for (OpOperand &use : llvm::make_early_inc_range(chain.end.getUses())) {
    auto row = dyn_cast<vector::ExtractOp>(use.getOwner());
    if (row && !row.hasDynamicPosition() &&
        row.getStaticPosition().size() == 1) {
      rewriter.setInsertionPoint(row);
      Value place = arith::ConstantIndexOp::create(rewriter, loc,
                                                   row.getStaticPosition()[0]);
      rewriter.replaceOpWithNewOp<vector::LoadOp>(
          row, cast<VectorType>(row.getType()), memory,
          ValueRange{place, zero});
      continue;
    }
    if (!all) {
      rewriter.setInsertionPointAfter(stored);
      all = vector::TransferReadOp::create(
          rewriter, loc, type, memory, ValueRange{zero, zero},
          ub::PoisonOp::create(rewriter, loc, type.getElementType()),
          ArrayRef<bool>{true, true});
    }
    rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(all); });
  }
}

/// Lets the loops of `steps` carry what they carried into them.
static void carryUnchanged(ArrayRef<WordStep> steps) {
  for (const WordStep &step : steps) {
    if (!step.loop)
      continue;
    carryUnchanged(step.body);
    step.loop.getBody()->getTerminator()->setOperand(
        step.number, step.loop.getRegionIterArg(step.number));
  }
}

void TileMultiplier::replace() {
  for (auto [number, chain] : llvm::enumerate(group.chains))
    start(chain, int64_t(number));
  // In the order of the block, so that what is loaded stands before its uses.
  SmallVector<std::pair<const WordStep *, int64_t>> products;
  for (auto [number, chain] : llvm::enumerate(group.chains))
    for (const WordStep *step : getProducts(chain.steps))
      products.emplace_back(step, int64_t(number));
  llvm::stable_sort(products, [](const auto &a, const auto &b) {
    Operation *first = a.first->sum, *second = b.first->sum;
    return first->getBlock() == second->getBlock() &&
           first->isBeforeInBlock(second);
  });
  for (auto [step, number] : products)
    multiply(*step, number);
  for (auto [number, chain] : llvm::enumerate(group.chains))
    store(chain, int64_t(number));
  for (vector::TransferWriteOp write : writes)
    rewriter.eraseOp(write);
  for (auto [number, chain] : llvm::enumerate(group.chains))
    finish(chain, int64_t(number));
  for (const WordChain &chain : group.chains)
    carryUnchanged(chain.steps);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct MatricesToAMXPass final
    : mlir::convoy::impl::MatricesToAMXPassBase<MatricesToAMXPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    IRRewriter rewriter(&getContext());
    TileConfigs configs;
    for (const TileGroup &group : findGroups(target)) {
      TileMultiplier multiplier(rewriter, target, group);
      multiplier.replace();
      configs.add(multiplier.getFirst(), multiplier.getLast(),
                  multiplier.getConfig());
    }
    configs.load(rewriter);
    eraseUnused(getOperation());
  }

private:
  std::vector<TileGroup> findGroups(TargetAttr target) {
    auto match = [&](Operation *op) {
      std::optional<WordSum> words = matchMatrixSum(op);
      return words && findTileInstruction(words->parts, target) &&
                     getRead(words->a) && getRead(words->b)
                 ? words
                 : std::nullopt;
    };
    std::vector<TileGroup> groups;
    for (WordChain &chain : WordChainFinder(getOperation(), match).find()) {
      auto group = llvm::find_if(groups, [&](const TileGroup &group) {
        return llvm::any_of(group.chains, [&](const WordChain &other) {
          return areTogether(other, chain);
        });
      });
      if (group == groups.end())
        group = groups.insert(groups.end(), TileGroup());
      for (const WordStep *step : getProducts(chain.steps)) {
        group->rows.insert(step->words.a);
        group->columns.insert(step->words.b);
      }
      group->chains.push_back(std::move(chain));
    }
    llvm::erase_if(groups,
                   [](const TileGroup &group) { return !group.fits(); });
    return groups;
  }
};
} // namespace
