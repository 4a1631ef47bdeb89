//===- AllocateWorkspace.cpp - Buffers in one workspace ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelInterface.h"
#include "convoy/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
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
  void recordSize();

private:
  bool isStatic() const {
    return llvm::all_of(allocations, [](memref::AllocOp op) {
      return op.getType().hasStaticShape();
    });
  }
  /// Bytes of `op`, rounded up so that what follows is aligned.
  Value getBytes(OpBuilder &builder, memref::AllocOp op, ValueRange sizes);
  void buildSizeFunction();

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

void Workspace::recordSize() {
  if (isStatic())
    function->setAttr(
        kWorkspaceAttrName,
        IntegerAttr::get(IntegerType::get(function.getContext(), 64),
                         staticBytes));
  else
    buildSizeFunction();
}

/// Builds `<name>_workspace_size`, which repeats the computation of sizes from
/// the dynamic sizes of the arguments.
void Workspace::buildSizeFunction() {
  Location loc = function.getLoc();
  OpBuilder builder(function);
  Type i64 = builder.getI64Type();
  SmallVector<std::pair<BlockArgument, int64_t>> dynamicDims;
  for (BlockArgument argument : function.getArguments().drop_back())
    if (auto type = dyn_cast<MemRefType>(argument.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          dynamicDims.emplace_back(argument, dim);
  SmallVector<Type> inputs(dynamicDims.size(), i64);
  auto sizeFunction = func::FuncOp::create(
      builder, loc, (function.getName() + "_workspace_size").str(),
      builder.getFunctionType(inputs, i64));
  builder.setInsertionPointToStart(sizeFunction.addEntryBlock());
  SmallVector<Value> sizes = llvm::map_to_vector(
      sizeFunction.getArguments(), [&](Value size) -> Value {
        return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                          size);
      });

  SetVector<Operation *> slice;
  for (memref::AllocOp op : allocations)
    for (Value size : op.getDynamicSizes()) {
      BackwardSliceOptions options;
      options.inclusive = true;
      options.filter = [&](Operation *op) {
        return op->getParentOp() == function;
      };
      if (size.getDefiningOp())
        (void)getBackwardSlice(size.getDefiningOp(), &slice, options);
    }
  IRMapping mapping;
  for (Operation *op : topologicalSort(slice)) {
    if (auto dim = dyn_cast<memref::DimOp>(op)) {
      auto source = dyn_cast<BlockArgument>(dim.getSource());
      std::optional<int64_t> constant = dim.getConstantIndex();
      auto *it = source && constant
                     ? llvm::find(dynamicDims, std::pair{source, *constant})
                     : dynamicDims.end();
      if (it != dynamicDims.end()) {
        mapping.map(dim.getResult(), sizes[it - dynamicDims.begin()]);
        continue;
      }
    }
    builder.clone(*op, mapping);
  }
  Value total = arith::ConstantIndexOp::create(builder, loc, 0);
  for (memref::AllocOp op : allocations) {
    SmallVector<Value> dynamicSizes =
        llvm::map_to_vector(op.getDynamicSizes(), [&](Value size) {
          return mapping.lookupOrDefault(size);
        });
    total = arith::AddIOp::create(builder, loc, total,
                                  getBytes(builder, op, dynamicSizes));
  }
  Value bytes = arith::IndexCastOp::create(builder, loc, i64, total);
  func::ReturnOp::create(builder, loc, bytes);
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
      Workspace workspace(function);
      if (failed(workspace.collect()))
        return signalPassFailure();
      workspace.place();
      workspace.recordSize();
      for (memref::AllocOp op :
           llvm::to_vector(function.getOps<memref::AllocOp>()))
        op.erase();
    }
  }
};
} // namespace
