//===- MemoryOps.cpp - Ops on memory as ops on tensors ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryOps.h"
#include "../ParallelCheck.h"
#include "BufferRoots.h"
#include "StandIns.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

LogicalResult MemoryOps::findStates(Operation *op,
                                    SmallVectorImpl<Value> &written,
                                    SmallVectorImpl<Value> &inits) {
  written = BufferRoots::findWritten(op);
  for (Value root : written) {
    if (!states.contains(root))
      return undecided(op, "a buffer that comes from somewhere unknown");
    inits.push_back(states[root]);
  }
  return success();
}

LogicalResult MemoryOps::rewriteBody(scf::ForOp loop, ArrayRef<Value> written,
                                     RewriteBody rewrite) {
  Block *body = loop.getBody();
  body->clear();
  unsigned numOwn = loop.getNumResults() - written.size();
  llvm::MapVector<Value, Value> outside = states;
  for (auto [root, carried] :
       llvm::zip_equal(written, loop.getRegionIterArgs().drop_front(numOwn)))
    states[root] = carried;
  auto inBody = OpBuilder::atBlockEnd(body);
  SmallVector<Value> yielded;
  if (failed(rewrite(inBody, yielded)))
    return failure();
  for (Value root : written)
    yielded.push_back(states[root]);
  scf::YieldOp::create(inBody, loop.getLoc(), yielded);
  states = std::move(outside);
  for (auto [root, left] :
       llvm::zip_equal(written, loop.getResults().drop_front(numOwn)))
    states[root] = left;
  return success();
}

LogicalResult MemoryOps::rewriteFor(scf::ForOp op, OpBuilder &builder) {
  SmallVector<Value> written, inits;
  for (Value init : op.getInitArgs())
    if (!isa<MemRefType>(init.getType()))
      inits.push_back(map(init));
  if (failed(findStates(op, written, inits)))
    return failure();
  auto loop = scf::ForOp::create(builder, op.getLoc(), map(op.getLowerBound()),
                                 map(op.getUpperBound()), map(op.getStep()),
                                 inits, nullptr, op.getUnsignedCmp());
  mapping.map(op.getInductionVar(), loop.getInductionVar());
  auto mapOwn = [&](ValueRange from, ValueRange to) {
    unsigned next = 0;
    for (Value value : from)
      if (!isa<MemRefType>(value.getType()))
        mapping.map(value, to[next++]);
  };
  mapOwn(op.getRegionIterArgs(), loop.getRegionIterArgs());
  auto rewrite = [&](OpBuilder &inBody,
                     SmallVectorImpl<Value> &yielded) -> LogicalResult {
    if (failed(rewriteBlock(*op.getBody(), inBody)))
      return failure();
    for (auto [value, init] :
         llvm::zip_equal(op.getYieldedValues(), op.getInitArgs())) {
      if (!isa<MemRefType>(value.getType()))
        yielded.push_back(map(value));
      else if (!BufferRoots::areSame(value, init))
        return undecided(op, "a loop that carries one buffer after another");
    }
    return success();
  };
  if (failed(rewriteBody(loop, written, rewrite)))
    return failure();
  mapOwn(op.getResults(), loop.getResults());
  return success();
}

LogicalResult MemoryOps::rewriteParallel(LoopLikeOpInterface op, unsigned dim,
                                         OpBuilder &builder) {
  SmallVector<Value> indices = *op.getLoopInductionVars();
  if (dim == indices.size())
    return rewriteBlock(op.getLoopRegions().front()->front(), builder);
  SmallVector<Value> written, inits;
  if (failed(findStates(op, written, inits)))
    return failure();
  auto getValue = [&](std::optional<SmallVector<OpFoldResult>> values) {
    return getValueOrCreateConstantIndexOp(builder, op.getLoc(),
                                           map(*values)[dim]);
  };
  auto loop = scf::ForOp::create(
      builder, op.getLoc(), getValue(op.getLoopLowerBounds()),
      getValue(op.getLoopUpperBounds()), getValue(op.getLoopSteps()), inits);
  loop->setAttr(kInParallelAttrName, builder.getUnitAttr());
  if (Attribute phase = op->getAttr(kPhaseAttrName); phase && dim == 0)
    loop->setAttr(kPhaseAttrName, phase);
  mapping.map(indices[dim], loop.getInductionVar());
  return rewriteBody(loop, written, [&](OpBuilder &inBody, auto &) {
    return rewriteParallel(op, dim + 1, inBody);
  });
}

