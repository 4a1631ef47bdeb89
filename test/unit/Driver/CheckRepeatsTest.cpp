//===- CheckRepeatsTest.cpp - Tests of CheckRepeats -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckRepeats.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
/// A kernel of a problem's text, on the CPU.
class CompiledProblem {
public:
  CompiledProblem(MLIRContext &context, StringRef text) {
    std::string error;
    problem = readProblems(text, {}, error).value().front();
    OwningOpRef<ModuleOp> module = buildModule(&context, problem);
    compiled.emplace(compileFor("cpu", *module, {}).value());
    EXPECT_TRUE(Device::open("cpu", cpu).ok());
    loaded.emplace(*compiled, cpu);
    EXPECT_TRUE(loaded->load().ok());
  }

  LoadedKernel get() const { return {*loaded, compiled->getKernels().front()}; }

  Problem problem;

private:
  Device cpu;
  std::optional<CompiledModule> compiled;
  std::optional<LoadedModule> loaded;
};
} // namespace

TEST(CheckRepeats, NamesTheFirstDifferenceOfEachKernel) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  CompiledProblem first(context, "mb1_ic1iw4_oc1ow3_kw2_pw0");
  // The same sizes, from one element further on.
  CompiledProblem second(context, "mb1_ic1iw4_oc1ow3_kw2_pw-1");
  CheckedConv conv = describeProblem(first.problem);
  std::vector<HostArray> arguments = generateArguments(conv, {});
  for (HostArray &array : arguments)
    for (int64_t i = 0; i < array.elementCount(); ++i)
      array.set(i, 1);
  CheckResult result = checkKernels(conv, first.get(), arguments, {}).front();
  ASSERT_TRUE(result.error.empty()) << result.error;
  auto getPlace = [&](size_t number, const HostArray &, int64_t position) {
    EXPECT_EQ(number, 0u);
    return conv.getPlace(position).text;
  };
  checkRepeats(getPlace,
               {{first.get(), "1 thread"}, {first.get(), "2 threads"}},
               arguments, 3, result);
  EXPECT_THAT(result.faults, IsEmpty());
  checkRepeats(getPlace,
               {{first.get(), "1 thread"}, {second.get(), "2 threads"}},
               arguments, 3, result);
  EXPECT_THAT(result.faults,
              ElementsAre("run 1 with 2 threads: element n=0 w=2 f=0 is "
                          "1.00, but 2.00 in run 1 with 1 thread"));
}
