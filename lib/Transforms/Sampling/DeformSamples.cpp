//===- DeformSamples.cpp - Gradients of deformed samples --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeformSamples.h"

#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;

SampleGradientEmitter::SampleGradientEmitter(RewriterBase &rewriter,
                                             DeformOpInterface op)
    : DeformGradientEmitter(rewriter, op) {
  // Lanes of vectors go along what is innermost in the output.
  bool areLanesOfW = StringRef(layouts.output.letters()).ends_with("w");
  std::string group = deformation.hasGroups ? "g" : "";
  names = areLanesOfW ? "n" + group + "yxchw" : "nhw" + group + "yxc";
}

void SampleGradientEmitter::emitFilter(int64_t size) {
  blockSize = size;
  Value source = op.getOperandFor(Operand::Filter);
  int64_t blocks = deformation.channels / blockSize;
  // b is what tells blocks apart; f is summed over.
  std::string from;
  SmallVector<OpFoldResult> shape;
  SmallVector<ReassociationIndices> apart;
  for (auto [dim, letter] : llvm::enumerate(layouts.filter.letters())) {
    ReassociationIndices &dims = apart.emplace_back();
    std::string parts(1, letter == 'h' ? 'y' : letter == 'w' ? 'x' : letter);
    if (letter == 'c')
      parts = "bc";
    for (char part : parts) {
      dims.push_back(int64_t(from.size()));
      from += part;
      shape.push_back(part == 'b' ? index(blocks)
                      : part == 'c'
                          ? index(blockSize)
                          : tensor::getMixedSize(rewriter, loc, source, dim));
    }
  }
  Type element = getElementTypeOrSelf(source.getType());
  SmallVector<int64_t> staticShape;
  std::tie(staticShape, std::ignore) = decomposeMixedValues(shape);
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(staticShape, element), source, apart,
      shape);
  // Units h and w of the convolution, and its channels, stand together.
  const std::string to = deformation.hasGroups ? "gbfyxc" : "bfyxc";
  Value copied = reorderDims(rewriter, loc, expanded, from, to);
  SmallVector<ReassociationIndices> together;
  for (size_t dim = 0; dim + 3 < to.size(); ++dim)
    together.push_back({int64_t(dim)});
  together.push_back(
      {int64_t(to.size()) - 3, int64_t(to.size()) - 2, int64_t(to.size()) - 1});
  filter = tensor::CollapseShapeOp::create(rewriter, loc, copied, together);
}

Value SampleGradientEmitter::emitGradients(const OutputTile &tile, Value group,
                                           Value block) {
  bool hasGroups = deformation.hasGroups;
  // The filter, [g,] f, taps and channels, with units in front.
  TensorSlice slice(rewriter, loc, filter);
  if (hasGroups && group)
    slice.narrow(0, group, index(1));
  slice.pick(hasGroups, block ? OpFoldResult(block) : index(0));
  Value taps = slice.extract();
  SmallVector<OpFoldResult> shape = {index(1), index(1)};
  llvm::append_range(shape, tensor::getMixedSizes(rewriter, loc, taps));
  SmallVector<ReassociationIndices> units = {{0, 1, 2}, {3}};
  if (hasGroups)
    units.push_back({4});
  SmallVector<int64_t> staticShape;
  std::tie(staticShape, std::ignore) = decomposeMixedValues(shape);
  taps = tensor::ExpandShapeOp::create(
      rewriter, loc,
      RankedTensorType::get(staticShape, getElementTypeOrSelf(taps.getType())),
      taps, units, shape);

  std::string resultLayout;
  SmallVector<OpFoldResult> sizes, apart;
  SmallVector<ReassociationIndices> groups;
  for (char letter : names) {
    int64_t channels = group ? blockSize : deformation.channels;
    OpFoldResult size = letter == 'n'   ? tile.images
                        : letter == 'h' ? index(tile.rows)
                        : letter == 'w' ? index(tile.columns)
                        : letter == 'g' ? index(group ? 1 : deformation.groups)
                        : letter == 'y' ? index(deformation.taps[0])
                        : letter == 'x' ? index(deformation.taps[1])
                                        : index(channels);
    // Taps and channels are the channels of the convolution.
    if (letter != 'x' && letter != 'c') {
      groups.emplace_back();
      resultLayout += letter == 'y' ? 'f' : letter;
      sizes.push_back(
          letter == 'y' ? index(deformation.getTapCount() * channels) : size);
    }
    groups.back().push_back(int64_t(apart.size()));
    apart.push_back(size);
  }
  ConvLayouts ofTaps = {layouts.output.swapped('f', 'c'),
                        Layout::fromLetters(hasGroups ? "hwgcf" : "hwcf"),
                        Layout::fromLetters(resultLayout)};
  MLIRContext *context = rewriter.getContext();
  Value sums =
      ConvOp::create(rewriter, loc, getOutputGradient(tile, group), taps,
                     createZeros(rewriter, loc, sizes, rewriter.getF32Type()),
                     ValueRange{}, ConvLayoutAttr::get(context, ofTaps),
                     WindowAttr::get(context, ArrayRef<WindowDim>()),
                     NumericsAttr::getDefault(context));
  std::tie(staticShape, std::ignore) = decomposeMixedValues(apart);
  return tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(staticShape, rewriter.getF32Type()),
      sums, groups, apart);
}

Value SampleGradientEmitter::readGradient(OpBuilder &builder, Location loc,
                                          Value gradients,
                                          const Deformation::Indices &at) {
  SmallVector<Value> place =
      llvm::map_to_vector(names, [&](char name) { return at.lookup(name); });
  return tensor::ExtractOp::create(builder, loc, gradients, place);
}
