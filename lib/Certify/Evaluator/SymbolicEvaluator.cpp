//===- SymbolicEvaluator.cpp - What a function computes ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolicEvaluator.h"
#include "../Terms/ExactTerms.h"
#include "../Terms/Merging.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

SymbolicEvaluator::SymbolicEvaluator(Solver &solver, Arguments &arguments,
                                     ElementReaders readers,
                                     Arithmetic arithmetic)
    : solver(solver), readers(readers), arithmetic(arithmetic),
      indices(
          solver, arguments, obstacle,
          [this](Value shaped, int64_t dim) {
            return sizes.getSize(shaped, dim);
          },
          [this](Operation *op) { return scopes.getLoops(op); }),
      scopes(arguments, indices, obstacle),
      sizes(solver, arguments, indices, scopes, obstacle),
      loops(solver, indices, scopes, sizes, obstacle) {}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult SymbolicEvaluator::enterLoop(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  return loop ? loops.enter(loop) : success();
}

LogicalResult SymbolicEvaluator::enterLoopsAround(Operation *op) {
  SmallVector<Operation *> around;
  for (Operation *parent = op->getParentOp();
       isa_and_nonnull<scf::ForOp, scf::ForallOp, scf::IfOp>(parent);
       parent = parent->getParentOp())
    around.push_back(parent);
  // From the outside.
  for (Operation *parent : llvm::reverse(around))
    if (failed(enterLoop(parent)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The tensors that `tensor` is made of in its block and that `isKnown` does
/// not hold for, each after those that it is made of itself.
static SmallVector<Value> getInputs(Value tensor,
                                    function_ref<bool(Value)> isKnown) {
  llvm::SetVector<Value> inputs;
  inputs.insert(tensor);
  for (size_t next = 0; next < inputs.size(); ++next) {
    Operation *op = inputs[next].getDefiningOp();
    for (Value operand : op->getOperands()) {
      auto result = dyn_cast<OpResult>(operand);
      if (result && isa<RankedTensorType, VectorType>(result.getType()) &&
          result.getOwner()->getBlock() == op->getBlock() && !isKnown(result))
        inputs.insert(result);
    }
  }
  SmallVector<Value> order = inputs.takeVector();
  llvm::stable_sort(order, [](Value a, Value b) {
    return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
  });
  return order;
}

FailureOr<const SymbolicEvaluator::Elements *>
SymbolicEvaluator::getElements(Value tensor) {
  auto isKnown = [&](Value value) {
    return tensors.contains(value) || common.contains(value);
  };
  // In the block's order, so that long chains of ops do not nest calls. One
  // that fails matters only if it is asked for.
  if (!isKnown(tensor) && isa<OpResult>(tensor))
    for (Value input : getInputs(tensor, isKnown))
      tensors[input] = evaluate(input);
  if (!tensors.contains(tensor))
    tensors[tensor] = evaluate(tensor);
  const Elements *elements = tensors[tensor].get();
  if (!elements)
    return failure();
  return elements;
}

LogicalResult SymbolicEvaluator::evaluateResult(OpResult result,
                                                ArrayRef<LinearExpr> at,
                                                Elements &elements) {
  Operation *op = result.getOwner();
  if (failed(enterLoopsAround(op)))
    return failure();
  FailureOr<System> bounds = sizes.getBounds(result, at);
  if (failed(bounds))
    return failure();
  System context = scopes.getScope(op) & *bounds;
  if (failed(finish(elements, readAnew(result, at, context), context, op)))
    return failure();
  // Not what loops carry, which is looked into for how it changes.
  bool isNamed = arithmetic != Arithmetic::AnyOrder && !chain &&
                 isa<RankedTensorType, VectorType>(result.getType()) &&
                 areWorthNaming(solver, elements.pieces, context);
  if (isNamed) {
    ExprRef named = nameElements(elements.indices, elements.pieces, result);
    elements.pieces = {Piece{{}, {}, named}};
  }
  return success();
}

/// Elements and ops in the expressions of one function: some hundred bytes
/// each. With products of sums, whose cases are soon many, exact arithmetic
/// takes less.
static constexpr uint64_t kMostWritten = 2'000'000;
static constexpr uint64_t kMostWrittenOfProducts = 200'000;

SymbolicEvaluator::Elements
SymbolicEvaluator::startElements(Type type, SmallVectorImpl<LinearExpr> &at) {
  Elements elements;
  auto shaped = dyn_cast<ShapedType>(type);
  for (int64_t dim = 0; shaped && dim < shaped.getRank(); ++dim) {
    elements.indices.push_back(solver.makeVar());
    at.push_back(LinearExpr::var(elements.indices.back()));
  }
  return elements;
}

/// Makes `pieces`, which are all within `bounds`, simpler in exact arithmetic.
static void simplifyExactly(Solver &solver, Pieces &pieces,
                            const System &bounds, Arithmetic arithmetic,
                            bool isVector) {
  Expansion expansion = isVector ? Expansion::Nothing : Expansion::Vectors;
  if (!isVector)
    pieces = expandNames(solver, pieces, Expansion::Vectors);
  for (Piece &piece : pieces)
    piece.value = collectTerms(solver, piece.value, bounds & piece.domain,
                               arithmetic, expansion);
  joinZeros(solver, pieces, bounds);
}

LogicalResult SymbolicEvaluator::finish(Elements &elements,
                                        FailureOr<Pieces> pieces,
                                        const System &context, Operation *op) {
  if (failed(pieces))
    return failure();
  bool isExact = arithmetic != Arithmetic::AnyOrder;
  if (isExact)
    simplifyExactly(solver, *pieces, context, arithmetic,
                    isa<VectorType>(op->getResult(0).getType()));
  for (Piece &piece : *pieces) {
    written = llvm::SaturatingAdd(written, piece.value->size);
    isOfProducts = isOfProducts || (!isExact && hasProductOfSums(piece.value));
    uint64_t most = isOfProducts ? kMostWrittenOfProducts : kMostWritten;
    if (written > most || solver.hasExpired())
      return undecided(op, "expressions of more than " + Twine(most) +
                               " elements and ops in all");
    if (!compact(piece, context))
      continue;
    // Other ops make terms that are so already, or are soon part of a loop's.
    if (isa<LoopLikeOpInterface>(op) && !isExact)
      piece.value = compactTerms(solver, piece.value, context & piece.domain);
    elements.pieces.push_back(std::move(piece));
  }
  mergeNeighbours(elements.pieces);
  return success();
}

std::unique_ptr<SymbolicEvaluator::Elements>
SymbolicEvaluator::evaluate(Value tensor) {
  Type type = tensor.getType();
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable()) {
    (void)undecided(tensor.getParentRegion()->getParentOp(),
                    "a vector of scalable size");
    return nullptr;
  }
  SmallVector<LinearExpr> at;
  auto elements = std::make_unique<Elements>(startElements(type, at));
  if (chain && !chain->contains(tensor)) {
    Type element = getElementTypeOrSelf(type);
    elements->pieces.push_back({{}, {}, makeUndefined(element)});
    return elements;
  }
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    elements->pieces.push_back({{}, {}, makeRead(argument, at)});
    return elements;
  }
  if (auto it = common.find(tensor); !chain && it != common.end()) {
    elements->pieces.push_back(
        {{}, {}, makeRead(it->second, getElementTypeOrSelf(type), at)});
    return elements;
  }
  auto result = cast<OpResult>(tensor);
  if (failed(evaluateResult(result, at, *elements)))
    return nullptr;
  return elements;
}

std::unique_ptr<SymbolicEvaluator::Elements>
SymbolicEvaluator::evaluateState(BlockArgument carried) {
  Operation *loop = carried.getOwner()->getParentOp();
  SmallVector<LinearExpr> at;
  auto elements =
      std::make_unique<Elements>(startElements(carried.getType(), at));
  if (failed(enterLoopsAround(loop)) || failed(enterLoop(loop)))
    return nullptr;
  FailureOr<System> bounds = sizes.getBounds(carried, at);
  if (failed(bounds))
    return nullptr;
  System context =
      scopes.getScope(loop) & scopes.getIterations(loop).range & *bounds;
  if (failed(finish(*elements, readers.readState(*this, carried, at, context),
                    context, loop)))
    return nullptr;
  return elements;
}

void SymbolicEvaluator::setCommon(Value tensor,
                                  std::shared_ptr<const CommonValue> value) {
  common[tensor] = std::move(value);
  // What is made of it becomes simpler.
  tensors.clear();
  states.clear();
  written = 0;
}

void SymbolicEvaluator::forgetFailures() {
  SmallVector<Value> failures;
  for (const auto &[tensor, elements] : tensors)
    if (!elements)
      failures.push_back(tensor);
  for (Value tensor : failures)
    tensors.erase(tensor);
  states.clear();
}

Pieces SymbolicEvaluator::instantiateAt(const Elements &elements,
                                        ArrayRef<LinearExpr> at,
                                        const System &context) {
  DenseMap<Var, LinearExpr> values;
  for (auto [var, index] : llvm::zip_equal(elements.indices, at))
    values[var] = index;
  // Most pieces lie elsewhere: their values are not even looked at.
  bool isAlone = elements.pieces.size() == 1;
  Pieces pieces;
  for (const Piece &piece : elements.pieces) {
    DenseMap<Var, LinearExpr> renamed = values;
    SmallVector<Var> locals = renameVars(solver, piece.locals, renamed);
    System domain = piece.domain.substitute(renamed);
    if (isAlone || !solver.isEmpty(context & domain))
      pieces.push_back({locals, domain, substitute(piece.value, renamed)});
  }
  return pieces;
}

FailureOr<Pieces> SymbolicEvaluator::readAt(Value tensor,
                                            ArrayRef<LinearExpr> at,
                                            const System &context) {
  FailureOr<const Elements *> elements = getElements(tensor);
  if (failed(elements))
    return failure();
  return instantiateAt(**elements, at, context);
}

FailureOr<Pieces> SymbolicEvaluator::readWritten(const WriteChain &chain,
                                                 Value tensor,
                                                 ArrayRef<LinearExpr> at,
                                                 const System &context) {
  llvm::SaveAndRestore ofChain(this->chain, &chain);
  KnownElements ofValues = std::exchange(tensors, KnownElements());
  FailureOr<Pieces> pieces = readAt(tensor, at, context);
  tensors = std::move(ofValues);
  return pieces;
}

FailureOr<Pieces> SymbolicEvaluator::readStateAt(BlockArgument carried,
                                                 ArrayRef<LinearExpr> at,
                                                 const System &context) {
  if (!states.contains(carried)) {
    states[carried] = nullptr;
    std::unique_ptr<Elements> found = evaluateState(carried);
    states[carried] = std::move(found);
  }
  const Elements *elements = states[carried].get();
  if (!elements)
    return undecided(carried.getOwner()->getParentOp(),
                     "an iteration that mixes tensors of the loop");
  return instantiateAt(*elements, at, context);
}
