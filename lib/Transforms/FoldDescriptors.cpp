//===- FoldDescriptors.cpp - Fields in the place of structs -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_FOLDDESCRIPTORSPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

namespace {
struct FoldDescriptorsPass final
    : convoy::impl::FoldDescriptorsPassBase<FoldDescriptorsPass> {
  using Base::Base;

  void runOnOperation() override {
    OpBuilder builder(&getContext());
    getOperation()->walk([&](LLVM::ExtractValueOp extract) {
      SmallVector<Value> field;
      builder.setInsertionPoint(extract);
      if (failed(builder.tryFold(extract, field)) || field.empty())
        return;
      extract.replaceAllUsesWith(field[0]);
      extract.erase();
    });
    // A chain of insertions from its end.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *op) {
          if (isOpTriviallyDead(op))
            op->erase();
        });
  }
};
} // namespace
