//===- SplitEmpties.cpp - Give each op an empty tensor ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/TensorOps/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SPLITEMPTIESPASS
#include "convoy/Transforms/TensorOps/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

namespace {
struct SplitEmptiesPass final
    : mlir::convoy::impl::SplitEmptiesPassBase<SplitEmptiesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<tensor::EmptyOp> empties;
    getOperation()->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
    for (tensor::EmptyOp empty : empties) {
      if (empty->use_empty())
        continue;
      // The first use keeps it; others may be the same op's.
      for (OpOperand &use :
           llvm::make_early_inc_range(llvm::drop_begin(empty->getUses()))) {
        OpBuilder builder(use.getOwner());
        use.set(builder.clone(*empty)->getResult(0));
      }
    }
  }
};
} // namespace
