//===- MarkParallelAccesses.cpp - Loops of any order ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/Utils/LoopAnnotation.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_MARKPARALLELACCESSESPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// The groups of accesses that depend on no other iteration of the loop which
/// `block` is in, as its branch says.
static ArrayRef<LLVM::AccessGroupAttr> getParallelGroups(Block &block) {
  auto annotation =
      block.getTerminator()->getAttrOfType<LLVM::LoopAnnotationAttr>(
          mlir::convoy::kLoopAnnotationAttrName);
  if (!annotation)
    return {};
  return annotation.getParallelAccesses();
}

/// Adds `groups` to those of each access of `block`.
static void addGroups(Block &block, ArrayRef<LLVM::AccessGroupAttr> groups) {
  for (auto access : block.getOps<LLVM::AccessGroupOpInterface>()) {
    SmallVector<Attribute> all(groups.begin(), groups.end());
    if (ArrayAttr known = access.getAccessGroupsOrNull())
      all.append(known.begin(), known.end());
    access.setAccessGroups(ArrayAttr::get(access.getContext(), all));
  }
}

namespace {
struct MarkParallelAccessesPass final
    : mlir::convoy::impl::MarkParallelAccessesPassBase<
          MarkParallelAccessesPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](LLVM::LLVMFuncOp function) {
      if (function.getBody().getBlocks().size() > 1)
        markAccesses(function.getBody());
    });
  }

private:
  static void markAccesses(Region &region) {
    DominanceInfo dominance;
    CFGLoopInfo loops(dominance.getDomTree(&region));
    for (Block &block : region) {
      ArrayRef<LLVM::AccessGroupAttr> groups = getParallelGroups(block);
      CFGLoop *loop = groups.empty() ? nullptr : loops.getLoopFor(&block);
      if (!loop)
        continue;
      for (Block *part : loop->getBlocks())
        addGroups(*part, groups);
    }
  }
};
} // namespace
