//===- MemoryStates.cpp - Memory as values in time --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a buffer holds is a tensor, and each write makes another one. A view is
// a slice, a cast or a reshape of it; loops and branches carry the tensors of
// the buffers that they write.
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/MemoryStates.h"
#include "Buffers/BufferRoots.h"
#include "Buffers/BufferStates.h"
#include "Buffers/Obstacle.h"
#include "Comparison/ResultComparison.h"

#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Makes the body of a function again, on tensors.
class MemoryStates : BufferStates {
public:
  explicit MemoryStates(FunctionOpInterface function)
      : BufferStates(obstacle), function(function) {}

  /// Changes the function unless it fails.
  LogicalResult rewrite();
  const Obstacle &getObstacle() const { return obstacle.get(); }

private:
  LogicalResult rewriteBlock(Block &from, OpBuilder &builder);
  LogicalResult rewriteOp(Operation *op, OpBuilder &builder);
  LogicalResult rewriteFor(scf::ForOp op, OpBuilder &builder);
  LogicalResult rewriteIf(scf::IfOp op, OpBuilder &builder);
  LogicalResult rewriteForall(scf::ForallOp op, OpBuilder &builder);
  LogicalResult rewriteAllocation(Operation *op, ValueRange dynamicSizes,
                                  OpBuilder &builder);
  LogicalResult rewriteRead(Operation *op, Value memref, OpBuilder &builder);
  LogicalResult rewriteTransfer(vector::TransferWriteOp op, OpBuilder &builder);
  LogicalResult rewriteCopy(memref::CopyOp op, OpBuilder &builder);
  LogicalResult rewriteStore(memref::StoreOp op, OpBuilder &builder);
  LogicalResult rewriteLinalg(linalg::LinalgOp op, OpBuilder &builder);
  LogicalResult rewriteDim(memref::DimOp op, OpBuilder &builder);

  /// `op` with `operands` and results of `types`.
  Operation *cloneWith(Operation *op, TypeRange types, ValueRange operands,
                       OpBuilder &builder);
  LogicalResult undecided(Operation *op, const Twine &reason) {
    return obstacle.undecided(op, reason);
  }

  FunctionOpInterface function;
  FirstObstacle obstacle;
};
} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Operation *MemoryStates::cloneWith(Operation *op, TypeRange types,
                                   ValueRange operands, OpBuilder &builder) {
  Operation *copy = Operation::create(
      op->getLoc(), op->getName(), types, operands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      BlockRange(), op->getNumRegions());
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions()))
    from.cloneInto(&to, mapping);
  return builder.insert(copy);
}

LogicalResult MemoryStates::rewriteCopy(memref::CopyOp op, OpBuilder &builder) {
  if (BufferRoots::find(op.getSource()) == BufferRoots::find(op.getTarget())) {
    if (BufferRoots::areSame(op.getSource(), op.getTarget()))
      return success();
    return undecided(op, "a copy within one buffer");
  }
  FailureOr<Value> source = read(op.getSource(), builder);
  if (failed(source))
    return failure();
  Type type = getTensorType(op.getTarget());
  if (source->getType() != type)
    source = Value(tensor::CastOp::create(builder, op.getLoc(), type, *source));
  return write(op.getTarget(), *source, builder);
}

LogicalResult MemoryStates::rewriteStore(memref::StoreOp op,
                                         OpBuilder &builder) {
  FailureOr<Value> whole = read(op.getMemRef(), builder);
  if (failed(whole))
    return failure();
  SmallVector<int64_t> ones(op.getIndices().size(), 1);
  Value element = tensor::SplatOp::create(
      builder, op.getLoc(),
      RankedTensorType::get(ones, op.getValueToStore().getType()),
      map(op.getValueToStore()));
  SmallVector<OpFoldResult> unit(ones.size(), builder.getIndexAttr(1));
  return write(op.getMemRef(),
               tensor::InsertSliceOp::create(
                   builder, op.getLoc(), element, *whole,
                   map(getAsOpFoldResult(op.getIndices())), unit, unit),
               builder);
}

