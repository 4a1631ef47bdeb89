//===- CheckIndexRanges.cpp - Indices fit their type ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Buffers/Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKINDEXRANGESPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

namespace {
/// Bounds of a value, wide enough that no sum or product of indices overflows.
struct Bounds {
  static constexpr unsigned kWidth = 160;
  APInt lowest, highest;

  static Bounds between(const APInt &a, const APInt &b) {
    return {a.slt(b) ? a : b, a.slt(b) ? b : a};
  }
};

struct CheckIndexRangesPass final
    : mlir::convoy::impl::CheckIndexRangesPassBase<CheckIndexRangesPass> {
  using Base::Base;

  void runOnOperation() override {
    if (bitWidth < 2 || bitWidth > 64) {
      getOperation()->emitError()
          << "expected an index of 2 to 64 bits, but got "
          << bitWidth.getValue();
      return signalPassFailure();
    }
    if (failed(checkLoops()))
      return signalPassFailure();
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    WalkResult result =
        getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
          auto function = dyn_cast<FunctionOpInterface>(op);
          if (function && hasDynamicSizes(function))
            return WalkResult::skip();
          bool fits = checkArithmetic(solver, op) && checkBuffers(op);
          return fits ? WalkResult::advance() : WalkResult::interrupt();
        });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  /// The analysis asks every loop for its bounds, and takes them as given.
  LogicalResult checkLoops() {
    WalkResult result = getOperation()->walk([](LoopLikeOpInterface loop) {
      if (!loop.getLoopInductionVars() ||
          (loop.getLoopLowerBounds() && loop.getLoopUpperBounds() &&
           loop.getLoopSteps()))
        return WalkResult::advance();
      loop->emitOpError("expected a loop with values for bounds");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  static bool hasDynamicSizes(FunctionOpInterface function) {
    return llvm::any_of(function.getArgumentTypes(), [](Type type) {
      auto buffer = dyn_cast<MemRefType>(type);
      // Functions that compute with sizes take them as index or i64.
      return type.isIndex() || type.isInteger(64) ||
             (buffer && !buffer.hasStaticShape());
    });
  }

  /// What the analysis knows of `value`; nothing where it is not reached, or
  /// where it knows no more than the type does.
  std::optional<Bounds> getBounds(DataFlowSolver &solver, Value value) const {
    const auto *state =
        solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!state || state->getValue().isUninitialized())
      return std::nullopt;
    const ConstantIntRanges &range = state->getValue().getValue();
    if (range.smax().isMaxSignedValue())
      return std::nullopt;
    return Bounds{range.smin().sext(Bounds::kWidth),
                  range.smax().sext(Bounds::kWidth)};
  }

  bool fits(const Bounds &bounds) const {
    APInt highest = APInt::getOneBitSet(Bounds::kWidth, bitWidth - 1) - 1;
    return bounds.highest.sle(highest) && bounds.lowest.sge(~highest);
  }

  /// Whether the result of a sum, difference or product of indices fits.
  bool checkArithmetic(DataFlowSolver &solver, Operation *op) const {
    if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
        !op->getResult(0).getType().isIndex())
      return true;
    std::optional<Bounds> a = getBounds(solver, op->getOperand(0)),
                          b = getBounds(solver, op->getOperand(1));
    if (!a || !b)
      return true;
    Bounds result;
    if (isa<arith::AddIOp>(op)) {
      result = {a->lowest + b->lowest, a->highest + b->highest};
    } else if (isa<arith::SubIOp>(op)) {
      result = {a->lowest - b->highest, a->highest - b->lowest};
    } else {
      Bounds low =
          Bounds::between(a->lowest * b->lowest, a->lowest * b->highest);
      Bounds high =
          Bounds::between(a->highest * b->lowest, a->highest * b->highest);
      result = {low.lowest.slt(high.lowest) ? low.lowest : high.lowest,
                low.highest.sgt(high.highest) ? low.highest : high.highest};
    }
    if (fits(result))
      return true;
    SmallString<48> lowest, highest;
    result.lowest.toStringSigned(lowest);
    result.highest.toStringSigned(highest);
    op->emitOpError() << "computes an index from " << lowest << " to "
                      << highest << ", which " << bitWidth.getValue()
                      << " bits do not hold";
    return false;
  }

  /// Whether the offset of the last element of each buffer fits.
  bool checkBuffers(Operation *op) const {
    for (Value buffer : op->getOperands()) {
      auto type = dyn_cast<MemRefType>(buffer.getType());
      if (!type || !type.hasStaticShape() || type.getNumElements() == 0)
        continue;
      auto [strides, offset] = type.getStridesAndOffset();
      if (ShapedType::isDynamicShape(strides))
        continue;
      APInt last(Bounds::kWidth, ShapedType::isDynamic(offset) ? 0 : offset);
      for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
        last += APInt(Bounds::kWidth, size - 1) * APInt(Bounds::kWidth, stride);
      if (fits({APInt::getZero(Bounds::kWidth), last}))
        continue;
      SmallString<48> text;
      last.toStringSigned(text);
      op->emitOpError() << "accesses a buffer whose last element is number "
                        << text << ", which " << bitWidth.getValue()
                        << " bits do not hold";
      return false;
    }
    return true;
  }
};
} // namespace
