//===- IdentityTestTest.cpp - Tests of runs on random integers ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/IdentityTest.h"
#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

static Problem parse(const std::string &text) {
  std::string error;
  std::optional<std::vector<Problem>> problems = readProblems(text, {}, error);
  EXPECT_TRUE(problems) << error;
  return problems->front();
}

static std::optional<IdentityTest> plan(const CheckedConv &conv) {
  std::string reason;
  return planIdentityTest(conv, reason);
}

TEST(IdentityTestTest, RunsUntilAMissIsUnlikely) {
  for (const char *text :
       {"mb1ic64ih14oc64kh3ph1", "--type=f64 mb1ic64ih14oc64kh3ph1",
        "--type=f16 mb1ic512ih7oc512kh3ph1",
        "--type=bf16 mb1ic64ih14oc64kh3ph1",
        "--type=bf16 mb1ic512ih7oc512kh3ph1", "--type=i8 mb1ic64ih14oc64kh3ph1",
        "--dir=BWD_W mb32ic64ih56oc64kh3ph1"}) {
    std::optional<IdentityTest> test = plan(describeProblem(parse(text)));
    ASSERT_TRUE(test) << text;
    EXPECT_LE(test->getMissedExponent(), -64) << text;
    EXPECT_LE(test->runs, 128u) << text;
    // One run fewer would not do.
    --test->runs;
    EXPECT_GT(test->getMissedExponent(), -64) << text;
  }
}

TEST(IdentityTestTest, NarrowSumsTakeSmallNumbers) {
  CheckedConv conv = describeProblem(parse("--type=f16 mb1ic64ih14oc64kh3ph1"));
  std::optional<IdentityTest> wide = plan(conv);
  conv.numerics.accumulator = ScalarType::F16;
  std::optional<IdentityTest> narrow = plan(conv);
  ASSERT_TRUE(wide && narrow);
  EXPECT_LT(narrow->data[0].limit, wide->data[0].limit);
  EXPECT_GT(narrow->runs, wide->runs);
  // 2^11 is the end of exact sums, too near for these.
  CheckedConv longer =
      describeProblem(parse("--type=f16 mb1ic65536iw64oc1kw9pw4"));
  longer.numerics.accumulator = ScalarType::F16;
  std::string reason;
  EXPECT_FALSE(planIdentityTest(longer, reason));
  EXPECT_EQ(reason, "runs on integers say nothing of sums of 589824 products, "
                    "which are not exact in f16");
}

TEST(IdentityTestTest, DrawsAllIntegersUpToTheLimit) {
  CheckedConv conv =
      describeProblem(parse("--dir=FWD_B --type=f16 mb2ic64ih14oc64kh3ph1"));
  std::optional<IdentityTest> test = plan(conv);
  ASSERT_TRUE(test);
  std::vector<HostArray> arguments = generateArguments(conv, {});
  std::vector<HostArray> again = arguments;
  int64_t limit = test->data[0].limit;
  drawIdentityArguments(conv, {limit}, 1, arguments);
  drawIdentityArguments(conv, {limit}, 2, again);
  for (size_t number = 0; number + 1 < arguments.size(); ++number) {
    EXPECT_NE(arguments[number].bytes, again[number].bytes);
    std::vector<bool> seen(2 * limit + 1);
    for (int64_t i = 0; i < arguments[number].elementCount(); ++i) {
      double value = arguments[number].at(i);
      ASSERT_EQ(value, std::round(value));
      ASSERT_LE(std::abs(value), limit);
      seen[int64_t(value) + limit] = true;
    }
    // The bias has 64 elements.
    if (arguments[number].elementCount() > 20 * int64_t(seen.size()))
      EXPECT_TRUE(llvm::all_of(seen, [](bool is) { return is; }));
  }
}

/// Of one product that a kernel leaves out, fewer are missed than the bound
/// says, and not many fewer.
TEST(IdentityTestTest, BoundIsNearThatOfOneProduct) {
  CheckedConv conv = describeProblem(parse("mb1ic1iw1oc1kw1"));
  std::vector<HostArray> arguments = generateArguments(conv, {});
  constexpr int Draws = 100000;
  int missed = 0;
  for (int seed = 0; seed < Draws; ++seed) {
    drawIdentityArguments(conv, {2}, seed, arguments);
    missed += arguments[0].at(0) * arguments[1].at(0) == 0;
  }
  double expected = 1 - 0.8 * 0.8, bound = 2.0 / 5;
  double deviation = std::sqrt(expected * (1 - expected) / Draws);
  EXPECT_NEAR(double(missed) / Draws, expected, 5 * deviation);
  EXPECT_LT(double(missed) / Draws, bound);
}

