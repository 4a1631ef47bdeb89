//===- VectorizeCopies.cpp - Copies by vectors ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transpositions.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/LoopAnnotation.h"
#include "convoy/Transforms/Utils/LoopStrides.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_VECTORIZECOPIESPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// What is copied
//===----------------------------------------------------------------------===//

/// Whether `op` copies one buffer into another.
static bool copiesBuffer(linalg::GenericOp op) {
  return isCopy(op) && op.hasPureBufferSemantics() &&
         isa<MemRefType>(op.getDpsInputs()[0].getType()) &&
         op.getIndexingMapsArray()[1].isPermutation();
}

/// How far apart in memory two steps of each loop lie, in elements; failure if
/// that is dynamic.
static FailureOr<SmallVector<int64_t>> getStrides(AffineMap map,
                                                  MemRefType type) {
  SmallVector<int64_t> dimStrides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(dimStrides, offset)) ||
      llvm::any_of(dimStrides, ShapedType::isDynamic))
    return failure();
  FailureOr<LoopStrides> strides =
      getLoopStrides(map, LoopStrides(dimStrides.begin(), dimStrides.end()));
  if (failed(strides))
    return failure();
  return llvm::map_to_vector(*strides, [](auto stride) { return *stride; });
}

static bool isInDefaultSpace(Value buffer) {
  return !cast<MemRefType>(buffer.getType()).getMemorySpace();
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// The most lanes: a block of them squared is held in registers.
static constexpr int64_t kMaxLanes = 16;

namespace {
/// One copy, `lanes` elements of its destination at a time.
class CopyVectorizer {
public:
  CopyVectorizer(RewriterBase &rewriter, Transpositions &transpositions,
                 linalg::GenericOp op, TargetAttr target)
      : rewriter(rewriter), transpositions(transpositions), loc(op.getLoc()),
        source(op.getDpsInputs()[0]), destination(op.getDpsInits()[0]),
        sourceMap(op.getIndexingMapsArray()[0]),
        destinationMap(op.getIndexingMapsArray()[1]),
        sizes(op.getStaticLoopRanges()) {
    Type element = getElementTypeOrSelf(destination.getType());
    lanes = int64_t(llvm::bit_floor(
        uint64_t(std::min(target.getVectorLanes(element), kMaxLanes))));
    masks = target.hasMasks();
    keepsOrder = getStaticBytes(cast<MemRefType>(destination.getType())) >
                 double(target.getLastLevelBytes());
  }

  /// Finds out how to copy; returns whether vectors can do it.
  bool plan();
  /// Whether it transposes blocks that a function of the module can transpose.
  bool canCall() const {
    return readLoop != writtenLoop && !interleaves && readStride > 0 &&
           writtenStride > 0 && isInDefaultSpace(source) &&
           isInDefaultSpace(destination);
  }
  /// Emits the copy; `calls` says that functions transpose its blocks.
  void emit(bool calls) {
    callsFunctions = calls;
    if (interleaves)
      collapseDestination();
    SmallVector<Value> indices(sizes.size());
    emitLoops(0, indices, {});
  }

private:
  /// How many elements of the loops of a block one step takes.
  struct Block {
    int64_t read = 1, written = 1;
  };

  /// The loop at this depth: they keep the destination's order, but if it is
  /// held in a cache what lies side by side in the source is innermost, so that
  /// a transposition reads as few streams at a time as it can.
  unsigned getLoop(unsigned depth) const {
    if (keepsOrder)
      return depth;
    if (depth + 1 == sizes.size())
      return readLoop;
    return depth < readLoop ? depth : depth + 1;
  }
  /// Emits loops from this depth on, then the block.
  void emitLoops(unsigned depth, MutableArrayRef<Value> indices, Block block);
  void emitBlock(ArrayRef<Value> indices, Block block);
  /// Writes elements of all streams in turn.
  void emitInterleaved(ArrayRef<Value> indices, Block block);

  /// Whether the destination holds an element of each of a few streams in turn.
  bool isInterleaved(ArrayRef<int64_t> written);
  /// Makes the streams' dimension one with that along them.
  void collapseDestination();
  /// Elements from `indices`, with `offset` more steps of `loop`.
  Value load(ArrayRef<Value> indices, unsigned loop, int64_t offset,
             int64_t size);
  Value loadFrom(ArrayRef<Value> address, int64_t size);
  /// How many elements ahead of each row of a block reading starts; 0 where
  /// nothing follows.
  int64_t getDistanceAhead(ArrayRef<Value> indices) const;
  /// Starts to read a row of a block that lies `ahead` elements further on.
  void prefetch(ArrayRef<Value> indices, int64_t row, int64_t ahead);
  void store(Value vector, ArrayRef<Value> indices, unsigned loop,
             int64_t offset);
  /// `size` elements that lie `stride` apart in memory.
  Value loadStrided(ArrayRef<Value> indices, int64_t size);
  SmallVector<Value> getAddress(AffineMap map, ArrayRef<Value> indices,
                                unsigned loop, int64_t offset);
  /// `vector` as the destination's elements.
  Value toElements(Value vector);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  RewriterBase &rewriter;
  Transpositions &transpositions;
  Location loc;
  Value source, destination;
  AffineMap sourceMap, destinationMap;
  SmallVector<int64_t> sizes;
  int64_t lanes;
  bool masks;
  /// Whether what is written goes to memory, by whole lines, best side by side.
  bool keepsOrder;
  /// The loops along which elements lie side by side in the source and in the
  /// destination.
  unsigned readLoop = 0, writtenLoop = 0;
  /// Distance in the source of two elements along `writtenLoop` where they are
  /// read together.
  int64_t stride = 1;
  /// Distance in the source of two rows of a block that is transposed, and in
  /// the destination.
  int64_t readStride = 0, writtenStride = 0;
  bool callsFunctions = false;
  /// Whether elements along `writtenLoop` are streams that run along `readLoop`
  /// and are written in turn.
  bool interleaves = false;
};
} // namespace

/// Vectors further apart than this are not worth reading what lies between.
static constexpr int64_t kMaxStride = 4;

/// How many blocks ahead of a transposition its rows are asked for: as many
/// streams as rows are more than hardware follows.
static constexpr int64_t kBlocksAhead = 2;

bool CopyVectorizer::plan() {
  FailureOr<SmallVector<int64_t>> read =
      getStrides(sourceMap, cast<MemRefType>(source.getType()));
  FailureOr<SmallVector<int64_t>> written =
      getStrides(destinationMap, cast<MemRefType>(destination.getType()));
  if (failed(read) || failed(written) || sizes.empty() ||
      llvm::any_of(sizes, ShapedType::isDynamic) ||
      llvm::is_contained(sizes, 0))
    return false;
  auto hasUnitStride = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).isLastDimUnitStride();
  };
  if (!hasUnitStride(source) || !hasUnitStride(destination))
    return false;
  // The loop that runs along the last dimension of a buffer; sizes of 1 have
  // any stride.
  auto findUnit = [&](ArrayRef<int64_t> strides,
                      AffineMap map) -> std::optional<unsigned> {
    AffineExpr last = map.getResults().back();
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (strides[loop] == 1 && sizes[loop] > 1 && last.isFunctionOfDim(loop))
        return loop;
    return std::nullopt;
  };
  std::optional<unsigned> writtenUnit = findUnit(*written, destinationMap);
  if (!writtenUnit)
    return false;
  writtenLoop = *writtenUnit;
  readLoop = writtenLoop;
  stride = (*read)[writtenLoop];
  if (stride >= 1 && stride <= kMaxStride &&
      sourceMap.getResults().back().isFunctionOfDim(writtenLoop))
    return true;
  std::optional<unsigned> readUnit = findUnit(*read, sourceMap);
  if (!readUnit)
    return false;
  readLoop = *readUnit;
  interleaves = isInterleaved(*written);
  keepsOrder &= sizes[writtenLoop] >= lanes;
  readStride = (*read)[writtenLoop];
  writtenStride = (*written)[readLoop];
  return true;
}

