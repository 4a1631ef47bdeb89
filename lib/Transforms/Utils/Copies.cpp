//===- Copies.cpp - Generics that copy and convert --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/Copies.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

bool mlir::convoy::isCopy(linalg::GenericOp op) {
  Block *body = op.getBody();
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getNumReductionLoops() == 0 && body->without_terminator().empty() &&
         body->getTerminator()->getOperand(0) == body->getArgument(0);
}

linalg::GenericOp mlir::convoy::createCopy(OpBuilder &builder, Location loc,
                                           Value source, AffineMap map,
                                           Value destination) {
  SmallVector<AffineMap> maps = {
      map, builder.getMultiDimIdentityMap(map.getNumDims())};
  SmallVector<utils::IteratorType> parallel(map.getNumDims(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, loc, destination.getType(), source, destination, maps, parallel,
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args[0]);
      });
}

AffineMap mlir::convoy::getLetterMap(StringRef letters, StringRef loops,
                                     MLIRContext *context) {
  SmallVector<AffineExpr> dims;
  for (char letter : letters)
    dims.push_back(getAffineDimExpr(loops.find(letter), context));
  return AffineMap::get(loops.size(), 0, dims, context);
}

Value mlir::convoy::createReordered(OpBuilder &builder, Location loc,
                                    Value source, StringRef letters,
                                    StringRef wanted) {
  SmallVector<OpFoldResult> sizes;
  for (char letter : wanted)
    sizes.push_back(
        tensor::getMixedSize(builder, loc, source, letters.find(letter)));
  return tensor::EmptyOp::create(builder, loc, sizes,
                                 getElementTypeOrSelf(source.getType()));
}

Value mlir::convoy::reorderDims(OpBuilder &builder, Location loc, Value source,
                                StringRef letters, StringRef wanted) {
  Value empty = createReordered(builder, loc, source, letters, wanted);
  return createCopy(builder, loc, source,
                    getLetterMap(letters, wanted, builder.getContext()), empty)
      .getResult(0);
}

/// Runs of loops of one kind that go through all buffers as one loop would.
static SmallVector<ReassociationIndices> getRuns(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto isOneRun = [&](ReassociationIndicesRef run) {
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = maps[operand.getOperandNumber()];
      if (!isa<MemRefType>(operand.get().getType()) ||
          !map.isProjectedPermutation() ||
          !linalg::isDimSequencePreserved(map, run))
        return false;
      std::optional<unsigned> first = map.getResultPosition(
          getAffineDimExpr(run.front(), map.getContext()));
      if (!first)
        continue;
      SmallVector<ReassociationIndices> dims;
      for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
        if (dim > *first && dim < *first + run.size())
          dims.back().push_back(dim);
        else
          dims.push_back({dim});
      if (!memref::CollapseShapeOp::isGuaranteedCollapsible(
              cast<MemRefType>(operand.get().getType()), dims))
        return false;
    }
    return true;
  };
  SmallVector<ReassociationIndices> runs;
  for (int64_t loop = 0; loop < op.getNumLoops(); ++loop) {
    if (!runs.empty()) {
      ReassociationIndices longer = runs.back();
      longer.push_back(loop);
      if (kinds[loop] == kinds[loop - 1] && isOneRun(longer)) {
        runs.back() = longer;
        continue;
      }
    }
    runs.push_back({loop});
  }
  return runs;
}

SmallVector<ReassociationIndices> mlir::convoy::joinLastDims(int64_t rank) {
  SmallVector<ReassociationIndices> dims;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    dims.push_back({dim});
  dims.back().push_back(rank - 1);
  return dims;
}

namespace {
/// The innermost loops of a copy over taps and channels.
struct TapLoops {
  unsigned tap, channel;
  /// What the tap is added to, in the source.
  AffineExpr position;
};
} // namespace

