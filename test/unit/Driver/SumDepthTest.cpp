//===- SumDepthTest.cpp - Tests of how deep kernels say they sum ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that count: late on the way down, arithmetic on numbers is replaced
// by arithmetic on roundings, so that each result is how many of them its terms
// have passed at most when the kernel is run. None is more than the kernel says
// of itself, and some element has as many.
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

namespace {

/// Makes ops on f32 count: what stands for a number is how many roundings its
/// terms have passed, or a negative number where it is zero and has none.
class Counter {
public:
  explicit Counter(Operation *top) : builder(top->getContext()) {
    SmallVector<Operation *> ops;
    top->walk([&](Operation *op) {
      if (isa<arith::ConstantOp, arith::AddFOp, arith::MulFOp, vector::FMAOp>(
              op) &&
          getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        ops.push_back(op);
    });
    for (Operation *op : ops)
      replace(op);
  }

private:
  void replace(Operation *op) {
    builder.setInsertionPoint(op);
    loc = op->getLoc();
    type = op->getResult(0).getType();
    Value count;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      count = makeConstant(constant.getValue());
    } else if (isa<arith::AddFOp>(op)) {
      count = add(op->getOperand(0), op->getOperand(1));
    } else {
      Value product = multiply(op->getOperand(0), op->getOperand(1));
      count = isa<vector::FMAOp>(op) ? accumulate(product, op->getOperand(2))
                                     : addOne(product);
    }
    op->getResult(0).replaceAllUsesWith(count);
    op->erase();
  }

  Value makeSplat(float value) {
    Attribute number = builder.getF32FloatAttr(value);
    auto shaped = dyn_cast<ShapedType>(type);
    auto attr = shaped ? cast<TypedAttr>(DenseElementsAttr::get(shaped, number))
                       : cast<TypedAttr>(number);
    return arith::ConstantOp::create(builder, loc, attr);
  }
  Value makeConstant(Attribute value) {
    auto toCount = [](const APFloat &number) {
      return APFloat(number.isZero() ? -1.0f : 0.0f);
    };
    if (auto number = dyn_cast<FloatAttr>(value))
      return makeSplat(toCount(number.getValue()).convertToFloat());
    auto numbers = cast<DenseFPElementsAttr>(value);
    SmallVector<APFloat> counts;
    for (const APFloat &number : numbers.getValues<APFloat>())
      counts.push_back(toCount(number));
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(numbers.getType(), counts));
  }

  Value isNone(Value count) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, count,
                                 makeSplat(0));
  }
  Value choose(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }
  Value addOne(Value count) {
    Value more = arith::AddFOp::create(builder, loc, count, makeSplat(1));
    return choose(isNone(count), count, more);
  }
  Value add(Value a, Value b) {
    Value most = arith::MaximumFOp::create(builder, loc, a, b);
    Value both = choose(isNone(b), a, addOne(most));
    return choose(isNone(a), b, both);
  }
  /// Before it is rounded.
  Value multiply(Value a, Value b) {
    Value sum = arith::AddFOp::create(builder, loc, a, b);
    Value other = choose(isNone(b), b, sum);
    return choose(isNone(a), a, other);
  }
  /// One rounding of both.
  Value accumulate(Value product, Value sum) {
    Value alone = addOne(product);
    Value both = add(product, sum);
    return choose(isNone(sum), alone, both);
  }

  OpBuilder builder;
  Location loc = builder.getUnknownLoc();
  Type type;
};

/// Makes kernels count after a pass behind which nothing changes the order of
/// sums.
class Counting final : public PassInstrumentation {
public:
  void runAfterPass(Pass *pass, Operation *op) override {
    if (llvm::is_contained({"convoy-check-calls", "convoy-convert-gpu-to-host"},
                           pass->getArgument()))
      Counter counter(op);
  }
};

struct SumCase {
  const char *target, *text;
};

class SumDepthTest : public testing::TestWithParam<SumCase> {};

} // namespace

