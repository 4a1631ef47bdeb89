//===- RunKernelTest.cpp - Tests of kernels on several targets ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that is a sequence of launches, of SPIR-V written by hand, beside
// the kernel that the CPU's compiler makes of the same problem.
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Runtime/FileIO.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr int64_t kWidth = 8, kBytes = 4 * kWidth;

KernelLaunch makeLaunch(const std::string &kernel, int64_t groups,
                        int64_t items,
                        const SmallVector<KernelBinding> &bindings) {
  KernelLaunch launch;
  launch.kernel = kernel;
  launch.grid = {groups, 1, 1};
  launch.workgroup = {items, 1, 1};
  launch.bindings = bindings;
  return launch;
}

class RunKernelTest : public testing::Test {
protected:
  RunKernelTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    setenv("CONVOY_VULKAN_VALIDATE", "1", /*replace=*/1);
    setenv("CONVOY_VULKAN_CACHE", "0", /*replace=*/1);
    expectOk(Device::open("cpu", cpu));
    expectOk(Device::open("vulkan", vulkan));
    std::string error;
    std::optional<std::vector<Problem>> parsed =
        readProblems("mb1_ic1iw8_oc1ow8_kw1", {}, error);
    if (!parsed) {
      ADD_FAILURE() << error;
      return;
    }
    problem = parsed->front();
    OwningOpRef<ModuleOp> module = buildModule(&context, problem);
    FailureOr<CompiledModule> made = compileFor("cpu", *module, {});
    if (failed(made)) {
      ADD_FAILURE() << "cannot compile";
      return;
    }
    compiled.emplace(std::move(*made));
    interface = compiled->getKernels().front();
    // Through the second half of a workspace.
    interface.workspaceBytes = 512;
    using Kind = KernelBinding::Kind;
    KernelBinding middle = {Kind::Workspace, 0, {256}, {kBytes}};
    interface.launches = {
        makeLaunch("scale", kWidth, 1,
                   {{Kind::Argument, 0, {}, {kBytes}},
                    {Kind::Argument, 1, {}, {4}},
                    middle}),
        makeLaunch("copy", kWidth / 4, 4,
                   {middle, {Kind::Argument, 2, {}, {kBytes}}})};
  }

  static void expectOk(const Status &status) {
    EXPECT_TRUE(status.ok()) << status.text;
  }

  /// What the CPU's kernel and then the launches of `interface` give.
  std::vector<CheckResult> check(DataKind data, bool compare = true) {
    std::string error;
    auto image = readFile(CONVOY_TEST_SPIRV "/pointwise.spv", error);
    EXPECT_TRUE(image) << error;
    CompiledModule launched("vulkan", *image, {interface});
    LoadedModule onCPU(*compiled, cpu), onVulkan(launched, vulkan);
    expectOk(onCPU.load());
    expectOk(onVulkan.load());
    CheckOptions options;
    options.data = data;
    options.compare = compare;
    CheckedConv conv = describeProblem(problem);
    return checkKernels(conv,
                        {{onCPU, compiled->getKernels().front()},
                         {onVulkan, launched.getKernels().front()}},
                        generateArguments(conv, options), options);
  }

  MLIRContext context;
  Device cpu, vulkan;
  Problem problem;
  std::optional<CompiledModule> compiled;
  KernelInterface interface; ///< of the launches
};

} // namespace

TEST_F(RunKernelTest, LaunchesAreAKernel) {
  for (DataKind data : {DataKind::Int, DataKind::Normal, DataKind::Range}) {
    std::vector<CheckResult> results = check(data);
    ASSERT_EQ(results.size(), 2u);
    for (const CheckResult &result : results) {
      EXPECT_TRUE(result.passed())
          << result.error << ::convoy::toString(result.report);
      EXPECT_EQ(result.report.elements, kWidth);
      EXPECT_GT(result.seconds, 0);
      EXPECT_EQ(result.results.size(), 1u);
    }
  }
}

TEST_F(RunKernelTest, WrongNumbersAreFound) {
  interface.launches[1].kernel = "twice";
  std::vector<CheckResult> results = check(DataKind::Normal);
  EXPECT_TRUE(results[0].passed());
  EXPECT_EQ(results[1].report.wrong, kWidth);
  EXPECT_TRUE(results[1].faults.empty());
}

TEST_F(RunKernelTest, TargetsAreComparedOnIntegers) {
  interface.launches[1].kernel = "twice";
  std::vector<CheckResult> results = check(DataKind::Int, /*compare=*/false);
  EXPECT_TRUE(results[0].passed());
  ASSERT_EQ(results[1].faults.size(), 1u);
  const HostArray &first = results[0].results[0];
  int64_t place = 0;
  while (first.at(place) == 0)
    ++place;
  std::string number = std::to_string(place);
  EXPECT_THAT(results[1].faults[0], HasSubstr("element " + number + " is "));
  EXPECT_THAT(results[1].faults[0], HasSubstr(" on cpu"));
}

TEST_F(RunKernelTest, MissingWritesAreFound) {
  interface.launches[1].grid[0] = 1;
  EXPECT_EQ(check(DataKind::Normal)[1].report.unwritten, kWidth - 4);
  EXPECT_THAT(check(DataKind::Normal, /*compare=*/false)[1].faults,
              ElementsAre("element 4 of result 0 was not written"));
}

TEST_F(RunKernelTest, StrayWritesAreFound) {
  interface.launches[1].grid[0] = 3;
  EXPECT_THAT(check(DataKind::Normal)[1].faults,
              ElementsAre("guard of the output: 16 bytes after the end were "
                          "overwritten, the nearest at offset 0"));
}

TEST_F(RunKernelTest, LaunchesThatCannotBeAreErrors) {
  interface.launches[1].kernel = "thrice";
  EXPECT_EQ(check(DataKind::Normal)[1].error,
            "the module has no kernel 'thrice'");
  interface.launches[1].kernel = "copy";
  interface.launches[1].grid[2] = int64_t(1) << 32;
  EXPECT_EQ(check(DataKind::Normal)[1].error,
            "kernel 'copy' has too many workgroups");
}

TEST_F(RunKernelTest, TargetsHaveNames) {
  EXPECT_EQ(checkTarget("cpu"), std::nullopt);
  EXPECT_EQ(checkTarget("rocm:1"), std::nullopt);
  EXPECT_EQ(checkTarget("abacus:1"),
            "expected cpu, qemu, vulkan, rocm, rocm-sim or vulkan-sim for "
            "'--target', but got 'abacus:1'");
  EXPECT_EQ(getTargetKind("vulkan:1"), "vulkan");
  EXPECT_TRUE(isVulkan("vulkan:1"));
  EXPECT_TRUE(isVulkan("vulkan-sim:amd"));
  EXPECT_FALSE(isVulkan("rocm-sim"));
  EXPECT_TRUE(isSimulator("rocm-sim:gfx942"));
  EXPECT_FALSE(isSimulator("vulkan"));
}
