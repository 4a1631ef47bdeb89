//===- Contracts.cpp - What ops take for granted ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contracts.h"
#include "../Buffers/StandIns.h"
#include "StatedSizes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Assumes that the sizes that `op` is given are not negative: no tensor has
/// such a size.
static void assumeSizes(Operation *op, SymbolicEvaluator &evaluator,
                        Arguments &arguments) {
  evaluator.getObstacle().ignoreIn([&] {
    for (Value operand : getSizeOperands(op)) {
      // Finds the quotients in it.
      (void)evaluator.getSizes().evaluateSize(operand, op);
      FailureOr<IndexCases> cases = evaluator.getIndices().evaluate(operand);
      if (succeeded(cases) && cases->size() == 1 &&
          cases->front().locals.empty() && cases->front().domain.isUniverse() &&
          !cases->front().value.isConstant())
        arguments.assumeAtMost(0, cases->front().value);
    }
  });
}

/// Assumes that `a` and `b` are the same. Of a minimum nothing is assumed.
static void assumeEqual(const Size &a, const Size &b, Arguments &arguments) {
  if (a.size() > 1 || b.size() > 1)
    return;
  if (!a.front().isConstant() || !b.front().isConstant())
    arguments.assumeEqual(a.front(), b.front());
}

/// Assumes that sizes are equal that `op` takes for equal. A condition that
/// chooses one of two tensors says nothing of the other.
static LogicalResult assumeEqualSizes(Operation *op, SymbolicSizes &sizes,
                                      Arguments &arguments) {
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && !isa<ShapedType>(select.getCondition().getType()))
    return success();
  for (const auto &[first, second] : getEqualDims(op)) {
    FailureOr<Size> size = sizes.getSize(first.tensor, first.number);
    FailureOr<Size> other = sizes.getSize(second.tensor, second.number);
    if (failed(size) || failed(other))
      return failure();
    assumeEqual(*size, *other, arguments);
  }
  return success();
}

/// Assumes that `op` pads to the sizes that its type says.
static void assumePaddedSizes(tensor::PadOp op, SymbolicEvaluator &evaluator,
                              Arguments &arguments) {
  SymbolicSizes &sizes = evaluator.getSizes();
  for (int64_t dim = 0; dim < op.getResultType().getRank(); ++dim) {
    if (!isStated(op, dim))
      continue;
    evaluator.getObstacle().ignoreIn([&] {
      FailureOr<Size> size = sizes.getSize(op.getSource(), dim);
      FailureOr<LinearExpr> low =
          sizes.evaluateSingle(op.getMixedLowPad()[dim], op);
      FailureOr<LinearExpr> high =
          sizes.evaluateSingle(op.getMixedHighPad()[dim], op);
      if (succeeded(size) && succeeded(low) && succeeded(high))
        assumeEqual(
            *size,
            {LinearExpr(op.getResultType().getDimSize(dim)) - *low - *high},
            arguments);
    });
  }
}

/// Assumes that `op` expands dimensions to as many elements as they have.
static void assumeExpandedSizes(tensor::ExpandShapeOp op,
                                SymbolicEvaluator &evaluator,
                                Arguments &arguments) {
  SymbolicSizes &sizes = evaluator.getSizes();
  evaluator.getObstacle().ignoreIn([&] {
    auto expanded = getExpandedSizes(op, sizes, evaluator.getObstacle());
    if (failed(expanded))
      return;
    for (const auto &[dim, product] : *expanded)
      if (FailureOr<Size> size = sizes.getSize(dim.tensor, dim.number);
          succeeded(size))
        assumeEqual(*size, product, arguments);
  });
}

/// Assumes that dimension `dim` of `whole` has elements from `start` to `end`
/// elements behind it, the last included. Of constants nothing is assumed.
static void assumeWithin(OpFoldResult start, int64_t end, Value whole,
                         unsigned dim, Operation *op,
                         SymbolicEvaluator &evaluator, Arguments &arguments) {
  SymbolicSizes &sizes = evaluator.getSizes();
  evaluator.getObstacle().ignoreIn([&] {
    FailureOr<LinearExpr> first = sizes.evaluateSingle(start, op);
    FailureOr<Size> size = sizes.getSize(whole, dim);
    if (failed(first) || failed(size) || size->size() > 1)
      return;
    if (!first->isConstant())
      arguments.assumeAtMost(0, *first);
    LinearExpr last = *first + LinearExpr(end);
    if (!(size->front() - last).isConstant())
      arguments.assumeAtMost(last + 1, size->front());
  });
}

