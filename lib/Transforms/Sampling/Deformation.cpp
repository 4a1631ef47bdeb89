//===- Deformation.cpp - Convolutions whose taps are moved ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Deformation.h"

#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;
using ::convoy::WindowDim;

Deformation::Deformation(OpBuilder &builder, DeformOpInterface op)
    : loc(op.getLoc()), window(op.getWindow()),
      layouts(op.getLayout().getLayouts()), offsetLayout(op.getOffsetLayout()),
      input(op.getOperandFor(Operand::Input)), offset(op.getOffset()),
      mask(op.getMask()), taps(op.getTaps()),
      hasGroups(layouts.input.hasGroups()),
      groups(op.getSize(Operand::Input, 'g')),
      channels(op.getSize(Operand::Input, 'c')),
      offsetGroups(op.getOffsetGroups()) {
  for (char letter : StringRef("hw"))
    imageSizes.push_back(tensor::getMixedSize(builder, loc, input,
                                              layouts.input.position(letter)));
}

Deformation Deformation::narrow(OpBuilder &builder, Value group, Value channel,
                                int64_t count) const {
  Deformation part = *this;
  AffineExpr g, c;
  bindDims(builder.getContext(), g, c);
  int64_t perOffsetGroup = getChannels() / offsetGroups;
  OpFoldResult offsetGroup = affine::makeComposedFoldedAffineApply(
      builder, loc, (g * channels + c).floorDiv(perOffsetGroup),
      {group, channel});
  auto narrowTaps = [&](Value tensor, int64_t numbersPerTap) -> Value {
    int64_t size = numbersPerTap * taps[0] * taps[1];
    OpFoldResult begin = affine::makeComposedFoldedAffineApply(
        builder, loc, builder.getAffineDimExpr(0) * size, offsetGroup);
    TensorSlice slice(builder, loc, tensor);
    slice.narrow(int64_t(offsetLayout.find('c')), begin,
                 builder.getIndexAttr(size));
    return slice.extract();
  };
  part.offset = narrowTaps(offset, 2);
  if (mask)
    part.mask = narrowTaps(mask, 1);
  part.groups = part.offsetGroups = 1;
  part.channels = count;
  part.firstGroup = group;
  part.firstChannel = channel;
  return part;
}

//===----------------------------------------------------------------------===//
// What taps read
//===----------------------------------------------------------------------===//

Value mlir::convoy::emitLinear(OpBuilder &builder, Location loc, Value a,
                               int64_t b, Value c) {
  Value product = a;
  if (b != 1)
    product = arith::MulIOp::create(
        builder, loc, a, arith::ConstantIndexOp::create(builder, loc, b));
  return arith::AddIOp::create(builder, loc, product, c);
}

SmallVector<SamplePosition>
Deformation::emitPositions(OpBuilder &builder, Location loc, const Indices &at,
                           ValueRange offsets) const {
  SmallVector<SamplePosition> positions;
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    WindowDim one = window.getDim(dim);
    Value start = arith::ConstantIndexOp::create(builder, loc, -one.padLow);
    start = emitLinear(builder, loc, at.lookup("yx"[dim]), one.dilation, start);
    start = emitLinear(builder, loc, at.lookup("hw"[dim]), one.stride, start);
    Value start32 =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), start);
    positions.push_back(emitOffsetPosition(builder, loc, offset, start32));
  }
  return positions;
}

Value Deformation::readTap(OpBuilder &builder, Location loc, Value tensor,
                           const Indices &at, Value number) const {
  SmallVector<Value> place = llvm::map_to_vector(offsetLayout, [&](char name) {
    return name == 'c' ? number : at.lookup(name);
  });
  return tensor::ExtractOp::create(builder, loc, tensor, place);
}

SmallVector<SamplePosition> Deformation::emitTapPositions(OpBuilder &builder,
                                                          Location loc,
                                                          const Indices &at,
                                                          Value number) const {
  SmallVector<Value> offsets;
  for (int64_t dim : {0, 1}) {
    Value place = emitLinear(builder, loc, number, 2,
                             arith::ConstantIndexOp::create(builder, loc, dim));
    offsets.push_back(readTap(builder, loc, offset, at, place));
  }
  return emitPositions(builder, loc, at, offsets);
}

SmallVector<SampleElement> Deformation::emitTapElements(OpBuilder &builder,
                                                        Location loc,
                                                        const Indices &at,
                                                        Value number) const {
  SmallVector<SamplePosition> positions =
      emitTapPositions(builder, loc, at, number);
  Value factor;
  if (mask)
    factor = emitWide(builder, loc, readTap(builder, loc, mask, at, number));
  return emitElements(builder, loc, kDeformRule, positions, imageSizes, factor);
}

Value Deformation::readImage(OpBuilder &builder, Location loc, Indices at,
                             const SampleElement &element) const {
  for (auto [name, whole] : llvm::zip_equal(StringRef("hw"), element.place))
    at[name] =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), whole);
  SmallVector<Value> place = llvm::map_to_vector(
      layouts.input.letters(), [&](char name) { return at.lookup(name); });
  Value value = tensor::ExtractOp::create(builder, loc, input, place);
  return emitInside(builder, loc, element.isInside, value);
}
