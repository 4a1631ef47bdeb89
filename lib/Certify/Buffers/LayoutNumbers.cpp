//===- LayoutNumbers.cpp - Layouts as numbers -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutNumbers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Adds up the elements between the start of a buffer and that of a view.
class Offset {
public:
  /// Returns false where it is not known.
  bool add(Value view);
  Value make(OpBuilder &builder, Location loc) const {
    auto map = AffineMap::get(operands.size(), 0, sum);
    return affine::AffineApplyOp::create(builder, loc, map, operands);
  }

private:
  void add(OpFoldResult index, int64_t factor);

  SmallVector<Value> operands;
  AffineExpr sum;
};
} // namespace

void Offset::add(OpFoldResult index, int64_t factor) {
  auto value = dyn_cast<Value>(index);
  MLIRContext *context =
      value ? value.getContext() : cast<Attribute>(index).getContext();
  AffineExpr own =
      value ? getAffineDimExpr(operands.size(), context)
            : getAffineConstantExpr(
                  cast<IntegerAttr>(cast<Attribute>(index)).getInt(), context);
  if (value)
    operands.push_back(value);
  sum = sum ? sum + own * factor : own * factor;
}

bool Offset::add(Value view) {
  auto [strides, offset] =
      cast<MemRefType>(view.getType()).getStridesAndOffset();
  if (!ShapedType::isDynamic(offset)) {
    add(Builder(view.getContext()).getIndexAttr(offset), 1);
    return true;
  }
  Operation *op = view.getDefiningOp();
  if (isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp,
                      memref::CastOp>(op))
    return isa<MemRefType>(op->getOperand(0).getType()) &&
           add(op->getOperand(0));
  // It lies that far from the start, wherever its source does.
  if (auto part = dyn_cast_or_null<memref::ReinterpretCastOp>(op)) {
    add(part.getMixedOffsets().front(), 1);
    return true;
  }
  auto slice = dyn_cast_or_null<memref::SubViewOp>(op);
  if (!slice || !add(slice.getSource()))
    return false;
  auto steps = slice.getSourceType().getStridesAndOffset().first;
  for (auto [index, stride] : llvm::zip_equal(slice.getMixedOffsets(), steps)) {
    if (ShapedType::isDynamic(stride))
      return false;
    add(index, stride);
  }
  return true;
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
  Offset start;
  if (!op.getOffset().use_empty() && start.add(op.getSource()))
    op.getOffset().replaceAllUsesWith(start.make(builder, op.getLoc()));
}

void certify::resolveLayouts(Operation *root) { root->walk(resolveLayout); }
