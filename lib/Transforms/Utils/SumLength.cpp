//===- SumLength.cpp - How many products a convolution adds -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/SumLength.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Direction;
using ::convoy::Operand;

std::optional<uint64_t> mlir::convoy::getSumLength(ConvolutionOpInterface op) {
  bool isBackwardFilter = op.getDirection() == Direction::BackwardFilter;
  Operand summed = isBackwardFilter ? Operand::Output : Operand::Filter;
  // What the sum's operand and the result have in common is not summed over.
  StringRef kept = op.getDirection() == Direction::BackwardData ? "gc" : "gf";
  uint64_t length = 1;
  ConvLayouts layouts = op.getLayout().getLayouts();
  for (char letter : layouts[summed].letters()) {
    if (kept.contains(letter))
      continue;
    int64_t size = op.getSize(summed, letter);
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    length = llvm::SaturatingMultiply(length, uint64_t(size));
  }
  return length;
}
