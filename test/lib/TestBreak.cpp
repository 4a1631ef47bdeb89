//===- TestBreak.cpp - Makes mistakes of all kinds --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringSet.h"

#include <csignal>
#include <unistd.h>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// What `op`, which adds a term to it, would return without the term; null for
/// other ops.
static Value getSumWithoutTerm(Operation *op) {
  static const llvm::StringSet<> sums = {"arith.addf", "llvm.fadd",
                                         "spirv.FAdd"};
  static const llvm::StringSet<> products = {"llvm.intr.fma",
                                             "llvm.intr.fmuladd", "math.fma",
                                             "spirv.GL.Fma", "vector.fma"};
  StringRef name = op->getName().getStringRef();
  if (sums.contains(name))
    return op->getOperand(0);
  return products.contains(name) ? op->getOperand(2) : Value();
}

/// Lets the last op that adds a term leave it out. False where there is none.
static bool dropTerm(Operation *root) {
  Operation *last = nullptr;
  root->walk([&](Operation *op) {
    if (getSumWithoutTerm(op) && !op->use_empty())
      last = op;
  });
  if (!last)
    return false;
  last->getResult(0).replaceAllUsesWith(getSumWithoutTerm(last));
  return true;
}

/// Changes the window of `op`, of `rank` dimensions, by `change`.
static void changeWindow(Operation *op, int rank,
                         llvm::function_ref<void(WindowDim &)> change) {
  auto window = op->getAttrOfType<WindowAttr>("window");
  SmallVector<WindowDim> dims = window.getDims(rank);
  llvm::for_each(dims, change);
  op->setAttr("window", WindowAttr::get(op->getContext(), dims));
}

/// Whether the filter of `conv` has several taps.
static bool hasTaps(ConvolutionOpInterface conv) {
  auto type =
      cast<RankedTensorType>(conv.getOperandFor(Operand::Filter).getType());
  std::string letters = conv.getLayout().getLayouts().filter.letters();
  return llvm::any_of(llvm::zip_equal(StringRef(letters), type.getShape()),
                      [](const auto &dim) {
                        return StringRef("dhw").contains(std::get<0>(dim)) &&
                               std::get<1>(dim) != 1;
                      });
}

/// Lets `op`, one of the dialect's, read or write other elements: the filter's
/// taps in reverse, a window that lies one element further, or other ends of an
/// image. False for other ops.
static bool misread(Operation *op) {
  auto shift = [](WindowDim &dim) {
    ++dim.padLow;
    --dim.padHigh;
  };
  if (auto conv = dyn_cast<ConvolutionOpInterface>(op)) {
    if (!hasTaps(conv))
      return false;
    changeWindow(conv, conv.getLayout().getLayouts().input.spatialRank(),
                 [](WindowDim &dim) { dim.reverse = !dim.reverse; });
    return true;
  }
  if (isa<DeformOpInterface>(op)) {
    changeWindow(op, 2, shift);
    return true;
  }
  if (auto col2im = dyn_cast<Col2imOp>(op)) {
    changeWindow(op, int(col2im.getLayout().getSpatialRank()), shift);
    return true;
  }
  if (!isa<GridSampleOp, GridSampleBackwardInputOp, GridSampleBackwardGridOp>(
          op))
    return false;
  if (!op->removeAttr("align_corners"))
    op->setAttr("align_corners", UnitAttr::get(op->getContext()));
  return true;
}

/// Lets the first op of the dialect that can misread what it is given. False
/// where there is none.
static bool misreadFirst(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return misread(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Erases the last barrier of a kernel. False where there is none.
static bool eraseBarrier(Operation *root) {
  Operation *last = nullptr;
  root->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "gpu.barrier")
      last = op;
  });
  if (last)
    last->erase();
  return last;
}

/// Adds an op without the operands that it must have.
static void addInvalidOp(ModuleOp module) {
  OperationState state(module.getLoc(), arith::AddIOp::getOperationName());
  state.addTypes(IndexType::get(module.getContext()));
  module.getBody()->push_back(Operation::create(state));
}

namespace {
struct TestBreakPass final
    : PassWrapper<TestBreakPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestBreakPass)

  TestBreakPass() = default;
  TestBreakPass(const TestBreakPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-convoy-break"; }
  StringRef getDescription() const override {
    return "Make a mistake in IR of any stage";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }

  void runOnOperation() override {
    if (kind == "crash")
      std::raise(SIGSEGV);
    while (kind == "hang")
      ::pause();
    if (kind == "invalid")
      return addInvalidOp(getOperation());
    if (kind == "remove")
      return getOperation().getBody()->clear();
    bool isDone = kind == "numbers" &&
                  (misreadFirst(getOperation()) || dropTerm(getOperation()));
    if (isDone || (kind == "barrier" && eraseBarrier(getOperation())))
      return;
    getOperation().emitError(kind == "fail" ? "was told to fail"
                                            : "has nothing to break");
    signalPassFailure();
  }

private:
  Option<std::string> kind{
      *this, "kind",
      llvm::cl::desc("numbers (taps in reverse, a window or an image's ends "
                     "elsewhere, or a sum without a term), "
                     "barrier (the last of a kernel is gone), "
                     "crash, hang, invalid (IR), remove (all that is in a "
                     "module), or fail"),
      llvm::cl::init("numbers")};
};
} // namespace

void mlir::convoy::test::registerTestBreakPass() {
  PassRegistration<TestBreakPass>();
}