TEST_P(SumDepthTest, NoTermPassesMoreRoundings) {
  const auto &[target, text] = GetParam();
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  std::string error;
  std::optional<std::vector<Problem>> problems = readProblems(text, {}, error);
  ASSERT_TRUE(problems) << error;
  Device device;
  ASSERT_TRUE(openTarget(target, device).ok());
  CompileOptions options;
  setDevice(options, device);
  options.cpu.name = "haswell";
  options.optLevel = 0;
  options.configure = [](PassManager &pm) {
    pm.addInstrumentation(std::make_unique<Counting>());
    return success();
  };
  OwningOpRef<ModuleOp> module = buildModule(&context, *problems);
  FailureOr<CompiledModule> compiled =
      compileFor(getTargetKind(target), *module, options);
  ASSERT_TRUE(succeeded(compiled));
  const KernelInterface &kernel = compiled->getKernels().front();
  std::vector<SumLevel> levels = getSumLevels(kernel);
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(levels[0].type, ScalarType::F32);

  LoadedModule loaded(*compiled, device);
  ASSERT_TRUE(loaded.load().ok());
  // Arguments have been rounded 0 times.
  CheckedConv conv = describeProblem(problems->front());
  std::vector<HostArray> arguments = generateArguments(conv, {});
  for (HostArray &array : arguments)
    for (int64_t i = 0; i < array.elementCount(); ++i)
      array.set(i, 0);
  KernelOutcome outcome = runKernel({loaded, kernel}, arguments, 1);
  ASSERT_EQ(outcome.error, "");
  double most = 0;
  for (int64_t i = 0; i < outcome.results[0].elementCount(); ++i)
    most = std::max(most, outcome.results[0].at(i));
  EXPECT_EQ(static_cast<double>(levels[0].depth), most);
}

static const SumCase kSums[] = {
    {"cpu", "mb2ic19ih9iw7oc21oh9ow7kh3kw3ph1pw1"},
    {"cpu", "--dir=FWD_B mb2ic3ih9iw7oc21oh9ow7kh3kw3ph1pw1"},
    {"cpu", "g7mb2ic7ih9iw7oc7oh9ow7kh3kw3ph1pw1"},
    {"cpu", "mb1ic700ih4iw5oc600oh4ow5kh3kw3ph1pw1"},
    {"cpu", "--dir=BWD_D mb2ic19ih9iw7oc21oh5ow4kh3kw3sh2sw2ph1pw1"},
    {"cpu", "--dir=BWD_W mb3ic5ih9iw37oc6oh9ow37kh3kw3ph1pw1"},
    // Lanes along the sum.
    {"cpu", "--dir=BWD_W --input-layout=ncw --filter-layout=fcw "
            "--output-layout=nfw mb2ic3iw64oc4kw1"},
    {"cpu", "--dir=BWD_W --input-layout=nchw --filter-layout=fchw "
            "--output-layout=nfhw mb3ic5ih9iw37oc6oh9ow37kh3kw3ph1pw1"},
    {"cpu", "--dir=BWD_W --input-layout=nchw --filter-layout=fchw "
            "--output-layout=nfhw g7mb2ic7ih9iw30oc7oh9ow30kh3kw3ph1pw1"},
    {"cpu", "--dir=BWD_W --input-layout=nchw --filter-layout=fchw "
            "--output-layout=nfhw mb2ic64ih28oc128oh14kh3sh2ph1"},
    {"rocm-sim:gfx1100", "mb2ic19ih9iw7oc21oh9ow7kh3kw3ph1pw1"},
    {"rocm-sim:gfx1100",
     "--dir=BWD_D mb2ic19ih9iw7oc21oh5ow4kh3kw3sh2sw2ph1pw1"},
    // Sums in parts.
    {"rocm-sim:gfx1100", "--dir=BWD_W mb3ic5ih9iw37oc6oh9ow37kh3kw3ph1pw1"},
    {"rocm-sim:gfx1100", "--dir=BWD_W mb9ic5ih19iw17oc6oh19ow17kh3kw3ph1pw1"},
};

INSTANTIATE_TEST_SUITE_P(Problems, SumDepthTest, testing::ValuesIn(kSums));
