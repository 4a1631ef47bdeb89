//===- SumFacts.cpp - Facts about ops of sums -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumFacts.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// Bits of the significand of `type`.
static unsigned getPrecision(Type type) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  return APFloat::semanticsPrecision(element.getFloatSemantics());
}

/// Bits of the significand that `value` may need: those of the type that it was
/// widened from.
static unsigned getPrecision(Value value) {
  // Spread over lanes, and some of them taken, elements are the same.
  while (isa_and_nonnull<vector::BroadcastOp, vector::ExtractStridedSliceOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto widened = value.getDefiningOp<arith::ExtFOp>();
  return getPrecision(widened ? widened.getIn().getType() : value.getType());
}

Roundings mlir::convoy::getProductRounding(Value a, Value b, Type type) {
  bool isExact = getPrecision(a) + getPrecision(b) <= getPrecision(type);
  return isExact ? Roundings() : Roundings(getElementTypeOrSelf(type), 1);
}

bool mlir::convoy::movesTerms(Operation *op) {
  return isa<arith::SelectOp, Im2colOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::FromElementsOp, tensor::InsertOp,
             tensor::InsertSliceOp, vector::BroadcastOp, vector::ExtractOp,
             vector::ExtractStridedSliceOp, vector::FromElementsOp,
             vector::InsertOp, vector::InsertStridedSliceOp,
             vector::ShapeCastOp, vector::ShuffleOp, vector::TransferReadOp,
             vector::TransferWriteOp, vector::TransposeOp>(op);
}

Value mlir::convoy::getSource(tensor::ExtractSliceOp slice) {
  Value source = slice.getSource();
  while (auto insert = source.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!areDisjoint(insert, slice))
      break;
    source = insert.getDest();
  }
  return source;
}

Value mlir::convoy::getSource(tensor::ExtractOp element) {
  auto differ = [](auto indices) {
    std::optional<int64_t> read = getConstantIntValue(std::get<0>(indices));
    std::optional<int64_t> written = getConstantIntValue(std::get<1>(indices));
    return read && written && *read != *written;
  };
  Value source = element.getTensor();
  while (auto insert = source.getDefiningOp<tensor::InsertOp>()) {
    if (llvm::none_of(llvm::zip(element.getIndices(), insert.getIndices()),
                      differ))
      break;
    source = insert.getDest();
  }
  return source;
}

/// How many iterations loop `loop` of `op` has at most: its size, or that of a
/// slice that it runs over.
static std::optional<int64_t> getMostSteps(linalg::LinalgOp op, unsigned loop,
                                           const KnownIndices &known) {
  int64_t size = op.getStaticLoopRanges()[loop];
  if (ShapedType::isStatic(size))
    return size;
  SmallVector<std::pair<Value, unsigned>> places;
  op.mapIterationSpaceDimToAllOperandDims(loop, places);
  for (auto [operand, dim] : places)
    if (auto slice = operand.getDefiningOp<tensor::ExtractSliceOp>())
      if (slice.getDroppedDims().none())
        if (std::optional<int64_t> most =
                getMostOf(slice.getMixedSizes()[dim], known))
          return most;
  return std::nullopt;
}

std::optional<uint64_t>
mlir::convoy::getMostReduced(linalg::LinalgOp op, const KnownIndices &known) {
  uint64_t number = 1;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  for (unsigned loop : loops) {
    std::optional<int64_t> size = getMostSteps(op, loop, known);
    if (!size)
      return std::nullopt;
    number = llvm::SaturatingMultiply(number, uint64_t(*size));
  }
  return number;
}

bool mlir::convoy::startsAsArgument(Value buffer) {
  if (!isa<BlockArgument>(buffer))
    return false;
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    auto copy = dyn_cast<memref::CopyOp>(user);
    if (!copy)
      return isa<bufferization::ToTensorOp, memref::DimOp,
                 bufferization::MaterializeInDestinationOp>(user);
    auto source = copy.getSource().getDefiningOp<bufferization::ToBufferOp>();
    return copy.getTarget() == buffer && source &&
           isa<BlockArgument>(source.getTensor());
  });
}