bool CopyVectorizer::isInterleaved(ArrayRef<int64_t> written) {
  unsigned rank = destinationMap.getNumResults();
  // Each vector is put together from all streams, one after the other.
  return 2 * sizes[writtenLoop] <= lanes && rank > 1 &&
         written[readLoop] == sizes[writtenLoop] &&
         destinationMap.getResult(rank - 2).isFunctionOfDim(readLoop) &&
         memref::CollapseShapeOp::isGuaranteedCollapsible(
             cast<MemRefType>(destination.getType()), joinLastDims(rank));
}

void CopyVectorizer::collapseDestination() {
  destination = memref::CollapseShapeOp::create(
      rewriter, loc, destination, joinLastDims(destinationMap.getNumResults()));
  SmallVector<AffineExpr> results(destinationMap.getResults().drop_back());
  results.back() = results.back() * sizes[writtenLoop];
  destinationMap = AffineMap::get(destinationMap.getNumDims(), 0, results,
                                  destinationMap.getContext());
}

void CopyVectorizer::emitLoops(unsigned depth, MutableArrayRef<Value> indices,
                               Block block) {
  if (depth == sizes.size())
    return emitBlock(indices, block);
  unsigned loop = getLoop(depth);
  int64_t size = sizes[loop];
  int64_t step = loop == readLoop || loop == writtenLoop ? lanes : 1;
  // A rest of whole vectors copies some elements again.
  bool overlaps = readLoop == writtenLoop || interleaves;
  if (overlaps)
    step = std::min<int64_t>(step, llvm::bit_floor(uint64_t(size)));
  if (interleaves && loop == writtenLoop)
    step = size;
  auto emitStep = [&](Value at, int64_t taken) {
    Block next = block;
    if (loop == readLoop)
      next.read = taken;
    if (loop == writtenLoop)
      next.written = taken;
    indices[loop] = at;
    emitLoops(depth + 1, indices, next);
  };
  int64_t whole = size / step * step;
  if (whole == step) {
    emitStep(index(0), step);
  } else if (whole > 0) {
    auto forOp =
        scf::ForOp::create(rewriter, loc, index(0), index(whole), index(step));
    if (overlaps || callsFunctions)
      forbidUnrolling(forOp);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(forOp.getBody());
    emitStep(forOp.getInductionVar(), step);
  }
  if (whole < size && overlaps)
    emitStep(index(size - step), step);
  else if (whole < size)
    emitStep(index(whole), size - whole);
}

