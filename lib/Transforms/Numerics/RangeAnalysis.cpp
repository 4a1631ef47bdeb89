//===- RangeAnalysis.cpp - The numbers that values may hold -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Numerics/RangeAnalysis.h"

#include "PlacedSums.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Support/SumStages.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using dataflow::AbstractSparseLattice;

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

namespace {
/// The numbers that were found to reach a value; nothing until some do.
class RangeState final : public AbstractSparseLattice {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RangeState)
  using AbstractSparseLattice::AbstractSparseLattice;

  const std::optional<NumberRange> &get() const { return range; }

  ChangeResult join(const NumberRange &other) {
    // A loop may widen a range without an end.
    constexpr unsigned MostChanges = 8;
    NumberRange joined = range ? mlir::convoy::join(*range, other) : other;
    if (range && joined == *range)
      return ChangeResult::NoChange;
    if (++changes > MostChanges)
      joined = mlir::convoy::join(
          joined,
          NumberRange::unknown(getElementTypeOrSelf(getAnchor().getType())));
    range = joined;
    return ChangeResult::Change;
  }
  ChangeResult join(const AbstractSparseLattice &other) override {
    const auto &state = static_cast<const RangeState &>(other);
    return state.range ? join(*state.range) : ChangeResult::NoChange;
  }

  void print(raw_ostream &os) const override {
    if (range)
      os << '[' << range->low << ", " << range->high << "] from "
         << range->smallest << (range->isFinite ? "" : ", or not finite");
  }

private:
  std::optional<NumberRange> range;
  unsigned changes = 0;
};
} // namespace

bool mlir::convoy::hasNumbers(Type type) {
  Type element = getElementTypeOrSelf(type);
  auto floatType = dyn_cast<FloatType>(element);
  if (floatType)
    return floatType.getWidth() <= 64;
  return element.isIndex() ||
         (element.isSignlessInteger() && element.getIntOrFloatBitWidth() <= 64);
}

/// What `value` may hold where nothing but its place is known: arguments of
/// functions hold finite numbers, in their declared range where there is one.
static NumberRange getEntryRange(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = argument ? dyn_cast_or_null<FunctionOpInterface>(
                                 argument.getOwner()->getParentOp())
                           : FunctionOpInterface();
  if (!function || !argument.getOwner()->isEntryBlock())
    return NumberRange::unknown(type);
  NumberRange all = NumberRange::allOf(type);
  auto declared = function.getArgAttrOfType<DenseF64ArrayAttr>(
      argument.getArgNumber(), kRangeAttrName);
  // Subnormal numbers may be flushed as they are read.
  if (!declared)
    return fit(all, type);
  NumberRange range = NumberRange::between(declared[0], declared[1]);
  if (declared.size() == 3)
    range.smallest = std::max(range.smallest, declared[2]);
  return fit(intersect(all, range), type);
}

//===----------------------------------------------------------------------===//
// Transfer
//===----------------------------------------------------------------------===//

namespace {
class RangePropagation final
    : public dataflow::SparseForwardDataFlowAnalysis<RangeState> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult initialize(Operation *top) override;
  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const RangeState *> operands,
                               ArrayRef<RangeState *> results) override;
  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<RangeState *> arguments,
                                    unsigned firstIndex) override;
  void setToEntryState(RangeState *state) override {
    Value value = state->getAnchor();
    if (hasNumbers(value.getType()))
      propagateIfChanged(state, state->join(getEntryRange(value)));
  }

private:
  /// The range of `value`, on which `point` depends from now on; nothing until
  /// numbers reach it.
  std::optional<NumberRange> read(ProgramPoint *point, Value value) {
    return getLatticeElementFor(point, value)->get();
  }
  std::optional<NumberRange> getResultRange(Operation *op, unsigned number,
                                            bool &isReady);
  std::optional<NumberRange> getLinalgRange(linalg::LinalgOp op,
                                            unsigned number, bool &isReady);
};
} // namespace

LogicalResult RangePropagation::initialize(Operation *top) {
  // Who calls a function that is looked at alone is not known.
  if (auto function = dyn_cast<FunctionOpInterface>(top))
    for (BlockArgument argument : function.getArguments())
      setToEntryState(getLatticeElement(argument));
  return SparseForwardDataFlowAnalysis::initialize(top);
}

