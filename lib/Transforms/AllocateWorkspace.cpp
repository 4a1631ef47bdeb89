//===- AllocateWorkspace.cpp - Buffers in one workspace ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeFunction.h"
#include "WorkspaceSlots.h"

#include "convoy/Transforms/KernelInterface.h"
#include "convoy/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ALLOCATEWORKSPACEPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// The buffers of one function, laid out slot after slot.
class Workspace {
public:
  explicit Workspace(func::FuncOp function) : function(function) {}

  /// Finds the allocations. Fails where one is inside a loop.
  LogicalResult collect();
  /// Replaces them by views of a new last argument.
  LogicalResult place();
  /// Writes down how large the workspace is.
  LogicalResult recordSize();
  void eraseAllocations();

private:
  bool isStatic() const {
    return llvm::all_of(allocations, [](memref::AllocOp op) {
      return op.getType().hasStaticShape();
    });
  }
  /// Moves what computes dynamic sizes to the start of the function. Returns
  /// where they are known.
  FailureOr<Block::iterator> hoistSizes();
  /// Bytes of `slot`, rounded up so that what follows is aligned. `lookup`
  /// gives the value that stands for a dynamic size.
  Value getBytes(OpBuilder &builder, ArrayRef<memref::AllocOp> slot,
                 function_ref<Value(Value)> lookup);
  LogicalResult buildSizeFunction();
  /// Whether `sizes` are not negative and do not contradict each other.
  Value buildSizeChecks(OpBuilder &builder, ValueRange sizes);

  func::FuncOp function;
  SmallVector<memref::AllocOp> allocations;
  SmallVector<WorkspaceSlot> slots;
};
} // namespace

LogicalResult Workspace::collect() {
  WalkResult walk = function.walk([&](memref::AllocOp op) {
    if (op->getParentOp() != function) {
      op.emitOpError("expected an allocation outside of loops");
      return WalkResult::interrupt();
    }
    if (!op.getType().getLayout().isIdentity()) {
      op.emitOpError() << "expected a buffer without gaps, but got "
                       << op.getType();
      return WalkResult::interrupt();
    }
    allocations.push_back(op);
    return WalkResult::advance();
  });
  slots = assignSlots(function, allocations);
  return success(!walk.wasInterrupted());
}

FailureOr<Block::iterator> Workspace::hoistSizes() {
  SmallVector<Value> sizes;
  for (memref::AllocOp op : allocations)
    llvm::append_range(sizes, op.getDynamicSizes());
  FailureOr<SmallVector<Operation *>> slice = getSizeSlice(function, sizes);
  if (failed(slice))
    return failure();
  Block &block = function.front();
  for (Operation *op : llvm::reverse(*slice))
    op->moveBefore(&block, block.begin());
  return std::next(block.begin(), slice->size());
}

Value Workspace::getBytes(OpBuilder &builder, ArrayRef<memref::AllocOp> slot,
                          function_ref<Value(Value)> lookup) {
  Location loc = function.getLoc();
  int64_t staticBytes = 0;
  for (memref::AllocOp op : slot)
    if (op.getType().hasStaticShape())
      staticBytes = std::max(staticBytes, getStaticBytes(op.getType()));
  Value bytes = arith::ConstantIndexOp::create(
      builder, loc, llvm::alignTo(staticBytes, kWorkspaceAlignment));
  Value alignment =
      arith::ConstantIndexOp::create(builder, loc, kWorkspaceAlignment);
  for (memref::AllocOp op : slot) {
    if (op.getType().hasStaticShape())
      continue;
    Value product = arith::ConstantIndexOp::create(
        builder, loc, getStaticBytes(op.getType()));
    for (Value size : op.getDynamicSizes())
      product = arith::MulIOp::create(builder, loc, product, lookup(size));
    product = arith::CeilDivUIOp::create(builder, loc, product, alignment);
    product = arith::MulIOp::create(builder, loc, product, alignment);
    bytes = arith::MaxUIOp::create(builder, loc, bytes, product);
  }
  return bytes;
}

LogicalResult Workspace::place() {
  Location loc = function.getLoc();
  OpBuilder builder(function.getContext());
  auto type = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, type, {}, loc);
  Value workspace = function.getArgument(number);
  if (allocations.empty())
    return success();

  FailureOr<Block::iterator> start = hoistSizes();
  if (failed(start))
    return failure();
  builder.setInsertionPoint(&function.front(), *start);
  Value offset = arith::ConstantIndexOp::create(builder, loc, 0);
  for (ArrayRef<memref::AllocOp> slot : slots) {
    for (memref::AllocOp op : slot) {
      OpBuilder atUse(op);
      op.replaceAllUsesWith(memref::ViewOp::create(atUse, op.getLoc(),
                                                   op.getType(), workspace,
                                                   offset, op.getDynamicSizes())
                                .getResult());
    }
    offset = arith::AddIOp::create(
        builder, loc, offset,
        getBytes(builder, slot, [](Value size) { return size; }));
  }
  return success();
}

void Workspace::eraseAllocations() {
  for (memref::AllocOp op : allocations)
    op.erase();
}

LogicalResult Workspace::recordSize() {
  if (!isStatic())
    return buildSizeFunction();
  int64_t staticBytes = 0;
  for (ArrayRef<memref::AllocOp> slot : slots) {
    int64_t bytes = 0;
    for (memref::AllocOp op : slot)
      bytes = std::max(bytes, getStaticBytes(op.getType()));
    staticBytes += llvm::alignTo(bytes, kWorkspaceAlignment);
  }
  function->setAttr(
      kWorkspaceAttrName,
      IntegerAttr::get(IntegerType::get(function.getContext(), 64),
                       staticBytes));
  return success();
}

/// Builds `<name>_workspace_size`, which repeats the computation of sizes from
/// the dynamic sizes of the arguments and gives -1 where these are wrong.
LogicalResult Workspace::buildSizeFunction() {
  Location loc = function.getLoc();
  Type i64 = IntegerType::get(function.getContext(), 64);
  SizeFunction sizeFunction(
      function, getKernelInterface(function)->getSizeFunctionName(), i64);
  OpBuilder &builder = sizeFunction.getBuilder();
  Value isRight = buildSizeChecks(builder, sizeFunction.getSizes());
  Value total = arith::ConstantIndexOp::create(builder, loc, 0);
  for (memref::AllocOp op : allocations)
    if (failed(sizeFunction.compute(op.getDynamicSizes())))
      return failure();
  for (ArrayRef<memref::AllocOp> slot : slots)
    total = arith::AddIOp::create(builder, loc, total,
                                  getBytes(builder, slot, [&](Value size) {
                                    return sizeFunction.lookup(size);
                                  }));
  Value wrong = arith::ConstantIndexOp::create(builder, loc, -1);
  total = arith::SelectOp::create(builder, loc, isRight, total, wrong);
  sizeFunction.createReturn(
      arith::IndexCastOp::create(builder, loc, i64, total));
  return success();
}

Value Workspace::buildSizeChecks(OpBuilder &builder, ValueRange sizes) {
  Location loc = function.getLoc();
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
/// the size of the workspace.
static LogicalResult checkNames(func::FuncOp kernel) {
  KernelInterface interface = *getKernelInterface(kernel);
  for (const std::string &name :
       {interface.getSizeFunctionName(), interface.getSizeConstantName()})
    if (Operation *other = SymbolTable::lookupNearestSymbolFrom(
            kernel, StringAttr::get(kernel.getContext(), name)))
      return other->emitOpError() << "expected another name, since '" << name
                                  << "' tells the size of the workspace of '"
                                  << interface.name << "'";
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
