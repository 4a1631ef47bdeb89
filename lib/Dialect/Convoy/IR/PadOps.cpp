//===- PadOps.cpp - Checks and shapes of padding ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpSyntax.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// The sides of an op that pads: `inner` is what padding surrounds in `outer`.
struct PaddedTypes {
  RankedTensorType inner, outer;
  StringRef innerName, outerName;
};
} // namespace

/// C1.
template <typename OpTy>
static LogicalResult verifyPaddingLists(OpTy op) {
  for (auto [name, list] :
       {std::pair("low", op.getLow()), std::pair("high", op.getHigh())}) {
    if (int64_t(list.size()) != op.getType().getRank())
      return op.emitOpError()
             << "expected " << op.getType().getRank() << " entries of " << name
             << ", but got " << list.size();
    for (int64_t entry : list)
      if (entry < 0)
        return op.emitOpError() << "expected no negative entry of " << name
                                << ", but got " << entry;
  }
  return success();
}

/// C2 and C3.
template <typename OpTy>
static LogicalResult verifyPaddedSizes(OpTy op, const PaddedTypes &types) {
  auto toText = [](int64_t size) {
    return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
  };
  for (auto [dim, low, high] : llvm::enumerate(op.getLow(), op.getHigh())) {
    int64_t inner = types.inner.getDimSize(dim),
            outer = types.outer.getDimSize(dim);
    bool isPadded = low != 0 || high != 0;
    if (isPadded && (ShapedType::isDynamic(inner) || inner < 1))
      return op.emitOpError()
             << "expected a static size of at least 1 in dimension " << dim
             << " of the " << types.innerName << ", which is padded, but got "
             << toText(inner);
    int64_t expected =
        ShapedType::isDynamic(inner) ? inner : inner + low + high;
    if (outer != expected)
      return op.emitOpError()
             << "expected size " << toText(expected) << " in dimension " << dim
             << " of the " << types.outerName << ", but got " << toText(outer);
  }
  return success();
}

/// The sizes of the result of `op`: static, or the input's.
template <typename OpTy>
static LogicalResult reifyPadded(OpTy op, OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(op.getType().getShape()))
    if (ShapedType::isDynamic(size))
      sizes.push_back(
          tensor::getMixedSize(builder, op.getLoc(), op.getInput(), dim));
    else
      sizes.push_back(builder.getIndexAttr(size));
  shapes.push_back(std::move(sizes));
  return success();
}

//===----------------------------------------------------------------------===//
// convoy.pad
//===----------------------------------------------------------------------===//

LogicalResult PadOp::verify() {
  PaddedTypes types = {getInput().getType(), getType(), "input", "result"};
  return failure(failed(verifyPaddingLists(*this)) ||
                 failed(verifyPaddedSizes(*this, types)));
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() ? getInput() : Value();
}

LogicalResult PadOp::reifyResultShapes(OpBuilder &builder,
                                       ReifiedRankedShapedTypeDims &shapes) {
  return reifyPadded(*this, builder, shapes);
}

//===----------------------------------------------------------------------===//
// convoy.pad_backward
//===----------------------------------------------------------------------===//

LogicalResult PadBackwardOp::verify() {
  PaddedTypes types = {getType(), getInput().getType(), "result", "input"};
  if (failed(verifyPaddingLists(*this)) ||
      failed(verifyPaddedSizes(*this, types)))
    return failure();
  Type from = types.outer.getElementType(), to = types.inner.getElementType();
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  bool isNarrower =
      fromFloat && toFloat && toFloat.getWidth() < fromFloat.getWidth();
  if (from != to && !isNarrower)
    return emitOpError() << "expected elements of type " << from
                         << ", or of a narrower float, in the result, but got "
                         << to;
  return success();
}

OpFoldResult PadBackwardOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() ? getInput() : Value();
}

LogicalResult
PadBackwardOp::reifyResultShapes(OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  return reifyPadded(*this, builder, shapes);
}
