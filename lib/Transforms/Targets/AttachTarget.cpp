//===- AttachTarget.cpp - The machine that tiles are made for ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Targets/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "convoy/Transforms/Targets/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct AttachTargetPass final
    : mlir::convoy::impl::AttachTargetPassBase<AttachTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = TargetAttr::getChecked(
        [&] { return module.emitError(); }, &getContext(),
        vectorBytes.getValue(), registers.getValue(), l1Bytes.getValue(),
        l2Bytes.getValue(), ArrayRef<int64_t>(tile), subgroup.getValue(),
        workgroupBytes.getValue(), workgroupItems.getValue(),
        /*matrix=*/ArrayAttr(), slowSharedMemory.getValue());
    if (!target)
      return signalPassFailure();
    module->setAttr(TargetAttr::getModuleAttrName(), target);
  }
};
} // namespace