bool mlir::convoy::movesElements(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ConcatOp,
             tensor::ExpandShapeOp, tensor::ExtractOp, tensor::ExtractSliceOp,
             tensor::FromElementsOp, tensor::InsertOp, tensor::InsertSliceOp,
             tensor::PadOp, tensor::ReshapeOp, tensor::SplatOp, Im2colOp, PadOp,
             TraceOp>(op);
}

/// The values whose elements `op`, which moves elements, may give.
static SmallVector<Value> getSources(Operation *op) {
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return {pad.getSource(), pad.getBody()->getTerminator()->getOperand(0)};
  SmallVector<Value> sources;
  for (Value operand : op->getOperands())
    // Others are indices and sizes.
    if (getElementTypeOrSelf(operand.getType()) ==
            getElementTypeOrSelf(op->getResult(0).getType()) &&
        (!operand.getType().isIndex() ||
         isa<tensor::FromElementsOp, tensor::SplatOp, tensor::InsertOp>(op)))
      sources.push_back(operand);
  return sources;
}

/// The numbers of all `ranges`, and zero where `op` pads with it.
static NumberRange joinSources(Operation *op, ArrayRef<NumberRange> ranges) {
  NumberRange joined = ranges.front();
  for (const NumberRange &range : ranges.drop_front())
    joined = join(joined, range);
  auto im2col = dyn_cast<Im2colOp>(op);
  return im2col && !im2col.getPadValue()
             ? join(joined, NumberRange::constant(0))
             : joined;
}

/// The results of type `type` of sums in `narrow`, or in blocks of these which
/// f32 adds.
static NumberRange fitNarrow(const SumRange &sum, FloatType narrow, Type type) {
  // Twice the unit roundoff, for targets that do not round to nearest. No sum
  // is so long that the roundings of a term make more than 1/8.
  double unit = 2 * getUnitRoundoff(narrow);
  double gamma =
      ::convoy::getGamma(std::min(double(sum.length), 0.125 / unit), unit);
  constexpr double RoundingsInF32 = 0x1p-16;
  double error = sum.magnitude * (gamma + RoundingsInF32) +
                 2 * sum.length * getSmallest(narrow);
  return fit(add(sum.exact, NumberRange::between(-error, error)), type);
}

/// The results of type `type` of sums in `accumulator`. Policies sum in f32
/// instead of a narrower float, and `low` in the result's type where that
/// cannot overflow, or in blocks; the range holds for all of these.
static NumberRange getConvolutionRange(const SumRange &sum, Type accumulator,
                                       Type type, bool isLow) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return fit(sum.fitSum(accumulator), type);
  bool isNarrow = accumulator.getIntOrFloatBitWidth() < 32;
  Type wide = isNarrow ? Float32Type::get(type.getContext()) : accumulator;
  NumberRange range = fit(sum.fitSum(wide), type);
  bool mayBeNarrow = floatType.getWidth() < 32 &&
                     sum.getPeak(floatType) < NumberRange::allOf(type).high;
  if (mayBeNarrow)
    return join(range, sum.fitSum(type));
  auto narrow = isNarrow ? cast<FloatType>(accumulator) : floatType;
  return isLow && narrow.getWidth() < 32
             ? join(range, fitNarrow(sum, narrow, type))
             : range;
}

std::optional<NumberRange> RangePropagation::getLinalgRange(linalg::LinalgOp op,
                                                            unsigned number,
                                                            bool &isReady) {
  ProgramPoint *point = getProgramPointAfter(op);
  auto lookup = [&](Value value) {
    std::optional<NumberRange> range = read(point, value);
    isReady &= range.has_value();
    return range.value_or(NumberRange());
  };
  if (op.getNumReductionLoops() > 0) {
    if (auto extremum = getExtremumRange(op, number, lookup))
      return extremum;
    std::optional<SumRange> sum = getSumRange(op, number, lookup);
    if (!sum)
      return std::nullopt;
    return sum->fitSum(getElementTypeOrSelf(op->getResult(number).getType()));
  }
  return lookup(op.getBlock()->getTerminator()->getOperand(number));
}

