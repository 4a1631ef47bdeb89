//===- WorkItems.h - What each work-item computes and keeps -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_WORKITEMS_H
#define CONVOY_LIB_CERTIFY_WORKITEMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::convoy::certify {

/// Makes a loop in parallel where `builder` stands, and goes to its body.
/// Returns the numbers of an iteration, which has one below each of `sizes`;
/// that below 1 is constant.
SmallVector<Value> enterLoop(ArrayRef<int64_t> sizes, Location loc,
                             OpBuilder &builder);

/// By which numbers those are told apart that run an op. Which lane of which
/// subgroup a work-item is, nobody but the driver knows: values of work-items
/// and of lanes never meet.
enum class Agents {
  None,      ///< by none: they all have the same value
  Items,     ///< by those of work-items in the workgroup
  Lanes,     ///< by those of subgroups in it, and of work-items in these
  Subgroups, ///< by those of subgroups, which run it as one
  Both       ///< by those of work-items and of lanes: such ops are not read
};

/// Whether what `op` makes depends on its operands alone.
bool isFunctionOfOperands(Operation *op);

/// Whether `op` can be made again instead of kept: it computes numbers that are
/// no data.
bool isMadeAgain(Operation *op);

/// Makes the ops of work-items, in loops in parallel over these, and keeps in
/// buffers, which have an element for each work-item, what others need of them.
class WorkItems {
public:
  /// A value that each of `agents` leaves in a buffer.
  struct Store {
    Value value, buffer;
    Agents agents;
  };
  using Stores = SmallVector<Store, 0>;

  /// `uniform` has what all work-items of `kernel` have in common.
  WorkItems(gpu::GPUFuncOp kernel, ValueRange groups, const IRMapping &uniform,
            OpBuilder &builder);

  /// Whether all work-items have one value of `op`, which has no effect.
  bool isUniform(Operation *op) const;
  /// Finds by which numbers those are told apart that run `op`.
  void findAgents(Operation *op);
  Agents getAgents(Operation *op) const { return agentsOf.lookup(op); }
  Agents getAgents(Value value) const;
  /// What nothing tells apart is run by `agents`.
  void setAgents(Operation *op, Agents agents) { agentsOf[op] = agents; }

  /// Whether a workgroup is one work-item, which needs no loop.
  bool isAlone() const { return llvm::product_of(itemSizes) == 1; }
  /// Subgroups in a workgroup; 0 where that is not known.
  int64_t getNumSubgroups() const { return numSubgroups; }

  /// Whether work-items lie along one dimension, and subgroups are waves of
  /// `size` of these, in order. Then buffers have an element for each wave,
  /// each 16 lanes of it and each of these.
  bool hasWaves(int64_t size) const { return ofWaves && numLanes == size; }
  /// What work-items have of `value`, as a tensor; null if they do not keep it.
  Value lookup(Value value, OpBuilder &builder) const;
  /// A buffer with a value of `type` for each of `agents`.
  FailureOr<Value> makeBuffer(Type type, Agents agents);
  /// From now on, what `agents` have of `value` is in `buffer`.
  void keep(Value value, Value buffer, Agents agents);

  /// Goes to the body of a loop over `agents`; returns their numbers.
  SmallVector<Value> enter(Agents agents);
  /// Makes `op`, of the agent that `enter` went to, whose values are in
  /// `mapping`.
  LogicalResult make(Operation *op, IRMapping &mapping);
  /// Lets `mapping` have `value`, of an earlier part.
  LogicalResult find(Value value, IRMapping &mapping);
  /// Leaves `value` in `buffer`.
  void store(Value value, Value buffer);

private:
  SmallVector<int64_t> getSizes(Agents agents) const;
  Value load(Type type, Value buffer);
  /// The number that `op` asks for; null if there is none in the loop.
  Value getNumber(Operation *op) const;

  ValueRange groups;
  const IRMapping &uniform;
  OpBuilder &builder;
  Location loc;
  SmallVector<int64_t> itemSizes;
  bool ofWaves = false; ///< whether the kernel has ops of waves
  int64_t numSubgroups = 0, numLanes = 0;
  struct Kept {
    Value buffer;
    Agents agents;
  };
  DenseMap<Value, Kept> kept;
  DenseMap<Operation *, Agents> agentsOf;
  Agents current = Agents::None;
  SmallVector<Value> numbers; ///< of the agent, where its elements lie
  SmallVector<Value> item; ///< its numbers in the workgroup, if they are known
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_WORKITEMS_H
