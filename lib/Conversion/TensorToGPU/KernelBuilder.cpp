//===- KernelBuilder.cpp - One kernel and its launch ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;

static bool isDynamic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

/// The argument of `function` that says what the batch is, or null.
static Value getArgumentOfBatch(FunctionOpInterface function) {
  for (Value argument : function.getArguments())
    if (isDynamic(argument.getType()))
      return argument;
  return {};
}

LogicalResult mlir::convoy::checkHasBatch(Operation *op) {
  bool dependsOnBatch = llvm::any_of(op->getOperandTypes(), isDynamic) ||
                        llvm::any_of(op->getResultTypes(), isDynamic);
  if (dependsOnBatch &&
      !getArgumentOfBatch(op->getParentOfType<FunctionOpInterface>()))
    return op->emitOpError("expected an argument of the function that has its "
                           "dynamic size");
  return success();
}

Value mlir::convoy::getBatchOfHost(OpBuilder &host, Location loc) {
  Operation *parent = host.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(parent);
  if (!function)
    function = parent->getParentOfType<FunctionOpInterface>();
  Value argument = getArgumentOfBatch(function);
  auto type = cast<ShapedType>(argument.getType());
  int64_t dim = llvm::find_if(type.getShape(), ShapedType::isDynamic) -
                type.getShape().begin();
  if (isa<MemRefType>(type))
    return cast<Value>(memref::getMixedSize(host, loc, argument, dim));
  return cast<Value>(tensor::getMixedSize(host, loc, argument, dim));
}

KernelBuilder::KernelBuilder(gpu::GPUModuleOp module, StringRef name,
                             Location loc, Value output)
    : builder(module.getContext()), output(output) {
  builder.setInsertionPointToEnd(module.getBody());
  kernel = gpu::GPUFuncOp::create(
      builder, loc, name,
      builder.getFunctionType(getFlatType(cast<ShapedType>(output.getType())),
                              {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  builder.setInsertionPointToStart(&kernel.getBody().front());
}

Value KernelBuilder::emitAtStart(function_ref<Value(OpBuilder &)> emit) {
  OpBuilder::InsertionGuard restore(builder);
  if (lastAtStart)
    builder.setInsertionPointAfter(lastAtStart);
  else
    builder.setInsertionPointToStart(&kernel.getBody().front());
  Value value = emit(builder);
  Block::iterator next = builder.getInsertionPoint();
  if (next != builder.getInsertionBlock()->begin())
    lastAtStart = &*std::prev(next);
  return value;
}

Value KernelBuilder::getInput(Value tensor) {
  auto known = llvm::find(inputs, tensor);
  unsigned position = known - inputs.begin();
  if (known == inputs.end()) {
    (void)kernel.insertArgument(position,
                                getFlatType(cast<ShapedType>(tensor.getType())),
                                {}, getLoc());
    inputs.push_back(tensor);
  }
  return kernel.getArgument(position);
}

Value KernelBuilder::getOutput() { return kernel.getArgument(inputs.size()); }

Value KernelBuilder::getBatch() {
  if (batch)
    return batch;
  unsigned position = kernel.getNumArguments();
  (void)kernel.insertArgument(position, builder.getI32Type(), {}, getLoc());
  batch = emitAtStart([&](OpBuilder &atStart) {
    return arith::IndexCastOp::create(atStart, getLoc(), atStart.getIndexType(),
                                      kernel.getArgument(position));
  });
  return batch;
}

Value KernelBuilder::addWorkgroupBuffer(Type element, int64_t size) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  return kernel.addWorkgroupAttribution(
      MemRefType::get({size}, element, MemRefLayoutAttrInterface(), space),
      getLoc());
}

Value KernelBuilder::getItem(gpu::Dimension dimension, int64_t size) {
  if (size == 1)
    return arith::ConstantIndexOp::create(builder, getLoc(), 0);
  return gpu::ThreadIdOp::create(builder, getLoc(), dimension);
}

Value KernelBuilder::getSubgroup() {
  if (!subgroup)
    subgroup = emitAtStart([&](OpBuilder &atStart) {
      return gpu::SubgroupIdOp::create(atStart, getLoc(),
                                       /*upper_bound=*/IntegerAttr());
    });
  return subgroup;
}

Value KernelBuilder::getLane() {
  if (!lane)
    lane = emitAtStart([&](OpBuilder &atStart) {
      return gpu::LaneIdOp::create(atStart, getLoc(),
                                   /*upper_bound=*/IntegerAttr());
    });
  return lane;
}

Value KernelBuilder::getGroup(gpu::Dimension dimension, int64_t size) {
  if (size == 1)
    return arith::ConstantIndexOp::create(builder, getLoc(), 0);
  return gpu::BlockIdOp::create(builder, getLoc(), dimension);
}

LaunchOp KernelBuilder::finish(OpBuilder &host, LaunchSizes items,
                               const LaunchGrid &grid, SliceAttr written) {
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(builder, getLoc());
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(
      {int32_t(items[0]), int32_t(items[1]), int32_t(items[2])}));
  auto symbol = SymbolRefAttr::get(
      kernel->getParentOfType<gpu::GPUModuleOp>().getSymNameAttr(),
      FlatSymbolRefAttr::get(kernel.getNameAttr()));
  SmallVector<Type> results;
  if (isa<TensorType>(output.getType()))
    results.push_back(output.getType());
  bool dependsOnBatch = batch || !grid.groups.empty() ||
                        isDynamic(output.getType()) ||
                        llvm::any_of(ValueRange(inputs).getTypes(), isDynamic);
  return LaunchOp::create(
      host, getLoc(), results, symbol, host.getDenseI64ArrayAttr(grid.sizes),
      dependsOnBatch ? getBatchOfHost(host, getLoc()) : Value(),
      grid.groups.empty() ? DenseI64ArrayAttr()
                          : host.getDenseI64ArrayAttr(grid.groups),
      written, inputs, output);
}

Value mlir::convoy::scale(OpBuilder &builder, Location loc, Value value,
                          int64_t factor) {
  return builder.createOrFold<arith::MulIOp>(
      loc, value, arith::ConstantIndexOp::create(builder, loc, factor));
}
