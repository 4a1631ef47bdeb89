//===- KernelPhases.cpp - What work-items do between barriers ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPhases.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Whether `op` has others in it that work-items run together.
static bool hasOpsOfAll(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        bool isOfAll = isa<gpu::BarrierOp>(inner) || MatrixOps::isKnown(inner);
        return isOfAll && inner != op ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

/// `op` or one in it that is not read, or null.
static Operation *findUnread(Operation *op) {
  Operation *unread = nullptr;
  op->walk([&](Operation *inner) {
    StringRef dialect = inner->getName().getDialectNamespace();
    bool isNumber =
        isa<gpu::BlockIdOp, gpu::ThreadIdOp, gpu::SubgroupIdOp, gpu::LaneIdOp>(
            inner);
    if (isNumber || !llvm::is_contained({"amdgpu", "gpu", "nvgpu"}, dialect))
      return WalkResult::advance();
    unread = inner;
    return WalkResult::interrupt();
  });
  return unread;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

LogicalResult KernelPhases::runOp(Operation *op) {
  if (auto group = dyn_cast<gpu::BlockIdOp>(op)) {
    uniform.map(group.getResult(), groups[unsigned(group.getDimension())]);
    return success();
  }
  if (items.isUniform(op)) {
    builder.clone(*op, uniform);
    return success();
  }
  if (isa<gpu::BarrierOp>(op)) {
    if (!op->getAttrs().empty())
      return fail(op, "a barrier that may be of some memory alone");
    if (failed(endParts()))
      return failure();
    open = {};
    hasWaited = true;
    return success();
  }
  if (hasOpsOfAll(op))
    return runRegions(op);
  // A hint changes nothing.
  if (op->getName().getStringRef() == "amdgpu.sched_barrier")
    return success();
  if (MatrixOps::isKnown(op)) {
    items.setAgents(op, Agents::Subgroups);
  } else {
    if (Operation *unread = findUnread(op))
      return fail(unread, "an op whose meaning is not known");
    items.findAgents(op);
  }
  ops.insert(op);
  return success();
}

FailureOr<KernelPhases::Accesses>
KernelPhases::runBlock(Block &block, WorkItems::Stores left) {
  Accesses outerHead = std::exchange(head, {});
  bool hadWaited = std::exchange(hasWaited, false);
  for (Operation &op : block.without_terminator())
    if (failed(runOp(&op)))
      return failure();
  if (failed(endParts(std::move(left))))
    return failure();
  Accesses own = std::exchange(head, std::move(outerHead));
  // What comes before the first barrier in it does so in the block around, too.
  if (!hadWaited)
    head.add(own);
  hasWaited = hadWaited;
  return own;
}

//===----------------------------------------------------------------------===//
// Loops and branches of a workgroup
//===----------------------------------------------------------------------===//

LogicalResult KernelPhases::runFor(scf::ForOp op) {
  WorkItems::Stores inits, yields;
  for (auto [argument, result, init, yielded] :
       llvm::zip_equal(op.getRegionIterArgs(), op.getResults(),
                       op.getInitArgs(), op.getYieldedValues())) {
    if (MatrixOps::isMatrix(argument))
      continue;
    Agents agents =
        items.getAgents(init) == Agents::Lanes ? Agents::Lanes : Agents::Items;
    FailureOr<Value> buffer = items.makeBuffer(result.getType(), agents);
    if (failed(buffer))
      return fail(op, "a loop that carries what is neither a number nor a "
                      "vector");
    inits.push_back({init, *buffer, agents});
    yields.push_back({yielded, *buffer, agents});
    items.keep(argument, *buffer, agents);
    items.keep(result, *buffer, agents);
  }
  return runLoop(op, std::move(inits), std::move(yields));
}

LogicalResult KernelPhases::runLoop(scf::ForOp op, WorkItems::Stores inits,
                                    WorkItems::Stores yields) {
  if (failed(endParts(std::move(inits))))
    return failure();
  for (Value bound : {op.getLowerBound(), op.getUpperBound(), op.getStep()})
    if (!uniform.contains(bound))
      return fail(op, "a loop around ops of all work-items that may not have "
                      "the same iterations for all of them");
  SmallVector<unsigned> carried;
  SmallVector<Value> tensors;
  for (auto [argument, init] :
       llvm::zip_equal(op.getRegionIterArgs(), op.getInitArgs()))
    if (MatrixOps::isMatrix(argument)) {
      carried.push_back(argument.getArgNumber() - op.getNumInductionVars());
      tensors.push_back(matrices.getInit(argument, init));
      if (!tensors.back())
        return fail(op, "a loop that carries what is not known");
    }
  auto loop =
      scf::ForOp::create(builder, loc, uniform.lookup(op.getLowerBound()),
                         uniform.lookup(op.getUpperBound()),
                         uniform.lookup(op.getStep()), tensors);
  uniform.map(op.getInductionVar(), loop.getInductionVar());
  for (auto [next, number] : llvm::enumerate(carried)) {
    matrices.map(op.getRegionIterArg(number), loop.getRegionIterArg(next));
    matrices.map(op.getResult(number), loop.getResult(next));
  }
  Accesses before = open;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  FailureOr<Accesses> first = runBlock(*op.getBody(), std::move(yields));
  if (failed(first))
    return failure();
  if (!carried.empty()) {
    SmallVector<Value> left;
    for (unsigned number : carried)
      left.push_back(matrices.getInit(op.getRegionIterArg(number),
                                      op.getYieldedValues()[number]));
    scf::YieldOp::create(builder, loc, left);
  }
  builder.setInsertionPointAfter(loop);
  for (unsigned number : carried)
    if (failed(
            matrices.leave(op.getRegionIterArg(number), op.getResult(number))))
      return fail(op, "a loop that carries what is not known");
  // What is behind the last barrier and before the first one of the next
  // iteration is one phase.
  if (!first->isApartFrom(open))
    return fail(op, "a loop without a barrier at its end, whose next iteration "
                    "may write, or access, what this one accesses");
  std::optional<APInt> count = op.getStaticTripCount();
  bool runsAlways = count && !count->isZero();
  if (!runsAlways)
    open.add(before);
  return success();
}

LogicalResult KernelPhases::runIf(scf::IfOp op) {
  if (!uniform.contains(op.getCondition()))
    return fail(op, "a branch around ops of all work-items that not all of "
                    "them may take");
  SmallVector<Value> left;
  for (OpResult result : op.getResults()) {
    FailureOr<Value> buffer = items.makeBuffer(result.getType(), Agents::Items);
    if (failed(buffer))
      return fail(op, "a branch that leaves what is neither a number nor a "
                      "vector");
    items.keep(result, *buffer, Agents::Items);
    left.push_back(*buffer);
  }
  if (failed(endParts()))
    return failure();
  bool hasElse = op.elseBlock() != nullptr;
  auto branch =
      scf::IfOp::create(builder, loc, uniform.lookup(op.getCondition()),
                        /*withElseRegion=*/hasElse);
  OpBuilder::InsertionGuard guard(builder);
  Accesses before = open, after = hasElse ? Accesses() : open;
  for (auto [from, to] : {std::pair(op.thenBlock(), branch.thenBlock()),
                          std::pair(op.elseBlock(), branch.elseBlock())}) {
    if (!from)
      continue;
    WorkItems::Stores yields;
    for (auto [yielded, buffer] :
         llvm::zip_equal(from->getTerminator()->getOperands(), left))
      yields.push_back({yielded, buffer, Agents::Items});
    builder.setInsertionPointToStart(to);
    open = before;
    if (failed(runBlock(*from, std::move(yields))))
      return failure();
    after.add(open);
  }
  open = std::move(after);
  return success();
}

LogicalResult KernelPhases::runRegions(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp op) { return runFor(op); })
      .Case([&](scf::IfOp op) { return runIf(op); })
      .Default([&](Operation *op) {
        return fail(op, "an op around those of all work-items");
      });
}

LogicalResult KernelPhases::run() {
  for (BlockArgument memory : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(memory.getType());
    uniform.map(memory,
                memref::AllocOp::create(builder, loc, type).getResult());
  }
  return LogicalResult(runBlock(kernel.getBody().front(), {}));
}
