//===- AbsentReportTest.cpp - Tests of a build without reports ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/ToolOptions.h"
#include "convoy/Report/ReportPage.h"

#include <gtest/gtest.h>

using namespace mlir::convoy;

TEST(AbsentReportTest, TheFlagSaysWhatIsMissing) {
  llvm::cl::OptionCategory category("options");
  ReportFlag flag(category);
  std::string file, error;
  EXPECT_TRUE(flag.read("", file, error));
  EXPECT_FALSE(flag.addOccurrence(1, "report", "a.html"));
  EXPECT_FALSE(flag.read("", file, error));
  EXPECT_EQ(error, "cannot write 'a.html': " + *checkReportSupport());
  EXPECT_EQ(*checkReportSupport(),
            "reports are not built in: the charts' library was not found when "
            "Convoy was configured (Python's package vl-convert-python, which "
            "scripts/setup installs)");
}
