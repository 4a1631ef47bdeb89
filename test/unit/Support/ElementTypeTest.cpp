//===- ElementTypeTest.cpp - Names of element types -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/ElementType.h"

#include "gtest/gtest.h"

using namespace convoy;

TEST(ElementTypeTest, Names) {
  for (const char *name : {"f64", "f32", "f16", "bf16", "i8"}) {
    auto type = parseElementType(name);
    ASSERT_TRUE(type);
    EXPECT_EQ(elementTypeName(*type), name);
  }
  EXPECT_FALSE(parseElementType("f8"));
}
