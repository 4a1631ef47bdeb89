//===- KernelPhases.cpp - What work-items do between barriers ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPhases.h"
#include "Buffers/BufferRoots.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

SmallVector<Value> certify::enterLoop(ArrayRef<int64_t> sizes, Location loc,
                                      OpBuilder &builder) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> numbers(sizes.size(), zero), ends;
  for (int64_t size : sizes)
    if (size != 1)
      ends.push_back(arith::ConstantIndexOp::create(builder, loc, size));
  if (ends.empty())
    return numbers;
  auto loop = scf::ParallelOp::create(
      builder, loc, SmallVector<Value>(ends.size(), zero), ends,
      SmallVector<Value>(ends.size(), one));
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> inductionVars = loop.getInductionVars();
  ValueRange indices = inductionVars;
  for (auto [number, size] : llvm::zip_equal(numbers, sizes))
    if (size != 1) {
      number = indices.front();
      indices = indices.drop_front();
    }
  return numbers;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool hasBarrier(Operation *op) {
  return op->walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether what `op` makes depends on its operands alone.
static bool isFunctionOfOperands(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::is_contained({"affine", "arith", "math", "ub", "vector"},
                            dialect);
}

/// Whether `op` can be made again instead of kept: it computes numbers that are
/// no data.
static bool isMadeAgain(Operation *op) {
  return (isFunctionOfOperands(op) || isa<gpu::ThreadIdOp>(op)) &&
         llvm::all_of(op->getResultTypes(),
                      llvm::IsaPred<IndexType, IntegerType>);
}

bool KernelPhases::isUniform(Operation *op) {
  return isFunctionOfOperands(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return uniform.contains(operand); });
}

//===----------------------------------------------------------------------===//
// Values that phases leave
//===----------------------------------------------------------------------===//

FailureOr<Value> KernelPhases::makeBuffer(Type type) {
  SmallVector<int64_t> shape(kernel.getKnownBlockSizeAttr().asArrayRef());
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable())
      return failure();
    llvm::append_range(shape, vector.getShape());
    type = vector.getElementType();
  }
  if (!type.isIntOrIndexOrFloat())
    return failure();
  return memref::AllocOp::create(builder, loc, MemRefType::get(shape, type))
      .getResult();
}

/// The place of a work-item's value of `type` in a buffer.
static SmallVector<Value> getPlace(ArrayRef<Value> items, Type type,
                                   OpBuilder &builder, Location loc) {
  SmallVector<Value> place(items);
  auto vector = dyn_cast<VectorType>(type);
  for (int64_t dim = 0; vector && dim < vector.getRank(); ++dim)
    place.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  return place;
}

void KernelPhases::store(Value value, Value buffer) {
  auto place = getPlace(items, value.getType(), builder, loc);
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector) {
    memref::StoreOp::create(builder, loc, value, buffer, place);
    return;
  }
  SmallVector<bool> inBounds(vector.getRank(), true);
  vector::TransferWriteOp::create(builder, loc, value, buffer, place,
                                  ArrayRef<bool>(inBounds));
}

Value KernelPhases::load(Type type, Value buffer) {
  auto place = getPlace(items, type, builder, loc);
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return memref::LoadOp::create(builder, loc, buffer, place);
  SmallVector<bool> inBounds(vector.getRank(), true);
  return vector::TransferReadOp::create(builder, loc, vector, buffer, place,
                                        std::nullopt, ArrayRef<bool>(inBounds));
}

LogicalResult KernelPhases::find(Value value, IRMapping &mapping) {
  if (mapping.contains(value))
    return success();
  if (Value buffer = buffers.lookup(value)) {
    mapping.map(value, load(value.getType(), buffer));
    return success();
  }
  Operation *op = value.getDefiningOp();
  return op && isMadeAgain(op) ? make(op, mapping) : failure();
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

LogicalResult KernelPhases::make(Operation *op, IRMapping &mapping) {
  if (auto item = dyn_cast<gpu::ThreadIdOp>(op)) {
    mapping.map(item.getResult(), items[unsigned(item.getDimension())]);
    return success();
  }
  if (op->getName().getDialectNamespace() == "gpu")
    return failure();
  WalkResult walk = op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      bool isOutside =
          !op->isProperAncestor(operand.getParentRegion()->getParentOp());
      isOutside &= operand.getParentRegion()->getParentOp() != op;
      if (isOutside && failed(find(operand, mapping)))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  Operation *made = builder.clone(*op, mapping);
  // Numbers that are asked for within regions.
  made->walk([&](Operation *inner) {
    auto take = [&](ValueRange numbers, gpu::Dimension dimension) {
      inner->getResult(0).replaceAllUsesWith(numbers[unsigned(dimension)]);
      inner->erase();
    };
    if (auto item = dyn_cast<gpu::ThreadIdOp>(inner))
      take(items, item.getDimension());
    else if (auto group = dyn_cast<gpu::BlockIdOp>(inner))
      take(groups, group.getDimension());
  });
  return success();
}

bool KernelPhases::Accesses::isApartFrom(const Accesses &other) const {
  auto accesses = [](const Accesses &one, Value buffer) {
    return one.read.contains(buffer) || one.written.contains(buffer);
  };
  return llvm::none_of(written,
                       [&](Value buffer) { return accesses(other, buffer); }) &&
         llvm::none_of(other.written,
                       [&](Value buffer) { return accesses(*this, buffer); });
}

FailureOr<KernelPhases::Accesses> KernelPhases::findAccesses() const {
  Accesses accesses;
  for (Operation *op : ops) {
    auto effects = getEffectsRecursively(op);
    if (!effects)
      return failure();
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      if (!effect.getValue())
        return failure();
      Value buffer = BufferRoots::find(effect.getValue());
      // Others do not see what a work-item has allocated.
      if (buffer.getDefiningOp<memref::AllocaOp>())
        continue;
      // Two arguments may be one buffer.
      buffer = BufferRoots::find(uniform.lookupOrDefault(buffer));
      bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
      (isRead ? accesses.read : accesses.written).insert(buffer);
    }
  }
  return accesses;
}

