//===- BufferAccesses.cpp - Ops on buffers as ops on tensors ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferAccesses.h"
#include "BufferRoots.h"
#include "Marks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

Operation *BufferAccesses::cloneWith(Operation *op, TypeRange types,
                                     ValueRange operands, OpBuilder &builder) {
  Operation *copy = Operation::create(
      op->getLoc(), op->getName(), types, operands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      BlockRange(), op->getNumRegions());
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions()))
    from.cloneInto(&to, mapping);
  return builder.insert(copy);
}

/// Whether `op` is in an iteration in parallel with others.
static bool isInParallel(Operation *op) {
  return op->getParentOfType<scf::ForallOp>() ||
         op->getParentOfType<scf::ParallelOp>();
}

LogicalResult BufferAccesses::rewriteCopy(memref::CopyOp op,
                                          OpBuilder &builder) {
  if (BufferRoots::find(op.getSource()) == BufferRoots::find(op.getTarget())) {
    if (!BufferRoots::areSame(op.getSource(), op.getTarget()))
      return undecided(op, "a copy within one buffer");
    // It changes something only where others write meanwhile.
    if (!isInParallel(op))
      return success();
  }
  FailureOr<Value> source = read(op.getSource(), builder);
  if (failed(source))
    return failure();
  return overwrite(op, op.getTarget(), *source, builder);
}

LogicalResult BufferAccesses::overwrite(Operation *op, Value memref,
                                        Value tensor, OpBuilder &builder) {
  RankedTensorType type = getTensorType(memref);
  Value own = mapping.lookupOrNull(BufferRoots::strip(memref));
  // Buffers that are left to the caller have the size of what is put there.
  bool isOfCaller = own && isa<MemRefType>(own.getType());
  bool areSizesKnown =
      isOfCaller || (tensor.getType() == type && type.hasStaticShape());
  tensor = castTensor(builder, op->getLoc(), tensor, type);
  if (areSizesKnown && !isInParallel(op))
    return write(memref, tensor, builder);
  // All of it is read and written, even what others write meanwhile.
  FailureOr<Value> target = read(memref, builder);
  if (failed(target))
    return failure();
  auto copy = linalg::CopyOp::create(builder, op->getLoc(), tensor, *target);
  return write(memref, copy.getResult(0), builder);
}

