//===- DetachTarget.cpp - Forget which machine tiles are for ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Targets/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DETACHTARGETPASS
#include "convoy/Transforms/Targets/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct DetachTargetPass final
    : mlir::convoy::impl::DetachTargetPassBase<DetachTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->removeAttr(TargetAttr::getModuleAttrName());
  }
};
} // namespace
