//===- DeformChannels.cpp - Channels side by side ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeformChannels.h"

#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;
using ::convoy::Operand;

/// The layout of `operand` with its channels innermost.
static Layout getWanted(const Layout &layout, Operand operand) {
  std::string group = layout.hasGroups() ? "g" : "";
  switch (operand) {
  case Operand::Input:
    return Layout::fromLetters("nhw" + group + "c");
  case Operand::Filter:
    return Layout::fromLetters("hw" + group + "cf");
  case Operand::Output:
    return Layout::fromLetters("nhw" + group + "f");
  }
  llvm_unreachable("not an operand");
}

bool mlir::convoy::gainsByChannels(DeformConvOp op) {
  // Fewer fill no vector of eight.
  constexpr int64_t FewestChannels = 8;
  ConvLayouts layouts = op.getLayout().getLayouts();
  auto endsWith = [&](Operand operand, StringRef end) {
    return StringRef(layouts[operand].letters()).ends_with(end);
  };
  if (endsWith(Operand::Input, "c") && endsWith(Operand::Filter, "f") &&
      endsWith(Operand::Output, "f"))
    return false;
  int64_t channels = op.getChannels(),
          features = op.getSize(Operand::Output, 'f');
  return channels >= FewestChannels * op.getOffsetGroups() &&
         features >= FewestChannels;
}

Value mlir::convoy::emitAlongChannels(
    RewriterBase &rewriter, DeformConvOp op,
    function_ref<Value(RewriterBase &, DeformConvOp)> emit) {
  Location loc = op.getLoc();
  ConvLayouts layouts = op.getLayout().getLayouts(), wanted;
  wanted.input = getWanted(layouts.input, Operand::Input);
  wanted.filter = getWanted(layouts.filter, Operand::Filter);
  wanted.output = getWanted(layouts.output, Operand::Output);
  auto reorder = [&](Value value, Operand operand) {
    const Layout &from = layouts[operand], &to = wanted[operand];
    return from == to ? value
                      : reorderDims(rewriter, loc, value, from.letters(),
                                    to.letters());
  };
  Value init = op.getInit();
  if (linalg::FillOp fill = getOwnFill(init);
      fill && layouts.output != wanted.output) {
    SmallVector<OpFoldResult> sizes;
    for (char letter : wanted.output.letters())
      sizes.push_back(tensor::getMixedSize(rewriter, loc, init,
                                           layouts.output.position(letter)));
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          op.getType().getElementType());
    init = fillAs(rewriter, loc, fill, empty);
  } else {
    init = reorder(init, Operand::Output);
  }
  auto along = DeformConvOp::create(
      rewriter, loc, init.getType(), reorder(op.getInput(), Operand::Input),
      reorder(op.getFilter(), Operand::Filter), op.getOffset(), init,
      op.getMask(), ConvLayoutAttr::get(op.getContext(), wanted),
      op.getOffsetLayoutAttr(), op.getWindow());
  Value sums = emit(rewriter, along);
  rewriter.eraseOp(along);
  if (layouts.output == wanted.output)
    return sums;
  return reorderDims(rewriter, loc, sums, wanted.output.letters(),
                     layouts.output.letters());
}