/// The range of a result, or nothing where nothing is known of it. `isReady` is
/// set to false where an operand's numbers have not been found yet.
std::optional<NumberRange> RangePropagation::getResultRange(Operation *op,
                                                            unsigned number,
                                                            bool &isReady) {
  ProgramPoint *point = getProgramPointAfter(op);
  Type type = getElementTypeOrSelf(op->getResult(number).getType());
  auto lookup = [&](Value value) {
    std::optional<NumberRange> range = read(point, value);
    isReady &= range.has_value();
    return range.value_or(NumberRange());
  };
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant))) {
    std::optional<NumberRange> elements = NumberRange::ofConstant(constant);
    return elements ? fit(*elements, type) : elements;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return getLinalgRange(linalgOp, number, isReady);
  if (auto convolution = dyn_cast<ConvolutionOpInterface>(op)) {
    std::optional<SumRange> sum = getSumRange(convolution, lookup);
    if (!sum)
      return std::nullopt;
    bool isLow = convolution.getNumerics().getPolicy() == Policy::Low;
    return getConvolutionRange(*sum, convolution.getAccumulatorType(), type,
                               isLow);
  }
  if (hasPlacedSums(op))
    return getPlacedRange(op, lookup);
  if (auto sample = dyn_cast<GridSampleOp>(op))
    return fit(getSampleRange(sample, lookup(sample.getInput())), type);
  bool moves = movesElements(op);
  SmallVector<NumberRange> ranges;
  for (Value operand :
       moves ? getSources(op) : SmallVector<Value>(op->getOperands())) {
    if (!hasNumbers(operand.getType()))
      return std::nullopt;
    ranges.push_back(lookup(operand));
  }
  if (moves)
    return joinSources(op, ranges);
  std::optional<NumberRange> exact = getExactRange(op, ranges);
  return exact ? fit(*exact, type) : exact;
}

LogicalResult RangePropagation::visitOperation(Operation *op,
                                               ArrayRef<const RangeState *>,
                                               ArrayRef<RangeState *> results) {
  for (auto [number, result] : llvm::enumerate(results)) {
    Type type = op->getResult(number).getType();
    if (!hasNumbers(type))
      continue;
    bool isReady = true;
    std::optional<NumberRange> range = getResultRange(op, number, isReady);
    if (!isReady)
      continue;
    propagateIfChanged(result, result->join(range.value_or(NumberRange::unknown(
                                   getElementTypeOrSelf(type)))));
  }
  return success();
}

void RangePropagation::visitNonControlFlowArguments(
    Operation *op, const RegionSuccessor &successor,
    ArrayRef<RangeState *> arguments, unsigned firstIndex) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
        op, successor, arguments, firstIndex);
  ProgramPoint *point = getProgramPointBefore(linalgOp.getBlock());
  for (OpOperand &operand : linalgOp->getOpOperands()) {
    BlockArgument argument = linalgOp.getMatchingBlockArgument(&operand);
    RangeState *state = arguments[argument.getArgNumber()];
    // An init of a reduction is whatever was summed so far.
    bool isPartial =
        linalgOp.isDpsInit(&operand) && linalgOp.getNumReductionLoops() > 0;
    if (isPartial)
      setToEntryState(state);
    else if (std::optional<NumberRange> range = read(point, operand.get()))
      propagateIfChanged(state, state->join(*range));
  }
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

NumberRange RangeAnalysis::getRange(Value value) {
  if (!solver) {
    solver = std::make_unique<DataFlowSolver>();
    solver->load<dataflow::DeadCodeAnalysis>();
    solver->load<dataflow::SparseConstantPropagation>();
    solver->load<RangePropagation>();
    // It fails where an analysis does, and none of these can.
    if (failed(solver->initializeAndRun(top)))
      llvm_unreachable("ranges always have a bound");
  }
  const auto *state = solver->lookupState<RangeState>(value);
  if (state && state->get())
    return *state->get();
  // Nothing reaches it.
  return NumberRange::unknown(getElementTypeOrSelf(value.getType()));
}
