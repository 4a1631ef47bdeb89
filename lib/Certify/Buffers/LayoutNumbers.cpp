//===- LayoutNumbers.cpp - Layouts as numbers -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutNumbers.h"
#include "IndexSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// The elements between the start of a buffer and that of `view`; nothing where
/// they are not known.
static std::optional<IndexSum> getOffset(Value view) {
  auto [strides, offset] =
      cast<MemRefType>(view.getType()).getStridesAndOffset();
  if (!ShapedType::isDynamic(offset))
    return IndexSum{{}, offset};
  Operation *op = view.getDefiningOp();
  if (isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp,
                      memref::CastOp>(op))
    return isa<MemRefType>(op->getOperand(0).getType())
               ? getOffset(op->getOperand(0))
               : std::nullopt;
  // It lies that far from the start, wherever its source does.
  if (auto part = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
    return IndexSum::get(part.getMixedOffsets().front());
  auto slice = dyn_cast_or_null<memref::SubViewOp>(op);
  std::optional<IndexSum> start =
      slice ? getOffset(slice.getSource()) : std::nullopt;
  if (!start)
    return std::nullopt;
  auto steps = slice.getSourceType().getStridesAndOffset().first;
  for (auto [index, stride] : llvm::zip_equal(slice.getMixedOffsets(), steps))
    if (ShapedType::isDynamic(stride) ||
        !start->add(IndexSum::get(index), stride))
      return std::nullopt;
  return start;
}

static void resolveLayout(memref::ExtractStridedMetadataOp op) {
  OpBuilder builder(op);
  MemRefType type = op.getSource().getType();
  auto [strides, offset] = type.getStridesAndOffset();
  auto replace = [&](ValueRange numbers, ArrayRef<int64_t> known) {
    for (auto [number, value] : llvm::zip_equal(numbers, known))
      if (!ShapedType::isDynamic(value) && !number.use_empty())
        number.replaceAllUsesWith(
            arith::ConstantIndexOp::create(builder, op.getLoc(), value));
  };
  replace(op.getSizes(), type.getShape());
  replace(op.getStrides(), strides);
  if (op.getOffset().use_empty())
    return;
  if (std::optional<IndexSum> start = getOffset(op.getSource()))
    op.getOffset().replaceAllUsesWith(getValueOrCreateConstantIndexOp(
        builder, op.getLoc(), start->make(builder, op.getLoc())));
}

void certify::resolveLayouts(Operation *root) { root->walk(resolveLayout); }
