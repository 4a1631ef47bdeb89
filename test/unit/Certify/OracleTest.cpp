//===- OracleTest.cpp - The oracle that judges the certifier ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;

namespace {

class OracleTest : public testing::Test {
protected:
  OracleTest() {
    context
        .loadDialect<ConvoyDialect, affine::AffineDialect, arith::ArithDialect,
                     func::FuncDialect, linalg::LinalgDialect, scf::SCFDialect,
                     tensor::TensorDialect>();
  }

  /// Judges `after` where `before` is meant; both are bodies of a function of
  /// %x, %w and %init, of 5, 3 and 2 elements, that returns %y.
  Oracle::Verdict judge(StringRef before, StringRef after) {
    OwningOpRef<ModuleOp> first = parse(before), second = parse(after);
    Oracle oracle(*first->getOps<func::FuncOp>().begin(), /*seed=*/1);
    EXPECT_EQ(oracle.getError(), "");
    Oracle::Verdict verdict =
        oracle.judge(*second->getOps<func::FuncOp>().begin());
    EXPECT_EQ(verdict.error, "");
    return verdict;
  }

private:
  OwningOpRef<ModuleOp> parse(StringRef body) {
    std::string text =
        ("func.func @f(%x: tensor<5xf32>, %w: tensor<3xf32>, "
         "%init: tensor<2xf32>) -> tensor<2xf32> {\n"
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
         "%c2 = arith.constant 2 : index\n%c3 = arith.constant 3 : index\n"
         "%c4 = arith.constant 4 : index\n" +
         body + "\nreturn %y : tensor<2xf32>\n}")
            .str();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error(Twine("does not parse: ") + text);
    return module;
  }