/// Those that go through both buffers as one would, if there are any.
static std::optional<TapLoops> findTapLoops(linalg::GenericOp op) {
  AffineMap read = op.getIndexingMapsArray()[0],
            written = op.getIndexingMapsArray()[1];
  unsigned readRank = read.getNumResults(),
           writtenRank = written.getNumResults();
  if (readRank < 2 || writtenRank < 2)
    return std::nullopt;
  auto channel = dyn_cast<AffineDimExpr>(read.getResults().back());
  auto tap = dyn_cast<AffineDimExpr>(written.getResult(writtenRank - 2));
  AffineExpr sum = read.getResult(readRank - 2);
  if (!channel || !tap || written.getResults().back() != channel)
    return std::nullopt;
  AffineExpr position =
      simplifyAffineExpr(sum - tap, read.getNumDims(), read.getNumSymbols());
  auto isElsewhere = [&](AffineExpr loop) {
    return position.isFunctionOfDim(cast<AffineDimExpr>(loop).getPosition()) ||
           llvm::any_of(read.getResults().drop_back(2), [&](AffineExpr index) {
             return index.isFunctionOfDim(
                 cast<AffineDimExpr>(loop).getPosition());
           });
  };
  if (isElsewhere(tap) || isElsewhere(channel))
    return std::nullopt;
  auto source = cast<MemRefType>(op.getDpsInputs()[0].getType()),
       destination = cast<MemRefType>(op.getDpsInits()[0].getType());
  if (source.isDynamicDim(readRank - 1) ||
      !memref::CollapseShapeOp::isGuaranteedCollapsible(
          source, joinLastDims(readRank)) ||
      !memref::CollapseShapeOp::isGuaranteedCollapsible(
          destination, joinLastDims(writtenRank)))
    return std::nullopt;
  return TapLoops{tap.getPosition(), channel.getPosition(), position};
}

/// Makes one loop of those over taps and channels.
static linalg::GenericOp collapseTaps(RewriterBase &rewriter,
                                      linalg::GenericOp op) {
  std::optional<TapLoops> loops = findTapLoops(op);
  if (!loops)
    return op;
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  Value source = op.getDpsInputs()[0], destination = op.getDpsInits()[0];
  int64_t channels = cast<MemRefType>(source.getType()).getShape().back();
  // The loops that stay, and that of a run in the end.
  unsigned numLoops = op.getNumLoops() - 1;
  SmallVector<AffineExpr> renamed(op.getNumLoops());
  unsigned next = 0;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (loop != loops->tap && loop != loops->channel)
      renamed[loop] = getAffineDimExpr(next++, context);
  AffineExpr run = getAffineDimExpr(next, context);
  auto rename = [&](AffineMap map, AffineExpr last) {
    SmallVector<AffineExpr> results(map.getResults().drop_back(2));
    for (AffineExpr &index : results)
      index = index.replaceDims(renamed);
    results.push_back(last);
    return AffineMap::get(numLoops, 0, results, context);
  };
  auto join = [&](Value buffer) -> Value {
    int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
    return memref::CollapseShapeOp::create(rewriter, loc, buffer,
                                           joinLastDims(rank));
  };
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineExpr begin = loops->position.replaceDims(renamed) * channels;
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::parallel);
  auto collapsed = linalg::GenericOp::create(
      rewriter, loc, join(source), join(destination),
      ArrayRef{rename(maps[0], begin + run), rename(maps[1], run)}, iterators,
      [](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, arguments[0]);
      });
  rewriter.eraseOp(op);
  return collapsed;
}

linalg::GenericOp mlir::convoy::collapseRuns(RewriterBase &rewriter,
                                             linalg::GenericOp op) {
  if (isCopy(op))
    op = collapseTaps(rewriter, op);
  SmallVector<ReassociationIndices> runs = getRuns(op);
  if (runs.size() == op.getNumLoops())
    return op;
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, runs, rewriter);
  if (failed(collapsed))
    return op;
  rewriter.eraseOp(op);
  return cast<linalg::GenericOp>(*collapsed->collapsedOp);
}

/// `number` as one of type `type`, both of them with a point.
static Value convertNumber(OpBuilder &builder, Location loc, Value number,
                           Type type) {
  if (getElementBits(number.getType()) < getElementBits(type))
    return builder.createOrFold<arith::ExtFOp>(loc, type, number);
  return builder.createOrFold<arith::TruncFOp>(loc, type, number);
}

Value mlir::convoy::convertElements(OpBuilder &builder, Location loc,
                                    Value source, Type element, Value into) {
  auto type = cast<RankedTensorType>(source.getType());
  if (type.getElementType() == element)
    return source;
  if (!into)
    into = tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, source), element);
  if (auto fill = source.getDefiningOp<linalg::FillOp>())
    return linalg::FillOp::create(
               builder, loc,
               convertNumber(builder, loc, fill.getInputs()[0], element), into)
        .getResult(0);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, into.getType(), source, into,
             ArrayRef<AffineMap>{identity, identity}, parallel,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc,
                                       convertNumber(b, loc, args[0], element));
             })
      .getResult(0);
}

bool mlir::convoy::isConversion(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInits() != 1 ||
      !generic.getIndexingMapsArray().back().isIdentity())
    return false;
  auto operations = generic.getBlock()->without_terminator();
  return !operations.empty() && llvm::all_of(operations, [](Operation &inner) {
    return isa<arith::BitcastOp, arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp,
               arith::TruncIOp, arith::SubIOp, arith::ShLIOp, arith::OrIOp,
               arith::ConstantOp>(inner);
  });
}
