//===- BufferRoots.cpp - Which buffer a memref is a view of -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferRoots.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

static bool isMemory(Type type) { return isa<BaseMemRefType>(type); }

/// Whether an operand or a result of `op` is memory.
static bool takesMemory(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isMemory) ||
         llvm::any_of(op->getResultTypes(), isMemory);
}

bool certify::hasMemory(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return takesMemory(inner) ? WalkResult::interrupt()
                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

bool certify::isOfMemory(Operation *op) {
  bool isOfResult =
      isa<memref::CopyOp, memref::DimOp>(op) ||
      isa_and_nonnull<bufferization::BufferizationDialect>(op->getDialect());
  return !isOfResult && takesMemory(op);
}

/// Whether the layout of `type` may put two elements in one place, where sizes
/// and strides that are not known do not.
static bool mayOverlap(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return true;
  if (llvm::is_contained(type.getShape(), 0))
    return false;
  SmallVector<std::pair<DynamicAPInt, DynamicAPInt>> dims;
  for (auto [stride, size] : llvm::zip_equal(strides, type.getShape()))
    if (size != 1 && !ShapedType::isDynamic(stride))
      dims.emplace_back(abs(DynamicAPInt(stride)),
                        ShapedType::isDynamic(size) ? 2 : size);
  llvm::sort(dims);
  DynamicAPInt reach(0);
  for (const auto &[stride, size] : dims) {
    if (stride <= reach)
      return true;
    reach += stride * (size - 1);
  }
  return false;
}

/// Whether the type of what `op` makes says more of the layout than that of its
/// source. Nothing checks that when a function runs.
static bool statesLayout(memref::CastOp op) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType());
  auto to = dyn_cast<MemRefType>(op.getType());
  SmallVector<int64_t> strides, stated;
  int64_t offset, statedOffset;
  if (!from || !to)
    return false;
  if (failed(from.getStridesAndOffset(strides, offset)) ||
      failed(to.getStridesAndOffset(stated, statedOffset)))
    return true;
  auto isStated = [](int64_t known, int64_t said) {
    return ShapedType::isDynamic(known) && !ShapedType::isDynamic(said);
  };
  return isStated(offset, statedOffset) ||
         llvm::any_of(llvm::zip_equal(strides, stated), [&](auto both) {
           return isStated(std::get<0>(both), std::get<1>(both));
         });
}

/// Whether `op` collapses dimensions that may not lie behind each other in
/// memory, which is the same.
static bool statesLayout(memref::CollapseShapeOp op) {
  MemRefType from = op.getSrcType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (from.getLayout().isIdentity())
    return false;
  if (failed(from.getStridesAndOffset(strides, offset)))
    return true;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    std::optional<int64_t> next;
    for (int64_t dim : llvm::reverse(group)) {
      int64_t size = from.getDimSize(dim);
      if (size == 1)
        continue;
      if (next && (ShapedType::isDynamic(*next) || strides[dim] != *next))
        return true;
      bool isKnown =
          !ShapedType::isDynamic(size) && !ShapedType::isDynamic(strides[dim]);
      next = isKnown ? size * strides[dim] : ShapedType::kDynamic;
    }
  }
  return false;
}

static bool statesLayout(Operation *op) {
  auto cast = dyn_cast<memref::CastOp>(op);
  auto collapse = dyn_cast<memref::CollapseShapeOp>(op);
  return (cast && statesLayout(cast)) || (collapse && statesLayout(collapse));
}

bool BufferRoots::hasUnknownStrides(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         llvm::any_of(llvm::zip_equal(strides, type.getShape()), [](auto dim) {
           auto [stride, size] = dim;
           return ShapedType::isDynamic(stride) && size != 1;
         });
}

