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

/// `layout` of `operand` with the channels that products are vectors of
/// innermost, and an input's rows behind each other; itself where it is so.
static Layout getWanted(const Layout &layout, Operand operand) {
  StringRef letters = layout.letters();
  std::string group = layout.hasGroups() ? "g" : "";
  switch (operand) {
  case Operand::Input:
    return letters.contains("hw") && letters.ends_with("c")
               ? layout
               : Layout::fromLetters("nhw" + group + "c");
  case Operand::Filter:
    return letters.ends_with("f") ? layout
                                  : Layout::fromLetters("hw" + group + "cf");
  case Operand::Output:
    return letters.ends_with("f") ? layout
                                  : Layout::fromLetters("nhw" + group + "f");
  }
  llvm_unreachable("not an operand");
}

/// The layouts of `op` with the channels of all operands innermost.
static ConvLayouts getWanted(DeformConvOp op) {
  ConvLayouts layouts = op.getLayout().getLayouts();
  return {getWanted(layouts.input, Operand::Input),
          getWanted(layouts.filter, Operand::Filter),
          getWanted(layouts.output, Operand::Output)};
}

bool mlir::convoy::gainsByChannels(DeformConvOp op) {
  // Fewer fill no vector of eight.
  constexpr int64_t FewestChannels = 8;
  if (getWanted(op) == op.getLayout().getLayouts())
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
  ConvLayouts layouts = op.getLayout().getLayouts(), wanted = getWanted(op);
  auto reorder = [&](Value value, Operand operand) {
    const Layout &from = layouts[operand], &to = wanted[operand];
    return from == to ? value
                      : reorderDims(rewriter, loc, value, from.letters(),
                                    to.letters());
  };
  Value init = op.getInit();
  if (linalg::FillOp fill = getOwnFill(init);
      fill && layouts.output != wanted.output) {
    init = fillAs(rewriter, loc, fill,
                  createReordered(rewriter, loc, init, layouts.output.letters(),
                                  wanted.output.letters()));
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
