//===- InlineKernels.cpp - Launches as loops over work-items ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/InlineKernels.h"
#include "Comparison/Comparison.h"
#include "Effects.h"
#include "KernelPhases.h"

#include "convoy/Certify/MemoryStates.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

bool mlir::convoy::launchesKernels(FunctionOpInterface function) {
  return function->walk([](LaunchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// An op of `kernel`, or the kernel itself, that says that there are fewer
/// workgroups, work-items, lanes or subgroups than in `launch`, or null.
static Operation *findOtherSizes(gpu::GPUFuncOp kernel, LaunchOp launch) {
  ArrayRef<int32_t> items = *kernel.getKnownBlockSize();
  std::optional<ArrayRef<int32_t>> grid = kernel.getKnownGridSize();
  bool isOther =
      (grid && !llvm::equal(*grid, launch.getGrid())) ||
      kernel.getKnownClusterSize() ||
      llvm::any_of(kernel->getDiscardableAttrs(), [](NamedAttribute attribute) {
        return attribute.getName().getValue().starts_with("gpu.known_");
      });
  if (isOther)
    return kernel;
  Operation *other = nullptr;
  auto check = [&](Operation *op, std::optional<APInt> bound, int64_t count) {
    if (bound && bound->slt(count))
      other = op;
  };
  kernel.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](gpu::BlockIdOp id) {
          check(id, id.getUpperBound(),
                launch.getGrid()[unsigned(id.getDimension())]);
        })
        .Case([&](gpu::ThreadIdOp id) {
          check(id, id.getUpperBound(), items[unsigned(id.getDimension())]);
        })
        // There are as many subgroups, or lanes of one, as work-items at most.
        .Case<gpu::SubgroupIdOp, gpu::LaneIdOp>([&](auto id) {
          check(id, id.getUpperBound(), llvm::product_of(items));
        });
  });
  return other;
}

/// The kernel that `launch` runs, if its loops can take its place; else null,
/// and `obstacle` tells why.
static gpu::GPUFuncOp findKernel(LaunchOp launch, Operation *symbols,
                                 certify::FirstObstacle &obstacle) {
  auto fail = [&](Operation *op, StringRef reason) {
    (void)obstacle.undecided(op, reason);
    return gpu::GPUFuncOp();
  };
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      symbols, launch.getKernel());
  bool isRead = kernel && !kernel.isExternal() &&
                kernel.getBody().hasOneBlock() && kernel.getKnownBlockSize() &&
                kernel.getNumPrivateAttributions() == 0;
  if (!isRead)
    return fail(kernel ? kernel.getOperation() : launch.getOperation(),
                "a kernel without one block and workgroups of a known size, or "
                "with memory of work-items");
  if (Operation *other = findOtherSizes(kernel, launch))
    return fail(other, "a size or a bound that may not be that of the launch");
  if (makesPromises(kernel))
    return fail(kernel, "a promise to LLVM");
  // Behind these arguments is the memory that a workgroup shares.
  bool isStatic = !launch.getBatch();
  for (auto [buffer, argument] :
       llvm::zip(launch.getBuffers(), kernel.getArgumentTypes())) {
    auto type = cast<ShapedType>(buffer.getType());
    auto flat = dyn_cast<MemRefType>(argument);
    isStatic = isStatic && type.hasStaticShape() && flat &&
               flat.hasStaticShape() &&
               flat.getElementType() == type.getElementType();
  }
  if (!isStatic)
    return fail(launch, "a grid, or buffers, of a size that is not known");
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
  /// cannot say, of which `obstacle` tells.
  void replace(certify::FirstObstacle &obstacle);

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

void KernelLoops::replace(certify::FirstObstacle &obstacle) {
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
      certify::KernelPhases(kernel, mapping, groups, builder, obstacle).run();
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

/// What is not read of the kernel that `launch` runs.
static StringAttr describe(const certify::Obstacle &obstacle, LaunchOp launch) {
  std::string text = obstacle.reason;
  if (obstacle.op != launch)
    text = certify::describeOrigin(obstacle.op) + ": " + text;
  return StringAttr::get(launch.getContext(), text);
}

void mlir::convoy::inlineKernels(FunctionOpInterface function,
                                 Operation *symbols) {
  SmallVector<LaunchOp> launches;
  function->walk([&](LaunchOp launch) { launches.push_back(launch); });
  if (!launches.empty())
    loadMemoryDialects(*function.getContext());
  for (LaunchOp launch : launches) {
    certify::FirstObstacle obstacle;
    if (gpu::GPUFuncOp kernel = findKernel(launch, symbols, obstacle))
      KernelLoops(launch, kernel).replace(obstacle);
    if (obstacle.get().op)
      launch->setAttr(certify::kObstacleAttrName,
                      describe(obstacle.get(), launch));
  }
}
