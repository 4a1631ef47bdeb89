//===- InlineKernels.cpp - Launches as loops over work-items ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/InlineKernels.h"
#include "KernelPhases.h"

#include "convoy/Certify/MemoryStates.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::convoy;

bool mlir::convoy::launchesKernels(FunctionOpInterface function) {
  return function->walk([](LaunchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The kernel that `launch` runs, if its loops can take its place; else null.
static gpu::GPUFuncOp findKernel(LaunchOp launch, Operation *symbols) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      symbols, launch.getKernel());
  if (launch.getBatch() || !kernel || kernel.isExternal() ||
      !kernel.getBody().hasOneBlock() || !kernel.getKnownBlockSize() ||
      kernel.getNumPrivateAttributions() > 0)
    return {};
  // Behind these arguments is the memory that a workgroup shares.
  for (auto [buffer, argument] :
       llvm::zip_equal(launch.getBuffers(), kernel.getArgumentTypes())) {
    auto type = cast<ShapedType>(buffer.getType());
    auto flat = dyn_cast<MemRefType>(argument);
    if (!type.hasStaticShape() || !flat || !flat.hasStaticShape() ||
        flat.getElementType() != type.getElementType())
      return {};
  }
  return kernel;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// Loops over the work-items of one launch.
class KernelLoops {
public:
  KernelLoops(LaunchOp launch, gpu::GPUFuncOp kernel)
      : launch(launch), kernel(kernel), builder(launch), loc(launch.getLoc()) {}

  /// Puts them in the place of the launch, unless the kernel does what loops
  /// cannot say.
  void replace();

private:
  /// A buffer that holds what `operand`, a tensor or a buffer, does; one of its
  /// own where that `isWritten`.
  Value getBuffer(Value operand, bool isWritten);
  /// `buffer` as the kernel takes it: its elements in one row.
  Value flatten(Value buffer, MemRefType flat);

  LaunchOp launch;
  gpu::GPUFuncOp kernel;
  OpBuilder builder;
  Location loc;
};
} // namespace

Value KernelLoops::getBuffer(Value operand, bool isWritten) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type)
    return operand;
  auto bufferType = MemRefType::get(type.getShape(), type.getElementType());
  if (!isWritten)
    return bufferization::ToBufferOp::create(builder, loc, bufferType, operand,
                                             /*read_only=*/true);
  Value buffer = memref::AllocOp::create(builder, loc, bufferType);
  bufferization::MaterializeInDestinationOp::create(
      builder, loc, TypeRange(), operand, buffer, /*restrict=*/true,
      /*writable=*/true);
  return buffer;
}

Value KernelLoops::flatten(Value buffer, MemRefType flat) {
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  if (rank == 0)
    return memref::ExpandShapeOp::create(builder, loc, flat, buffer,
                                         ArrayRef<ReassociationIndices>());
  if (rank == 1)
    return buffer;
  auto all = llvm::to_vector<2>(llvm::seq<int64_t>(0, rank));
  return memref::CollapseShapeOp::create(builder, loc, buffer,
                                         ArrayRef<ReassociationIndices>(all));
}

void KernelLoops::replace() {
  Operation *before = launch->getPrevNode();
  IRMapping mapping;
  SmallVector<Value> results;
  size_t numInputs = launch.getInputs().size();
  for (auto [number, operand] : llvm::enumerate(launch.getBuffers())) {
    bool isWritten = number >= numInputs;
    Value buffer = getBuffer(operand, isWritten);
    if (isWritten && buffer != operand)
      results.push_back(buffer);
    Value argument = kernel.getArgument(number);
    mapping.map(argument,
                flatten(buffer, cast<MemRefType>(argument.getType())));
  }
  SmallVector<Value> groups =
      certify::enterLoop(launch.getGrid(), loc, builder);
  LogicalResult made =
      certify::KernelPhases(kernel, mapping, groups, builder).run();
  if (failed(made)) {
    while (launch->getPrevNode() != before)
      launch->getPrevNode()->erase();
    return;
  }
  builder.setInsertionPoint(launch);
  for (auto [result, buffer] : llvm::zip_equal(launch.getResults(), results))
    result.replaceAllUsesWith(bufferization::ToTensorOp::create(
        builder, loc, result.getType(), buffer, /*restrict=*/true));
  launch.erase();
}

void mlir::convoy::inlineKernels(FunctionOpInterface function,
                                 Operation *symbols) {
  SmallVector<LaunchOp> launches;
  function->walk([&](LaunchOp launch) { launches.push_back(launch); });
  if (!launches.empty())
    loadMemoryDialects(*function.getContext());
  for (LaunchOp launch : launches)
    if (gpu::GPUFuncOp kernel = findKernel(launch, symbols))
      KernelLoops(launch, kernel).replace();
}
