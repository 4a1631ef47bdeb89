//===- SumDepth.cpp - How often terms of sums are rounded -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/SumDepth.h"

#include "SumFacts.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/Utils/LoopValues.h"
#include "convoy/Transforms/Utils/SumLength.h"
#include "convoy/Transforms/Utils/WordProducts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// Whether values of `type` may be terms of sums of floats, or words of them.
static bool mayBeTerms(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isFloat(type) || element.isInteger(32) || element.isInteger(64);
}

namespace {
/// The terms of a value by where they come from: what a loop carries into an
/// iteration, or (null) anything else. Zero has none.
using Terms = llvm::SmallMapVector<Operation *, Roundings, 2>;
/// Nothing where a value is no sum of products.
using State = std::optional<Terms>;
} // namespace

/// A term from `origin` that was not rounded since.
static State getTermOf(Operation *origin) {
  Terms terms;
  terms[origin] = Roundings();
  return terms;
}

/// Terms of either.
static State getMost(const State &a, const State &b) {
  if (!a || !b)
    return std::nullopt;
  State most = a;
  for (const auto &[origin, roundings] : *b)
    (*most)[origin].takeMost(roundings);
  return most;
}

static State getMost(ArrayRef<State> states) {
  State most = Terms();
  for (const State &state : states)
    most = getMost(most, state);
  return most;
}

/// The same terms with more `roundings`, this many times.
static State addRoundings(State state, const Roundings &roundings,
                          uint64_t times = 1) {
  if (state)
    for (auto &entry : *state)
      entry.second.add(roundings, times);
  return state;
}

/// All products of a term of `a` and one of `b`, before they are rounded;
/// nothing where a loop carries both.
static State multiply(const State &a, const State &b) {
  if (!a || !b)
    return std::nullopt;
  State products = Terms();
  for (const auto &[first, roundings] : *a)
    for (const auto &[second, others] : *b) {
      if (first && second)
        return std::nullopt;
      Roundings both = roundings;
      both.add(others);
      (*products)[first ? first : second].takeMost(both);
    }
  return products;
}

