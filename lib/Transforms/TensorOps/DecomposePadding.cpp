//===- DecomposePadding.cpp - Turn padding into gathers ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/TensorOps/Passes.h"
#include "convoy/Transforms/TensorOps/Patterns.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/GatheredSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DECOMPOSEPADDINGPASS
#include "convoy/Transforms/TensorOps/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic on indices. Each call emits one op behind what its operands are
/// made of, and so operands are emitted one by one, not as arguments.
struct IndexEmitter {
  OpBuilder &builder;
  Location loc;

  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, int64_t b) { return binary<arith::AddIOp>(a, number(b)); }
  Value scale(Value a, int64_t b) {
    return binary<arith::MulIOp>(a, number(b));
  }
  /// Of a constant and an index.
  Value subtract(int64_t a, Value b) {
    return binary<arith::SubIOp>(number(a), b);
  }
  Value remainder(Value a, int64_t b) {
    return binary<arith::RemUIOp>(a, number(b));
  }
  Value limit(Value a, int64_t least, int64_t most) {
    Value above = binary<arith::MaxSIOp>(a, number(least));
    return binary<arith::MinSIOp>(above, number(most));
  }
  Value compare(arith::CmpIPredicate predicate, Value a, int64_t b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, number(b));
  }
  Value both(Value a, Value b) { return binary<arith::AndIOp>(a, b); }
  Value either(Value a, Value b) { return binary<arith::OrIOp>(a, b); }
  template <typename OpTy>
  Value binary(Value a, Value b) {
    return OpTy::create(builder, loc, a, b);
  }
};

/// Where a term of a sum is read, and whether there is one.
struct TermPlace {
  Value place; ///< within the padded dimension, whether there is one or not
  Value isThere;
};

/// One dimension with its padding.
struct PaddedDim {
  int64_t size, low, high;
  PaddingMode mode;

  /// Of a tensor of `size` elements along dimension `dim`.
  template <typename OpTy>
  static PaddedDim get(OpTy op, int64_t dim, int64_t size) {
    // A single element is all that there is in any mode.
    return {size, op.getLow()[dim], op.getHigh()[dim],
            size == 1 ? PaddingMode::Replicate : op.getMode()};
  }

  bool isPadded() const { return low != 0 || high != 0; }
  /// The elements from one reflection, or copy, to the next.
  int64_t getPeriod() const {
    return mode == PaddingMode::Reflect ? size - 1 : size;
  }
  /// The pieces before the input: its reflections or copies, or the elements
  /// that are replicated.
  int64_t countPiecesBefore() const { return countPieces(low); }
  int64_t countPieces() const {
    return countPieces(low) + 1 + countPieces(high);
  }

  /// The element of the input that lies at place `padded`.
  Value emitSource(IndexEmitter emit, Value padded) const;
  /// The place at which element `element` lies in piece `piece`.
  TermPlace emitTerm(IndexEmitter emit, Value element, Value piece) const;

private:
  int64_t countPieces(int64_t padding) const {
    return mode == PaddingMode::Replicate
               ? padding
               : llvm::divideCeil(padding, getPeriod());
  }
  TermPlace emitReplicated(IndexEmitter emit, Value element, Value piece) const;
  TermPlace emitReflected(IndexEmitter emit, Value element, Value piece) const;
  /// Whether `place` is one of the padded dimension.
  TermPlace emitGuard(IndexEmitter emit, Value place) const;
};
} // namespace

Value PaddedDim::emitSource(IndexEmitter emit, Value padded) const {
  if (mode == PaddingMode::Replicate)
    return emit.limit(emit.add(padded, -low), 0, size - 1);
  int64_t period = getPeriod();
  if (mode == PaddingMode::Circular)
    return emit.remainder(emit.add(padded, countPiecesBefore() * period - low),
                          size);
  // The distance from element 0, or from one of its reflections.
  Value distance;
  if (low <= period && high <= period) {
    Value behind = emit.add(padded, -low), before = emit.subtract(low, padded);
    distance = emit.binary<arith::MaxSIOp>(behind, before);
  } else {
    distance = emit.remainder(
        emit.add(padded, llvm::alignTo(low, 2 * period) - low), 2 * period);
  }
  Value back = emit.subtract(2 * period, distance);
  return emit.binary<arith::MinSIOp>(distance, back);
}

