//===- FunctionHistoryTest.cpp - What a pass is compared with ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionHistory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {

constexpr StringRef Sum = R"(
  func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
    %z = arith.addf %x, %y : tensor<3xf32>
    return %z : tensor<3xf32>
  })";

/// The same sum in another order.
constexpr StringRef OtherSum = R"(
  func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
    %z = arith.addf %y, %x : tensor<3xf32>
    return %z : tensor<3xf32>
  })";

/// A function that is not understood, let it be the same.
constexpr StringRef NotUnderstood = R"(
  func.func private @g(tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
    %z = func.call @g(%x, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %z : tensor<3xf32>
  })";

class FunctionHistoryTest : public testing::Test {
protected:
  FunctionHistoryTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect>();
  }

  /// The public function of `text` alone.
  OwningOpRef<ModuleOp> parse(StringRef text) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    return copyFunction(module->lookupSymbol<func::FuncOp>("f"));
  }

  /// That of a sum that passes made a function of which nothing is understood.
  FunctionHistory begin() {
    OwningOpRef<ModuleOp> module = parse(Sum);
    FunctionHistory history = FunctionHistory::begin(getOnlyFunction(*module));
    history.values = Values::read(*parse(NotUnderstood));
    return history;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
};

TEST_F(FunctionHistoryTest, ComparesWithWhatItWasAtFirst) {
  Values after = Values::read(*parse(OtherSum));
  FunctionHistory history = begin();
  history.numCertified = 1;
  EXPECT_EQ(history.certify(after, /*seconds=*/10).verdict,
            Certificate::Verdict::Certified);
  EXPECT_TRUE(history.isFromFirst);
  EXPECT_EQ(history.certify(after, /*seconds=*/10).verdict,
            Certificate::Verdict::Certified);
  EXPECT_TRUE(history.isFromFirst);
}

TEST_F(FunctionHistoryTest, ComparesWithTheLastWhereNotAllWasProved) {
  Values after = Values::read(*parse(OtherSum));
  FunctionHistory history = begin();
  history.numCertified = 1;
  history.isCertified = false;
  EXPECT_EQ(history.certify(after, /*seconds=*/10).verdict,
            Certificate::Verdict::Undecided);
  EXPECT_FALSE(history.isFromFirst);
}

} // namespace