/// The rounded sum; adding zero rounds nothing.
static State addTerms(const State &a, const State &b, Type type) {
  if (a && b && (a->empty() || b->empty()))
    return a->empty() ? b : a;
  return addRoundings(getMost(a, b), Roundings(type, 1));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

class SumDepth::Evaluator {
public:
  void visit(Block &block);
  State lookup(Value value) const;
  void set(Value value, State state) { states[value] = std::move(state); }

private:
  /// The states of what an iteration yields for those of what it is given.
  using Iteration = function_ref<SmallVector<State>(ArrayRef<State>)>;

  void visit(Operation *op);
  /// The only result of an op that computes it element by element.
  State evaluate(Operation *op) const;
  /// The same for a float that is computed from `operands`.
  State evaluateArithmetic(Operation *op, ArrayRef<State> operands) const;
  State evaluate(ConvolutionOpInterface op) const;
  SmallVector<State> visit(scf::ForOp loop);
  SmallVector<State> visit(scf::ForallOp loop);
  SmallVector<State> visit(scf::IfOp op);
  SmallVector<State> visit(linalg::LinalgOp op);
  SmallVector<State> visit(tensor::PadOp op);
  /// What `loop` makes of `inits` in at most `number` iterations.
  SmallVector<State> iterate(Operation *loop, ArrayRef<State> inits,
                             std::optional<uint64_t> number,
                             Iteration iteration);
  /// Visits `block` with `given` in its arguments from `first` on; the states
  /// of what it yields.
  SmallVector<State> visitWith(Block &block, unsigned first,
                               ArrayRef<State> given);
  SmallVector<State> lookupAll(ValueRange values) const {
    return llvm::map_to_vector(values,
                               [&](Value value) { return lookup(value); });
  }

  DenseMap<Value, State> states;
  /// The variables of loops whose last iteration is looked at.
  KnownIndices known;
};

State SumDepth::Evaluator::lookup(Value value) const {
  if (auto known = states.find(value); known != states.end())
    return known->second;
  return isFloat(value.getType()) ? State() : Terms();
}

State SumDepth::Evaluator::evaluate(ConvolutionOpInterface op) const {
  Type type = op.getAccumulatorType();
  Type result = getElementTypeOrSelf(op.getInit().getType());
  std::optional<uint64_t> length = getSumLength(op);
  Value first = op->getOperand(0), second = op->getOperand(1);
  State init = lookup(op.getInit());
  State terms = addRoundings(multiply(lookup(first), lookup(second)),
                             getProductRounding(first, second, type));
  if (!length || !init || !terms)
    return std::nullopt;
  Roundings sum(type, init->empty() && *length > 0 ? *length - 1 : *length);
  State sums = addRoundings(getMost(init, terms), sum);
  return result == type ? sums : addRoundings(sums, Roundings(result, 1));
}

State SumDepth::Evaluator::evaluate(Operation *op) const {
  SmallVector<State> operands = lookupAll(op->getOperands());
  if (movesTerms(op))
    return getMost(operands);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return lookup(getSource(slice));
  if (auto element = dyn_cast<tensor::ExtractOp>(op)) {
    operands[0] = lookup(getSource(element));
    return getMost(operands);
  }
  // What a word holds is as often rounded as it was before.
  if (SmallVector<Value> parts = matchFloatWord(op); !parts.empty())
    return getMost(lookupAll(parts));
  if (isa<vector::BitCastOp>(op) && isFloat(op->getOperand(0).getType()))
    return operands[0];
  if (Value word = matchFloatPart(op)) {
    State parts = lookup(word);
    return parts && parts->empty() ? getTermOf(nullptr) : parts;
  }
  if (isFloat(op->getResult(0).getType()))
    return evaluateArithmetic(op, operands);
  // Other numbers are part of no sum, as long as they depend on none: then not
  // even a sum is one that they decide on.
  auto isPartOfSum = [&](Value operand) {
    State state = lookup(operand);
    return isFloat(operand.getType()) || !state || !state->empty();
  };
  return llvm::any_of(op->getOperands(), isPartOfSum) ? State() : Terms();
}

/// How many products `op` adds to each sum.
static uint64_t countProducts(vector::ContractionOp op) {
  SmallVector<int64_t> sizes;
  op.getIterationBounds(sizes);
  uint64_t length = 1;
  for (auto [size, iterator] :
       llvm::zip_equal(sizes, op.getIteratorTypesArray()))
    if (iterator == vector::IteratorType::reduction)
      length *= uint64_t(size);
  return length;
}

State SumDepth::Evaluator::evaluateArithmetic(Operation *op,
                                              ArrayRef<State> operands) const {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return llvm::TypeSwitch<Operation *, State>(op)
      .Case<arith::AddFOp, arith::SubFOp>(
          [&](Operation *) { return addTerms(operands[0], operands[1], type); })
      .Case<arith::MulFOp>([&](arith::MulFOp op) {
        return addRoundings(multiply(operands[0], operands[1]),
                            getProductRounding(op.getLhs(), op.getRhs(), type));
      })
      .Case<vector::FMAOp>([&](vector::FMAOp op) {
        State product = multiply(operands[0], operands[1]);
        if (operands[2] && operands[2]->empty())
          return addRoundings(
              product, getProductRounding(op.getLhs(), op.getRhs(), type));
        return addTerms(product, operands[2], type);
      })
      .Case<vector::ContractionOp>([&](vector::ContractionOp op) -> State {
        // One product after the other is added.
        State products = multiply(operands[0], operands[1]);
        if (op.getKind() != vector::CombiningKind::ADD || !products ||
            !operands[2])
          return std::nullopt;
        uint64_t length = countProducts(op);
        bool addsToZero = operands[2]->empty() && length > 0;
        return addRoundings(
            getMost(addRoundings(products, getProductRounding(
                                               op.getLhs(), op.getRhs(), type)),
                    operands[2]),
            Roundings(type, addsToZero ? length - 1 : length));
      })
      .Case<arith::TruncFOp>([&](Operation *) {
        return addRoundings(operands[0], Roundings(type, 1));
      })
      .Case<arith::ExtFOp, arith::NegFOp>(
          [&](Operation *) { return operands[0]; })
      .Case<arith::ConstantOp>([&](Operation *) -> State {
        if (matchPattern(op, m_AnyZeroFloat()))
          return Terms();
        return getTermOf(nullptr);
      })
      .Case<tensor::EmptyOp, ub::PoisonOp>(
          [](Operation *) -> State { return Terms(); })
      .Case<bufferization::ToTensorOp>([&](bufferization::ToTensorOp op) {
        return startsAsArgument(op.getBuffer()) ? getTermOf(nullptr) : State();
      })
      .Case<ConvolutionOpInterface>(
          [&](ConvolutionOpInterface conv) { return evaluate(conv); })
      .Default([](Operation *) { return State(); });
}

void SumDepth::Evaluator::visit(Operation *op) {
  if (op->getNumResults() == 0 || isa<ShapedDimOpInterface>(op))
    return;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && !linalgOp.hasPureTensorSemantics())
    return;
  SmallVector<State> results =
      llvm::TypeSwitch<Operation *, SmallVector<State>>(op)
          .Case<scf::ForOp, scf::ForallOp, scf::IfOp, linalg::LinalgOp,
                tensor::PadOp>([&](auto op) { return visit(op); })
          .Default([&](Operation *op) {
            return SmallVector<State>(op->getNumResults(), evaluate(op));
          });
  for (auto [result, state] : llvm::zip_equal(op->getResults(), results))
    set(result, state);
}

