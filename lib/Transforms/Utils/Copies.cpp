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

/// Runs of loops that go through both buffers as one loop would.
static SmallVector<ReassociationIndices> getRuns(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto isOneRun = [&](ReassociationIndicesRef run) {
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = maps[operand.getOperandNumber()];
      if (!map.isProjectedPermutation() ||
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
      if (isOneRun(longer)) {
        runs.back() = longer;
        continue;
      }
    }
    runs.push_back({loop});
  }
  return runs;
}

linalg::GenericOp mlir::convoy::collapseRuns(RewriterBase &rewriter,
                                             linalg::GenericOp op) {
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

Value mlir::convoy::convertElements(OpBuilder &builder, Location loc,
                                    Value source, Type element) {
  auto type = cast<RankedTensorType>(source.getType());
  if (type.getElementType() == element)
    return source;
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, source), element);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  bool widens = getElementBits(type.getElementType()) < getElementBits(element);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), source, empty,
             ArrayRef<AffineMap>{identity, identity}, parallel,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value converted =
                   widens
                       ? Value(arith::ExtFOp::create(b, loc, element, args[0]))
                       : Value(
                             arith::TruncFOp::create(b, loc, element, args[0]));
               linalg::YieldOp::create(b, loc, converted);
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