TEST(IdentityTestTest, SaysNothingOfWhatIsRounded) {
  auto getReason = [](const CheckedConv &conv) {
    std::string reason;
    EXPECT_FALSE(planIdentityTest(conv, reason));
    return reason;
  };
  CheckedConv conv = describeProblem(parse("mb1ic8iw9oc5kw3"));
  conv.init = CheckedInit{std::nullopt, 0.1, {}};
  EXPECT_EQ(getReason(conv),
            "runs on integers say nothing of sums that start from a constant "
            "that is no whole number");
  for (double large : {0x1p24, HUGE_VAL}) {
    conv.init->constant = large;
    EXPECT_EQ(getReason(conv), "runs on integers say nothing of sums of 24 "
                               "products, which are not exact in f32");
  }
  conv.init->constant = -300;
  EXPECT_TRUE(plan(conv));
  CheckedConv narrow = describeProblem(parse("--type=f16 mb1ic8iw9oc5kw3"));
  narrow.init = CheckedInit{std::nullopt, 4096, {}};
  EXPECT_EQ(getReason(narrow), "runs on integers say nothing of sums of 24 "
                               "products, most of which f16 rounds");
  EXPECT_EQ(getReason(describeProblem(
                parse("--dir=BWD_W --type=bf16 mb32ic64ih56oc64kh3ph1"))),
            "runs on integers say nothing of sums of 100352 products, most of "
            "which bf16 rounds");
  CheckedConv bytes = describeProblem(parse("--type=i8 mb1ic8iw9oc5kw3"));
  bytes.numerics.accumulator = ScalarType::I16;
  EXPECT_EQ(getReason(bytes), "runs on integers say nothing of integers other "
                              "than sums in i32 of products of bytes");
}

/// Bytes of long sums stay so near to their zero points that no difference is a
/// multiple of 2^32.
TEST(IdentityTestTest, LongSumsTakeFewBytes) {
  CheckedConv conv = describeProblem(
      parse("--dir=BWD_W --dt=u8:s8:s32 --attr-zero-points=src:common:3 "
            "mb32ic3ih56oc3kh3ph1"));
  std::optional<IdentityTest> test = plan(conv);
  ASSERT_TRUE(test);
  int64_t limit = test->data[0].limit;
  EXPECT_LE(100352.0 * 4 * (2.0 * limit) * (2.0 * limit), 0x1p32);
  std::vector<HostArray> arguments = generateArguments(conv, {});
  drawIdentityArguments(conv, {limit}, 0, arguments);
  const HostArray &input = arguments[conv.arguments[size_t(Operand::Input)]];
  double least = 255, most = 0;
  for (int64_t i = 0; i < input.elementCount(); ++i) {
    least = std::min(least, input.at(i));
    most = std::max(most, input.at(i));
  }
  // Unsigned bytes begin at 0, so that 3 is not in the middle.
  EXPECT_EQ(least, 0);
  EXPECT_EQ(most, 2.0 * limit);
}

/// A kernel for other padding, whose arguments and results have the same sizes.
TEST(IdentityTestTest, FindsAnotherConvolution) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  std::vector<std::string> all;
  for (const char *direction : {"FWD_D", "BWD_D", "BWD_W"})
    for (const char *type : {"f32", "f16", "bf16", "i8"})
      all.push_back(std::string("--dir=") + direction + " --type=" + type);
  for (const char *epilogue : {"--attr-post-ops=add:f32:per_tensor+relu",
                               "--type=bf16 --attr-post-ops=swish:1",
                               "--type=f64 --attr-post-ops=clip:0:6",
                               "--dt=u8:s8:s8 --attr-scales=src:common:0.05"})
    all.push_back(epilogue);
  for (const std::string &one : all) {
    std::string words = one + " ";
    Problem problem = parse(words + "mb1ic3iw9oc5ow9kw3pw1"),
            other = parse(words + "mb1ic3iw9oc5ow9kw3pw2");
    OwningOpRef<ModuleOp> module = buildModule(&context, problem);
    FailureOr<CPUModule> functions = compileForCPU(*module, {});
    ASSERT_TRUE(succeeded(functions));
    CompiledModule compiled(std::move(*functions));
    Device device;
    ASSERT_TRUE(openTarget("cpu", device).ok());
    LoadedModule loaded(compiled, device);
    ASSERT_TRUE(loaded.load().ok());
    CheckOptions options;
    options.compare = false;
    options.identity = true;
    LoadedKernel kernel{loaded, compiled.getKernels().front()};
    CheckResult right = checkProblem(problem, kernel, options);
    EXPECT_TRUE(right.passed() && right.identity) << words;
    CheckResult wrong = checkProblem(other, kernel, options);
    ASSERT_EQ(wrong.faults.size(), 1u) << words;
    EXPECT_TRUE(StringRef(wrong.faults[0])
                    .starts_with("run 1 on integers (--seed=0): "))
        << wrong.faults[0];
    EXPECT_FALSE(wrong.identity);
  }
}