void SumDepth::Evaluator::visit(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<State> SumDepth::Evaluator::visitWith(Block &block, unsigned first,
                                                  ArrayRef<State> given) {
  for (auto [number, state] : llvm::enumerate(given)) {
    Value argument = block.getArgument(first + number);
    bool isTerm = mayBeTerms(argument.getType()) || !state;
    set(argument, isTerm ? state : Terms());
  }
  visit(block);
  return lookupAll(block.getTerminator()->getOperands());
}

SmallVector<State> SumDepth::Evaluator::iterate(Operation *loop,
                                                ArrayRef<State> inits,
                                                std::optional<uint64_t> number,
                                                Iteration iteration) {
  auto forAll = [&](State state) {
    return SmallVector<State>(inits.size(), std::move(state));
  };
  // Each iteration takes what it is given by at most `step` roundings, and adds
  // terms with those of `added`.
  SmallVector<State> yields = iteration(forAll(getTermOf(loop)));
  State start = getMost(inits), added = getMost(yields);
  if (!start || !added)
    return forAll(std::nullopt);
  auto *carried = added->find(loop);
  if (carried == added->end())
    return llvm::map_to_vector(llvm::zip_equal(inits, yields), [](auto pair) {
      return getMost(std::get<0>(pair), std::get<1>(pair));
    });
  Roundings step = carried->second;
  added->erase(loop);
  if (step.isNone())
    return forAll(getMost(start, added));
  if (!number)
    return forAll(std::nullopt);
  if (*number == 0)
    return llvm::to_vector(inits);
  uint64_t left = *number;
  // The first iteration adds to zeros, where there are no terms before.
  if (start->empty()) {
    start = getMost(iteration(inits));
    --left;
  }
  State all = addRoundings(start, step, left);
  return forAll(left == 0 ? all
                          : getMost(all, addRoundings(added, step, left - 1)));
}

SmallVector<State> SumDepth::Evaluator::visit(scf::ForOp loop) {
  SmallVector<State> inits = lookupAll(loop.getInitArgs());
  auto iteration = [&](ArrayRef<State> given) {
    return visitWith(*loop.getBody(), 1, given);
  };
  if (loop->hasAttr(kIndependentAttrName))
    return llvm::map_to_vector(
        llvm::zip_equal(inits, iteration(inits)), [](auto pair) {
          return getMost(std::get<0>(pair), std::get<1>(pair));
        });
  // The last iteration may have less to do than the others.
  Value variable = loop.getInductionVar();
  std::optional<LoopValues> values = getLoopValues(variable);
  if (!values || values->count == 0 ||
      llvm::none_of(variable.getUsers(), llvm::IsaPred<affine::AffineMinOp>))
    return iterate(loop, inits, getMostIterations(loop), iteration);
  SmallVector<State> before =
      iterate(loop, inits, values->count - 1, iteration);
  known[variable] = values->first + (values->count - 1) * values->step;
  SmallVector<State> results = iteration(before);
  known.erase(variable);
  return results;
}

SmallVector<State> SumDepth::Evaluator::visit(scf::ForallOp loop) {
  SmallVector<State> results = lookupAll(loop.getOutputs());
  visitWith(*loop.getBody(), loop.getRank(), results);
  for (Operation &op : loop.getTerminator().getYieldingOps()) {
    auto insert = cast<tensor::ParallelInsertSliceOp>(op);
    auto tensor = cast<BlockArgument>(insert.getDest());
    State &result = results[tensor.getArgNumber() - loop.getRank()];
    result = getMost(result, lookup(insert.getSource()));
  }
  return results;
}

SmallVector<State> SumDepth::Evaluator::visit(scf::IfOp op) {
  SmallVector<State> results(op.getNumResults(), lookup(op.getCondition()));
  for (Region &region : op->getRegions())
    for (auto [result, yielded] :
         llvm::zip_equal(results, visitWith(region.front(), 0, {})))
      result = getMost(result, yielded);
  return results;
}

SmallVector<State> SumDepth::Evaluator::visit(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  SmallVector<State> inits = lookupAll(op.getDpsInits());
  unsigned numInputs = op.getNumDpsInputs();
  for (auto [argument, input] :
       llvm::zip(body.getArguments(), op.getDpsInputs()))
    set(argument, lookup(input));
  auto iteration = [&](ArrayRef<State> given) {
    return visitWith(body, numInputs, given);
  };
  if (op.getNumReductionLoops() == 0)
    return iteration(inits);
  return iterate(op, inits, getMostReduced(op, known), iteration);
}

SmallVector<State> SumDepth::Evaluator::visit(tensor::PadOp op) {
  return {getMost(lookup(op.getSource()),
                  visitWith(op.getRegion().front(), 0, {}).front())};
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

SumDepth::SumDepth(Block &body) : evaluator(std::make_unique<Evaluator>()) {
  for (Value argument : body.getArguments())
    if (!isa<BaseMemRefType>(argument.getType()) && isFloat(argument.getType()))
      evaluator->set(argument, getTermOf(nullptr));
  evaluator->visit(body);
}

SumDepth::~SumDepth() = default;

std::optional<Roundings> SumDepth::getRoundings(Value value) const {
  State state = evaluator->lookup(value);
  if (!state)
    return std::nullopt;
  Roundings all;
  for (const auto &[origin, roundings] : *state)
    all.takeMost(roundings);
  return all;
}