TermPlace PaddedDim::emitGuard(IndexEmitter emit, Value place) const {
  int64_t last = low + size + high - 1;
  Value isBehind = emit.compare(arith::CmpIPredicate::sge, place, 0),
        isBefore = emit.compare(arith::CmpIPredicate::sle, place, last);
  Value isThere = emit.both(isBehind, isBefore);
  return {emit.limit(place, 0, last), isThere};
}

/// Each element before the input and behind it is a piece.
TermPlace PaddedDim::emitReplicated(IndexEmitter emit, Value element,
                                    Value piece) const {
  auto isOutermost = [&](int64_t outermost, arith::CmpIPredicate side) {
    Value isElement =
        emit.compare(arith::CmpIPredicate::eq, element, outermost);
    Value isBeside = emit.compare(side, piece, low);
    return emit.both(isElement, isBeside);
  };
  Value isThere = emit.compare(arith::CmpIPredicate::eq, piece, low);
  isThere = emit.either(isThere, isOutermost(0, arith::CmpIPredicate::slt));
  isThere =
      emit.either(isThere, isOutermost(size - 1, arith::CmpIPredicate::sgt));
  return {emit.binary<arith::AddIOp>(piece, element), isThere};
}

/// Pieces share the elements at which the input is reflected: these are of the
/// piece that is next to the input.
TermPlace PaddedDim::emitReflected(IndexEmitter emit, Value element,
                                   Value piece) const {
  int64_t before = countPiecesBefore(), period = getPeriod();
  Value isReflected = emit.compare(
      arith::CmpIPredicate::ne, emit.remainder(emit.add(piece, before), 2), 0);
  Value reflected = emit.subtract(period, element);
  Value within = arith::SelectOp::create(emit.builder, emit.loc, isReflected,
                                         reflected, element);
  Value start = emit.add(emit.scale(piece, period), low - before * period);
  TermPlace term = emitGuard(emit, emit.binary<arith::AddIOp>(start, within));
  auto isOwn = [&](arith::CmpIPredicate side, int64_t shared) {
    Value isBeside = emit.compare(side, piece, before);
    Value isNotShared = emit.compare(arith::CmpIPredicate::ne, within, shared);
    return emit.both(isBeside, isNotShared);
  };
  Value isOfPiece = emit.compare(arith::CmpIPredicate::eq, piece, before);
  isOfPiece = emit.either(isOfPiece, isOwn(arith::CmpIPredicate::sgt, 0));
  isOfPiece = emit.either(isOfPiece, isOwn(arith::CmpIPredicate::slt, period));
  term.isThere = emit.both(term.isThere, isOfPiece);
  return term;
}

TermPlace PaddedDim::emitTerm(IndexEmitter emit, Value element,
                              Value piece) const {
  switch (mode) {
  case PaddingMode::Reflect:
    return emitReflected(emit, element, piece);
  case PaddingMode::Replicate:
    return emitReplicated(emit, element, piece);
  case PaddingMode::Circular: {
    Value start =
        emit.add(emit.scale(piece, size), low - countPiecesBefore() * size);
    return emitGuard(emit, emit.binary<arith::AddIOp>(start, element));
  }
  }
  llvm_unreachable("unknown mode");
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct DecomposePad final : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t rank = op.getType().getRank();
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, getResultSizes(rewriter, op),
                                op.getType().getElementType());
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, empty.getType(), ValueRange(), empty,
        rewriter.getMultiDimIdentityMap(rank), iterators,
        [&](OpBuilder &builder, Location loc, ValueRange) {
          SmallVector<Value> place;
          for (int64_t dim = 0; dim < rank; ++dim) {
            place.push_back(linalg::IndexOp::create(builder, loc, dim));
            PaddedDim padded = PaddedDim::get(
                op, dim, op.getInput().getType().getDimSize(dim));
            if (padded.isPadded())
              place.back() = padded.emitSource({builder, loc}, place.back());
          }
          Value element =
              tensor::ExtractOp::create(builder, loc, op.getInput(), place);
          linalg::YieldOp::create(builder, loc, element);
        });
    return success();
  }
};

/// The loops of sums: those over the result and, before the innermost of these,
/// which vectors go along, those over the pieces of the padded dimensions.
struct PieceLoops {
  explicit PieceLoops(PadBackwardOp op);

  int64_t getElementLoop(int64_t dim) const {
    return dim + 1 == rank ? numLoops() - 1 : dim;
  }
  int64_t getPieceLoop(int64_t number) const { return rank - 1 + number; }
  int64_t numLoops() const { return rank + int64_t(padded.size()); }
  AffineMap getElementMap(MLIRContext *context) const;
  AffineMap getPieceMap(MLIRContext *context) const;

