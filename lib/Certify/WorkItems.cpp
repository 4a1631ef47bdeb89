//===- WorkItems.cpp - What each work-item computes and keeps ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkItems.h"
#include "Buffers/Marks.h"
#include "WaveProducts.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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

bool certify::isFunctionOfOperands(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::is_contained({"affine", "arith", "math", "ub", "vector"},
                            dialect);
}

bool certify::isMadeAgain(Operation *op) {
  return (isFunctionOfOperands(op) ||
          isa<gpu::ThreadIdOp, gpu::SubgroupIdOp, gpu::LaneIdOp>(op)) &&
         llvm::all_of(op->getResultTypes(),
                      llvm::IsaPred<IndexType, IntegerType>);
}

bool WorkItems::isUniform(Operation *op) const {
  return isFunctionOfOperands(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return uniform.contains(operand); });
}

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

/// Work-items in a subgroup of the device that `kernel` is made for, which its
/// module says; 0 where it does not.
static int64_t getSubgroupSize(gpu::GPUFuncOp kernel) {
  for (Operation *holder = kernel; holder; holder = holder->getParentOp())
    if (auto target =
            holder->getAttrOfType<TargetAttr>(TargetAttr::getModuleAttrName()))
      return target.getSubgroup();
  return 0;
}

WorkItems::WorkItems(gpu::GPUFuncOp kernel, ValueRange groups,
                     const IRMapping &uniform, OpBuilder &builder)
    : groups(groups), uniform(uniform), builder(builder), loc(kernel.getLoc()) {
  llvm::append_range(itemSizes, kernel.getKnownBlockSizeAttr().asArrayRef());
  int64_t size = getSubgroupSize(kernel);
  int64_t numItems = llvm::product_of(itemSizes);
  // All subgroups are full.
  if (size > 0 && numItems % size == 0) {
    numSubgroups = numItems / size;
    numLanes = size;
  }
  bool hasProducts = kernel
                         ->walk([](Operation *op) {
                           return findWaveProduct(op) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
  ofWaves = hasProducts && numSubgroups > 0 && itemSizes.front() == numItems &&
            numLanes % LaneLayout::kLines == 0;
}

static Agents getCommon(Agents one, Agents other) {
  if (one == other || other == Agents::None)
    return one;
  return one == Agents::None ? other : Agents::Both;
}

Agents WorkItems::getAgents(Value value) const {
  if (uniform.contains(value))
    return Agents::None;
  if (auto it = kept.find(value); it != kept.end())
    return it->second.agents;
  Operation *op = value.getDefiningOp();
  Agents agents = op ? agentsOf.lookup(op) : Agents::None;
  // Of vectors each work-item has its own.
  bool isOfItems =
      agents == Agents::Subgroups && !isa<gpu::MMAMatrixType>(value.getType());
  return isOfItems ? Agents::Items : agents;
}

void WorkItems::findAgents(Operation *op) {
  Agents agents = Agents::None;
  op->walk([&](Operation *inner) {
    if (isa<gpu::ThreadIdOp>(inner))
      agents = getCommon(agents, Agents::Items);
    else if (isa<gpu::SubgroupIdOp, gpu::LaneIdOp>(inner))
      agents = getCommon(agents, Agents::Lanes);
    for (Value operand : inner->getOperands())
      agents = getCommon(agents, getAgents(operand));
  });
  agentsOf[op] = agents;
}

SmallVector<int64_t> WorkItems::getSizes(Agents agents) const {
  if (agents == Agents::Items && !ofWaves)
    return itemSizes;
  SmallVector<int64_t> sizes = {numSubgroups};
  if (agents == Agents::Items) {
    sizes.push_back(numLanes / LaneLayout::kLines);
    sizes.push_back(LaneLayout::kLines);
  }
  if (agents == Agents::Lanes)
    sizes.push_back(numLanes);
  return sizes;
}

//===----------------------------------------------------------------------===//
// Values that are kept
//===----------------------------------------------------------------------===//

FailureOr<Value> WorkItems::makeBuffer(Type type, Agents agents) {
  SmallVector<int64_t> shape = getSizes(agents);
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable())
      return failure();
    llvm::append_range(shape, vector.getShape());
    type = vector.getElementType();
  }
  if (!type.isIntOrIndexOrFloat())
    return failure();
  auto buffer =
      memref::AllocOp::create(builder, loc, MemRefType::get(shape, type));
  buffer->setAttr(kOfEachAttrName, builder.getUnitAttr());
  return buffer.getResult();
}