/// Assumes that `op`, of a slice that has elements, names some of `whole`.
static void assumeSlice(OffsetSizeAndStrideOpInterface op, Value whole,
                        SymbolicEvaluator &evaluator, Arguments &arguments) {
  bool isKnown =
      llvm::all_of(op.getStaticSizes(), [](int64_t n) { return n > 0; }) &&
      llvm::all_of(op.getStaticStrides(), [](int64_t n) { return n > 0; });
  if (!isKnown || op->hasAttr(kMayBeOutsideAttrName))
    return;
  for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets())) {
    int64_t steps = op.getStaticSizes()[dim] - 1;
    assumeWithin(offset, steps * op.getStaticStrides()[dim], whole, dim, op,
                 evaluator, arguments);
  }
}

/// Assumes that `op`, if it reads or writes a slice or an element at a place,
/// does so within its tensor.
static void assumePlaces(Operation *op, SymbolicEvaluator &evaluator,
                         Arguments &arguments) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    assumeSlice(slice, slice.getSource(), evaluator, arguments);
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    assumeSlice(slice, slice.getDest(), evaluator, arguments);
  auto insert = dyn_cast<tensor::InsertOp>(op);
  if (!insert || op->hasAttr(kMayBeOutsideAttrName))
    return;
  for (auto [dim, index] : llvm::enumerate(insert.getIndices()))
    assumeWithin(index, /*end=*/0, insert.getDest(), dim, op, evaluator,
                 arguments);
}

/// Whether each of `sizes` is positive. Where that is not settled, asks for it
/// in cases.
static bool arePositive(ArrayRef<LinearExpr> sizes, Solver &solver,
                        Arguments &arguments) {
  System scope = arguments.getScope();
  IndexCases cases = {{}};
  bool isSettled = true;
  for (const LinearExpr &size : sizes) {
    if (solver.implies(scope, {size - 1, false}))
      continue;
    if (solver.implies(scope, {size * DynamicAPInt(-1), false}))
      return false;
    isSettled = false;
    // The first that is not positive is this one, or none before it.
    Case<LinearExpr> none = cases.front();
    none.domain.addAtMost(size, 0);
    cases.push_back(none);
    cases.front().domain.addAtMost(1, size);
  }
  if (!isSettled)
    arguments.assumeIn(cases);
  return isSettled;
}

/// The least and the greatest value of `index` where each of `loops` runs from
/// 0 to below its size; all sizes are positive.
static std::pair<LinearExpr, LinearExpr>
getRange(const LinearExpr &index, const DenseMap<Var, LinearExpr> &sizes) {
  LinearExpr least = index.getConstant(), greatest = index.getConstant();
  for (const auto &[loop, factor] : index.getTerms())
    (factor > 0 ? greatest : least) +=
        (sizes.lookup(loop) - LinearExpr(1)) * factor;
  return {least, greatest};
}

namespace {
/// Assumes that an op of linalg that always runs reads and writes within its
/// operands, which is undefined otherwise.
class AccessContract {
public:
  AccessContract(linalg::LinalgOp op, SymbolicEvaluator &evaluator,
                 Arguments &arguments)
      : op(op), evaluator(evaluator), solver(evaluator.getSolver()),
        arguments(arguments) {}

