//===- AttributesTest.cpp - Attributes that no text makes -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/IR/Diagnostics.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;

// In text pads are pairs.
TEST(AttributesTest, LowAndHighPadsAreEquallyMany) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ConvoyDialect>();
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error = diagnostic.str();
    return success();
  });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
  int64_t pads[] = {1, 2};
  ArrayRef<int64_t> none;
  EXPECT_FALSE(WindowAttr::getChecked(
      emitError, &context, none, none, ArrayRef(pads),
      ArrayRef(pads).take_front(), none, ArrayRef<bool>()));
  EXPECT_EQ(error, "expected as many low as high pads, but got 2 and 1");
}
