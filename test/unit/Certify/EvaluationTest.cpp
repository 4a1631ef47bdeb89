//===- EvaluationTest.cpp - Values of sums against enumeration --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms/Evaluation.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::convoy::certify;

namespace {

using Point = DenseMap<Var, int64_t>;

constexpr int64_t Least = -3, Most = 4;
/// The unknowns of a sum are 0 to 2, that of its surroundings is 3.
constexpr Var Outer = 3;

class EvaluationTest : public testing::Test {
protected:
  int64_t draw(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  }

  LinearExpr drawExpr() {
    LinearExpr expr(draw(-6, 6));
    for (Var var = 0; var <= Outer; ++var)
      if (draw(0, 2) != 0)
        expr += LinearExpr::var(var) * DynamicAPInt(draw(-4, 4));
    return expr;
  }

  static bool holds(const System &system, const Point &point) {
    return llvm::all_of(
        system.getConstraints(), [&](const Constraint &constraint) {
          int64_t value = constraint.expr.evaluate(point);
          return constraint.isEquality ? value == 0 : value >= 0;
        });
  }

  static std::optional<int64_t> getInteger(const std::optional<Number> &value) {
    return value ? std::optional(std::get<int64_t>(*value)) : std::nullopt;
  }

  std::mt19937 random{42};
  MLIRContext context{MLIRContext::Threading::DISABLED};
  Builder builder{&context};
};

TEST_F(EvaluationTest, SumsOverAllPoints) {
  int64_t numTerms = 0;
  for (int round = 0; round < 2000; ++round) {
    System domain;
    for (Var var = 0; var < Outer; ++var)
      domain.addRange(Least, LinearExpr::var(var), Most + 1);
    for (int64_t left = draw(0, 3); left > 0; --left)
      domain.add({drawExpr(), draw(0, 3) == 0});
    Family family{
        {0, 1, 2}, domain, makeConstant(builder.getI32IntegerAttr(7))};
    ExprRef sum = makeSum(builder.getI32Type(), family);
    Point point;
    point[Outer] = draw(Least, Most);
    int64_t expected = 0;
    Point inner = point;
    for (inner[0] = Least; inner[0] <= Most; ++inner[0])
      for (inner[1] = Least; inner[1] <= Most; ++inner[1])
        for (inner[2] = Least; inner[2] <= Most; ++inner[2])
          expected += holds(domain, inner) ? 7 : 0;
    EXPECT_EQ(getInteger(evaluate(sum, point, {Assignment::Kind::Constant})),
              expected)
        << "round " << round;
    numTerms += expected / 7;
  }
  EXPECT_GT(numTerms, 10000);
}

TEST_F(EvaluationTest, StopsWhereThereIsNoEnd) {
  System domain;
  domain.addAtMost(0, LinearExpr::var(0));
  ExprRef one = makeConstant(builder.getI32IntegerAttr(1));
  ExprRef sum = makeSum(builder.getI32Type(), Family{{0}, domain, one});
  EXPECT_FALSE(evaluate(sum, Point(), {Assignment::Kind::Constant}));
  // 2^20 terms are too many to try.
  System large;
  large.addRange(0, LinearExpr::var(0), 1 << 20);
  sum = makeSum(builder.getI32Type(), Family{{0}, large, one});
  EXPECT_FALSE(evaluate(sum, Point(), {Assignment::Kind::Constant}));
}

TEST_F(EvaluationTest, KeepsToTheWidthsOfIntegers) {
  auto none = DictionaryAttr::get(&context);
  ExprRef narrow = makeConstant(builder.getI8IntegerAttr(-3));
  auto apply = [&](StringRef name, Type type, ArrayRef<ExprRef> operands) {
    // Not simplified.
    Expr expr{};
    expr.kind = Expr::Kind::Apply;
    expr.type = type;
    expr.name = name;
    expr.attributes = none;
    expr.operands.assign(operands.begin(), operands.end());
    return getInteger(evaluate(std::make_shared<const Expr>(std::move(expr)),
                               Point(), {Assignment::Kind::Constant}));
  };
  EXPECT_EQ(apply("arith.extsi", builder.getI32Type(), narrow), -3);
  EXPECT_EQ(apply("arith.extui", builder.getI32Type(), narrow), 253);
  EXPECT_EQ(apply("arith.muli", builder.getI8Type(), {narrow, narrow}), 9);
  ExprRef most = makeConstant(builder.getI8IntegerAttr(100));
  EXPECT_EQ(apply("arith.addi", builder.getI8Type(), {most, most}), -56);
  EXPECT_EQ(apply("arith.trunci", builder.getI8Type(),
                  makeConstant(builder.getI32IntegerAttr(257))),
            1);
}

} // namespace
