//===- TestForgetTranspose.cpp - Makes the mistake to be found --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;

namespace {
struct TestForgetTransposePass final
    : PassWrapper<TestForgetTransposePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestForgetTransposePass)

  StringRef getArgument() const override {
    return "test-convoy-forget-transpose";
  }
  StringRef getDescription() const override {
    return "Swap c and f in the filter of each forward convolution";
  }

  void runOnOperation() override {
    getOperation()->walk([](ConvOp op) {
      ConvLayouts layouts = op.getLayout().getLayouts();
      layouts.filter = layouts.filter.swapped('c', 'f');
      op.setLayoutAttr(ConvLayoutAttr::get(op.getContext(), layouts));
    });
  }
};
} // namespace

void mlir::convoy::test::registerTestForgetTransposePass() {
  PassRegistration<TestForgetTransposePass>();
}