  MLIRContext context;
};

/// %y[i] = %init[i] + the sum over k of 0 to 2 of what `body` makes of the
/// elements %x[`x`] and %w[`w`].
std::string sumOver(StringRef x, StringRef w, StringRef body) {
  return ("%y = linalg.generic {indexing_maps = [affine_map<(i, k) -> (" + x +
          ")>, affine_map<(i, k) -> (" + w +
          ")>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], "
          "iterator_types = [\"parallel\", \"reduction\"]} "
          "ins(%x, %w, %w : tensor<5xf32>, tensor<3xf32>, tensor<3xf32>) "
          "outs(%init : tensor<2xf32>) {\n"
          "^bb0(%a: f32, %b: f32, %c: f32, %sum: f32):\n" +
          body + "\nlinalg.yield %new : f32 } -> tensor<2xf32>")
      .str();
}

constexpr StringRef product = "%p = arith.mulf %a, %b : f32\n"
                              "%new = arith.addf %sum, %p : f32";

TEST_F(OracleTest, SumsOfEqualTermsStaySmall) {
  // 2^40 times %x[0].
  auto doubled = [](int steps) {
    std::string text = "%v0 = tensor.extract %x[%c0] : tensor<5xf32>\n";
    for (int step = 0; step < steps; ++step)
      text += llvm::formatv("%v{1} = arith.addf %v{0}, %v{0} : f32\n", step,
                            step + 1);
    return text + llvm::formatv("%y = linalg.fill ins(%v{0} : f32) "
                                "outs(%init : tensor<2xf32>) -> tensor<2xf32>",
                                steps)
                      .str();
  };
  EXPECT_TRUE(judge(doubled(40), doubled(40)).areEqual);
  EXPECT_FALSE(judge(doubled(40), doubled(39)).areEqual);
}

TEST_F(OracleTest, IgnoresTheOrderOfSumsAndFactors) {
  std::string before = sumOver("i + k", "k", product);
  // The taps from the last to the first, factors and summands exchanged.
  Oracle::Verdict verdict =
      judge(before, sumOver("i + 2 - k", "2 - k",
                            "%p = arith.mulf %b, %a : f32\n"
                            "%new = arith.addf %p, %sum : f32"));
  EXPECT_TRUE(verdict.areEqual) << verdict.message;
  EXPECT_TRUE(verdict.areNumbersEqual);
}

TEST_F(OracleTest, SeesOtherTerms) {
  std::string before = sumOver("i + k", "k", product);
  for (const std::string &after :
       {sumOver("i + 2 - k", "k", product), sumOver("i + k", "2 - k", product),
        sumOver("i + k", "k",
                "%p = arith.mulf %a, %b : f32\n"
                "%new = arith.subf %sum, %p : f32"),
        sumOver("i + k", "k",
                "%p = arith.mulf %a, %a : f32\n"
                "%new = arith.addf %sum, %p : f32")}) {
    Oracle::Verdict verdict = judge(before, after);
    EXPECT_FALSE(verdict.areEqual) << after;
    EXPECT_FALSE(verdict.areNumbersEqual) << after;
  }
}

TEST_F(OracleTest, TakesTheChosenOneForAMaximum) {
  auto choose = [](StringRef predicate, StringRef chosen, StringRef other) {
    return sumOver("i + k", "k",
                   ("%p = arith.cmpf " + predicate +
                    ", %a, %b : f32\n%m = " + "arith.select %p, %" + chosen +
                    ", %" + other + " : f32\n%new = arith.addf %sum, %m : f32")
                       .str());
  };
  std::string maximum = sumOver("i + k", "k",
                                "%m = arith.maximumf %b, %a : f32\n"
                                "%new = arith.addf %sum, %m : f32");
  for (const std::string &same :
       {choose("ugt", "a", "b"), choose("olt", "b", "a")}) {
    Oracle::Verdict verdict = judge(maximum, same);
    EXPECT_TRUE(verdict.areEqual) << verdict.message;
    EXPECT_TRUE(verdict.areNumbersEqual);
  }
  for (const std::string &other :
       {choose("ugt", "b", "a"), choose("olt", "a", "b")}) {
    Oracle::Verdict verdict = judge(maximum, other);
    EXPECT_FALSE(verdict.areEqual) << other;
    EXPECT_FALSE(verdict.areNumbersEqual) << other;
  }
}

TEST_F(OracleTest, KeepsWhatWasNeverWritten) {
  // %init + 0 * %e, where %e is empty.
  constexpr StringRef poisoned =
      "%zeros = arith.constant dense<0.0> : tensor<2xf32>\n"
      "%e = tensor.empty() : tensor<2xf32>\n"
      "%p = arith.mulf %e, %zeros : tensor<2xf32>\n"
      "%y = arith.addf %init, %p : tensor<2xf32>";
  constexpr StringRef identity =
      "%y = tensor.cast %init : tensor<2xf32> to tensor<2xf32>";
  EXPECT_FALSE(judge(identity, poisoned).areEqual);
  EXPECT_TRUE(judge(poisoned, poisoned).areEqual);
}

/// `after` is undefined for the reason `message`.
struct Undefined {
  StringRef after, message;
};

TEST_F(OracleTest, RefusesWhatIsUndefined) {
  constexpr Undefined cases[] = {
      {"%s = tensor.extract_slice %x[%c4] [2] [1] : tensor<5xf32> to "
       "tensor<2xf32>\n"
       "%y = tensor.cast %s : tensor<2xf32> to tensor<2xf32>",
       "a slice that leaves its tensor"},
      {"%s = tensor.extract_slice %x[0] [%c3] [1] : tensor<5xf32> to "
       "tensor<?xf32>\n"
       "%y = tensor.cast %s : tensor<?xf32> to tensor<2xf32>",
       "a size of 3 where the type says 2"},
      {"%s = tensor.extract_slice %x[0] [%c1] [1] : tensor<5xf32> to "
       "tensor<?xf32>\n"
       "%y = tensor.insert_slice %s into %init[0] [%c2] [1] : tensor<?xf32> "
       "into "
       "tensor<2xf32>",
       "a slice of other sizes than what is inserted"},
      {"%s = tensor.extract_slice %x[0] [%c3] [1] : tensor<5xf32> to "
       "tensor<?xf32>\n"
       "%y = linalg.add ins(%s, %init : tensor<?xf32>, tensor<2xf32>) "
       "outs(%init : tensor<2xf32>) -> tensor<2xf32>",
       "operands whose sizes do not agree"},
      {"%s = tensor.extract_slice %x[0] [1] [1] : tensor<5xf32> to "
       "tensor<1xf32>\n"
       "%y = scf.forall (%i) in (2) shared_outs(%o = %init) -> tensor<2xf32> "
       "{\nscf.forall.in_parallel { tensor.parallel_insert_slice %s into %o[1] "
       "[1] [1] : tensor<1xf32> into tensor<2xf32> } }",
       "an element that two iterations write"},
      {"%y = scf.for %i = %c0 to %c2 step %c0 iter_args(%o = %init) -> "
       "tensor<2xf32> { scf.yield %o : tensor<2xf32> }",
       "a step of 0"},
      {"%byte = arith.constant dense<1> : tensor<1x1x1xi8>\n"
       "%sum = arith.constant dense<0> : tensor<1x1x1xi32>\n"
       "%z = arith.constant 0 : i32\n"
       "%two = arith.constant dense<1> : tensor<2xi32>\n"
       "%some = tensor.cast %two : tensor<2xi32> to tensor<?xi32>\n"
       "%r = convoy.conv ins(%byte, %byte : tensor<1x1x1xi8>, "
       "tensor<1x1x1xi8>) outs(%sum : tensor<1x1x1xi32>) zero_points(%z, %some "
       ": i32, tensor<?xi32>) layout(nwc x wcf -> nwf)\n"
       "%y = tensor.cast %init : tensor<2xf32> to tensor<2xf32>",
       "zero points of more or fewer channels"},
      {"%images = arith.constant dense<1.0> : tensor<3x2x1xf32>\n"
       "%some = tensor.cast %images : tensor<3x2x1xf32> to tensor<?x2x1xf32>\n"
       "%tap = arith.constant dense<1.0> : tensor<1x1x1xf32>\n"
       "%sum = arith.constant dense<0.0> : tensor<4x2x1xf32>\n"
       "%r = convoy.conv ins(%some, %tap : tensor<?x2x1xf32>, "
       "tensor<1x1x1xf32>) outs(%sum : tensor<4x2x1xf32>) "
       "layout(nwc x wcf -> nwf)\n"
       "%y = tensor.cast %init : tensor<2xf32> to tensor<2xf32>",
       "sizes of one letter that differ"}};
  for (const Undefined &undefined : cases) {
    Oracle::Verdict verdict =
        judge("%y = tensor.cast %init : tensor<2xf32> to tensor<2xf32>",
              undefined.after);
    EXPECT_FALSE(verdict.areEqual);
    EXPECT_EQ(verdict.message, undefined.message);
  }
}

} // namespace