LogicalResult MemoryOps::rewriteIf(scf::IfOp op, OpBuilder &builder) {
  SmallVector<Value> written, inits;
  if (failed(findStates(op, written, inits)))
    return failure();
  SmallVector<unsigned> own;
  SmallVector<Type> types;
  for (OpResult result : op.getResults()) {
    if (isa<MemRefType>(result.getType())) {
      if (BufferRoots::strip(result) == result)
        return undecided(op, "branches that leave different buffers");
      continue;
    }
    own.push_back(result.getResultNumber());
    types.push_back(result.getType());
  }
  llvm::append_range(types, ValueRange(inits).getTypes());
  auto branch =
      scf::IfOp::create(builder, op.getLoc(), types, map(op.getCondition()),
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  llvm::MapVector<Value, Value> outside = states;
  for (auto [from, to] : {std::pair(&op.getThenRegion(), branch.thenBlock()),
                          std::pair(&op.getElseRegion(), branch.elseBlock())}) {
    to->clear();
    auto inBranch = OpBuilder::atBlockEnd(to);
    SmallVector<Value> yielded;
    if (!from->empty()) {
      if (failed(rewriteBlock(from->front(), inBranch)))
        return failure();
      for (unsigned number : own)
        yielded.push_back(
            map(from->front().getTerminator()->getOperand(number)));
    }
    for (Value root : written)
      yielded.push_back(states[root]);
    scf::YieldOp::create(inBranch, op.getLoc(), yielded);
    states = outside;
  }
  for (auto [root, left] :
       llvm::zip_equal(written, branch.getResults().drop_front(own.size())))
    states[root] = left;
  for (auto [number, result] :
       llvm::zip(own, branch.getResults().take_front(own.size())))
    mapping.map(op.getResult(number), result);
  return success();
}

LogicalResult MemoryOps::rewriteForall(scf::ForallOp op, OpBuilder &builder) {
  bool isWriting = !BufferRoots::findWritten(op).empty();
  if (isWriting && op.getNumResults() > 0)
    return undecided(op, "iterations in parallel that write a buffer and make "
                         "a tensor");
  if (isWriting)
    return rewriteParallel(op, /*dim=*/0, builder);
  Operation *copy = op->cloneWithoutRegions(mapping);
  builder.insert(copy);
  Block &body = copy->getRegion(0).emplaceBlock();
  for (BlockArgument argument : op.getBody()->getArguments())
    mapping.map(argument,
                body.addArgument(argument.getType(), argument.getLoc()));
  llvm::MapVector<Value, Value> outside = states;
  auto inBody = OpBuilder::atBlockEnd(&body);
  if (failed(rewriteBlock(*op.getBody(), inBody)))
    return failure();
  inBody.clone(*op.getTerminator(), mapping);
  states = std::move(outside);
  return success();
}

LogicalResult MemoryOps::rewriteScope(memref::AllocaScopeOp op,
                                      OpBuilder &builder) {
  if (!op.getBodyRegion().hasOneBlock())
    return undecided(op, "a scope of several blocks");
  Block &body = op.getBodyRegion().front();
  if (hasMemory(body.getTerminator()))
    return undecided(op, "a scope that leaves a buffer");
  if (failed(rewriteBlock(body, builder)))
    return failure();
  mapping.map(op.getResults(), map(body.getTerminator()->getOperands()));
  return success();
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

/// Whether `op` reads or writes where it says that more than elements are
/// aligned.
static bool isSaidToBeAligned(Operation *op) {
  auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
  if (!alignment || isa<memref::AllocOp, memref::AllocaOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), [&](Type type) {
    auto buffer = dyn_cast<MemRefType>(type);
    return buffer && (!buffer.getElementType().isIntOrFloat() ||
                      alignment.getInt() * 8 >
                          buffer.getElementType().getIntOrFloatBitWidth());
  });
}

LogicalResult MemoryOps::rewriteOp(Operation *op, OpBuilder &builder) {
  if (!hasMemory(op)) {
    builder.clone(*op, mapping);
    return success();
  }
  bool isOfBuffersAlone = llvm::all_of(op->getOperandTypes(), [](Type type) {
    return !isa<UnrankedMemRefType>(type);
  });
  if (!isOfBuffersAlone)
    return undecided(op, "a buffer of unknown rank");
  // What views are is asked where they are read.
  if (BufferRoots::isView(op)) {
    bool isOfNumbers = llvm::any_of(op->getResults(), [](OpResult result) {
      return !isa<MemRefType>(result.getType()) && !result.use_empty();
    });
    return isOfNumbers ? undecided(op, "the layout of a buffer as a number")
                       : success();
  }
  // A hint changes nothing.
  if (isa<memref::PrefetchOp>(op))
    return success();
  if (isSaidToBeAligned(op))
    return undecided(op, "an access that is said to be aligned");
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](memref::LoadOp load) {
        return rewriteRead(op, load.getMemRef(), builder);
      })
      .Case([&](vector::TransferReadOp read) {
        return rewriteRead(op, read.getBase(), builder);
      })
      .Case([&](bufferization::ToTensorOp tensor) {
        return rewriteRead(op, tensor.getBuffer(), builder);
      })
      .Case([&](bufferization::MaterializeInDestinationOp write) {
        return overwrite(op, write.getDest(), map(write.getSource()), builder);
      })
      .Case([&](memref::StoreOp op) { return rewriteStore(op, builder); })
      .Case([&](memref::CopyOp op) { return rewriteCopy(op, builder); })
      .Case([&](memref::DimOp op) { return rewriteDim(op, builder); })
      .Case([&](vector::TransferWriteOp op) {
        return rewriteTransfer(op, builder);
      })
      .Case<vector::LoadOp, vector::MaskedLoadOp>(
          [&](auto op) { return rewriteLoad(op, builder); })
      .Case<vector::StoreOp, vector::MaskedStoreOp>(
          [&](auto op) { return rewriteStore(op, builder); })
      .Case([&](linalg::LinalgOp op) { return rewriteLinalg(op, builder); })
      .Default([&](Operation *op) { return rewriteBuffer(op, builder); });
}

