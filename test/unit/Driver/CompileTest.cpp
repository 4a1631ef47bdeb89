//===- CompileTest.cpp - Tests of how targets are lowered to --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"

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
