//===- ErrorAnalysis.cpp - How far off values may be ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds are computed in double: what rounding takes from them is a part in
// 2^50, and is added at the end.
//
//===----------------------------------------------------------------------===//

#include "ErrorAnalysis.h"
#include "PlacedSums.h"

#include "convoy/Support/Algorithm.h"
#include "convoy/Support/SumStages.h"
#include "convoy/Support/WinogradGrowth.h"
#include "convoy/Transforms/Utils/SumLength.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WinogradGrowth;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// How much `number` roundings to `type` change a term by, as a part of it;
/// infinite where their number times u is 1/8 or more.
static double getGamma(double number, FloatType type) {
  double unit = getUnitRoundoff(type);
  return number * unit < 0.125 ? ::convoy::getGamma(number, unit) : INFINITY;
}

/// What products that underflow in `type` change a sum of `terms` by.
static double getUnderflow(double terms, FloatType type) {
  return terms * getSmallest(type);
}

/// What rounding changes sums of `terms` by, whose magnitudes add up to
/// `magnitude`.
static double getSumError(double terms, double magnitude, FloatType type) {
  return getGamma(terms, type) * magnitude + getUnderflow(terms, type);
}

/// The same of sums of blocks that are added in f32 to an init, or to nothing.
static double getSumError(double terms, double magnitude,
                          const SumBlocks &blocks) {
  auto wide = Float32Type::get(blocks.narrow.getContext());
  double inBlock = getGamma(blocks.terms, blocks.narrow);
  double ofBlocks = getGamma(double(blocks.count), wide);
  double gamma = inBlock + ofBlocks + inBlock * ofBlocks;
  return gamma * magnitude +
         (1 + ofBlocks) * getUnderflow(terms, blocks.narrow);
}

/// What rounding changes sums by that Winograd's algorithm forms in stages,
/// with terms of `magnitude`.
static double getStagedError(const WinogradGrowth &growth, double channels,
                             double magnitude, double init, FloatType type) {
  ::convoy::PerStage<double> magnitudes = {
      magnitude * growth.sumsOfTransformedInputs,
      magnitude * growth.sumsOfTransformedTaps, magnitude * growth.sumsOfBoth,
      magnitude * growth.sumsOfBoth + init};
  ::convoy::PerStage<double> changes = {
      getGamma(double(growth.roundings.taps), type),
      getGamma(double(growth.roundings.inputs), type),
      getGamma(1 + channels, type),
      getGamma(double(growth.roundings.sums) + (init > 0), type)};
  return ::convoy::getStagedError(magnitudes, changes, magnitude * growth.sums);
}

/// What rounding changes sums by over `channels` of products of numbers up to
/// `x` and `w` by Winograd's algorithm, as docs/Numerics.md says; infinite
/// where a number on the way may overflow, but no sum of products of
/// `magnitude`.
static double getWinogradError(const WinogradGrowth &growth, double channels,
                               double x, double w, double init,
                               double magnitude, FloatType type) {
  double roundings =
      double(growth.roundings.total()) + 1 + channels + (init > 0);
  double most = std::max({x * growth.inputs, w * growth.taps,
                          channels * x * w * growth.products,
                          channels * x * w * growth.sums + init});
  double gamma = getGamma(roundings, type);
  double largest =
      llvm::APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  if (most * (1 + gamma) > largest && magnitude * (1 + gamma) <= largest)
    return INFINITY;
  double lost = growth.lostOfTaps * channels * x * growth.sumsOfInputs +
                growth.lostOfInputs * channels * w * growth.sumsOfTaps +
                channels * growth.sumsOfNothing + growth.lostOfSums;
  double terms = channels * x * w;
  double rounded =
      std::min(gamma * (terms * growth.sums + init),
               getStagedError(growth, channels, terms, init, type));
  return rounded + getUnderflow(lost, type);
}

