//===- WordChains.cpp - Sums of products of words through loops -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Utils/WordChains.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;

OpOperand &mlir::convoy::getAddend(Operation *op) {
  return op->getOpOperand(isa<vector::FMAOp, vector::ContractionOp>(op) ? 2
                                                                        : 0);
}

Value WordChain::getStart() const {
  const WordStep &step = steps.front();
  return step.loop ? Value(step.loop.getInitArgs()[step.number])
                   : getAddend(step.first).get();
}

WordChainFinder::WordChainFinder(
    Operation *root, function_ref<std::optional<WordSum>(Operation *)> match)
    : root(root) {
  root->walk([&](Operation *op) {
    std::optional<WordSum> words = match(op);
    if (!words)
      return;
    WordStep step;
    step.sum = step.first = op;
    step.words = *words;
    while (getAddend(step.first).get() != words->sum)
      step.first = getAddend(step.first).get().getDefiningOp();
    sums[step.first] = step;
  });
}

SmallVector<WordChain> WordChainFinder::find() {
  SmallVector<WordChain> chains;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (OpOperand &init : loop.getInitArgsMutable())
        addChain(init, chains);
    } else if (sums.contains(op)) {
      addChain(getAddend(op), chains);
    }
  });
  return chains;
}

std::optional<WordStep> WordChainFinder::getStep(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    BlockArgument carried = loop.getTiedLoopRegionIterArg(&use);
    if (!carried)
      return std::nullopt;
    WordStep step;
    step.loop = loop;
    step.number = carried.getArgNumber() - loop.getNumInductionVars();
    Value end = follow(carried, step.body);
    OpOperand &yielded =
        loop.getBody()->getTerminator()->getOpOperand(step.number);
    return !step.body.empty() && end.hasOneUse() && yielded.get() == end
               ? std::optional(step)
               : std::nullopt;
  }
  auto sum = sums.find(user);
  return sum != sums.end() && &getAddend(user) == &use
             ? std::optional(sum->second)
             : std::nullopt;
}

Value WordChainFinder::follow(Value value, std::vector<WordStep> &steps) {
  while (value.hasOneUse()) {
    std::optional<WordStep> step = getStep(*value.use_begin());
    if (!step)
      break;
    steps.push_back(*step);
    value = step->loop ? step->loop.getResult(step->number)
                       : step->sum->getResult(0);
  }
  return value;
}

void WordChainFinder::markTaken(ArrayRef<WordStep> steps) {
  for (const WordStep &step : steps) {
    if (step.loop)
      taken.insert(&step.loop.getInitArgsMutable()[step.number]);
    else
      taken.insert(&getAddend(step.first));
    markTaken(step.body);
  }
}

void WordChainFinder::addChain(OpOperand &use, SmallVector<WordChain> &chains) {
  if (taken.contains(&use))
    return;
  std::optional<WordStep> step = getStep(use);
  if (!step)
    return;
  WordChain chain{{*step}, {}};
  chain.end = follow(step->loop ? Value(step->loop.getResult(step->number))
                                : step->sum->getResult(0),
                     chain.steps);
  markTaken(chain.steps);
  chains.push_back(std::move(chain));
}

void mlir::convoy::eraseUnused(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}
