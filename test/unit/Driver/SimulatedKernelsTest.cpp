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

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
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

/// Kernels of multiply-adds: those of f64 have no matrix instructions.
class SimulatedKernelsTest
    : public testing::TestWithParam<std::tuple<const char *, const char *>> {
protected:
  explicit SimulatedKernelsTest(
      StringRef text = "--type=f64 mb3ic37ih6iw5oc41oh4ow4kh3kw2")
      : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    auto [direction, target] = GetParam();
    options.optLevel = 0;
    Status status = openTarget(target, device);
    EXPECT_TRUE(status.ok()) << status.text;
    setDevice(options, device);
    std::string error;
    ProblemDefaults defaults;
    auto parsed =
        readProblems((llvm::Twine("--dir=") + direction + " " + text).str(),
                     defaults, error);
    if (!parsed)
      ADD_FAILURE() << error;
    else
      problem = parsed->front();
    kernels = buildModule(&context, problem);
    FailureOr<SmallVector<KernelInterface>> lowered =
        lowerForSimulator(target, *kernels, options);
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
  void expectToNeedEachBarrier() {
    size_t count = collect<gpu::BarrierOp>(*kernels).size();
    ASSERT_GE(count, 2u);
    for (size_t number = 0; number < count; ++number)
      EXPECT_THAT(findFaults([&](ModuleOp module) {
                    collect<gpu::BarrierOp>(module)[number].erase();
                  }),
                  Contains(HasSubstr("with no barrier between")))
          << "barrier " << number;
  }

  void expectToBeRightInEitherOrder() {
    for (bool checks : {true, false})
      for (bool pairwise : {false, true}) {
        options.checks = checks;
        options.pairwiseSums = pairwise;
        EXPECT_THAT(findFaults([](ModuleOp) {}), IsEmpty());
      }
  }

  Device device;
  Problem problem;
  OwningOpRef<ModuleOp> kernels;
  SmallVector<KernelInterface> interfaces;
};

/// Kernels that multiply matrices by the chip's instructions.
class SimulatedMatricesTest : public SimulatedKernelsTest {
protected:
  SimulatedMatricesTest()
      : SimulatedKernelsTest("--type=f16 mb3ic67ih9iw7oc70oh7ow6kh3kw2") {}
};

/// The same by workgroups of several waves. (In one wave a work-item may stage
/// just what it reads itself, and then needs no barrier.)
class SimulatedWavesTest : public SimulatedKernelsTest {
protected:
  SimulatedWavesTest()
      : SimulatedKernelsTest("--type=f16 mb5ic67ih19iw17oc70oh17ow16kh3kw2") {}
};

/// Kernels that multiply cooperative matrices, in workgroups of several
/// subgroups.
class SimulatedCooperativeTest : public SimulatedKernelsTest {
protected:
  SimulatedCooperativeTest()
      : SimulatedKernelsTest("--type=f16 mb1ic38ih19iw18oc42oh10ow6kh3kw3sh2sw3"
                             "ph1pw0") {}
};

/// The same where no tile has but one step, after which a loop's barrier would
/// guard nothing.
class SimulatedSubgroupsTest : public SimulatedCooperativeTest {};

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

TEST_P(SimulatedKernelsTest, NeedEachBarrier) { expectToNeedEachBarrier(); }

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

/// A direction and a target's chip or profile.
template <typename Info>
static std::string getTestName(const Info &info) {
  auto [direction, target] = info.param;
  return std::string(direction) + "_" +
         StringRef(target).split(':').second.str();
}

INSTANTIATE_TEST_SUITE_P(
    All, SimulatedKernelsTest,
    testing::Combine(testing::Values("FWD_D", "BWD_D", "BWD_W"),
                     testing::Values("rocm-sim:gfx942", "rocm-sim:gfx1100",
                                     "vulkan-sim:nvidia", "vulkan-sim:amd")),
    [](const auto &info) { return getTestName(info); });

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

static std::vector<Operation *> collectMatrixOps(ModuleOp module) {
  std::vector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<amdgpu::MFMAOp, amdgpu::WMMAOp, gpu::SubgroupMmaComputeOp>(op))
      ops.push_back(op);
  });
  return ops;
}

/// The elements of `value`, each in the place of the one before it.
static Value rotate(OpBuilder &builder, Value value) {
  int64_t count = cast<VectorType>(value.getType()).getNumElements();
  SmallVector<int64_t> places;
  for (int64_t place = 0; place < count; ++place)
    places.push_back((place + 1) % count);
  return vector::ShuffleOp::create(builder, value.getLoc(), value, value,
                                   places);
}

TEST_P(SimulatedMatricesTest, AreRightInEitherOrder) {
  expectToBeRightInEitherOrder();
}

TEST_P(SimulatedWavesTest, NeedEachBarrier) { expectToNeedEachBarrier(); }

TEST_P(SimulatedMatricesTest, NeedTheElementsOfEachFragment) {
  // Of A and of B.
  for (unsigned operand : {0, 1})
    EXPECT_THAT(findFaults([&](ModuleOp module) {
                  for (Operation *op : collectMatrixOps(module)) {
                    OpBuilder builder(op);
                    op->setOperand(operand,
                                   rotate(builder, op->getOperand(operand)));
                  }
                }),
                Contains("wrong numbers"))
        << "operand " << operand;
}

TEST_P(SimulatedMatricesTest, NeedTheRowsOfTheirSums) {
  EXPECT_THAT(findFaults([&](ModuleOp module) {
                for (Operation *op : collectMatrixOps(module)) {
                  OpBuilder builder(op->getContext());
                  builder.setInsertionPointAfter(op);
                  Value rotated = rotate(builder, op->getResult(0));
                  op->getResult(0).replaceAllUsesExcept(
                      rotated, rotated.getDefiningOp());
                }
              }),
              Contains("wrong numbers"));
}

