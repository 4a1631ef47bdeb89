//===- SimulatedKernelsTest.cpp - Tests of what simulation finds ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that the compiler makes are right, and are found to be wrong once
// anything is missing that they need.
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class SimulatedKernelsTest
    : public testing::TestWithParam<std::tuple<const char *, const char *>> {
protected:
  SimulatedKernelsTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    auto [direction, chip] = GetParam();
    options.chip = chip;
    options.optLevel = 0;
    Status status = Device::open("rocm-sim:" + options.chip, device);
    EXPECT_TRUE(status.ok()) << status.text;
    std::string error;
    ProblemDefaults defaults;
    std::string text =
        std::string("--dir=") + direction + " mb3ic37ih6iw5oc41oh4ow4kh3kw2";
    auto parsed = readProblems(text, defaults, error);
    if (!parsed)
      ADD_FAILURE() << error;
    else
      problem = parsed->front();
    kernels = buildModule(&context, problem);
    FailureOr<SmallVector<KernelInterface>> lowered =
        lowerForSimulator(*kernels, options);
    if (failed(lowered))
      ADD_FAILURE() << "cannot lower";
    else
      interfaces = std::move(*lowered);
  }

  /// All ops of a kind, in order, in `module`.
  template <typename OpTy>
  static std::vector<OpTy> collect(ModuleOp module) {
    std::vector<OpTy> ops;
    module.walk([&](OpTy op) { ops.push_back(op); });
    return ops;
  }

  /// Faults of the kernels after `mutate`.
  std::vector<std::string> findFaults(function_ref<void(ModuleOp)> mutate) {
    OwningOpRef<ModuleOp> mutant = kernels->clone();
    mutate(*mutant);
    FailureOr<CompiledModule> compiled =
        compileForSimulator(*mutant, interfaces, options);
    if (failed(compiled))
      return {"cannot compile"};
    LoadedModule loaded(*compiled, device);
    if (Status status = loaded.load(); !status.ok())
      return {status.text};
    CheckOptions check;
    check.data = DataKind::Int;
    CheckResult result =
        checkProblem(problem, {loaded, compiled->getKernels().front()}, check);
    EXPECT_EQ(result.error, "");
    if (result.faults.empty() && !result.report.passed())
      return {"wrong numbers"};
    return result.faults;
  }

  MLIRContext context;
  CompileOptions options;
  Device device;
  Problem problem;
  OwningOpRef<ModuleOp> kernels;
  SmallVector<KernelInterface> interfaces;
};

bool isOfWorkgroup(Value buffer) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      cast<MemRefType>(buffer.getType()));
}

} // namespace

TEST_P(SimulatedKernelsTest, AreRight) {
  EXPECT_THAT(findFaults([](ModuleOp) {}), IsEmpty());
  options.checks = false;
  EXPECT_THAT(findFaults([](ModuleOp) {}), IsEmpty());
}

TEST_P(SimulatedKernelsTest, NeedEachBarrier) {
  size_t count = collect<gpu::BarrierOp>(*kernels).size();
  ASSERT_GE(count, 2u);
  for (size_t number = 0; number < count; ++number)
    EXPECT_THAT(findFaults([&](ModuleOp module) {
                  collect<gpu::BarrierOp>(module)[number].erase();
                }),
                Contains(HasSubstr("with no barrier between")))
        << "barrier " << number;
}

TEST_P(SimulatedKernelsTest, NeedBarriersOfAllWorkItems) {
  size_t count = collect<gpu::BarrierOp>(*kernels).size();
  for (size_t number = 0; number < count; ++number)
    EXPECT_THAT(findFaults([&](ModuleOp module) {
                  auto barrier = collect<gpu::BarrierOp>(module)[number];
                  OpBuilder builder(barrier);
                  Location loc = barrier.getLoc();
                  Value item =
                      gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
                  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
                  Value first = arith::CmpIOp::create(
                      builder, loc, arith::CmpIPredicate::eq, item, zero);
                  auto branch = scf::IfOp::create(builder, loc, first,
                                                  /*withElseRegion=*/false);
                  barrier->moveBefore(branch.thenBlock()->getTerminator());
                }),
                Contains(HasSubstr(" waits at barrier ")))
        << "barrier " << number;
}

TEST_P(SimulatedKernelsTest, NeedAllOfTheirMemory) {
  auto staged = [](ModuleOp module) {
    std::vector<BlockArgument> buffers;
    for (auto kernel : collect<gpu::GPUFuncOp>(module))
      llvm::append_range(buffers, kernel.getWorkgroupAttributions());
    return buffers;
  };
  size_t count = staged(*kernels).size();
  ASSERT_GE(count, 2u);
  for (size_t number = 0; number < count; ++number)
    EXPECT_THAT(findFaults([&](ModuleOp module) {
                  BlockArgument buffer = staged(module)[number];
                  auto type = cast<MemRefType>(buffer.getType());
                  int64_t less = type.getNumElements() - 1;
                  buffer.setType(MemRefType::Builder(type).setShape(less));
                }),
                Contains(testing::ContainsRegex(
                    "element [0-9]+ of workgroup buffer [01], which has ")))
        << "buffer " << number;
}

TEST_P(SimulatedKernelsTest, NeedWhatTheyStage) {
  EXPECT_THAT(findFaults([&](ModuleOp module) {
                for (auto store : collect<vector::StoreOp>(module))
                  if (isOfWorkgroup(store.getBase()))
                    store.erase();
                for (auto store : collect<memref::StoreOp>(module))
                  if (isOfWorkgroup(store.getMemRef()))
                    store.erase();
              }),
              Contains(HasSubstr("which nobody wrote")));
}

/// Lets `condition` of `op` hold for all.
static void drop(Operation *op, OpOperand &condition) {
  OpBuilder builder(op);
  condition.set(arith::ConstantIntOp::create(builder, op->getLoc(), 1, 1));
}

TEST_P(SimulatedKernelsTest, NeedTheirMasks) {
  // Of accesses to elements that there are not.
  EXPECT_THAT(findFaults([&](ModuleOp module) {
                for (auto select : collect<arith::SelectOp>(module))
                  if (select.getType().isIndex())
                    drop(select, select.getConditionMutable());
              }),
              Contains(HasSubstr(", which has ")));
  // Of results that are not this work-item's.
  EXPECT_THAT(findFaults([&](ModuleOp module) {
                for (auto branch : collect<scf::IfOp>(module)) {
                  Block *block = branch.thenBlock();
                  if (!block->getOps<memref::StoreOp>().empty())
                    drop(branch, branch.getConditionMutable());
                }
              }),
              Contains(HasSubstr(" of buffer ")));
}

INSTANTIATE_TEST_SUITE_P(All, SimulatedKernelsTest,
                         testing::Combine(testing::Values("FWD_D", "BWD_D",
                                                          "BWD_W"),
                                          testing::Values("gfx942", "gfx1100")),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param);
                         });
