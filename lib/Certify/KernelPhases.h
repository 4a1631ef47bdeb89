//===- KernelPhases.h - What work-items do between barriers -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_KERNELPHASES_H
#define CONVOY_LIB_CERTIFY_KERNELPHASES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::convoy::certify {

/// Makes a loop in parallel where `builder` stands, and goes to its body.
/// Returns the numbers of an iteration, which has one below each of `sizes`;
/// that below 1 is constant.
SmallVector<Value> enterLoop(ArrayRef<int64_t> sizes, Location loc,
                             OpBuilder &builder);

/// Makes the body of a kernel again, as one workgroup runs it: a loop in
/// parallel over the work-items for each phase between two barriers, one after
/// the other. Loops and branches with barriers in them are those of the whole
/// workgroup: where such a region begins or ends without a barrier, a phase is
/// cut in two, which must not write what the other accesses. A value that a
/// later phase uses is left in a buffer that has an element for each work-item,
/// unless it is an index, which is computed again.
class KernelPhases {
public:
  /// `mapping` has the kernel's arguments; `groups` are the numbers of the
  /// workgroup, where `builder` stands.
  KernelPhases(gpu::GPUFuncOp kernel, const IRMapping &mapping,
               ValueRange groups, OpBuilder &builder)
      : kernel(kernel), groups(groups), builder(builder), loc(kernel.getLoc()),
        uniform(mapping) {}

  /// Fails where the kernel does something else than that. What was made until
  /// then is of no use.
  LogicalResult run();

private:
  /// A value that each work-item leaves in a buffer.
  struct Store {
    Value value, buffer;
  };
  using Stores = SmallVector<Store, 0>;

  /// The buffers of the kernel that some ops read or write.
  struct Accesses {
    SmallPtrSet<Value, 4> read, written;

    void add(const Accesses &other) {
      read.insert_range(other.read);
      written.insert_range(other.written);
    }
    /// Whether neither writes what the other accesses.
    bool isApartFrom(const Accesses &other) const;
  };

  /// Makes the phases of `block`, the last of which ends with `left`. Returns
  /// what is accessed before the first barrier.
  FailureOr<Accesses> runBlock(Block &block, Stores left);
  /// `op`, which has barriers in it, before which the work-items leave what it
  /// carries in buffers.
  LogicalResult runRegions(Operation *op);
  LogicalResult runFor(scf::ForOp op);
  LogicalResult runIf(scf::IfOp op);

  /// Ends the part of a phase that `ops` are, behind which work-items leave
  /// `left`.
  LogicalResult endPart(Stores left = {});
  FailureOr<Accesses> findAccesses() const;
  /// Makes `op`, of one work-item, whose values are in `mapping`.
  LogicalResult make(Operation *op, IRMapping &mapping);
  /// Lets `mapping` have `value`, of an earlier phase.
  LogicalResult find(Value value, IRMapping &mapping);

  /// Whether all work-items have one value of `op`, which has no effect.
  bool isUniform(Operation *op);
  /// A buffer with a value of `type` for each work-item.
  FailureOr<Value> makeBuffer(Type type);
  /// Where the value of the work-item `items` is in `buffer`.
  void store(Value value, Value buffer);
  Value load(Type type, Value buffer);

  gpu::GPUFuncOp kernel;
  ValueRange groups;
  OpBuilder &builder;
  Location loc;
  IRMapping uniform;                ///< what all work-items have in common
  DenseMap<Value, Value> buffers;   ///< of values that phases leave
  llvm::SetVector<Operation *> ops; ///< of the part, in order
  Accesses open;                    ///< of parts since the last barrier
  /// The same of parts before the first barrier of the block that runs.
  Accesses head;
  bool hasWaited = false;   ///< whether there was one in it
  SmallVector<Value> items; ///< the numbers of the work-item
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_KERNELPHASES_H