LogicalResult MemoryStates::rewriteLinalg(linalg::LinalgOp op,
                                          OpBuilder &builder) {
  if (!op.hasPureBufferSemantics())
    return undecided(op, "an op on tensors and buffers");
  if (llvm::any_of(op.getBlock()->getOperations(),
                   [](Operation &inner) { return hasMemory(&inner); }))
    return undecided(op, "an op whose body uses memory");
  // Iterations may come in any order: none may read what another writes.
  for (OpOperand &written : op.getDpsInitsMutable())
    for (OpOperand &other : op->getOpOperands()) {
      bool isApart =
          &other == &written || !isa<MemRefType>(other.get().getType()) ||
          BufferRoots::find(other.get()) != BufferRoots::find(written.get());
      bool isSameElement = !op.isDpsInit(&other) &&
                           BufferRoots::areSame(other.get(), written.get()) &&
                           op.getMatchingIndexingMap(&other) ==
                               op.getMatchingIndexingMap(&written) &&
                           op.getMatchingIndexingMap(&written).isPermutation();
      if (!isApart && !isSameElement)
        return undecided(op, "a buffer that is read where it is written");
    }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    bool isBuffer = isa<MemRefType>(operand.getType());
    FailureOr<Value> value = isBuffer ? read(operand, builder) : map(operand);
    if (failed(value))
      return failure();
    operands.push_back(*value);
  }
  SmallVector<Type> types = llvm::map_to_vector(
      op.getDpsInits(), [](Value init) { return Type(getTensorType(init)); });
  Operation *copy = cloneWith(op, types, operands, builder);
  for (auto [init, result] :
       llvm::zip_equal(op.getDpsInits(), copy->getResults()))
    if (failed(write(init, result, builder)))
      return failure();
  return success();
}

LogicalResult MemoryStates::rewriteDim(memref::DimOp op, OpBuilder &builder) {
  FailureOr<Value> whole = read(op.getSource(), builder);
  if (failed(whole))
    return failure();
  mapping.map(op.getResult(), tensor::DimOp::create(builder, op.getLoc(),
                                                    *whole, map(op.getIndex()))
                                  .getResult());
  return success();
}

/// What `op` reads of its only buffer, in the place of the memref.
LogicalResult MemoryStates::rewriteRead(Operation *op, Value memref,
                                        OpBuilder &builder) {
  FailureOr<Value> whole = read(memref, builder);
  if (failed(whole))
    return failure();
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    mapping.map(load.getResult(),
                tensor::ExtractOp::create(builder, op->getLoc(), *whole,
                                          map(load.getIndices()))
                    .getResult());
    return success();
  }
  if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op)) {
    if (whole->getType() != tensor.getType())
      whole = Value(tensor::CastOp::create(builder, op->getLoc(),
                                           tensor.getType(), *whole));
    mapping.map(tensor.getResult(), *whole);
    return success();
  }
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) {
        return operand == memref ? *whole : map(operand);
      });
  Operation *copy = cloneWith(op, op->getResultTypes(), operands, builder);
  mapping.map(op->getResults(), copy->getResults());
  return success();
}

LogicalResult MemoryStates::rewriteTransfer(vector::TransferWriteOp op,
                                            OpBuilder &builder) {
  Value memref = op.getBase();
  FailureOr<Value> whole = read(memref, builder);
  if (failed(whole))
    return failure();
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) {
        return operand == memref ? *whole : map(operand);
      });
  Operation *copy = cloneWith(op, getTensorType(memref), operands, builder);
  return write(memref, copy->getResult(0), builder);
}

