//===- WordViews.cpp - Words of elements that lie side by side -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/WordViews.h"

#include "convoy/Transforms/Utils/WordProducts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

std::optional<WordView> mlir::convoy::matchWordView(Value words) {
  auto op = words.getDefiningOp<linalg::GenericOp>();
  auto type = dyn_cast<RankedTensorType>(words.getType());
  if (!op || !type || type.getRank() == 0 || op.getNumDpsInputs() == 0 ||
      op.getNumReductionLoops() != 0 || op.getNumResults() != 1 ||
      !llvm::all_equal(op.getDpsInputs()))
    return std::nullopt;
  WordView copy{op, op.getNumDpsInputs()};
  Type element = copy.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() * copy.count !=
                                     type.getElementTypeBitWidth())
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!maps.back().isIdentity())
    return std::nullopt;
  for (int64_t number = 0; number < copy.count; ++number) {
    SmallVector<AffineExpr> place(maps.back().getResults());
    place.back() = place.back() * copy.count + number;
    if (maps[number] !=
        AffineMap::get(maps.back().getNumDims(), 0, place, op.getContext()))
      return std::nullopt;
  }
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  Operation *last = yield.getOperand(0).getDefiningOp();
  SmallVector<Value> parts = last ? matchWord(last) : SmallVector<Value>();
  auto arguments = op.getBody()->getArguments().drop_back();
  return llvm::equal(parts, arguments) ? std::optional(copy) : std::nullopt;
}

Value mlir::convoy::getElementsOfWords(OpBuilder &builder, Value words) {
  if (std::optional<WordView> copy = matchWordView(words))
    return copy->getElements();
  auto slice = words.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getType().getRank() != slice.getSourceType().getRank())
    return {};
  Value elements = getElementsOfWords(builder, slice.getSource());
  if (!elements || !isOneInteger(slice.getMixedStrides().back()))
    return {};
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(slice);
  int64_t count =
      slice.getSourceType().getElementTypeBitWidth() /
      cast<RankedTensorType>(elements.getType()).getElementTypeBitWidth();
  auto scale = [&](OpFoldResult number) {
    return affine::makeComposedFoldedAffineApply(
        builder, slice.getLoc(), builder.getAffineDimExpr(0) * count, number);
  };
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes();
  offsets.back() = scale(offsets.back());
  sizes.back() = scale(sizes.back());
  return tensor::ExtractSliceOp::create(builder, slice.getLoc(), elements,
                                        offsets, sizes,
                                        slice.getMixedStrides());
}
