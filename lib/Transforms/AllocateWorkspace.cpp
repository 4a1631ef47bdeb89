//===- AllocateWorkspace.cpp - Buffers in one workspace ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeFunction.h"

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
/// The buffers of one function, laid out one after another.
class Workspace {
public:
  explicit Workspace(func::FuncOp function) : function(function) {}

  /// Finds the allocations. Fails where one is inside a loop.
  LogicalResult collect();
  /// Replaces them by views of a new last argument.
  void place();
  /// Writes down how large the workspace is.
  LogicalResult recordSize();

private:
  bool isStatic() const {
    return llvm::all_of(allocations, [](memref::AllocOp op) {
      return op.getType().hasStaticShape();
    });
  }
  /// Bytes of `op`, rounded up so that what follows is aligned.
  Value getBytes(OpBuilder &builder, memref::AllocOp op, ValueRange sizes);
  LogicalResult buildSizeFunction();
  /// Whether `sizes` are not negative and do not contradict each other.
  Value buildSizeChecks(OpBuilder &builder, ValueRange sizes);

  func::FuncOp function;
  SmallVector<memref::AllocOp> allocations;
  int64_t staticBytes = 0;
};
} // namespace

static int64_t getStaticBytes(MemRefType type) {
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t size : type.getShape())
    bytes *= ShapedType::isDynamic(size) ? 1 : size;
  return bytes;
}

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
  return success(!walk.wasInterrupted());
}

Value Workspace::getBytes(OpBuilder &builder, memref::AllocOp op,
                          ValueRange sizes) {
  Location loc = op.getLoc();
  Value bytes = arith::ConstantIndexOp::create(builder, loc,
                                               getStaticBytes(op.getType()));
  for (Value size : sizes)
    bytes = arith::MulIOp::create(builder, loc, bytes, size);
  if (sizes.empty())
    return arith::ConstantIndexOp::create(
        builder, loc,
        llvm::alignTo(getStaticBytes(op.getType()), kWorkspaceAlignment));
  Value alignment =
      arith::ConstantIndexOp::create(builder, loc, kWorkspaceAlignment);
  Value units = arith::CeilDivUIOp::create(builder, loc, bytes, alignment);
  return arith::MulIOp::create(builder, loc, units, alignment);
}

void Workspace::place() {
  Location loc = function.getLoc();
  OpBuilder builder(function.getContext());
  auto type = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, type, {}, loc);
  Value workspace = function.getArgument(number);

  Value offset;
  for (memref::AllocOp op : allocations) {
    builder.setInsertionPoint(op);
    if (!offset)
      offset = arith::ConstantIndexOp::create(builder, loc, 0);
    auto view = memref::ViewOp::create(builder, op.getLoc(), op.getType(),
                                       workspace, offset, op.getDynamicSizes());
    Value bytes = getBytes(builder, op, op.getDynamicSizes());
    offset = arith::AddIOp::create(builder, loc, offset, bytes);
    op.replaceAllUsesWith(view.getResult());
    staticBytes +=
        llvm::alignTo(getStaticBytes(op.getType()), kWorkspaceAlignment);
  }
}

LogicalResult Workspace::recordSize() {
  if (!isStatic())
    return buildSizeFunction();
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
  for (memref::AllocOp op : allocations) {
    if (failed(sizeFunction.compute(op.getDynamicSizes())))
      return failure();
    SmallVector<Value> dynamicSizes =
        llvm::map_to_vector(op.getDynamicSizes(), [&](Value size) {
          return sizeFunction.lookup(size);
        });
    total = arith::AddIOp::create(builder, loc, total,
                                  getBytes(builder, op, dynamicSizes));
  }
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
      workspace.place();
      if (failed(workspace.recordSize()))
        return signalPassFailure();
      for (memref::AllocOp op :
           llvm::to_vector(function.getOps<memref::AllocOp>()))
        op.erase();
    }
  }
};
} // namespace