LogicalResult BufferRoots::checkLayouts(FunctionOpInterface function,
                                        FirstObstacle &obstacle) {
  auto isOverlapping = [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type && mayOverlap(type);
  };
  WalkResult result = function->walk([&](Operation *op) {
    StringRef reason;
    if (llvm::any_of(op->getResults(), isOverlapping) ||
        (op == function &&
         llvm::any_of(function.getArguments(), isOverlapping)))
      reason = "a buffer two of whose elements may lie in one place";
    else if (statesLayout(op))
      reason = "a layout that may not be that of the buffer";
    else
      return WalkResult::advance();
    (void)obstacle.undecided(op, reason);
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

bool BufferRoots::isView(Operation *op) {
  return isa<memref::SubViewOp, memref::CastOp, memref::CollapseShapeOp,
             memref::ExpandShapeOp, memref::ReinterpretCastOp,
             memref::ExtractStridedMetadataOp>(op);
}

/// What a loop that `memref` is carried by or left by carries from the start,
/// or what both branches leave that leave it; null for others.
static Value getCarried(Value memref) {
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop ? loop.getInitArgs()[argument.getArgNumber() - 1] : Value();
  }
  unsigned number = cast<OpResult>(memref).getResultNumber();
  if (auto loop = memref.getDefiningOp<scf::ForOp>())
    return loop.getInitArgs()[number];
  auto branch = memref.getDefiningOp<scf::IfOp>();
  if (!branch)
    return nullptr;
  Value left = BufferRoots::strip(branch.thenYield().getOperand(number));
  Value other = BufferRoots::strip(branch.elseYield().getOperand(number));
  return left == other ? left : Value();
}

Value BufferRoots::strip(Value memref) {
  while (Value carried = getCarried(memref))
    memref = carried;
  return memref;
}

Value BufferRoots::find(Value memref) {
  memref = strip(memref);
  while (Operation *op = memref.getDefiningOp()) {
    if (!isView(op))
      break;
    memref = strip(op->getOperand(0));
  }
  return memref;
}

/// `memref`, or what it is where two reshapes undo each other.
static Value undoReshape(Value memref) {
  auto isUndone = [](auto outer, auto inner) {
    return inner && outer.getType().hasStaticShape() &&
           outer.getType().getShape() ==
               cast<MemRefType>(inner.getSrc().getType()).getShape() &&
           outer.getReassociationIndices() == inner.getReassociationIndices();
  };
  if (auto expand = memref.getDefiningOp<memref::ExpandShapeOp>()) {
    auto collapse = BufferRoots::strip(expand.getSrc())
                        .getDefiningOp<memref::CollapseShapeOp>();
    return isUndone(expand, collapse) ? BufferRoots::strip(collapse.getSrc())
                                      : memref;
  }
  if (auto collapse = memref.getDefiningOp<memref::CollapseShapeOp>()) {
    auto expand = BufferRoots::strip(collapse.getSrc())
                      .getDefiningOp<memref::ExpandShapeOp>();
    return isUndone(collapse, expand) ? BufferRoots::strip(expand.getSrc())
                                      : memref;
  }
  return memref;
}

bool BufferRoots::areSame(Value a, Value b) {
  a = undoReshape(strip(a));
  b = undoReshape(strip(b));
  if (a == b)
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return first && second && isView(first) && a.getType() == b.getType() &&
         OperationEquivalence::isEquivalentTo(
             first, second,
             [](Value x, Value y) {
               return success(x == y ||
                              (isMemory(x.getType()) && isMemory(y.getType()) &&
                               areSame(x, y)));
             },
             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

bool BufferRoots::isReadOnly(Value root) {
  return isa_and_nonnull<bufferization::ToBufferOp, bufferization::CloneOp>(
      root.getDefiningOp());
}

SmallVector<Value> BufferRoots::getFreed(bufferization::DeallocOp op) {
  SmallVector<Value> freed;
  for (auto [memref, condition] :
       llvm::zip_equal(op.getMemrefs(), op.getConditions())) {
    bool isRetained = llvm::any_of(op.getRetained(), [&](Value retained) {
      return find(retained) == find(memref);
    });
    if (!isRetained && !matchPattern(condition, m_Zero()))
      freed.push_back(memref);
  }
  return freed;
}

bool BufferRoots::isOnStack(Value root) {
  return root.getDefiningOp<memref::AllocaOp>() != nullptr;
}

/// The memrefs that `op` itself writes.
static SmallVector<Value> getWritten(Operation *op) {
  SmallVector<Value> written;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](memref::StoreOp store) { written = {store.getMemRef()}; })
      .Case([&](memref::CopyOp copy) { written = {copy.getTarget()}; })
      .Case([&](memref::DeallocOp dealloc) { written = {dealloc.getMemref()}; })
      .Case([&](bufferization::DeallocOp dealloc) {
        written = BufferRoots::getFreed(dealloc);
      })
      .Case<vector::TransferWriteOp, vector::StoreOp, vector::MaskedStoreOp>(
          [&](auto write) { written = {write.getBase()}; })
      .Case([&](linalg::LinalgOp linalgOp) {
        llvm::append_range(written, linalgOp.getDpsInits());
      })
      .Case([&](bufferization::MaterializeInDestinationOp write) {
        written = {write.getDest()};
      });
  llvm::erase_if(written,
                 [](Value value) { return !isMemory(value.getType()); });
  return written;
}

SmallVector<Value> BufferRoots::findWritten(Operation *op) {
  llvm::SetVector<Value> written;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    for (Value memref : getWritten(inner))
      if (Value root = find(memref);
          !op->isAncestor(root.getParentBlock()->getParentOp()))
        written.insert(root);
  });
  return written.takeVector();
}

