//===- ThreadLoops.cpp - Loops that threads share ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadLoops.h"

#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::convoy;

/// The only op of `region` but for its terminator, if it is an `Op`; else null.
template <typename Op>
static Op getOnlyOp(Region &region) {
  if (!region.hasOneBlock() || region.front().empty())
    return {};
  auto op = dyn_cast<Op>(region.front().front());
  bool isAlone = op && (op->getNextNode() == nullptr ||
                        op->getNextNode() == region.front().getTerminator());
  return isAlone ? op : Op();
}

/// The loop nest whose iterations the threads of `threads` share, which says no
/// more than how many these are; null if they do something else.
static omp::LoopNestOp getSharedLoops(omp::ParallelOp threads) {
  unsigned numOperands = threads.getNumThreads() ? 1 : 0;
  auto shared = threads->getNumOperands() == numOperands
                    ? getOnlyOp<omp::WsloopOp>(threads.getRegion())
                    : omp::WsloopOp();
  if (!shared || shared->getNumOperands() > 0 || shared.getOrdered())
    return {};
  auto loops = getOnlyOp<omp::LoopNestOp>(shared.getRegion());
  bool isKnown =
      loops && !loops.getLoopInclusive() && loops.getRegion().hasOneBlock();
  return isKnown ? loops : omp::LoopNestOp();
}

void certify::raiseThreadLoops(FunctionOpInterface function) {
  function->walk<WalkOrder::PostOrder>([](omp::ParallelOp threads) {
    omp::LoopNestOp nest = getSharedLoops(threads);
    if (!nest)
      return;
    OpBuilder builder(threads);
    auto loop = scf::ParallelOp::create(
        builder, nest.getLoc(), nest.getLoopLowerBounds(),
        nest.getLoopUpperBounds(), nest.getLoopSteps());
    Block *body = loop.getBody(), *from = &nest.getRegion().front();
    from->getTerminator()->erase();
    body->getOperations().splice(body->begin(), from->getOperations());
    for (auto [before, after] :
         llvm::zip_equal(from->getArguments(), body->getArguments()))
      before.replaceAllUsesWith(after);
    threads->erase();
  });
}