LogicalResult MemoryStates::rewriteAllocation(Operation *op,
                                              ValueRange dynamicSizes,
                                              OpBuilder &builder) {
  Value buffer = op->getResult(0);
  if (dynamicSizes.size() != op->getNumOperands())
    return undecided(op, "a buffer whose layout depends on symbols");
  states[buffer] = tensor::EmptyOp::create(
      builder, op->getLoc(), getTensorType(buffer), map(dynamicSizes));
  return success();
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

LogicalResult MemoryStates::rewriteFor(scf::ForOp op, OpBuilder &builder) {
  SmallVector<Value> written = BufferRoots::findWritten(op);
  SmallVector<Value> inits;
  for (Value init : op.getInitArgs())
    if (!isa<MemRefType>(init.getType()))
      inits.push_back(map(init));
  unsigned numOwn = inits.size();
  for (Value root : written) {
    if (!states.contains(root))
      return undecided(op, "a buffer that comes from somewhere unknown");
    inits.push_back(states[root]);
  }
  auto loop = scf::ForOp::create(builder, op.getLoc(), map(op.getLowerBound()),
                                 map(op.getUpperBound()), map(op.getStep()),
                                 inits, nullptr, op.getUnsignedCmp());
  Block *body = loop.getBody();
  body->clear();
  mapping.map(op.getInductionVar(), loop.getInductionVar());
  auto mapOwn = [&](ValueRange from, ValueRange to) {
    unsigned next = 0;
    for (Value value : from)
      if (!isa<MemRefType>(value.getType()))
        mapping.map(value, to[next++]);
  };
  mapOwn(op.getRegionIterArgs(), loop.getRegionIterArgs());
  llvm::MapVector<Value, Value> outside = states;
  for (auto [root, carried] :
       llvm::zip_equal(written, loop.getRegionIterArgs().drop_front(numOwn)))
    states[root] = carried;
  auto inBody = OpBuilder::atBlockEnd(body);
  if (failed(rewriteBlock(*op.getBody(), inBody)))
    return failure();
  SmallVector<Value> yielded;
  for (auto [value, init] :
       llvm::zip_equal(op.getYieldedValues(), op.getInitArgs())) {
    if (!isa<MemRefType>(value.getType()))
      yielded.push_back(map(value));
    else if (BufferRoots::strip(value) != BufferRoots::strip(init))
      return undecided(op, "a loop that carries one buffer after another");
  }
  for (Value root : written)
    yielded.push_back(states[root]);
  scf::YieldOp::create(inBody, op.getLoc(), yielded);
  states = std::move(outside);
  for (auto [root, left] :
       llvm::zip_equal(written, loop.getResults().drop_front(numOwn)))
    states[root] = left;
  mapOwn(op.getResults(), loop.getResults());
  return success();
}

LogicalResult MemoryStates::rewriteIf(scf::IfOp op, OpBuilder &builder) {
  SmallVector<Value> written = BufferRoots::findWritten(op);
  SmallVector<Type> types(op.getResultTypes());
  for (Value root : written) {
    if (!states.contains(root))
      return undecided(op, "a buffer that comes from somewhere unknown");
    types.push_back(states[root].getType());
  }
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
      yielded = map(from->front().getTerminator()->getOperands());
    }
    for (Value root : written)
      yielded.push_back(states[root]);
    scf::YieldOp::create(inBranch, op.getLoc(), yielded);
    states = outside;
  }
  for (auto [root, left] : llvm::zip_equal(
           written, branch.getResults().drop_front(op.getNumResults())))
    states[root] = left;
  mapping.map(op.getResults(),
              branch.getResults().take_front(op.getNumResults()));
  return success();
}

LogicalResult MemoryStates::rewriteForall(scf::ForallOp op,
                                          OpBuilder &builder) {
  if (!BufferRoots::findWritten(op).empty())
    return undecided(op, "iterations in parallel that write a buffer");
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

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult MemoryStates::rewriteOp(Operation *op, OpBuilder &builder) {
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
  if (BufferRoots::isView(op))
    return success();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto alloc) {
        return rewriteAllocation(alloc, alloc.getDynamicSizes(), builder);
      })
      .Case([&](bufferization::ToBufferOp buffer) {
        if (!buffer.getReadOnly())
          return undecided(op, "a tensor that is written as a buffer");
        states[buffer.getResult()] = map(buffer.getTensor());
        return success();
      })
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
        return this->write(write.getDest(), map(write.getSource()), builder);
      })
      .Case([&](memref::StoreOp op) { return rewriteStore(op, builder); })
      .Case([&](memref::CopyOp op) { return rewriteCopy(op, builder); })
      .Case([&](memref::DimOp op) { return rewriteDim(op, builder); })
      .Case([&](vector::TransferWriteOp op) {
        return rewriteTransfer(op, builder);
      })
      .Case([&](linalg::LinalgOp op) { return rewriteLinalg(op, builder); })
      .Case([&](scf::ForOp op) { return rewriteFor(op, builder); })
      .Case([&](scf::IfOp op) { return rewriteIf(op, builder); })
      .Case([&](scf::ForallOp op) { return rewriteForall(op, builder); })
      .Default([&](Operation *op) {
        return undecided(op, "an op on memory whose meaning is not known");
      });
}