LogicalResult KernelPhases::endPart(Stores left) {
  FailureOr<Accesses> accesses = findAccesses();
  if (failed(accesses) || !accesses->isApartFrom(open))
    return failure();
  open.add(*accesses);
  if (!hasWaited)
    head.add(*accesses);
  auto isOfPhase = [&](Operation *user) {
    while (user && !ops.contains(user))
      user = user->getParentOp();
    return user != nullptr;
  };
  for (Operation *op : ops)
    for (Value result : op->getResults()) {
      if (isMadeAgain(op) || llvm::all_of(result.getUsers(), isOfPhase))
        continue;
      FailureOr<Value> buffer = makeBuffer(result.getType());
      if (failed(buffer))
        return failure();
      left.push_back({result, *buffer});
      buffers[result] = *buffer;
    }
  bool isEmpty = left.empty() && llvm::all_of(ops, isMadeAgain);
  if (isEmpty) {
    ops.clear();
    return success();
  }
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<int64_t> sizes(kernel.getKnownBlockSizeAttr().asArrayRef());
  items = enterLoop(sizes, loc, builder);
  IRMapping mapping(uniform);
  for (Operation *op : ops)
    if (!isMadeAgain(op) && failed(make(op, mapping)))
      return failure();
  ops.clear();
  // All are read before one is written.
  for (const Store &one : left)
    if (failed(find(one.value, mapping)))
      return failure();
  for (const Store &one : left)
    store(mapping.lookup(one.value), one.buffer);
  return success();
}

FailureOr<KernelPhases::Accesses> KernelPhases::runBlock(Block &block,
                                                         Stores left) {
  Accesses outerHead = std::exchange(head, {});
  bool hadWaited = std::exchange(hasWaited, false);
  for (Operation &op : block.without_terminator()) {
    if (auto group = dyn_cast<gpu::BlockIdOp>(op)) {
      uniform.map(group.getResult(), groups[unsigned(group.getDimension())]);
    } else if (isUniform(&op)) {
      builder.clone(op, uniform);
    } else if (isa<gpu::BarrierOp>(op)) {
      // One with attributes may be of some memory alone.
      if (!op.getAttrs().empty() || failed(endPart()))
        return failure();
      open = {};
      hasWaited = true;
    } else if (hasBarrier(&op)) {
      if (failed(runRegions(&op)))
        return failure();
    } else {
      ops.insert(&op);
    }
  }
  if (failed(endPart(std::move(left))))
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
  Stores inits, yields;
  for (auto [argument, result, init, yielded] :
       llvm::zip_equal(op.getRegionIterArgs(), op.getResults(),
                       op.getInitArgs(), op.getYieldedValues())) {
    FailureOr<Value> buffer = makeBuffer(result.getType());
    if (failed(buffer))
      return failure();
    inits.push_back({init, *buffer});
    yields.push_back({yielded, *buffer});
    buffers[argument] = buffers[result] = *buffer;
  }
  if (failed(endPart(std::move(inits))))
    return failure();
  for (Value bound : {op.getLowerBound(), op.getUpperBound(), op.getStep()})
    if (!uniform.contains(bound))
      return failure();
  auto loop = scf::ForOp::create(
      builder, loc, uniform.lookup(op.getLowerBound()),
      uniform.lookup(op.getUpperBound()), uniform.lookup(op.getStep()));
  uniform.map(op.getInductionVar(), loop.getInductionVar());
  Accesses before = open;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  FailureOr<Accesses> first = runBlock(*op.getBody(), std::move(yields));
  // What is behind the last barrier and before the first one of the next
  // iteration is one phase.
  if (failed(first) || !first->isApartFrom(open))
    return failure();
  std::optional<APInt> count = op.getStaticTripCount();
  bool runsAlways = count && !count->isZero();
  if (!runsAlways)
    open.add(before);
  return success();
}

LogicalResult KernelPhases::runIf(scf::IfOp op) {
  if (!uniform.contains(op.getCondition()))
    return failure();
  SmallVector<Value> left;
  for (OpResult result : op.getResults()) {
    FailureOr<Value> buffer = makeBuffer(result.getType());
    if (failed(buffer))
      return failure();
    buffers[result] = *buffer;
    left.push_back(*buffer);
  }
  if (failed(endPart()))
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
    Stores yields;
    for (auto [yielded, buffer] :
         llvm::zip_equal(from->getTerminator()->getOperands(), left))
      yields.push_back({yielded, buffer});
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
      .Default([](Operation *) { return failure(); });
}

LogicalResult KernelPhases::run() {
  for (BlockArgument memory : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(memory.getType());
    uniform.map(memory,
                memref::AllocOp::create(builder, loc, type).getResult());
  }
  return LogicalResult(runBlock(kernel.getBody().front(), {}));
}
