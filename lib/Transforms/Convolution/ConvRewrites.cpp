//===- ConvRewrites.cpp - Passes that rewrite convolutions ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvRewrites.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::rewriteConvsForCPU(
    Operation *root,
    function_ref<void(RewriterBase &, ConvOp, TargetAttr)> rewrite) {
  TargetAttr target = TargetAttr::lookup(root);
  if (target.isGPU())
    return;
  SmallVector<ConvOp> ops;
  root->walk([&](ConvOp op) { ops.push_back(op); });
  IRRewriter rewriter(root->getContext());
  for (ConvOp op : ops)
    rewrite(rewriter, op, target);
}
