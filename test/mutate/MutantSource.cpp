//===- MutantSource.cpp - Problems and what they are lowered to -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutantSource.h"
#include "SmallTarget.h"
#include "SweepSpace.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;
using ::convoy::Problem;
using ::convoy::RandomNumbers;
using ::convoy::SweepSpace;

Problem test::drawProblem(int64_t number, uint64_t seed) {
  static constexpr StringRef Spaces[] = {"1d", "g", "2d", "layouts2d"};
  static constexpr ::convoy::ElementType Types[] = {::convoy::ElementType::F32,
                                                    ::convoy::ElementType::I8,
                                                    ::convoy::ElementType::F16};
  RandomNumbers random(RandomNumbers(seed).next() + uint64_t(number));
  SweepSpace space =
      *SweepSpace::create(Spaces[number % std::size(Spaces)].str());
  Problem problem = space.problem(space.row(random.below(space.size())));
  problem.type = Types[random.below(std::size(Types))];
  // Of equal sizes, a fault in a layout leaves legal types.
  if (random.below(2) != 0) {
    problem.shape.outputChannels = problem.shape.inputChannels;
    problem.shape.batch = problem.shape.inputChannels;
  }
  if (problem.type != ::convoy::ElementType::I8)
    return problem;
  problem.inputSigned = random.below(2) != 0;
  problem.filterSigned = random.below(2) != 0;
  problem.inputZeroPoint = problem.inputSigned ? -3 : 5;
  problem.filterZeroPoint.value = random.below(2) != 0 ? 2 : 0;
  return problem;
}

Problem test::drawMatrixProblem(RandomNumbers &random) {
  static constexpr ::convoy::ElementType Types[] = {::convoy::ElementType::F16,
                                                    ::convoy::ElementType::BF16,
                                                    ::convoy::ElementType::I8};
  std::string error;
  Problem problem =
      ::convoy::parseProblems("mb1_ic32ih4_oc32oh4_kh1_ph0", {}, error)
          ->front();
  problem.type = Types[random.below(std::size(Types))];
  return problem;
}

namespace {
/// Keeps the module after each pass that changes it.
class StageRecorder final : public PassInstrumentation {
public:
  explicit StageRecorder(std::vector<Stage> &stages) : stages(stages) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module)
      module = op->getParentOfType<ModuleOp>();
    if (OperationFingerPrint(module) !=
        OperationFingerPrint(*stages.back().module))
      stages.push_back({pass->getArgument().str(), module.clone()});
  }

private:
  std::vector<Stage> &stages;
};
} // namespace

/// Makes the zero points arguments of the function.
static void takeZeroPoints(ModuleOp module) {
  module.walk([](ConvolutionOpInterface op) {
    auto function = op->getParentOfType<func::FuncOp>();
    for (unsigned number = 0; number < op.getZeroPoints().size(); ++number) {
      Value zeroPoint = op.getZeroPoints()[number];
      unsigned last = function.getNumArguments();
      if (failed(function.insertArgument(last, zeroPoint.getType(),
                                         DictionaryAttr(), op.getLoc())))
        return;
      op->replaceUsesOfWith(zeroPoint, function.getArgument(last));
    }
  });
}

OwningOpRef<ModuleOp> test::buildFunction(MLIRContext *context,
                                          const Problem &problem,
                                          bool symbolicZeroPoints) {
  OwningOpRef<ModuleOp> module = buildModule(context, problem);
  if (symbolicZeroPoints)
    takeZeroPoints(*module);
  return module;
}

OwningOpRef<ModuleOp> test::parseFunction(MLIRContext *context,
                                          StringRef text) {
  return parseSourceString<ModuleOp>(text, context);
}

std::vector<Stage>
test::lower(ModuleOp module, llvm::function_ref<void(OpPassManager &)> build) {
  std::vector<Stage> stages;
  stages.push_back({"none", module.clone()});
  PassManager pm(module.getContext());
  build(pm);
  pm.addInstrumentation(std::make_unique<StageRecorder>(stages));
  if (failed(pm.run(module)))
    stages.clear();
  return stages;
}

std::vector<Stage> test::lowerToTiles(ModuleOp module) {
  PassManager attach(module.getContext());
  attach.addPass(createAttachTargetPass(getSmallTarget()));
  if (failed(attach.run(module)))
    return {};
  return lower(module, [](OpPassManager &pm) {
    buildConvoyImportPipeline(pm);
    buildConvoyToTilesPipeline(pm, CPUOptions());
  });
}
