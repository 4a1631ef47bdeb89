//===- KernelBuilder.cpp - One kernel and its launch ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::convoy;

static MemRefType getFlatType(Value operand) {
  auto type = cast<ShapedType>(operand.getType());
  return MemRefType::get({type.getNumElements()}, type.getElementType());
}

KernelBuilder::KernelBuilder(gpu::GPUModuleOp module, StringRef name,
                             Location loc, Value output)
    : builder(module.getContext()), output(output) {
  builder.setInsertionPointToEnd(module.getBody());
  kernel = gpu::GPUFuncOp::create(
      builder, loc, name, builder.getFunctionType(getFlatType(output), {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  builder.setInsertionPointToStart(&kernel.getBody().front());
}

Value KernelBuilder::getInput(Value tensor) {
  auto known = llvm::find(inputs, tensor);
  unsigned position = known - inputs.begin();
  if (known == inputs.end()) {
    (void)kernel.insertArgument(position, getFlatType(tensor), {}, getLoc());
    inputs.push_back(tensor);
  }
  return kernel.getArgument(position);
}

Value KernelBuilder::getOutput() {
  return kernel.getArgument(kernel.getNumArguments() - 1);
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

Value KernelBuilder::getGroup(gpu::Dimension dimension, int64_t size) {
  if (size == 1)
    return arith::ConstantIndexOp::create(builder, getLoc(), 0);
  return gpu::BlockIdOp::create(builder, getLoc(), dimension);
}

LaunchOp KernelBuilder::finish(OpBuilder &host, LaunchSizes items,
                               LaunchSizes grid) {
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
  return LaunchOp::create(host, getLoc(), results, symbol,
                          host.getDenseI64ArrayAttr(grid), inputs, output);
}
