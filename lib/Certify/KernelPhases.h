//===- KernelPhases.h - What work-items do between barriers -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_KERNELPHASES_H
#define CONVOY_LIB_CERTIFY_KERNELPHASES_H

#include "Buffers/Obstacle.h"
#include "MatrixOps.h"
#include "WorkItems.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::convoy::certify {

/// Makes the body of a kernel again, as one workgroup runs it: a loop in
/// parallel over the work-items for each phase between two barriers, one after
/// the other. Loops and branches with barriers, or ops of subgroups, in them
/// are those of the whole workgroup: where such a region begins or ends without
/// a barrier, a phase is cut in two, which must not write what the other
/// accesses. Between these, ops of work-items, of lanes and of subgroups are
/// loops of their own; where these share a buffer that one writes, they get a
/// number, by which it is asked later whether they share an element.
class KernelPhases {
public:
  /// `mapping` has the kernel's arguments; `groups` are the numbers of the
  /// workgroup, where `builder` stands.
  KernelPhases(gpu::GPUFuncOp kernel, const IRMapping &mapping,
               ValueRange groups, OpBuilder &builder, FirstObstacle &obstacle)
      : kernel(kernel), groups(groups), builder(builder), loc(kernel.getLoc()),
        obstacle(obstacle), uniform(mapping),
        items(kernel, groups, uniform, builder),
        matrices(items, uniform, builder) {}

  /// Fails where the kernel does something else than that, of which `obstacle`
  /// tells. What was made until then is of no use.
  LogicalResult run();

private:
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

  /// Some of the ops of a phase, which the same agents run.
  struct Part {
    Agents agents;
    llvm::SetVector<Operation *> ops; ///< in order
    WorkItems::Stores left;           ///< in the end, besides results
  };

  /// Makes the phases of `block`, the last of which ends with `left`. Returns
  /// what is accessed before the first barrier.
  FailureOr<Accesses> runBlock(Block &block, WorkItems::Stores left);
  LogicalResult runOp(Operation *op);
  /// `op`, which has barriers in it, before which the work-items leave what it
  /// carries in buffers.
  LogicalResult runRegions(Operation *op);
  LogicalResult runFor(scf::ForOp op);
  /// The loop itself, which carries matrices, after what `inits` and `yields`
  /// are left for.
  LogicalResult runLoop(scf::ForOp op, WorkItems::Stores inits,
                        WorkItems::Stores yields);
  LogicalResult runIf(scf::IfOp op);

  /// Ends what `ops` are of a phase, behind which work-items leave `left`.
  LogicalResult endParts(WorkItems::Stores left = {});
  /// `ops` in parts that run one after the other, as the values ask for that
  /// they use.
  FailureOr<SmallVector<Part, 0>> findParts(WorkItems::Stores left);
  LogicalResult runPart(Part &part, Accesses &parts);
  /// Adds what `ops` access, which must not be what was accessed since the last
  /// barrier if one of both writes it, but by other `parts` at most.
  LogicalResult addAccesses(ArrayRef<Operation *> ops, Accesses &parts);
  /// Gives the loops behind `before`, in the block where `builder` stands, a
  /// number, as those of one phase.
  void numberLoops(Operation *before);
  FailureOr<Accesses> findAccesses(ArrayRef<Operation *> ops) const;

  LogicalResult fail(Operation *op, const Twine &reason) {
    return obstacle.undecided(op, reason);
  }

  gpu::GPUFuncOp kernel;
  ValueRange groups;
  OpBuilder &builder;
  Location loc;
  FirstObstacle &obstacle;
  IRMapping uniform; ///< what all work-items have in common
  WorkItems items;
  MatrixOps matrices;
  llvm::SetVector<Operation *> ops; ///< of the phase, in order
  Accesses open;                    ///< of parts since the last barrier
  /// The same of parts before the first barrier of the block that runs.
  Accesses head;
  bool hasWaited = false; ///< whether there was one in it
  /// Whether parts of a phase share a buffer that one of them writes.
  bool sharesBuffer = false;
  int64_t numPhases = 0; ///< that have a number
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_KERNELPHASES_H