Value WorkItems::lookup(Value value, OpBuilder &builder) const {
  auto it = kept.find(value);
  if (it == kept.end() || it->second.agents != Agents::Items)
    return {};
  Value buffer = it->second.buffer;
  auto type = cast<MemRefType>(buffer.getType());
  return bufferization::ToTensorOp::create(
      builder, loc,
      RankedTensorType::get(type.getShape(), type.getElementType()), buffer,
      /*restrict=*/true);
}

void WorkItems::keep(Value value, Value buffer, Agents agents) {
  kept[value] = {buffer, agents};
}

/// The place of a value of `type` in a buffer, that of the agent of `numbers`.
static SmallVector<Value> getPlace(ArrayRef<Value> numbers, Type type,
                                   OpBuilder &builder, Location loc) {
  SmallVector<Value> place(numbers);
  auto vector = dyn_cast<VectorType>(type);
  for (int64_t dim = 0; vector && dim < vector.getRank(); ++dim)
    place.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  return place;
}

void WorkItems::store(Value value, Value buffer) {
  auto place = getPlace(numbers, value.getType(), builder, loc);
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector) {
    memref::StoreOp::create(builder, loc, value, buffer, place);
    return;
  }
  SmallVector<bool> inBounds(vector.getRank(), true);
  vector::TransferWriteOp::create(builder, loc, value, buffer, place,
                                  ArrayRef<bool>(inBounds));
}

Value WorkItems::load(Type type, Value buffer) {
  auto place = getPlace(numbers, type, builder, loc);
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return memref::LoadOp::create(builder, loc, buffer, place);
  SmallVector<bool> inBounds(vector.getRank(), true);
  return vector::TransferReadOp::create(builder, loc, vector, buffer, place,
                                        std::nullopt, ArrayRef<bool>(inBounds));
}

LogicalResult WorkItems::find(Value value, IRMapping &mapping) {
  if (mapping.contains(value))
    return success();
  if (auto it = kept.find(value); it != kept.end()) {
    if (it->second.agents != current)
      return failure();
    mapping.map(value, load(value.getType(), it->second.buffer));
    return success();
  }
  Operation *op = value.getDefiningOp();
  return op && isMadeAgain(op) ? make(op, mapping) : failure();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> WorkItems::enter(Agents agents) {
  current = agents;
  SmallVector<int64_t> sizes = getSizes(agents);
  numbers = enterLoop(sizes, loc, builder);
  item.clear();
  if (agents != Agents::Items)
    return numbers;
  item = numbers;
  if (!ofWaves)
    return numbers;
  // One number, of which these are the digits.
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  item.assign(3, zero);
  for (auto [digit, size] : llvm::zip_equal(numbers, sizes)) {
    Value base = arith::ConstantIndexOp::create(builder, loc, size);
    Value high = arith::MulIOp::create(builder, loc, item[0], base);
    item[0] = arith::AddIOp::create(builder, loc, high, digit);
  }
  return numbers;
}

Value WorkItems::getNumber(Operation *op) const {
  if (auto group = dyn_cast<gpu::BlockIdOp>(op))
    return groups[unsigned(group.getDimension())];
  if (auto number = dyn_cast<gpu::ThreadIdOp>(op))
    return item.empty() ? Value() : item[unsigned(number.getDimension())];
  bool hasSubgroup = current == Agents::Lanes || current == Agents::Subgroups;
  if (isa<gpu::SubgroupIdOp>(op))
    return hasSubgroup ? numbers[0] : Value();
  if (isa<gpu::LaneIdOp>(op))
    return current == Agents::Lanes ? numbers[1] : Value();
  return Value();
}

/// Whether `op` makes a number that tells agents, or workgroups, apart.
static bool isNumber(Operation *op) {
  return isa<gpu::BlockIdOp, gpu::ThreadIdOp, gpu::SubgroupIdOp, gpu::LaneIdOp>(
      op);
}

LogicalResult WorkItems::make(Operation *op, IRMapping &mapping) {
  if (isNumber(op)) {
    Value number = getNumber(op);
    if (number)
      mapping.map(op->getResult(0), number);
    return success(number != nullptr);
  }
  WalkResult walk = op->walk([&](Operation *inner) {
    if (isNumber(inner) && !getNumber(inner))
      return WalkResult::interrupt();
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
    if (!isNumber(inner))
      return;
    inner->getResult(0).replaceAllUsesWith(getNumber(inner));
    inner->erase();
  });
  return success();
}
