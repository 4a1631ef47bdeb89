//===- ConvRewrites.cpp - Passes that rewrite convolutions ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/ConvRewrites.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::rewriteConvsForCPU(
    Operation *root, bool explain,
    function_ref<std::optional<Choice>(RewriterBase &, ConvOp, TargetAttr)>
        rewrite) {
  TargetAttr target = TargetAttr::lookup(root);
  SmallVector<ConvOp> ops;
  root->walk([&](ConvOp op) { ops.push_back(op); });
  if (explain && (target.isGPU() || ops.empty()))
    emitRemark(root->getLoc())
        << getWords(Choice::NoConvolution) << ": "
        << (target.isGPU() ? getWords(Choice::TargetIsGPU)
                           : "there is no convoy.conv");
  if (target.isGPU())
    return;
  IRRewriter rewriter(root->getContext());
  for (ConvOp op : ops) {
    Location loc = op.getLoc();
    std::optional<Choice> reason = rewrite(rewriter, op, target);
    if (explain && reason)
      emitRemark(loc) << getWords(Choice::ConvStays) << ": "
                      << getWords(*reason);
  }
}
