//===- AllocateWorkspace.cpp - Buffers in one workspace ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkspaceSlots.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/KernelABI/SizeFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ALLOCATEWORKSPACEPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// How many iterations `loop` has if it is what `convoy-distribute-threads`
/// leaves: numbered from 0.
static std::optional<int64_t> countThreads(scf::ParallelOp loop) {
  if (loop.getNumLoops() != 1 ||
      !isConstantIntValue(loop.getLowerBound()[0], 0) ||
      !isConstantIntValue(loop.getStep()[0], 1))
    return std::nullopt;
  return getConstantIntValue(loop.getUpperBound()[0]);
}

namespace {
/// Buffers that are allocated in one block, laid out slot after slot.
struct BufferBlock {
  /// The loop whose iterations each have such buffers of their own, at the same
  /// time; null for those of the function.
  scf::ParallelOp threads;
  SmallVector<memref::AllocOp> allocations;
  SmallVector<WorkspaceSlot> slots;

  int64_t countThreads() const { return *::countThreads(threads); }
};

/// The buffers of one function: those that all threads share, then blocks that
/// parallel loops have in turn.
class Workspace {
public:
  explicit Workspace(func::FuncOp function)
      : function(function), loc(function.getLoc()),
        alignment(getWorkspaceAlignment(function)),
        isOfImages(TargetAttr::lookup(function).isGPU()) {}

  /// Finds the allocations. Fails where one is inside a sequential loop.
  LogicalResult collect();
  /// Replaces them by views of a new last argument.
  LogicalResult place();
  /// Writes down how large the workspace is.
  LogicalResult recordSize();
  void eraseAllocations();

private:
  bool isStatic() const {
    return llvm::all_of(getAllocations(), [](memref::AllocOp op) {
      return op.getType().hasStaticShape();
    });
  }
  SmallVector<memref::AllocOp> getAllocations() const {
    SmallVector<memref::AllocOp> all = shared.allocations;
    for (const BufferBlock &block : privateBlocks)
      llvm::append_range(all, block.allocations);
    return all;
  }
  LogicalResult collect(memref::AllocOp op);
  /// Moves what computes dynamic sizes to the start of the function. Returns
  /// where they are known.
  FailureOr<Block::iterator> hoistSizes();
  /// Bytes of `slot`, rounded up so that what follows is aligned. `lookup`
  /// gives the value that stands for a dynamic size.
  Value getBytes(OpBuilder &builder, ArrayRef<memref::AllocOp> slot,
                 function_ref<Value(Value)> lookup);
  /// Bytes of all slots of `block`, once.
  Value getBytes(OpBuilder &builder, const BufferBlock &block,
                 function_ref<Value(Value)> lookup);
  /// Replaces the buffers of `block` by views of `workspace` from `offset` on.
  void placeBlock(OpBuilder &builder, const BufferBlock &block, Value workspace,
                  Value offset);
  LogicalResult buildSizeFunction();
  /// The most bytes of buffers of `slot` that have, or lack, a dynamic size,
  /// with that as 1, rounded up.
  int64_t getMostBytes(ArrayRef<memref::AllocOp> slot, bool isDynamic) const;
  /// Whether `sizes` are not negative and do not contradict each other.
  Value buildSizeChecks(OpBuilder &builder, ValueRange sizes);

  func::FuncOp function;
  Location loc;
  int64_t alignment; ///< of each buffer, in bytes
  /// Whether the dynamic size of a buffer is that of a batch.
  bool isOfImages;
  BufferBlock shared;
  SmallVector<BufferBlock> privateBlocks;
};
} // namespace

LogicalResult Workspace::collect(memref::AllocOp op) {
  if (!op.getType().getLayout().isIdentity())
    return op.emitOpError()
           << "expected a buffer without gaps, but got " << op.getType();
  if (op->getParentOp() == function) {
    shared.allocations.push_back(op);
    return success();
  }
  auto threads = dyn_cast<scf::ParallelOp>(op->getParentOp());
  if (!threads || !countThreads(threads))
    return op.emitOpError("expected an allocation outside of loops");
  if (privateBlocks.empty() || privateBlocks.back().threads != threads)
    privateBlocks.push_back({threads, {}, {}});
  privateBlocks.back().allocations.push_back(op);
  return success();
}