SmallVector<Value> CopyVectorizer::getAddress(AffineMap map,
                                              ArrayRef<Value> indices,
                                              unsigned loop, int64_t offset) {
  SmallVector<OpFoldResult> operands(indices);
  if (offset != 0) {
    AffineExpr dim = rewriter.getAffineDimExpr(0);
    operands[loop] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, dim + offset, {operands[loop]});
  }
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    OpFoldResult at = affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(map.getNumDims(), 0, expr), operands);
    return getValueOrCreateConstantIndexOp(rewriter, loc, at);
  });
}

Value CopyVectorizer::load(ArrayRef<Value> indices, unsigned loop,
                           int64_t offset, int64_t size) {
  return loadFrom(getAddress(sourceMap, indices, loop, offset), size);
}

Value CopyVectorizer::loadFrom(ArrayRef<Value> address, int64_t size) {
  Type element = getElementTypeOrSelf(source.getType());
  Value vector = vector::LoadOp::create(
      rewriter, loc, VectorType::get({size}, element), source, address);
  return castElements(rewriter, loc, vector, getBitsType(element));
}

int64_t CopyVectorizer::getDistanceAhead(ArrayRef<Value> indices) const {
  int64_t ahead = kBlocksAhead * lanes;
  bool follows =
      sizes[readLoop] > ahead && isa<BlockArgument>(indices[readLoop]);
  return follows ? ahead : 0;
}

void CopyVectorizer::prefetch(ArrayRef<Value> indices, int64_t row,
                              int64_t ahead) {
  SmallVector<Value> next(indices);
  next[readLoop] =
      arith::AddIOp::create(rewriter, loc, next[readLoop], index(ahead));
  memref::PrefetchOp::create(rewriter, loc, source,
                             getAddress(sourceMap, next, writtenLoop, row),
                             /*isWrite=*/false, /*localityHint=*/3,
                             /*isDataCache=*/true);
}

Value CopyVectorizer::toElements(Value vector) {
  return castElements(rewriter, loc, vector,
                      getElementTypeOrSelf(destination.getType()));
}

void CopyVectorizer::store(Value vector, ArrayRef<Value> indices, unsigned loop,
                           int64_t offset) {
  vector::StoreOp::create(rewriter, loc, toElements(vector), destination,
                          getAddress(destinationMap, indices, loop, offset));
}

Value CopyVectorizer::loadStrided(ArrayRef<Value> indices, int64_t size) {
  if (stride == 1 || size == 1)
    return load(indices, writtenLoop, 0, size);
  // Vectors of `size` that overlap in the last, so that none reads past the
  // last element: element `lane` lies at lane * stride, in the vector from
  // `start`.
  int64_t length = stride * (size - 1) + 1;
  Value result;
  SmallVector<int64_t> taken(size, -1);
  for (int64_t number = 0; number * size < length; ++number) {
    int64_t start = std::min(number * size, length - size);
    SmallVector<Value> address = getAddress(sourceMap, indices, writtenLoop, 0);
    address.back() =
        arith::AddIOp::create(rewriter, loc, address.back(), index(start));
    Value part = loadFrom(address, size);
    SmallVector<int64_t> mask(size, -1);
    for (int64_t lane = 0; lane < size; ++lane) {
      int64_t at = lane * stride - start;
      if (taken[lane] >= 0)
        mask[lane] = lane;
      else if (at >= 0 && at < size)
        mask[lane] = size + (taken[lane] = at);
    }
    result = vector::ShuffleOp::create(rewriter, loc, result ? result : part,
                                       part, mask);
  }
  return result;
}

