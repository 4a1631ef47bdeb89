//===- SizeFunction.cpp - Functions of a kernel's dynamic sizes -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/SizeFunction.h"

#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::convoy;

SizeFunction::SizeFunction(func::FuncOp kernel, StringRef name, Type result)
    : kernel(kernel), builder(kernel) {
  Location loc = kernel.getLoc();
  std::optional<KernelInterface> interface = getKernelInterface(kernel);
  for (const KernelSize &size : interface->getSizes())
    dims.emplace_back(kernel.getArgument(size.argument), size.dim);
  SmallVector<Type> inputs(dims.size(), builder.getI64Type());
  function = func::FuncOp::create(builder, loc, name,
                                  builder.getFunctionType(inputs, result));
  builder.setInsertionPointToStart(function.addEntryBlock());
  for (Value size : function.getArguments())
    indices.push_back(
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), size));
}

FailureOr<SmallVector<Operation *>>
mlir::convoy::getSizeSlice(func::FuncOp kernel, ValueRange values) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return op->getParentOp() == kernel; };
  for (Value value : values)
    if (value.getDefiningOp() &&
        failed(getBackwardSlice(value.getDefiningOp(), &slice, options)))
      return value.getDefiningOp()->emitOpError("has no slice");
  slice = topologicalSort(slice);
  for (Operation *op : slice)
    if (!isMemoryEffectFree(op))
      return op->emitOpError("decides a size, but depends on more than the "
                             "sizes of arguments");
  return SmallVector<Operation *>(slice.begin(), slice.end());
}

LogicalResult SizeFunction::compute(ValueRange values) {
  FailureOr<SmallVector<Operation *>> slice = getSizeSlice(kernel, values);
  if (failed(slice))
    return failure();
  for (Operation *op : *slice) {
    if (mapping.contains(op->getResult(0)))
      continue;
    auto dim = dyn_cast<memref::DimOp>(op);
    std::optional<int64_t> constant =
        dim ? dim.getConstantIndex() : std::nullopt;
    auto *it =
        constant
            ? llvm::find(dims, std::pair{Value(dim.getSource()), *constant})
            : dims.end();
    if (it == dims.end())
      builder.clone(*op, mapping);
    else
      mapping.map(dim.getResult(), indices[it - dims.begin()]);
  }
  return success();
}

void SizeFunction::createReturn(Value value) {
  func::ReturnOp::create(builder, kernel.getLoc(), value);
}