LogicalResult Workspace::collect() {
  WalkResult walk = function.walk([&](memref::AllocOp op) {
    return failed(collect(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  shared.slots = assignSlots(function, shared.allocations);
  for (BufferBlock &block : privateBlocks)
    block.slots = assignSlots(function, block.allocations);
  return success();
}

FailureOr<Block::iterator> Workspace::hoistSizes() {
  SmallVector<Value> sizes;
  for (memref::AllocOp op : getAllocations())
    llvm::append_range(sizes, op.getDynamicSizes());
  FailureOr<SmallVector<Operation *>> slice = getSizeSlice(function, sizes);
  if (failed(slice))
    return failure();
  Block &block = function.front();
  for (Operation *op : llvm::reverse(*slice))
    op->moveBefore(&block, block.begin());
  return std::next(block.begin(), slice->size());
}

int64_t Workspace::getMostBytes(ArrayRef<memref::AllocOp> slot,
                                bool isDynamic) const {
  int64_t bytes = 0;
  for (memref::AllocOp op : slot)
    if (op.getType().hasStaticShape() != isDynamic)
      bytes = std::max(bytes, getSlotBytes(op.getType()));
  return llvm::alignTo(bytes, alignment);
}

Value Workspace::getBytes(OpBuilder &builder, ArrayRef<memref::AllocOp> slot,
                          function_ref<Value(Value)> lookup) {
  Value bytes = arith::ConstantIndexOp::create(
      builder, loc, getMostBytes(slot, /*isDynamic=*/false));
  if (isOfImages) {
    // A sum, so that who launches kernels needs no more than two numbers.
    for (memref::AllocOp op : slot)
      if (!op.getType().hasStaticShape()) {
        Value ofImage = arith::ConstantIndexOp::create(
            builder, loc, getMostBytes(slot, /*isDynamic=*/true));
        Value ofAll = arith::MulIOp::create(
            builder, loc, lookup(op.getDynamicSizes()[0]), ofImage);
        return arith::AddIOp::create(builder, loc, bytes, ofAll);
      }
    return bytes;
  }
  Value unit = arith::ConstantIndexOp::create(builder, loc, alignment);
  for (memref::AllocOp op : slot) {
    if (op.getType().hasStaticShape())
      continue;
    Value product = arith::ConstantIndexOp::create(builder, loc,
                                                   getSlotBytes(op.getType()));
    for (Value size : op.getDynamicSizes())
      product = arith::MulIOp::create(builder, loc, product, lookup(size));
    product = arith::CeilDivUIOp::create(builder, loc, product, unit);
    product = arith::MulIOp::create(builder, loc, product, unit);
    bytes = arith::MaxUIOp::create(builder, loc, bytes, product);
  }
  return bytes;
}

Value Workspace::getBytes(OpBuilder &builder, const BufferBlock &block,
                          function_ref<Value(Value)> lookup) {
  Value bytes = arith::ConstantIndexOp::create(builder, loc, 0);
  for (ArrayRef<memref::AllocOp> slot : block.slots)
    bytes = arith::AddIOp::create(builder, loc, bytes,
                                  getBytes(builder, slot, lookup));
  return bytes;
}

/// The value itself: where the buffers are, their sizes are known.
static Value lookupHere(Value size) { return size; }

void Workspace::placeBlock(OpBuilder &builder, const BufferBlock &block,
                           Value workspace, Value offset) {
  for (ArrayRef<memref::AllocOp> slot : block.slots) {
    for (memref::AllocOp op : slot) {
      OpBuilder atUse(op);
      op.replaceAllUsesWith(memref::ViewOp::create(atUse, op.getLoc(),
                                                   op.getType(), workspace,
                                                   offset, op.getDynamicSizes())
                                .getResult());
    }
    offset = arith::AddIOp::create(builder, loc, offset,
                                   getBytes(builder, slot, lookupHere));
  }
}

LogicalResult Workspace::place() {
  OpBuilder builder(function.getContext());
  auto type = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, type, {}, loc);
  Value workspace = function.getArgument(number);
  if (getAllocations().empty())
    return success();

  FailureOr<Block::iterator> start = hoistSizes();
  if (failed(start))
    return failure();
  builder.setInsertionPoint(&function.front(), *start);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  placeBlock(builder, shared, workspace, zero);
  if (privateBlocks.empty())
    return success();
  Value sharedBytes = getBytes(builder, shared, lookupHere);
  for (BufferBlock &block : privateBlocks) {
    Block *body = block.threads.getBody();
    builder.setInsertionPointToStart(body);
    Value offset = arith::MulIOp::create(builder, loc, body->getArgument(0),
                                         getBytes(builder, block, lookupHere));
    offset = arith::AddIOp::create(builder, loc, sharedBytes, offset);
    placeBlock(builder, block, workspace, offset);
  }
  return success();
}

void Workspace::eraseAllocations() {
  for (memref::AllocOp op : getAllocations())
    op.erase();
}

/// Bytes of all slots of `block`, whose buffers have static sizes, once, each
/// rounded up to `alignment`.
static int64_t getStaticBytes(const BufferBlock &block, int64_t alignment) {
  int64_t sum = 0;
  for (ArrayRef<memref::AllocOp> slot : block.slots) {
    int64_t bytes = 0;
    for (memref::AllocOp op : slot)
      bytes = std::max(bytes, getSlotBytes(op.getType()));
    sum += llvm::alignTo(bytes, alignment);
  }
  return sum;
}

LogicalResult Workspace::recordSize() {
  auto record = [&](StringRef name, int64_t bytes) {
    function->setAttr(
        name,
        IntegerAttr::get(IntegerType::get(function.getContext(), 64), bytes));
  };
  if (!isStatic() && isOfImages) {
    int64_t fixed = 0, ofImage = 0;
    for (ArrayRef<memref::AllocOp> slot : shared.slots) {
      fixed += getMostBytes(slot, /*isDynamic=*/false);
      ofImage += getMostBytes(slot, /*isDynamic=*/true);
    }
    record(kWorkspaceAttrName, fixed);
    record(kImageWorkspaceAttrName, ofImage);
    return success();
  }
  if (!isStatic())
    return buildSizeFunction();
  int64_t privateBytes = 0;
  for (const BufferBlock &block : privateBlocks)
    privateBytes = std::max(privateBytes, block.countThreads() *
                                              getStaticBytes(block, alignment));
  record(kWorkspaceAttrName, getStaticBytes(shared, alignment) + privateBytes);
  return success();
}

/// Builds `<name>_workspace_size`, which repeats the computation of sizes from
/// the dynamic sizes of the arguments and gives -1 where these are wrong.
LogicalResult Workspace::buildSizeFunction() {
  Type i64 = IntegerType::get(function.getContext(), 64);
  SizeFunction sizeFunction(
      function, getKernelInterface(function)->getSizeFunctionName(), i64);
  OpBuilder &builder = sizeFunction.getBuilder();
  Value isRight = buildSizeChecks(builder, sizeFunction.getSizes());
  for (memref::AllocOp op : getAllocations())
    if (failed(sizeFunction.compute(op.getDynamicSizes())))
      return failure();
  auto lookup = [&](Value size) { return sizeFunction.lookup(size); };
  Value privateBytes = arith::ConstantIndexOp::create(builder, loc, 0);
  for (BufferBlock &block : privateBlocks) {
    Value threads =
        arith::ConstantIndexOp::create(builder, loc, block.countThreads());
    privateBytes = arith::MaxUIOp::create(
        builder, loc, privateBytes,
        arith::MulIOp::create(builder, loc, threads,
                              getBytes(builder, block, lookup)));
  }
  Value total = arith::AddIOp::create(
      builder, loc, getBytes(builder, shared, lookup), privateBytes);
  Value wrong = arith::ConstantIndexOp::create(builder, loc, -1);
  total = arith::SelectOp::create(builder, loc, isRight, total, wrong);
  sizeFunction.createReturn(
      arith::IndexCastOp::create(builder, loc, i64, total));
  return success();
}

Value Workspace::buildSizeChecks(OpBuilder &builder, ValueRange sizes) {
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Value isRight = arith::ConstantIntOp::create(builder, loc, 1, 1);
  auto add = [&](Value condition) {
    isRight = arith::AndIOp::create(builder, loc, isRight, condition);
  };
  for (Value size : sizes)
    add(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, size,
                              zero));
  if (auto checks = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          function,
          builder.getStringAttr(getSizeCheckName(function.getSymName()))))
    add(func::CallOp::create(builder, loc, checks, sizes).getResult(0));
  return isRight;
}

/// Checks that no other function has a name that the header gives to what tells
/// the size of the workspace or of a packed argument.
static LogicalResult checkNames(func::FuncOp kernel) {
  KernelInterface interface = *getKernelInterface(kernel);
  auto check = [&](StringRef name, const Twine &sized) -> LogicalResult {
    Operation *other = SymbolTable::lookupNearestSymbolFrom(
        kernel, StringAttr::get(kernel.getContext(), name));
    if (!other)
      return success();
    return other->emitOpError()
           << "expected another name, since '" << name << "' tells the size of "
           << sized << " of '" << interface.name << "'";
  };
  if (failed(check(interface.getSizeFunctionName(), "the workspace")) ||
      failed(check(interface.getSizeConstantName(), "the workspace")))
    return failure();
  for (const KernelArgument &argument : interface.arguments)
    if (!argument.packer.empty() &&
        failed(check(interface.getElementsConstantName(argument),
                     "the packed '" + argument.name + "'")))
      return failure();
  return success();
}

namespace {
struct AllocateWorkspacePass final
    : mlir::convoy::impl::AllocateWorkspacePassBase<AllocateWorkspacePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kArgumentsAttrName))
        kernels.push_back(function);
    for (func::FuncOp function : kernels) {
      if (failed(checkNames(function)))
        return signalPassFailure();
      Workspace workspace(function);
      if (failed(workspace.collect()))
        return signalPassFailure();
      if (failed(workspace.place()) || failed(workspace.recordSize()))
        return signalPassFailure();
      workspace.eraseAllocations();
    }
  }
};
} // namespace