void CopyVectorizer::emitBlock(ArrayRef<Value> indices, Block block) {
  if (readLoop == writtenLoop)
    return store(loadStrided(indices, block.written), indices, writtenLoop, 0);
  if (interleaves)
    return emitInterleaved(indices, block);
  int64_t ahead = getDistanceAhead(indices);
  if (callsFunctions && block.read == lanes && block.written == lanes)
    return transpositions.call(
        rewriter, loc, {lanes, readStride, writtenStride, ahead}, source,
        getAddress(sourceMap, indices, writtenLoop, 0), destination,
        getAddress(destinationMap, indices, readLoop, 0));
  SmallVector<Value> rows;
  for (int64_t row = 0; ahead != 0 && row < block.written; ++row)
    prefetch(indices, row, ahead);
  for (int64_t row = 0; row < block.written; ++row)
    rows.push_back(loadRow(rewriter, loc, source,
                           getAddress(sourceMap, indices, writtenLoop, row),
                           {block.read, lanes, masks}));
  // Nothing reads these. Of rows without a value LLVM 22 makes instructions for
  // AVX-512 that it then does not know.
  if (block.written < lanes)
    rows.resize(lanes,
                arith::ConstantOp::create(
                    rewriter, loc, rewriter.getZeroAttr(rows[0].getType())));
  rows = transposeRows(rewriter, loc, std::move(rows));
  for (int64_t row = 0; row < block.read; ++row)
    storeRow(rewriter, loc, toElements(rows[row]), destination,
             getAddress(destinationMap, indices, readLoop, row),
             {block.written, lanes, masks});
}

/// A row's vector and that of each row after it are merged until all elements
/// of one vector of the destination are there.
void CopyVectorizer::emitInterleaved(ArrayRef<Value> indices, Block block) {
  int64_t size = block.read, streams = block.written;
  SmallVector<Value> rows;
  for (int64_t row = 0; row < streams; ++row)
    rows.push_back(load(indices, writtenLoop, row, size));
  SmallVector<Value> address =
      getAddress(destinationMap, indices, writtenLoop, 0);
  Value begin = address.back();
  for (int64_t first = 0; first < size * streams; first += size) {
    Value merged = rows[0];
    for (int64_t row = 1; row < streams; ++row) {
      SmallVector<int64_t> mask(size, -1);
      for (int64_t lane = 0; lane < size; ++lane) {
        int64_t from = (first + lane) % streams, at = (first + lane) / streams;
        if (from == row)
          mask[lane] = size + at;
        else if (from < row)
          mask[lane] = row == 1 ? at : lane;
      }
      merged =
          vector::ShuffleOp::create(rewriter, loc, merged, rows[row], mask);
    }
    address.back() = arith::AddIOp::create(rewriter, loc, begin, index(first));
    vector::StoreOp::create(rewriter, loc, toElements(merged), destination,
                            address);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The most copies that transpose in place. Calls take a twentieth of the time
/// of a kernel that does little else, as a depthwise convolution, which has
/// few.
static constexpr int64_t kMaxInPlace = 6;

namespace {
struct VectorizeCopiesPass final
    : mlir::convoy::impl::VectorizeCopiesPassBase<VectorizeCopiesPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    SmallVector<linalg::GenericOp> copies;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (copiesBuffer(op))
        copies.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    Transpositions transpositions(getOperation());
    std::vector<std::pair<linalg::GenericOp, CopyVectorizer>> planned;
    for (linalg::GenericOp op : copies) {
      rewriter.setInsertionPoint(op);
      op = collapseRuns(rewriter, op);
      Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
      if (!isWholeInVectors(element))
        continue;
      CopyVectorizer copy(rewriter, transpositions, op, target);
      if (copy.plan())
        planned.emplace_back(op, std::move(copy));
    }
    bool calls = llvm::count_if(planned, [](auto &copy) {
                   return copy.second.canCall();
                 }) > kMaxInPlace;
    for (auto &[op, copy] : planned) {
      rewriter.setInsertionPoint(op);
      copy.emit(calls && copy.canCall());
      rewriter.eraseOp(op);
    }
  }
};
} // namespace