LogicalResult MemoryStates::rewriteBlock(Block &from, OpBuilder &builder) {
  for (Operation &op : from.without_terminator())
    if (failed(rewriteOp(&op, builder)))
      return failure();
  return success();
}

/// The buffers among the arguments of `function` that a kernel's results are
/// left in.
static SmallVector<Value> getKernelResults(FunctionOpInterface function) {
  SmallVector<Value> results;
  if (auto known = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName))
    for (auto [argument, value] :
         llvm::zip(getKernelArguments(known), function.getArguments()))
      if (argument.isWritten && isa<MemRefType>(value.getType()))
        results.push_back(value);
  return results;
}

/// Whether `function` uses memory in another way than to read and write results
/// as tensors. A kernel need not touch a buffer that has no elements.
static bool usesMemory(FunctionOpInterface function) {
  bool isUntouched =
      function->hasAttr(kArgumentsAttrName) &&
      llvm::any_of(function.getArguments(), [](BlockArgument argument) {
        return isa<MemRefType>(argument.getType()) && argument.use_empty();
      });
  return isUntouched || function
                            ->walk([](Operation *op) {
                              return isOfMemory(op) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
                            })
                            .wasInterrupted();
}

/// Whether no two buffers among the arguments of `function` can be the same
/// memory.
static bool haveOwnMemory(FunctionOpInterface function) {
  return function->hasAttr(kArgumentsAttrName) ||
         llvm::count_if(function.getArgumentTypes(),
                        llvm::IsaPred<BaseMemRefType>) < 2;
}

LogicalResult MemoryStates::rewrite() {
  Block &from = function.getFunctionBody().front();
  if (function->hasAttr(kWorkspaceAttrName))
    return undecided(function, "buffers in a workspace");
  if (!haveOwnMemory(function))
    return undecided(function, "buffers that may be the same memory");
  if (failed(BufferRoots::checkTensors(function, obstacle)))
    return failure();
  auto body = std::make_unique<Block>();
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToEnd(body.get());
  llvm::SetVector<Value> written;
  written.insert_range(getKernelResults(function));
  for (Operation &op : from)
    written.insert_range(BufferRoots::findWritten(&op));
  for (BlockArgument argument : from.getArguments()) {
    bool isBuffer = isa<MemRefType>(argument.getType());
    bool isWritten = written.contains(argument);
    Type type =
        isBuffer && !isWritten ? getTensorType(argument) : argument.getType();
    Value own = body->addArgument(type, argument.getLoc());
    mapping.map(argument, own);
    if (isBuffer)
      states[argument] =
          isWritten ? Value(bufferization::ToTensorOp::create(
                          builder, function.getLoc(), getTensorType(argument),
                          own, /*restrict=*/true, /*writable=*/true))
                    : own;
  }
  if (failed(rewriteBlock(from, builder)))
    return failure();
  for (Value root : written)
    if (auto argument = dyn_cast<BlockArgument>(root))
      bufferization::MaterializeInDestinationOp::create(
          builder, function.getLoc(), TypeRange(), states[argument],
          map(argument), /*restrict=*/true, /*writable=*/true);
  if (hasMemory(from.getTerminator()))
    return undecided(from.getTerminator(), "a buffer that is returned");
  builder.clone(*from.getTerminator(), mapping);
  function.setType(FunctionType::get(function.getContext(),
                                     body->getArgumentTypes(),
                                     function.getResultTypes()));
  from.erase();
  function.getFunctionBody().push_back(body.release());
  return success();
}

void mlir::convoy::loadMemoryDialects(MLIRContext &context) {
  context.loadDialect<bufferization::BufferizationDialect, scf::SCFDialect,
                      tensor::TensorDialect>();
}

Certificate mlir::convoy::rewriteMemory(FunctionOpInterface function) {
  Certificate certificate;
  bool isOneBlock =
      !function.isExternal() && function.getFunctionBody().hasOneBlock();
  if (!isOneBlock || !usesMemory(function))
    return certificate;
  loadMemoryDialects(*function.getContext());
  MemoryStates states(function);
  return succeeded(states.rewrite()) ? certificate
                                     : getUndecided(states.getObstacle());
}