double ErrorAnalysis::evaluateWinograd(ConvolutionOpInterface op,
                                       const SumRange &sum, double carried,
                                       int64_t results) {
  auto lookupRange = [&](Value value) { return ranges.getRange(value); };
  auto getMost = [&](unsigned factor) {
    return getFactorRange(op, factor, lookupRange).getLargest() +
           lookup(op->getOperand(factor)).error;
  };
  auto dims = int64_t(op.getLayout().getSpatialRank());
  double init = sum.init.getLargest() + lookup(op.getInit()).error;
  double taps = std::pow(double(::convoy::kWinogradTaps), double(dims));
  std::optional<WinogradGrowth> growth =
      ::convoy::getWinogradGrowth(results, ::convoy::kWinogradTaps, dims);
  double channels = double(getSumLength(op).value_or(0)) / taps;
  auto type = Float32Type::get(op->getContext());
  return carried + getWinogradError(*growth, channels, getMost(0), getMost(1),
                                    init, sum.magnitude + carried, type);
}

double ErrorAnalysis::evaluate(ConvolutionOpInterface op) {
  auto found = choices.find(op);
  // Integers are summed exactly, or wrap around.
  if (found == choices.end())
    return isa<IntegerType>(op.getAccumulatorType()) ? 0 : INFINITY;
  const SumChoice &choice = found->second;
  auto lookupRange = [&](Value value) { return ranges.getRange(value); };
  std::optional<SumRange> sum = getSumRange(op, lookupRange);
  if (!sum)
    return INFINITY;
  double first = lookup(op->getOperand(0)).error;
  double second = lookup(op->getOperand(1)).error;
  double init = lookup(op.getInit()).error;
  double carried = init;
  if (first != 0 || second != 0) {
    double x = getFactorRange(op, 0, lookupRange).getLargest();
    double w = getFactorRange(op, 1, lookupRange).getLargest();
    // Terms of the largest magnitude, of which there are as many: of a constant
    // filter fewer than products in a sum.
    double terms = x == 0 || w == 0
                       ? sum->length
                       : (sum->magnitude - sum->init.getLargest()) / (x * w);
    carried += terms * (x * second + w * first + first * second);
  }
  if (choice.winogradResults != 0)
    return evaluateWinograd(op, *sum, carried, choice.winogradResults);
  double magnitude = sum->magnitude + carried;
  double rounded = choice.blocks
                       ? getSumError(sum->length, magnitude, *choice.blocks)
                       : getSumError(sum->getTerms(), magnitude, choice.type);
  double error = carried + rounded;
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getInit().getType()));
  return type == choice.type
             ? error
             : error + getRoundingError(sum->magnitude + error, type);
}

double ErrorAnalysis::evaluate(linalg::LinalgOp op, unsigned result) {
  auto lookupRange = [&](Value value) { return ranges.getRange(value); };
  Block &body = *op.getBlock();
  for (OpOperand &operand : op->getOpOperands())
    errors[op.getMatchingBlockArgument(&operand)] = lookup(operand.get()).error;
  for (Operation &inner : body.without_terminator())
    visit(&inner);
  double init = lookup(op.getDpsInitOperand(result)->get()).error;
  Value yielded = body.getTerminator()->getOperand(result);
  if (op.getNumReductionLoops() == 0)
    return lookup(yielded).error;
  if (getExtremumRange(op, result, lookupRange)) {
    double most = init;
    for (OpOperand *input : op.getDpsInputOperands())
      most = std::max(most, lookup(input->get()).error);
    return most;
  }
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(yielded));
  std::optional<SumRange> sum = getSumRange(op, result, lookupRange);
  if (!sum || !type)
    return INFINITY;
  // What is added to the sum so far.
  double term = 0;
  for (Value operand : yielded.getDefiningOp()->getOperands())
    if (!isa<BlockArgument>(operand) ||
        cast<BlockArgument>(operand).getArgNumber() < op.getNumDpsInputs())
      term = std::max(term, lookup(operand).error);
  double carried = init + (term == 0 ? 0 : sum->length * term);
  return carried + getSumError(sum->getTerms(), sum->magnitude + carried, type);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

