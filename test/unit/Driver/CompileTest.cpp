//===- CompileTest.cpp - Tests of how targets are lowered to --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

TEST(CompileTest, TilesAreThoseOfTheTarget) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  std::string error;
  auto problems =
      readProblems("mb3ic37ih6iw5oc41oh4ow4kh3kw2", ProblemDefaults(), error);
  ASSERT_TRUE(problems) << error;
  for (StringRef target : {"cpu", "vulkan", "rocm-sim", "rocm", "vulkan-sim"}) {
    OwningOpRef<ModuleOp> module = buildModule(&context, *problems);
    ASSERT_TRUE(succeeded(lowerToTilesFor(target, *module, CompileOptions())));
    int64_t tiles = 0;
    module->walk(
        [&](Operation *op) { tiles += op->hasAttr("convoy.workgroup_tile"); });
    EXPECT_EQ(tiles > 0, target != "cpu") << target.str();
    EXPECT_EQ(module->getOperation()->hasAttr("convoy.rocm_chip"),
              target.starts_with("rocm"));
  }
}

namespace {
/// Leaves a constant whose value has another type.
struct BreakPass : PassWrapper<BreakPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BreakPass)

  StringRef getArgument() const override { return "test-break"; }
  void runOnOperation() override {
    Block &body =
        (*getOperation().getOps<func::FuncOp>().begin()).getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    auto constant =
        arith::ConstantIndexOp::create(builder, builder.getUnknownLoc(), 7);
    constant->setAttr("value", builder.getI32IntegerAttr(7));
  }
};
} // namespace

TEST(CompileTest, InvalidTensorsAreAnErrorThatNamesThePass) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  std::string error;
  auto problems =
      readProblems("mb3ic37ih6iw5oc41oh4ow4kh3kw2", ProblemDefaults(), error);
  ASSERT_TRUE(problems) << error;
  CompileOptions options;
  options.verifyEach = false;
  options.configure = [](PassManager &pm) {
    pm.addPass(std::make_unique<BreakPass>());
    return success();
  };
  OwningOpRef<ModuleOp> module = buildModule(&context, *problems);
  FirstErrorHandler errors(&context);
  // The constant is dead, and gone before the pipeline ends.
  EXPECT_TRUE(failed(lowerForCPU(*module, options)));
  EXPECT_TRUE(
      StringRef(errors.getError())
          .contains(
              "expected valid IR behind test-break, but: 'arith.constant' op"))
      << errors.getError();
}
