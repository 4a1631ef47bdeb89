//===- UnitDims.cpp - Adds and removes dimensions of size one ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Utils/UnitDims.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::convoy;

/// One group for each letter of `word`; a unit dimension joins the letter
/// before it, or the first one. No groups where `word` is empty.
static SmallVector<ReassociationIndices> getReassociation(StringRef word,
                                                          StringRef full) {
  SmallVector<ReassociationIndices> groups(word.size());
  if (word.empty())
    return groups;
  size_t begun = 0;
  for (auto [dim, letter] : llvm::enumerate(full)) {
    if (begun < word.size() && letter == word[begun])
      ++begun;
    groups[begun == 0 ? 0 : begun - 1].push_back(dim);
  }
  assert(begun == word.size() && "word must be a subsequence of full");
  return groups;
}

Value mlir::convoy::expandUnitDims(OpBuilder &builder, Location loc,
                                   Value tensor, StringRef word,
                                   StringRef full) {
  if (word == full)
    return tensor;
  SmallVector<OpFoldResult> sizes;
  for (char letter : full) {
    size_t dim = word.find(letter);
    sizes.push_back(dim == StringRef::npos
                        ? OpFoldResult(builder.getIndexAttr(1))
                        : tensor::getMixedSize(builder, loc, tensor, dim));
  }
  auto type = RankedTensorType::get(decomposeMixedValues(sizes).first,
                                    getElementTypeOrSelf(tensor.getType()));
  return tensor::ExpandShapeOp::create(builder, loc, type, tensor,
                                       getReassociation(word, full), sizes);
}

Value mlir::convoy::collapseUnitDims(OpBuilder &builder, Location loc,
                                     Value tensor, StringRef word,
                                     StringRef full) {
  if (word == full)
    return tensor;
  auto from = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> sizes;
  for (char letter : word)
    sizes.push_back(from.getDimSize(full.find(letter)));
  return tensor::CollapseShapeOp::create(
      builder, loc, RankedTensorType::get(sizes, from.getElementType()), tensor,
      getReassociation(word, full));
}