  LogicalResult assume() {
    if (!op.hasDynamicShape())
      return success();
    FailureOr<SmallVector<Size>> sizes = evaluator.getSizes().getLoopSizes(op);
    if (failed(sizes))
      return failure();
    for (const Size &size : *sizes) {
      // Of a minimum nothing is assumed.
      if (size.size() > 1)
        return success();
      loops.push_back(LinearExpr::var(solver.makeVar()));
      sizeOf[loops.back().getTerms().front().first] = size.front();
    }
    if (!findIndices() || indices.empty())
      return success();
    // There are accesses where each loop runs at least once.
    SmallVector<LinearExpr> counts;
    for (const LinearExpr &loop : loops)
      counts.push_back(sizeOf[loop.getTerms().front().first]);
    if (arePositive(counts, solver, arguments))
      for (const auto &[index, size] : indices) {
        auto [least, greatest] = getRange(index, sizeOf);
        arguments.assumeAtMost(0, least);
        arguments.assumeAtMost(greatest + 1, size);
      }
    return success();
  }

private:
  /// Finds indices other than loops, whose sizes are assumed to be equal, in
  /// dimensions that not both have a static size. False where one of them is
  /// not linear.
  bool findIndices() {
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        if (isa<AffineDimExpr>(expr))
          continue;
        FailureOr<Size> size = evaluator.getSizes().getSize(operand.get(), dim);
        Part where;
        FailureOr<LinearExpr> index =
            evaluator.getIndices().evaluateAffine(expr, loops, {}, where, op);
        if (failed(size) || failed(index) || size->size() > 1 ||
            !where.locals.empty())
          return false;
        indices.emplace_back(*index, size->front());
      }
    }
    return true;
  }

  linalg::LinalgOp op;
  SymbolicEvaluator &evaluator;
  Solver &solver;
  Arguments &arguments;
  SmallVector<LinearExpr> loops;
  DenseMap<Var, LinearExpr> sizeOf;
  SmallVector<std::pair<LinearExpr, LinearExpr>> indices;
};
} // namespace

static LogicalResult assumeWindows(ConvolutionOpInterface op,
                                   SymbolicEvaluator &evaluator,
                                   Arguments &arguments) {
  auto counts = getZeroPointCounts(op, evaluator.getSizes());
  auto windows = getOpenWindows(op, evaluator.getSizes());
  if (failed(counts) || failed(windows))
    return failure();
  if (*counts)
    arguments.assumeEqual((*counts)->first, (*counts)->second);
  for (const OpenWindow &window : *windows) {
    // Of a minimum nothing is assumed.
    if (window.input.size() > 1 || window.output.size() > 1)
      continue;
    LinearExpr input = window.input.front(), count = window.output.front();
    // Where there are no windows, nothing reaches anywhere.
    if (!arePositive({count, window.taps}, evaluator.getSolver(), arguments))
      continue;
    arguments.assumeAtMost(window.getReach(count - 1), input);
    if (op.getDirection() == ::convoy::Direction::BackwardData)
      arguments.assumeAtMost(input, window.getCovered(count));
  }
  return success();
}

LogicalResult certify::assumeBufferSizes(BlockArgument buffer, Value result,
                                         SymbolicSizes &sizes,
                                         Arguments &arguments) {
  auto type = cast<ShapedType>(buffer.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    FailureOr<LinearExpr> size = sizes.getSingleSize(result, dim);
    if (failed(size))
      return failure();
    arguments.assumeEqual(arguments.getSize(buffer, dim), *size);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Zero points
//===----------------------------------------------------------------------===//

/// The first two operands of `op` are those that its zero points belong to.
static void assumeZeroPoints(ConvolutionOpInterface op, Arguments &arguments) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  std::array<bool, 2> isUnsigned = {op.getNumerics().getInputUnsigned(),
                                    op.getNumerics().getFilterUnsigned()};
  // Tensors have zero points of channels, each of which fits.
  for (auto [number, zeroPoint] : llvm::enumerate(op.getZeroPoints()))
    if (auto argument = dyn_cast<BlockArgument>(zeroPoint))
      if (argument.getOwner()->getParentOp() == function)
        arguments.addZeroPoint(
            argument, isUnsigned[number] ? "arith.extui" : "arith.extsi",
            getElementTypeOrSelf(op->getOperand(number))
                .getIntOrFloatBitWidth());
}

/// Whether the body of `loop` runs at least once.
static bool runsAtLeastOnce(LoopLikeOpInterface loop) {
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                           upper = loop.getLoopUpperBounds();
  return lower && upper &&
         llvm::all_of(llvm::zip_equal(*lower, *upper), [](auto bounds) {
           std::optional<int64_t> first =
               getConstantIntValue(std::get<0>(bounds));
           std::optional<int64_t> end =
               getConstantIntValue(std::get<1>(bounds));
           return first && end && *first < *end;
         });
}

/// The ops of `block`, in its order, that what leaves it is made of: others
/// may be left out, and what they take for granted with them.
static SmallVector<Operation *> getLiveOps(Block &block) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  SetVector<Operation *> live;
  for (Operation &op : block)
    if (op.hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&op))
      (void)getBackwardSlice(&op, &live, options);
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    if (live.contains(&op))
      ops.push_back(&op);
  return ops;
}