LogicalResult BufferAccesses::rewriteStore(memref::StoreOp op,
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

LogicalResult BufferAccesses::rewriteLinalg(linalg::LinalgOp op,
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

LogicalResult BufferAccesses::rewriteDim(memref::DimOp op, OpBuilder &builder) {
  FailureOr<Value> whole = read(op.getSource(), builder);
  if (failed(whole))
    return failure();
  mapping.map(op.getResult(), tensor::DimOp::create(builder, op.getLoc(),
                                                    *whole, map(op.getIndex()))
                                  .getResult());
  return success();
}

/// What `op` reads of its only buffer, in the place of the memref.
LogicalResult BufferAccesses::rewriteRead(Operation *op, Value memref,
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
    mapping.map(tensor.getResult(),
                castTensor(builder, op->getLoc(), *whole, tensor.getType()));
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

LogicalResult BufferAccesses::rewriteTransfer(vector::TransferWriteOp op,
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

/// The map of a vector of the last dimensions of `memref`.
static AffineMap getLastDims(VectorType vector, Value memref) {
  return AffineMap::getMinorIdentityMap(
      cast<MemRefType>(memref.getType()).getRank(), vector.getRank(),
      vector.getContext());
}

LogicalResult BufferAccesses::readVector(Operation *op, Value memref,
                                         ValueRange indices, Value padding,
                                         Value mask, OpBuilder &builder) {
  FailureOr<Value> whole = read(memref, builder);
  if (failed(whole))
    return failure();
  Value result = op->getResult(0);
  auto type = cast<VectorType>(result.getType());
  auto read = vector::TransferReadOp::create(
      builder, op->getLoc(), type, *whole, map(indices), padding,
      getLastDims(type, memref), SmallVector<bool>(type.getRank(), true));
  if (mask)
    read.getMaskMutable().assign(map(mask));
  // Elements outside may be read, and have any values.
  mapping.map(result, allowOutside(read));
  return success();
}

LogicalResult BufferAccesses::writeVector(Operation *op, Value vector,
                                          Value memref, ValueRange indices,
                                          Value mask, OpBuilder &builder) {
  FailureOr<Value> whole = read(memref, builder);
  if (failed(whole))
    return failure();
  auto type = cast<VectorType>(vector.getType());
  auto written = vector::TransferWriteOp::create(
      builder, op->getLoc(), map(vector), *whole, map(indices),
      getLastDims(type, memref), SmallVector<bool>(type.getRank(), true));
  if (mask)
    written.getMaskMutable().assign(map(mask));
  return write(memref, allowOutside(written), builder);
}

LogicalResult BufferAccesses::rewriteLoad(vector::LoadOp op,
                                          OpBuilder &builder) {
  Value padding = ub::PoisonOp::create(builder, op.getLoc(),
                                       op.getVectorType().getElementType());
  return readVector(op, op.getBase(), op.getIndices(), padding, /*mask=*/{},
                    builder);
}

LogicalResult BufferAccesses::rewriteLoad(vector::MaskedLoadOp op,
                                          OpBuilder &builder) {
  Value padding;
  SplatElementsAttr splat;
  if (op.getPassThru().getDefiningOp<ub::PoisonOp>())
    padding = ub::PoisonOp::create(builder, op.getLoc(),
                                   op.getVectorType().getElementType());
  else if (matchPattern(op.getPassThru(), m_Constant(&splat)))
    padding = arith::ConstantOp::create(builder, op.getLoc(),
                                        splat.getSplatValue<TypedAttr>());
  else
    return undecided(op, "lanes of several values that a mask leaves");
  return readVector(op, op.getBase(), op.getIndices(), padding, op.getMask(),
                    builder);
}

LogicalResult BufferAccesses::rewriteStore(vector::StoreOp op,
                                           OpBuilder &builder) {
  return writeVector(op, op.getValueToStore(), op.getBase(), op.getIndices(),
                     /*mask=*/{}, builder);
}

LogicalResult BufferAccesses::rewriteStore(vector::MaskedStoreOp op,
                                           OpBuilder &builder) {
  return writeVector(op, op.getValueToStore(), op.getBase(), op.getIndices(),
                     op.getMask(), builder);
}

LogicalResult BufferAccesses::rewriteAllocation(Operation *op,
                                                ValueRange dynamicSizes,
                                                OpBuilder &builder) {
  Value buffer = op->getResult(0);
  if (dynamicSizes.size() != op->getNumOperands())
    return undecided(op, "a buffer whose layout depends on symbols");
  auto empty = tensor::EmptyOp::create(
      builder, op->getLoc(), getTensorType(buffer), map(dynamicSizes));
  if (Attribute isOfEach = op->getAttr(kOfEachAttrName))
    empty->setAttr(kOfEachAttrName, isOfEach);
  IndexRanges ranges;
  bool mayBeNegative = llvm::any_of(dynamicSizes, [&](Value size) {
    return !ranges.get(size).isAllNonNegative();
  });
  if (mayBeNegative)
    empty->setAttr(kMayBeNegativeAttrName, builder.getUnitAttr());
  states[buffer] = empty;
  return success();
}

LogicalResult BufferAccesses::rewriteClone(bufferization::CloneOp op,
                                           OpBuilder &builder) {
  FailureOr<Value> whole = read(op.getInput(), builder);
  if (failed(whole))
    return failure();
  states[op.getOutput()] =
      castTensor(builder, op.getLoc(), *whole, getTensorType(op.getOutput()));
  return success();
}

LogicalResult BufferAccesses::free(Operation *op, Value memref) {
  Value root = BufferRoots::find(memref);
  Operation *allocation = root.getDefiningOp();
  if (!isa_and_nonnull<memref::AllocOp, bufferization::CloneOp>(allocation) ||
      allocation->getBlock() != op->getBlock())
    return undecided(op, "a buffer that is freed where it is not allocated");
  if (!states.contains(root))
    return undecided(op, "a buffer that is freed twice");
  Value whole = BufferRoots::strip(memref);
  while (auto cast = whole.getDefiningOp<memref::CastOp>())
    whole = BufferRoots::strip(cast.getSource());
  if (whole != root)
    return undecided(op, "a view that is freed in the place of its buffer");
  states.erase(root);
  return success();
}

LogicalResult BufferAccesses::rewriteDealloc(bufferization::DeallocOp op) {
  if (!op.use_empty())
    return undecided(op, "a number that says who owns a buffer");
  for (Value memref : BufferRoots::getFreed(op))
    if (failed(free(op, memref)))
      return failure();
  return success();
}
