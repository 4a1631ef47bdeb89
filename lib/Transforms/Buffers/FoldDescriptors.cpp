//===- FoldDescriptors.cpp - Fields in the place of structs -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Buffers/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_FOLDDESCRIPTORSPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

namespace {
struct FoldDescriptorsPass final
    : mlir::convoy::impl::FoldDescriptorsPassBase<FoldDescriptorsPass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter builder(&getContext());
    // Code that is never reached may make a struct of itself.
    (void)eraseUnreachableBlocks(builder, getOperation()->getRegions());
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
          if (isa<LLVM::InsertValueOp, LLVM::PoisonOp, LLVM::UndefOp>(op) &&
              isOpTriviallyDead(op))
            op->erase();
        });
  }
};
} // namespace