static void assumeZeroPoints(Block &block, Arguments &arguments) {
  for (Operation *op : getLiveOps(block)) {
    if (isa<scf::ForOp, scf::ForallOp>(op) &&
        runsAtLeastOnce(cast<LoopLikeOpInterface>(op)))
      assumeZeroPoints(op->getRegion(0).front(), arguments);
    if (auto convolution = dyn_cast<ConvolutionOpInterface>(op))
      assumeZeroPoints(convolution, arguments);
  }
}

ExprRef certify::applyContracts(const ExprRef &expr,
                                const Arguments &arguments) {
  if (!arguments.hasZeroPoints())
    return expr;
  if (expr->kind == Expr::Kind::Sum || expr->kind == Expr::Kind::Extremum) {
    Families families = expr->families;
    for (Family &family : families)
      family.term = applyContracts(family.term, arguments);
    return remake(*expr, families);
  }
  if (expr->kind != Expr::Kind::Apply)
    return expr;
  SmallVector<ExprRef> operands =
      llvm::map_to_vector(expr->operands, [&](const ExprRef &operand) {
        return applyContracts(operand, arguments);
      });
  const ExprRef &narrow = operands[0];
  if (narrow->kind == Expr::Kind::Apply && narrow->name == "arith.trunci" &&
      narrow->operands[0]->kind == Expr::Kind::Read &&
      narrow->operands[0]->argument &&
      narrow->operands[0]->type == expr->type &&
      arguments.isWidened(narrow->operands[0]->argument, expr->name,
                          narrow->type.getIntOrFloatBitWidth()))
    return narrow->operands[0];
  return addZeros(
      makeApply(expr->name, expr->attributes, expr->type, operands, nullptr),
      expr->leftOut);
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// Assumes what `op` asserts of indices, where that is one case: the function
/// has no results in all others.
static void assumeAsserted(cf::AssertOp op, SymbolicEvaluator &evaluator,
                           Arguments &arguments) {
  evaluator.getObstacle().ignoreIn([&] {
    FailureOr<ConditionCases> cases =
        evaluator.getIndices().evaluateCondition(op.getArg(), {});
    if (failed(cases))
      return;
    llvm::erase_if(*cases, [](const Case<bool> &one) { return !one.value; });
    if (cases->size() != 1 || !cases->front().locals.empty())
      return;
    for (const Constraint &constraint : cases->front().domain.getConstraints())
      if (constraint.isEquality)
        arguments.assumeEqual(constraint.expr, 0);
      else
        arguments.assumeAtMost(0, constraint.expr);
  });
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

LogicalResult certify::assumeContracts(FunctionOpInterface function,
                                       SymbolicEvaluator &evaluator,
                                       Arguments &arguments) {
  SymbolicSizes &sizes = evaluator.getSizes();
  assumeZeroPoints(function.getFunctionBody().front(), arguments);
  // An op inside a loop or a branch may never run, or on sizes of its own.
  for (Operation *op : getLiveOps(function.getFunctionBody().front())) {
    assumeSizes(op, evaluator, arguments);
    if (auto assertion = dyn_cast<cf::AssertOp>(op))
      assumeAsserted(assertion, evaluator, arguments);
    if (failed(assumeEqualSizes(op, sizes, arguments)))
      return failure();
    assumePlaces(op, evaluator, arguments);
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      assumePaddedSizes(pad, evaluator, arguments);
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      assumeExpandedSizes(expand, evaluator, arguments);
    if (auto convolution = dyn_cast<ConvolutionOpInterface>(op))
      if (failed(assumeWindows(convolution, evaluator, arguments)))
        return failure();
  }
  // After the sizes that are equal.
  for (Operation *op : getLiveOps(function.getFunctionBody().front()))
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      if (failed(AccessContract(linalgOp, evaluator, arguments).assume()))
        return failure();
  return success();
}
