//===- TensorToGPU.cpp - Ops on tensors to kernels and launches -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/TensorToGPU.h"

#include "ContractionKernel.h"
#include "Element.h"
#include "ElementKernel.h"
#include "GradientKernel.h"
#include "ScatterKernel.h"

#include "convoy/Conversion/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Turns the ops of one function into launches.
class KernelOutliner {
public:
  KernelOutliner(func::FuncOp function, gpu::GPUModuleOp module)
      : function(function), module(module), host(function.getContext()) {}

  LogicalResult outline();

private:
  LogicalResult outlineOp(Operation &op);
  LogicalResult outlineResult(OpResult result);
  /// Builds the kernel of `store` and its launch, and returns the latter's
  /// result.
  FailureOr<Value> outlineStore(const ElementStore &store);
  /// The same, and lets the result take the place of `replaced`.
  LogicalResult outlineStore(Value replaced, const ElementStore &store);
  LogicalResult outlineTiles(scf::ForallOp tiles);
  LogicalResult outlineGradient(GridSampleBackwardInputOp op);
  LogicalResult outlineScatter(ScatterAddOp op);
  /// The tensor that the result `source` of an op with the init `target` is to
  /// be written to.
  Value getDestination(Value source, Value target);
  std::string getNextName() {
    return (function.getSymName() + "_" + Twine(count++)).str();
  }
  /// An empty tensor of this type.
  Value createEmpty(Location loc, RankedTensorType type);
  /// Says once what the batch is: what else tells it may go away.
  void unifyBatch();
  FailureOr<ElementStore> getStore(tensor::InsertSliceOp op);

  func::FuncOp function;
  gpu::GPUModuleOp module;
  OpBuilder host;
  unsigned count = 0;
};
} // namespace

/// The store of all of `source` to `target`.
static ElementStore getWholeStore(Value source, Value target) {
  int64_t rank = cast<RankedTensorType>(source.getType()).getRank();
  return {source, target, SmallVector<int64_t>(rank, 0),
          SmallVector<int64_t>(rank, 1), llvm::SmallBitVector(rank)};
}

Value KernelOutliner::getDestination(Value source, Value target) {
  while (isInlined(target)) {
    auto producer = target.getDefiningOp<linalg::LinalgOp>();
    if (!producer)
      break;
    target =
        producer.getDpsInitOperand(cast<OpResult>(target).getResultNumber())
            ->get();
  }
  // All of it is written: a slice of another tensor would be copied back.
  if (isInMemory(target) && target.getType() == source.getType())
    return target;
  return createEmpty(source.getLoc(), cast<RankedTensorType>(source.getType()));
}

Value KernelOutliner::createEmpty(Location loc, RankedTensorType type) {
  SmallVector<Value> sizes;
  if (!type.hasStaticShape())
    sizes.push_back(getBatchOfHost(host, loc));
  return tensor::EmptyOp::create(host, loc, type, sizes);
}

void KernelOutliner::unifyBatch() {
  SmallVector<Operation *> ops;
  for (Operation &op : function.getBody().front())
    if (isa<tensor::DimOp, memref::DimOp>(op) &&
        !cast<ShapedType>(op.getOperand(0).getType()).hasStaticShape())
      ops.push_back(&op);
  if (ops.empty())
    return;
  host.setInsertionPointToStart(&function.getBody().front());
  Value batch = getBatchOfHost(host, function.getLoc());
  for (Operation *op : ops) {
    op->replaceAllUsesWith(ValueRange(batch));
    op->erase();
  }
}

FailureOr<ElementStore> KernelOutliner::getStore(tensor::InsertSliceOp op) {
  ElementStore store = {
      op.getSource(), op.getDest(), {}, {}, op.getDroppedDims()};
  for (auto [offset, stride] :
       llvm::zip_equal(op.getMixedOffsets(), op.getMixedStrides())) {
    std::optional<int64_t> first = getConstantIntValue(offset);
    std::optional<int64_t> step = getConstantIntValue(stride);
    if (!first || !step)
      return op.emitOpError("expected a slice at a static place");
    if (*first < 0 || *step < 1)
      return op.emitOpError("expected offsets from 0 on and positive strides, "
                            "but got ")
             << *first << " and " << *step;
    store.offsets.push_back(*first);
    store.strides.push_back(*step);
  }
  return store;
}

LogicalResult KernelOutliner::outlineTiles(scf::ForallOp tiles) {
  if (tiles.getNumResults() != 1)
    return tiles.emitOpError("expected one result");
  Value result = tiles.getResult(0);
  auto insert = result.hasOneUse()
                    ? dyn_cast<tensor::InsertSliceOp>(*result.user_begin())
                    : nullptr;
  if (!insert || insert.getSource() != result)
    return outlineStore(
        result,
        getWholeStore(result, getDestination(result, tiles.getOutputs()[0])));
  // Tiles of a slice are written to where it is inserted.
  host.setInsertionPoint(insert);
  FailureOr<ElementStore> store = getStore(insert);
  return success(succeeded(store) &&
                 succeeded(outlineStore(insert.getResult(), *store)));
}

LogicalResult KernelOutliner::outlineGradient(GridSampleBackwardInputOp op) {
  if (!op.getType().getElementType().isF32())
    return op.emitOpError("expected a result of f32, as "
                          "convoy-decompose-sampling leaves it");
  FailureOr<Value> result = buildImageGradientKernel(
      host, module, getNextName(), op, createEmpty(op.getLoc(), op.getType()));
  if (failed(result))
    return failure();
  op.replaceAllUsesWith(*result);
  return success();
}