//===----------------------------------------------------------------------===//
// Tensors that are memory
//===----------------------------------------------------------------------===//

bool certify::runsBefore(Operation *op, Operation *other, Block *block) {
  Operation *first = block->findAncestorOpInBlock(*op);
  Operation *second = block->findAncestorOpInBlock(*other);
  return first && second && first != second && first->isBeforeInBlock(second);
}

/// The memory that `op` makes a value of which others may see changed if it is
/// written afterwards: a tensor or a clone. Null for other ops.
static Value getSharedMemory(Operation *op) {
  if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op))
    return tensor.getBuffer();
  auto clone = dyn_cast<bufferization::CloneOp>(op);
  return clone ? clone.getInput() : Value();
}

/// Whether `op` leaves alone what `value`, a tensor or a clone of a buffer that
/// `op` uses, shares with it.
static bool leavesShared(Operation *op, Operation *value) {
  auto tensor = dyn_cast<bufferization::ToTensorOp>(value);
  bool isLastWrite = isa<bufferization::MaterializeInDestinationOp>(op) &&
                     op->getBlock() == value->getBlock();
  bool isRead = getWritten(op).empty() && !(tensor && tensor.getWritable());
  // A clone outlives what it was made of.
  bool isFreed =
      !tensor && isa<memref::DeallocOp, bufferization::DeallocOp>(op);
  return isLastWrite || isRead || isFreed;
}

LogicalResult BufferRoots::checkTensors(FunctionOpInterface function,
                                        FirstObstacle &obstacle) {
  SmallVector<Operation *> values;
  function->walk([&](Operation *op) {
    if (getSharedMemory(op))
      values.push_back(op);
  });
  for (Operation *value : values) {
    Value root = find(getSharedMemory(value));
    Block *block = root.getParentBlock();
    if (isOnStack(root) && isa<bufferization::ToTensorOp>(value))
      return obstacle.undecided(value, "a tensor of memory on the stack");
    if (block != value->getBlock() && isa<bufferization::ToTensorOp>(value))
      return obstacle.undecided(value, "a tensor of a buffer from outside of "
                                       "the loop or branch");
    WalkResult result = function->walk([&](Operation *op) {
      bool isUse =
          !isView(op) && !isa<memref::DimOp>(op) && op != value &&
          !isa<scf::ForOp>(op) &&
          llvm::any_of(op->getOperands(), [&](Value operand) {
            return isMemory(operand.getType()) && find(operand) == root;
          });
      if (!isUse || leavesShared(op, value) || runsBefore(op, value, block))
        return WalkResult::advance();
      (void)obstacle.undecided(op, "a buffer that is used after a tensor "
                                   "or a clone was made of it");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}