  int64_t rank;
  /// The dimensions that are padded, by their numbers.
  SmallVector<std::pair<int64_t, PaddedDim>> padded;
};
} // namespace

PieceLoops::PieceLoops(PadBackwardOp op) : rank(op.getType().getRank()) {
  for (int64_t dim = 0; dim < rank; ++dim) {
    PaddedDim one = PaddedDim::get(op, dim, op.getType().getDimSize(dim));
    if (one.isPadded())
      padded.emplace_back(dim, one);
  }
}

AffineMap PieceLoops::getElementMap(MLIRContext *context) const {
  SmallVector<AffineExpr> loops;
  for (int64_t dim = 0; dim < rank; ++dim)
    loops.push_back(getAffineDimExpr(getElementLoop(dim), context));
  return AffineMap::get(numLoops(), 0, loops, context);
}

AffineMap PieceLoops::getPieceMap(MLIRContext *context) const {
  SmallVector<AffineExpr> loops;
  for (size_t number = 0; number < padded.size(); ++number)
    loops.push_back(getAffineDimExpr(getPieceLoop(number), context));
  return AffineMap::get(numLoops(), 0, loops, context);
}

/// Reads the term of the sum in the loops at hand, or zero where there is none.
static Value emitPieceTerm(OpBuilder &builder, Location loc, PadBackwardOp op,
                           const PieceLoops &loops) {
  SmallVector<Value> place;
  for (int64_t dim = 0; dim < loops.rank; ++dim)
    place.push_back(
        linalg::IndexOp::create(builder, loc, loops.getElementLoop(dim)));
  Value isThere;
  for (auto [number, pair] : llvm::enumerate(loops.padded)) {
    const auto &[dim, padded] = pair;
    Value piece =
        linalg::IndexOp::create(builder, loc, loops.getPieceLoop(number));
    IndexEmitter emit = {builder, loc};
    TermPlace term = padded.emitTerm(emit, place[dim], piece);
    place[dim] = term.place;
    isThere = isThere ? emit.both(isThere, term.isThere) : term.isThere;
  }
  Value read = tensor::ExtractOp::create(builder, loc, op.getInput(), place);
  if (!isThere)
    return read;
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(read.getType()));
  return arith::SelectOp::create(builder, loc, isThere, read, zero);
}

namespace {
struct DecomposePadBackward final : OpRewritePattern<PadBackwardOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PadBackwardOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = op.getType().getElementType();
    Value sums = createZeros(rewriter, loc, getResultSizes(rewriter, op),
                             getGatheredSumType(element));
    sums = emitSums(rewriter, op, sums);
    rewriter.replaceOp(op, convertElements(rewriter, loc, sums, element));
    return success();
  }

private:
  /// Adds the terms of each element to `init`.
  static Value emitSums(OpBuilder &builder, PadBackwardOp op, Value init) {
    PieceLoops loops(op);
    // What says how many pieces there are, and is not read.
    SmallVector<OpFoldResult> pieces;
    SmallVector<utils::IteratorType> iterators(loops.numLoops(),
                                               utils::IteratorType::parallel);
    for (auto [number, pair] : llvm::enumerate(loops.padded)) {
      pieces.push_back(builder.getIndexAttr(pair.second.countPieces()));
      iterators[loops.getPieceLoop(number)] = utils::IteratorType::reduction;
    }
    Location loc = op.getLoc();
    Value counted = tensor::EmptyOp::create(
        builder, loc, pieces, getElementTypeOrSelf(init.getType()));
    MLIRContext *context = builder.getContext();
    return linalg::GenericOp::create(
               builder, loc, init.getType(), counted, init,
               ArrayRef{loops.getPieceMap(context),
                        loops.getElementMap(context)},
               iterators,
               [&](OpBuilder &builder, Location loc, ValueRange arguments) {
                 Value term = emitPieceTerm(builder, loc, op, loops);
                 Value sum = addGatheredTerm(builder, loc, arguments[1], term);
                 linalg::YieldOp::create(builder, loc, sum);
               })
        .getResult(0);
  }
};

struct DecomposePaddingPass final
    : mlir::convoy::impl::DecomposePaddingPassBase<DecomposePaddingPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposePaddingPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::convoy::populateDecomposePaddingPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DecomposePad, DecomposePadBackward>(patterns.getContext());
}