TEST_P(SimulatedMatricesTest, NeedTheLinesOfEachFragment) {
  // Each load of a fragment is one load further, in the same buffer.
  size_t count = 0;
  auto mutate = [&](ModuleOp module) {
    for (auto load : collect<vector::LoadOp>(module)) {
      if (!isOfWorkgroup(load.getBase()))
        continue;
      ++count;
      OpBuilder builder(load);
      Location loc = load.getLoc();
      auto constant = [&](int64_t value) -> Value {
        return arith::ConstantIndexOp::create(builder, loc, value);
      };
      int64_t size =
          cast<MemRefType>(load.getBase().getType()).getNumElements();
      Value next = arith::AddIOp::create(
          builder, loc, load.getIndices()[0],
          constant(load.getVectorType().getNumElements()));
      Value place = arith::RemUIOp::create(builder, loc, next, constant(size));
      load.getIndicesMutable().assign(place);
    }
  };
  EXPECT_THAT(findFaults(mutate), testing::Not(IsEmpty()));
  EXPECT_GT(count, 0u);
}

TEST_P(SimulatedMatricesTest, NeedAllLanesOfTheirWaves) {
  EXPECT_THAT(findFaults([&](ModuleOp module) {
                auto ops = collectMatrixOps(module);
                Operation *op = ops.front();
                OpBuilder builder(op);
                Location loc = op->getLoc();
                Value item =
                    gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
                Value five = arith::ConstantIndexOp::create(builder, loc, 5);
                Value others = arith::CmpIOp::create(
                    builder, loc, arith::CmpIPredicate::ne, item, five);
                auto branch = scf::IfOp::create(builder, loc,
                                                op->getResultTypes(), others,
                                                /*withElseRegion=*/true);
                op->replaceAllUsesWith(branch);
                builder.setInsertionPointToStart(branch.elseBlock());
                scf::YieldOp::create(builder, loc, op->getOperand(2));
                op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
                builder.setInsertionPointAfter(op);
                scf::YieldOp::create(builder, loc, op->getResults());
              }),
              Contains(HasSubstr(" waits at matrix instruction ")));
}

//===----------------------------------------------------------------------===//
// Cooperative matrices
//===----------------------------------------------------------------------===//

TEST_P(SimulatedCooperativeTest, AreRightInEitherOrder) {
  EXPECT_THAT(collect<gpu::SubgroupMmaComputeOp>(*kernels),
              testing::Not(IsEmpty()));
  expectToBeRightInEitherOrder();
}

TEST_P(SimulatedSubgroupsTest, NeedEachBarrier) { expectToNeedEachBarrier(); }

TEST_P(SimulatedCooperativeTest, NeedTheirLines) {
  // Each matrix is one vector further.
  EXPECT_THAT(
      findFaults([&](ModuleOp module) {
        for (auto load : collect<gpu::SubgroupMmaLoadMatrixOp>(module)) {
          OpBuilder builder(load);
          Value one = arith::ConstantIndexOp::create(builder, load.getLoc(), 1);
          load.getIndicesMutable().assign(arith::AddIOp::create(
              builder, load.getLoc(), load.getIndices()[0], one));
        }
      }),
      testing::Not(IsEmpty()));
}

TEST_P(SimulatedCooperativeTest, NeedTheDistanceOfTheirLines) {
  EXPECT_THAT(findFaults([&](ModuleOp module) {
                for (auto load : collect<gpu::SubgroupMmaLoadMatrixOp>(module))
                  load.setLeadDimension(load.getLeadDimension() - 1);
              }),
              testing::Not(IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(All, SimulatedCooperativeTest,
                         testing::Combine(testing::Values("FWD_D", "BWD_D"),
                                          testing::Values("vulkan-sim:nvidia",
                                                          "vulkan-sim:amd")),
                         [](const auto &info) { return getTestName(info); });

INSTANTIATE_TEST_SUITE_P(All, SimulatedSubgroupsTest,
                         testing::Combine(testing::Values("FWD_D"),
                                          testing::Values("vulkan-sim:nvidia",
                                                          "vulkan-sim:amd")),
                         [](const auto &info) { return getTestName(info); });

/// Where the compiler chooses matrix instructions for this problem.
static constexpr std::tuple<const char *, const char *> WithMatrices[] = {
    {"FWD_D", "rocm-sim:gfx90a"},  {"FWD_D", "rocm-sim:gfx942"},
    {"FWD_D", "rocm-sim:gfx1100"}, {"FWD_D", "rocm-sim:gfx1201"},
    {"BWD_D", "rocm-sim:gfx90a"},  {"BWD_D", "rocm-sim:gfx942"},
    {"BWD_D", "rocm-sim:gfx1100"}, {"BWD_D", "rocm-sim:gfx1201"},
    {"BWD_W", "rocm-sim:gfx90a"},  {"BWD_W", "rocm-sim:gfx942"}};

INSTANTIATE_TEST_SUITE_P(All, SimulatedMatricesTest,
                         testing::ValuesIn(WithMatrices),
                         [](const auto &info) { return getTestName(info); });

INSTANTIATE_TEST_SUITE_P(
    All, SimulatedWavesTest,
    testing::Combine(testing::Values("FWD_D"),
                     testing::Values("rocm-sim:gfx90a", "rocm-sim:gfx942",
                                     "rocm-sim:gfx1100", "rocm-sim:gfx1201")),
    [](const auto &info) { return getTestName(info); });
