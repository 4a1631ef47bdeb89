//===- RegionAccesses.cpp - What threads touch without waiting --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionAccesses.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Transforms/Utils/PlanErrors.h"
#include "convoy/Transforms/Utils/TensorSlice.h"
#include "convoy/Transforms/Utils/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;

SmallVector<scf::ForallOp>
mlir::convoy::getForalls(ArrayRef<Operation *> loops) {
  SmallVector<scf::ForallOp> foralls;
  for (Operation *op : loops)
    op->walk<WalkOrder::PreOrder>([&](scf::ForallOp forall) {
      foralls.push_back(forall);
      return WalkResult::skip();
    });
  return foralls;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static bool isAllocation(Value buffer) {
  Operation *op = buffer.getDefiningOp();
  return op && hasEffect<MemoryEffects::Allocate>(op, buffer);
}

static bool isArgument(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  return argument &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Whether two whole buffers may be one.
static bool mayBeSame(Value a, Value b) {
  if (a == b)
    return true;
  auto global = a.getDefiningOp<memref::GetGlobalOp>();
  auto otherGlobal = b.getDefiningOp<memref::GetGlobalOp>();
  if (global && otherGlobal)
    return global.getName() == otherGlobal.getName();
  auto isKnown = [](Value buffer) {
    return isAllocation(buffer) || isArgument(buffer) ||
           buffer.getDefiningOp<memref::GetGlobalOp>();
  };
  return !isKnown(a) || !isKnown(b);
}

static bool isSameView(Value a, Value b) {
  if (a == b)
    return true;
  auto slice = a.getDefiningOp<memref::SubViewOp>();
  auto other = b.getDefiningOp<memref::SubViewOp>();
  return slice && other &&
         slice.isSameAs(other, [](OpFoldResult x, OpFoldResult y) {
           return isEqualConstantIntOrValue(x, y);
         });
}

/// Whether `a` and `b`, views of the same buffer, have no element in common.
static bool areApart(Value a, Value b) {
  auto slice = a.getDefiningOp<memref::SubViewOp>();
  auto other = b.getDefiningOp<memref::SubViewOp>();
  return slice && other && areDisjoint(slice, other);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// A buffer, or a view of one.
struct Part {
  SmallVector<Value> views; ///< the whole buffer first
  bool isWritten;

  Value getBuffer() const { return views.front(); }
};

/// A loop that threads share, and what its iterations touch that is not of one
/// of them alone.
struct SharedLoop {
  explicit SharedLoop(scf::ForallOp forall);

  scf::ForallOp forall;
  /// The ops that do, each with what it touches.
  SmallVector<std::pair<Operation *, Value>> accesses;
  /// What all of them do, as far as that is seen outside of the loop.
  SmallVector<Part> parts;

private:
  void addAccesses(Operation *op);
  void addAccess(Operation *op, Value view, bool writes);

  DenseSet<Value> read, written; ///< of which there is a part
};
} // namespace

SharedLoop::SharedLoop(scf::ForallOp forall) : forall(forall) {
  forall.getBody()->walk([&](Operation *op) { addAccesses(op); });
}

void SharedLoop::addAccess(Operation *op, Value view, bool writes) {
  if (!isa<BaseMemRefType>(view.getType()))
    return;
  SmallVector<Value> views = getViews(view);
  auto isInside = [&](Value value) {
    return forall->isAncestor(value.getParentRegion()->getParentOp());
  };
  if (isAllocation(views[0]) && isInside(views[0]))
    return;
  accesses.emplace_back(op, views[0]);
  while (views.size() > 1 && isInside(views.back()))
    views.pop_back();
  if ((writes ? written : read).insert(views.back()).second)
    parts.push_back({views, writes});
}

void SharedLoop::addAccesses(Operation *op) {
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (effect.getValue() &&
          !isa<MemoryEffects::Allocate>(effect.getEffect()))
        addAccess(op, effect.getValue(),
                  !isa<MemoryEffects::Read>(effect.getEffect()));
  } else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) {
    for (Value operand : op->getOperands())
      addAccess(op, operand, /*writes=*/true);
  }
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// Adds to `varying` the values in `loop`, which has a #convoy.thread_region,
/// that may differ from one round of it to the next.
static void addVarying(scf::ForOp loop, DenseSet<Value> &varying) {
  StringRef name = ThreadRegionAttr::getAttrName();
  auto isVarying = [&](Value value) { return varying.contains(value); };
  varying.insert_range(loop.getBody()->getArguments());
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool hasVarying = llvm::any_of(op->getOperands(), isVarying);
    bool isRound =
        isa<scf::ForOp>(op) && op->getAttr(name) == loop->getAttr(name);
    // What is read may have been written, and what leaves regions may be
    // anything.
    if (hasVarying || op->getNumRegions() > 0 ||
        hasEffect<MemoryEffects::Read>(op))
      varying.insert_range(op->getResults());
    if (auto inner = dyn_cast<LoopLikeOpInterface>(op))
      varying.insert_range(inner.getRegionIterArgs());
    if (hasVarying || isRound)
      for (Region &region : op->getRegions())
        for (Block &block : region)
          varying.insert_range(block.getArguments());
  });
}