double ErrorAnalysis::evaluateElements(Operation *op) {
  SmallVector<BoundedMagnitude> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return lookup(operand); });
  bool areExact = llvm::all_of(
      operands, [](const BoundedMagnitude &x) { return x.error == 0; });
  Value result = op->getResult(0);
  if (isa<arith::SelectOp>(op)) {
    double most = std::max(operands[1].error, operands[2].error);
    // A comparison of numbers that are off may choose either.
    NumberRange range = ranges.getRange(result);
    return operands[0].error == 0 ? most : most + (range.high - range.low);
  }
  if (isa<arith::CmpFOp, arith::CmpIOp>(op))
    return areExact ? 0 : 1;
  NumberRange range = ranges.getRange(result);
  return getElementError(op, operands, range.getLargest(), result.getType());
}

double ErrorAnalysis::evaluate(Operation *op, unsigned result) {
  if (matchPattern(op, m_Constant()) || isa<tensor::EmptyOp>(op))
    return 0;
  if (auto convolution = dyn_cast<ConvolutionOpInterface>(op))
    return evaluate(convolution);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return evaluate(linalgOp, result);
  if (auto sample = dyn_cast<GridSampleOp>(op))
    return getSampleError(sample, ranges.getRange(sample.getInput()),
                          lookup(sample.getInput()).error,
                          lookup(sample.getGrid()));
  if (movesElements(op)) {
    double most = 0;
    for (Value operand : op->getOperands())
      most = std::max(most, lookup(operand).error);
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      most = std::max(
          most, lookup(pad.getBody()->getTerminator()->getOperand(0)).error);
    return most;
  }
  bool hasElements =
      op->getNumResults() == 1 && op->getNumRegions() == 0 && isPure(op);
  return hasElements ? evaluateElements(op) : INFINITY;
}

void ErrorAnalysis::visit(Operation *op) {
  for (OpResult result : op->getResults()) {
    double error = evaluate(op, result.getResultNumber());
    if (std::isnan(error))
      error = INFINITY;
    if (!std::isfinite(error) && !unbounded)
      unbounded = op;
    errors[result] = error;
  }
}

ErrorAnalysis::ErrorAnalysis(Block &function, RangeAnalysis &ranges,
                             const SumChoices &choices)
    : ranges(ranges), choices(choices) {
  for (Operation &op : function.without_terminator())
    visit(&op);
}

BoundedMagnitude ErrorAnalysis::lookup(Value value) const {
  // Bounds are computed with as many roundings as this allows for.
  constexpr double RoundingsOfBounds = 1 + 0x1p-32;
  BoundedMagnitude found;
  found.error = errors.lookup(value) * RoundingsOfBounds;
  if (!hasNumbers(value.getType()))
    return found;
  NumberRange range = ranges.getRange(value);
  found.largest = range.isFinite ? range.getLargest() : INFINITY;
  if (range.isFinite && !range.hasZero())
    found.smallest = std::min(std::abs(range.low), std::abs(range.high));
  return found;
}

BoundedMagnitude ErrorAnalysis::getBound(Value value) const {
  BoundedMagnitude bound = lookup(value);
  bound.largest = std::min(bound.largest, getExactLargest(value));
  return bound;
}

double ErrorAnalysis::getExactLargest(Value value) const {
  Operation *op = value.getDefiningOp();
  if (auto convolution = dyn_cast_or_null<ConvolutionOpInterface>(op)) {
    auto lookupRange = [&](Value operand) { return ranges.getRange(operand); };
    std::optional<SumRange> sum = getSumRange(convolution, lookupRange);
    return sum ? sum->exact.getLargest() : INFINITY;
  }
  if (auto sample = dyn_cast_or_null<GridSampleOp>(op))
    return getBound(sample.getInput()).largest *
           getSampleWeights(sample.getMode());
  if (!op || !movesElements(op))
    return INFINITY;
  double largest = 0;
  for (Value operand : op->getOperands())
    if (getElementTypeOrSelf(operand) == getElementTypeOrSelf(value))
      largest = std::max(largest, getBound(operand).largest);
  return largest;
}