LogicalResult KernelOutliner::outlineScatter(ScatterAddOp op) {
  FailureOr<Value> result = buildScatterKernel(
      host, module, getNextName(), op, createEmpty(op.getLoc(), op.getType()));
  if (succeeded(result))
    op.getResult().replaceAllUsesWith(*result);
  return result;
}

FailureOr<Value> KernelOutliner::outlineStore(const ElementStore &store) {
  std::string name = getNextName();
  auto loop = store.source.getDefiningOp<scf::ForallOp>();
  bool isTiled =
      loop && loop->walk([](linalg::GenericOp op) {
                    return op->hasAttr(WorkgroupTileAttr::getAttrName())
                               ? WalkResult::interrupt()
                               : WalkResult::advance();
                  })
                  .wasInterrupted();
  return isTiled ? buildContractionKernel(host, module, name, store)
                 : buildElementKernel(host, module, name, store);
}

LogicalResult KernelOutliner::outlineStore(Value replaced,
                                           const ElementStore &store) {
  FailureOr<Value> result = outlineStore(store);
  if (failed(result))
    return failure();
  replaced.replaceAllUsesWith(*result);
  return success();
}

/// Whether `use` takes a tensor as it lies in memory, not element by element.
static bool isUsedInMemory(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
    return llvm::any_of(user->getUses(), isUsedInMemory);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
    return use == insert.getDestMutable();
  return isa<bufferization::MaterializeInDestinationOp, func::ReturnOp>(user);
}

LogicalResult KernelOutliner::outlineResult(OpResult result) {
  if (result.use_empty())
    return success();
  Operation *op = result.getOwner();
  bool isView = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
  bool isStored = llvm::any_of(result.getUses(), isUsedInMemory);
  if (isView || (isInlined(result) && !isStored))
    return success();
  if (isInlined(result)) {
    // Who reads elements goes on without memory.
    FailureOr<Value> stored = outlineStore(getWholeStore(
        result,
        createEmpty(op->getLoc(), cast<RankedTensorType>(result.getType()))));
    if (succeeded(stored))
      result.replaceUsesWithIf(*stored, isUsedInMemory);
    return stored;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  Value target =
      linalgOp
          ? getDestination(
                result,
                linalgOp.getDpsInitOperand(result.getResultNumber())->get())
          : createEmpty(op->getLoc(), cast<RankedTensorType>(result.getType()));
  return outlineStore(result, getWholeStore(result, target));
}

LogicalResult KernelOutliner::outlineOp(Operation &op) {
  host.setInsertionPoint(&op);
  if (op.use_empty())
    return success();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    FailureOr<ElementStore> store = getStore(insert);
    return success(succeeded(store) &&
                   succeeded(outlineStore(insert.getResult(), *store)));
  }
  if (auto tiles = dyn_cast<scf::ForallOp>(op))
    return outlineTiles(tiles);
  if (auto gradient = dyn_cast<GridSampleBackwardInputOp>(op))
    return outlineGradient(gradient);
  if (auto scatter = dyn_cast<ScatterAddOp>(op))
    return outlineScatter(scatter);
  if (isa<linalg::GenericOp, linalg::FillOp, tensor::PadOp, tensor::SplatOp,
          Im2colOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, arith::ConstantOp>(op)) {
    // Constants are read as they are.
    if (isa<arith::ConstantOp>(op))
      host.setInsertionPointAfter(&op);
    for (OpResult result : op.getResults())
      if (isa<TensorType>(result.getType()) && failed(outlineResult(result)))
        return failure();
    return success();
  }
  bool makesTensors = llvm::any_of(
      op.getResultTypes(), [](Type type) { return isa<TensorType>(type); });
  if (makesTensors && !isa<tensor::EmptyOp, bufferization::ToTensorOp>(op))
    return op.emitOpError("expected nothing but what convoy-generalize-ops "
                          "leaves, of which kernels of GPUs are made");
  return success();
}

/// Refuses a contraction whose tile nothing goes through.
static LogicalResult checkIsTiled(Operation *op) {
  if (auto tile = op->getAttrOfType<WorkgroupTileAttr>(
          WorkgroupTileAttr::getAttrName()))
    return op->emitOpError()
           << "does not fit " << tile << ": expected an scf.forall around it";
  return success();
}

LogicalResult KernelOutliner::outline() {
  for (Operation &op : function.getBody().front().without_terminator())
    if (failed(checkHasBatch(&op)) || failed(checkIsTiled(&op)))
      return failure();
  unifyBatch();
  SmallVector<Operation *> ops;
  for (Operation &op : function.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(outlineOp(*op)))
      return failure();
  // What was inlined is left without users.
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
  return success();
}

/// Adds a kernel that does nothing: binaries for GPUs have at least one.
static void addIdleKernel(gpu::GPUModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto kernel = gpu::GPUFuncOp::create(builder, module.getLoc(), "idle",
                                       builder.getFunctionType({}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr({1, 1, 1}));
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(builder, module.getLoc());
}

namespace {
struct OutlineKernelsPass final
    : mlir::convoy::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto module = gpu::GPUModuleOp::create(builder, getOperation().getLoc(),
                                           kKernelModuleName);
    SymbolTable(getOperation()).insert(module);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          failed(KernelOutliner(function, module).outline()))
        return signalPassFailure();
    // What launches read is written before them, or an op was not understood.
    if (failed(verify(getOperation())))
      return signalPassFailure();
    if (module.getOps<gpu::GPUFuncOp>().empty())
      addIdleKernel(module);
  }
};
} // namespace