/// Whether `op` touches the same elements in all rounds, between which
/// `varying` values differ. Vectors and elements are what is written, or masks.
static bool isFixed(Operation *op, const DenseSet<Value> &varying) {
  return llvm::none_of(op->getOperands(), [&](Value operand) {
    return isa<IndexType, BaseMemRefType>(operand.getType()) &&
           varying.contains(operand);
  });
}

/// Whether `a` and `b` have no element in common, whatever the values that are
/// `varying`.
static bool areDisjoint(const Part &a, const Part &b,
                        const DenseSet<Value> &varying) {
  if (!mayBeSame(a.getBuffer(), b.getBuffer()))
    return true;
  for (auto [view, other] : llvm::zip(a.views, b.views)) {
    if (!isSameView(view, other))
      return areApart(view, other);
    if (varying.contains(view))
      return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Checks that `loop` touches nothing that `other` writes, and the other way
/// round.
static LogicalResult verifyApart(SharedLoop &loop, SharedLoop &other,
                                 const DenseSet<Value> &varying,
                                 ThreadRegionAttr region) {
  for (const Part &a : loop.parts)
    for (const Part &b : other.parts) {
      if ((!a.isWritten && !b.isWritten) || areDisjoint(a, b, varying))
        continue;
      InFlightDiagnostic error =
          emitPlanError(loop.forall, region)
          << "threads would not wait, but it may touch what another loop "
             "writes, or write what that touches";
      error.attachNote(other.forall.getLoc()) << "the other loop";
      return error;
    }
  return success();
}

/// Checks that `loop` comes back to the same elements of what it writes in all
/// rounds of the loop `around` it.
static LogicalResult verifyRounds(SharedLoop &loop, scf::ForOp around,
                                  const DenseSet<Value> &varying,
                                  ThreadRegionAttr region) {
  for (auto [op, buffer] : loop.accesses) {
    auto mayWrite = [buffer = buffer](const Part &part) {
      return part.isWritten && mayBeSame(part.getBuffer(), buffer);
    };
    if (isFixed(op, varying) || llvm::none_of(loop.parts, mayWrite))
      continue;
    InFlightDiagnostic error =
        emitPlanError(loop.forall, region)
        << "threads would not wait, but what it touches of a buffer that it "
           "writes may be another in each round of the loop around it";
    error.attachNote(around.getLoc()) << "the loop around it";
    return error;
  }
  return success();
}

LogicalResult mlir::convoy::verifyThreadRegion(ArrayRef<Operation *> loops) {
  auto region = loops.front()->getAttrOfType<ThreadRegionAttr>(
      ThreadRegionAttr::getAttrName());
  DenseSet<Value> varying;
  for (Operation *op : loops)
    if (auto loop = dyn_cast<scf::ForOp>(op))
      addVarying(loop, varying);
  // One run of one loop has nothing to wait for.
  if (loops.size() == 1 && varying.empty())
    return success();
  std::vector<SharedLoop> shared;
  for (scf::ForallOp forall : getForalls(loops)) {
    SharedLoop loop(forall);
    for (SharedLoop &other : shared)
      if (failed(verifyApart(loop, other, varying, region)))
        return failure();
    auto around = dyn_cast<scf::ForOp>(forall->getParentOp());
    if (around && !llvm::is_contained(loops, forall.getOperation()) &&
        failed(verifyRounds(loop, around, varying, region)))
      return failure();
    shared.push_back(std::move(loop));
  }
  return success();
}