LogicalResult MemoryOps::rewriteBuffer(Operation *op, OpBuilder &builder) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto alloc) {
        return rewriteAllocation(alloc, alloc.getDynamicSizes(), builder);
      })
      .Case([&](bufferization::ToBufferOp buffer) {
        states[buffer.getResult()] = map(buffer.getTensor());
        return success();
      })
      .Case(
          [&](bufferization::CloneOp op) { return rewriteClone(op, builder); })
      .Case([&](bufferization::DeallocOp op) { return rewriteDealloc(op); })
      .Case([&](memref::DeallocOp op) { return free(op, op.getMemref()); })
      .Default([&](Operation *op) { return rewriteRegions(op, builder); });
}

LogicalResult MemoryOps::rewriteRegions(Operation *op, OpBuilder &builder) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp op) { return rewriteFor(op, builder); })
      .Case([&](scf::IfOp op) { return rewriteIf(op, builder); })
      .Case([&](scf::ForallOp op) { return rewriteForall(op, builder); })
      .Case([&](memref::AllocaScopeOp op) { return rewriteScope(op, builder); })
      .Case([&](scf::ParallelOp loop) {
        if (loop.getNumReductions() > 0)
          return undecided(op, "iterations in parallel that reduce numbers");
        return rewriteParallel(loop, /*dim=*/0, builder);
      })
      .Default([&](Operation *op) {
        return undecided(
            op,
            describeUnread(op, "an op on memory whose meaning is not known"));
      });
}

LogicalResult MemoryOps::rewriteBlock(Block &from, OpBuilder &builder) {
  for (Operation &op : from.without_terminator())
    if (failed(rewriteOp(&op, builder)))
      return failure();
  return success();
}
