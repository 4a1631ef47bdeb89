//===- KernelParts.cpp - Parts of what is between two barriers --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What work-items, lanes and subgroups do between two barriers are loops of
// their own, one after the other. None may write an element that another one of
// the phase accesses, so that their order does not matter.
//
//===----------------------------------------------------------------------===//

#include "Buffers/BufferRoots.h"
#include "KernelPhases.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool KernelPhases::Accesses::isApartFrom(const Accesses &other) const {
  auto accesses = [](const Accesses &one, Value buffer) {
    return one.read.contains(buffer) || one.written.contains(buffer);
  };
  return llvm::none_of(written,
                       [&](Value buffer) { return accesses(other, buffer); }) &&
         llvm::none_of(other.written,
                       [&](Value buffer) { return accesses(*this, buffer); });
}

FailureOr<KernelPhases::Accesses>
KernelPhases::findAccesses(ArrayRef<Operation *> ops) const {
  Accesses accesses;
  // Two arguments may be one buffer.
  auto getRoot = [&](Value buffer) {
    return BufferRoots::find(
        uniform.lookupOrDefault(BufferRoots::find(buffer)));
  };
  for (Operation *op : ops) {
    if (MatrixOps::isKnown(op)) {
      // Their effects name no buffer.
      if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op))
        accesses.read.insert(getRoot(load.getSrcMemref()));
      if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op))
        accesses.written.insert(getRoot(store.getDstMemref()));
      continue;
    }
    auto effects = getEffectsRecursively(op);
    if (!effects)
      return obstacle.undecided(op, "an op whose meaning is not known");
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      if (!effect.getValue())
        return obstacle.undecided(op, "an op whose meaning is not known");
      Value buffer = BufferRoots::find(effect.getValue());
      // Others do not see what a work-item has allocated.
      if (buffer.getDefiningOp<memref::AllocaOp>())
        continue;
      bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
      (isRead ? accesses.read : accesses.written).insert(getRoot(buffer));
    }
  }
  return accesses;
}

LogicalResult KernelPhases::addAccesses(ArrayRef<Operation *> ops,
                                        Accesses &parts) {
  FailureOr<Accesses> accesses = findAccesses(ops);
  if (failed(accesses))
    return failure();
  if (!accesses->isApartFrom(open))
    return fail(ops.front(), "a buffer that others may write, or access, "
                             "before the next barrier");
  sharesBuffer |= !accesses->isApartFrom(parts);
  parts.add(*accesses);
  return success();
}

void KernelPhases::numberLoops(Operation *before) {
  Block *block = builder.getInsertionBlock();
  Operation *op = before ? before->getNextNode() : &block->front();
  for (; op; op = op->getNextNode())
    if (isa<scf::ParallelOp>(op))
      op->setAttr(kPhaseAttrName, builder.getIndexAttr(numPhases));
  ++numPhases;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Those who use what `op` makes, if `items` knows which agents that are.
static Agents findUsers(Operation *op, const WorkItems &items) {
  for (Operation *user : op->getUsers()) {
    while (user->getBlock() != op->getBlock() && user->getParentOp())
      user = user->getParentOp();
    Agents agents = items.getAgents(user);
    if (agents == Agents::None && isMadeAgain(user))
      agents = findUsers(user, items);
    if (agents == Agents::Items || agents == Agents::Lanes)
      return agents;
  }
  return Agents::None;
}

FailureOr<SmallVector<KernelPhases::Part, 0>>
KernelPhases::findParts(WorkItems::Stores left) {
  for (Operation *op : llvm::reverse(ops))
    if (items.getAgents(op) == Agents::None && !isMadeAgain(op)) {
      Agents users = findUsers(op, items);
      items.setAgents(op, users == Agents::None ? Agents::Items : users);
    }
  SmallVector<Part, 0> parts;
  DenseMap<Operation *, unsigned> numbers;
  for (Operation *op : ops) {
    unsigned number = 0;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        number = std::max(number, numbers.lookup(operand.getDefiningOp()));
    });
    Agents agents = items.getAgents(op);
    if (!isMadeAgain(op)) {
      if (agents == Agents::Both)
        return fail(op, "an op of a work-item that needs its numbers in the "
                        "workgroup and in its subgroup");
      if (agents == Agents::Lanes && items.getNumSubgroups() == 0)
        return fail(op, "subgroups of a size that is not known, or that are "
                        "not full");
      while (number < parts.size() && parts[number].agents != agents)
        ++number;
      if (number == parts.size())
        parts.push_back({agents, {}, {}});
      parts[number].ops.insert(op);
    }
    numbers[op] = number;
  }
  for (Agents agents : {Agents::Items, Agents::Lanes}) {
    WorkItems::Stores own;
    llvm::copy_if(left, std::back_inserter(own),
                  [&](const auto &one) { return one.agents == agents; });
    if (own.empty())
      continue;
    if (parts.empty() || parts.back().agents != agents)
      parts.push_back({agents, {}, {}});
    parts.back().left = std::move(own);
  }
  return parts;
}

/// Whether an op that is none of `ops` uses `value`, or what is made of it
/// again.
static bool isUsedOutside(Value value,
                          const llvm::SetVector<Operation *> &ops) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *inPart = user;
    while (inPart && !ops.contains(inPart))
      inPart = inPart->getParentOp();
    if (inPart)
      return false;
    return !isMadeAgain(user) || isUsedOutside(user->getResult(0), ops);
  });
}

LogicalResult KernelPhases::runPart(Part &part, Accesses &parts) {
  if (part.agents == Agents::Subgroups) {
    for (Operation *op : part.ops)
      if (failed(addAccesses(op, parts)) || failed(matrices.make(op, obstacle)))
        return failure();
    return success();
  }
  if (!part.ops.empty() && failed(addAccesses(part.ops.getArrayRef(), parts)))
    return failure();
  for (Operation *op : part.ops)
    for (Value result : op->getResults()) {
      if (!isUsedOutside(result, part.ops))
        continue;
      FailureOr<Value> buffer = items.makeBuffer(result.getType(), part.agents);
      if (failed(buffer))
        return fail(op, "a value that work-items keep beyond a barrier and "
                        "that is neither a number nor a vector");
      part.left.push_back({result, *buffer, part.agents});
      items.keep(result, *buffer, part.agents);
    }
  OpBuilder::InsertionGuard guard(builder);
  items.enter(part.agents);
  IRMapping mapping(uniform);
  for (Operation *op : part.ops)
    if (failed(items.make(op, mapping)))
      return fail(op, "a value that a work-item does not know");
  // All are read before one is written.
  for (const WorkItems::Store &one : part.left)
    if (failed(items.find(one.value, mapping)))
      return fail(kernel, "a value that a work-item does not know");
  for (const WorkItems::Store &one : part.left)
    items.store(mapping.lookup(one.value), one.buffer);
  return success();
}

LogicalResult KernelPhases::endParts(WorkItems::Stores left) {
  FailureOr<SmallVector<Part, 0>> parts = findParts(std::move(left));
  if (failed(parts) || parts->empty())
    return LogicalResult(parts);
  ops.clear();
  Block *block = builder.getInsertionBlock();
  Operation *before = builder.getInsertionPoint() == block->begin()
                          ? nullptr
                          : &*std::prev(builder.getInsertionPoint());
  Operation *first = parts->front().ops.empty() ? kernel.getOperation()
                                                : parts->front().ops.front();
  Accesses accesses;
  sharesBuffer = false;
  for (Part &part : *parts)
    if (failed(runPart(part, accesses)))
      return failure();
  open.add(accesses);
  if (!hasWaited)
    head.add(accesses);
  if (!sharesBuffer)
    return success();
  if (items.isAlone())
    return fail(first, "a buffer that others may write, or access, before the "
                       "next barrier");
  numberLoops(before);
  return success();
}
