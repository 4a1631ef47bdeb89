//===- GPUToHost.cpp - Converts kernels to functions of the host *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCheck.h"
#include "MatrixOperation.h"
#include "MatrixPart.h"

#include "convoy/Conversion/Passes.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Dialect/Convoy/IR/KernelSignature.h"
#include "convoy/Transforms/GPUKernels/IndexWidth.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CONVERTGPUTOHOSTPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// What kernels call: see convoy/Runtime/SimulatedKernel.h.
static constexpr StringLiteral kBarrier = "convoy_simulated_barrier";
static constexpr StringLiteral kRead = "convoy_simulated_read";
static constexpr StringLiteral kWrite = "convoy_simulated_write";
static constexpr StringLiteral kMultiply = "convoy_simulated_multiply";

/// The registers of a work-item's matrices.
static MemRefType getRegistersType(MLIRContext *context) {
  return MemRefType::get({MatrixOperation::kMaxRegisters},
                         IntegerType::get(context, 32));
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static MemRefType getHostType(MemRefType buffer) {
  MemRefType type = getLargestType(buffer);
  return MemRefType::get(type.getShape(), type.getElementType());
}

namespace {
/// Converts one kernel, which `checkKernel` has taken.
class KernelConverter {
public:
  KernelConverter(gpu::GPUFuncOp kernel,
                  const ConvertGPUToHostPassOptions &options)
      : kernel(kernel), options(options), builder(kernel), loc(kernel.getLoc()),
        blockSize(*kernel.getKnownBlockSize()), wave(getWave(kernel)) {}

  void convert() {
    collectOperations();
    createLayout();
    func::FuncOp function = createFunction();
    if (lane)
      divideMatrices(function, emitPart(), wave);
    function.walk([&](Operation *op) { convertOp(op); });
  }

private:
  void collectOperations();
  /// Builds the function `<kernel>.layout`, which tells one number at a time.
  void createLayout();
  SmallVector<int64_t> getLayout();
  /// Moves the kernel's body into a function of the same name.
  func::FuncOp createFunction();
  void convertOp(Operation *op);
  /// Replaces `op`, which has one result, by `value`.
  void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
  void convertBarrier(gpu::BarrierOp op);
  void convertMatrixOperation(Operation *op, int64_t operation);
  /// Makes the numbers of the work-item's wave and of itself in it.
  void emitWave();
  /// Makes the number of the part that the work-item has of each matrix.
  Value emitPart();
  /// Lets `op` access `count` elements of `buffer` from `index` on only where
  /// `check` allows that.
  void guard(Operation *op, StringRef check, Value buffer, Value index,
             int64_t count);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  gpu::GPUFuncOp kernel;
  const ConvertGPUToHostPassOptions &options;
  OpBuilder builder;
  Location loc;
  SmallVector<int32_t> blockSize;
  int64_t wave; ///< work-items that run in step
  Value item;
  bool usesLanes = false;           ///< whether there are ops of subgroups
  Value subgroup, lane;             ///< for these; see emitWave
  SmallVector<Value> group, local;  ///< ids along x, y, z
  DenseMap<Value, int64_t> numbers; ///< of buffers
  int64_t barriers = 0;
  /// What matrix instructions compute, each once, and all of them.
  SmallVector<std::array<int64_t, 10>> operations;
  DenseMap<Operation *, int64_t> operationNumbers;
  int64_t multiplications = 0;
  Value registers; ///< those that matrix instructions take
};
} // namespace

void KernelConverter::collectOperations() {
  kernel.walk([&](Operation *op) {
    std::optional<MatrixOperation> operation =
        getMatrixOperation(op, wave, options.pairwiseSums);
    if (operation) {
      auto *known = llvm::find(operations, operation->numbers);
      operationNumbers[op] = known - operations.begin();
      if (known == operations.end())
        operations.push_back(operation->numbers);
    }
    usesLanes |= isa<gpu::SubgroupIdOp, gpu::LaneIdOp>(op) ||
                 canDivideMatrices(op, wave);
  });
}

SmallVector<int64_t> KernelConverter::getLayout() {
  SmallVector<int64_t> numbers{options.checks};
  llvm::append_range(numbers, blockSize);
  int64_t sizes = getBatch(kernel) ? 1 : 0;
  numbers.push_back(sizes);
  numbers.push_back(kernel.getNumArguments() - sizes);
  numbers.push_back(kernel.getNumWorkgroupAttributions());
  for (Type type : kernel.getBody().getArgumentTypes()) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (!buffer)
      continue;
    numbers.push_back(buffer.hasStaticShape() ? buffer.getNumElements() : -1);
    numbers.push_back(getElementBytes(buffer.getElementType()));
  }
  numbers.push_back(operations.size());
  for (const auto &operation : operations)
    llvm::append_range(numbers, operation);
  return numbers;
}

void KernelConverter::createLayout() {
  SmallVector<int64_t> numbers = getLayout();
  Type index = builder.getIndexType();
  int64_t count = numbers.size();
  auto type = MemRefType::get({count}, builder.getI64Type());
  std::string name = (kernel.getName() + ".layout").str();
  auto global = memref::GlobalOp::create(
      builder, loc, name + ".numbers", builder.getStringAttr("private"), type,
      builder.getI64TensorAttr(numbers), /*constant=*/true,
      /*alignment=*/IntegerAttr());
  auto function = func::FuncOp::create(builder, loc, name,
                                       builder.getFunctionType(index, index));
  Block *body = function.addEntryBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(body);
  Value table =
      memref::GetGlobalOp::create(builder, loc, type, global.getSymName());
  Value number =
      memref::LoadOp::create(builder, loc, table, body->getArgument(0));
  Value result = arith::IndexCastOp::create(builder, loc, index, number);
  func::ReturnOp::create(builder, loc, result);
}

func::FuncOp KernelConverter::createFunction() {
  Type index = builder.getIndexType();
  Block &body = kernel.getBody().front();
  BlockArgument batch = getBatch(kernel);
  for (BlockArgument buffer : body.getArguments()) {
    if (buffer == batch)
      continue;
    numbers.insert({buffer, numbers.size()});
    buffer.setType(getHostType(cast<MemRefType>(buffer.getType())));
  }
  // In front of the buffers: the work-item, its group's ids and its own, and
  // the batch.
  item = body.insertArgument(0u, index, loc);
  for (unsigned place = 1; place <= 6; ++place)
    (place <= 3 ? group : local)
        .push_back(body.insertArgument(place, index, loc));
  if (batch) {
    OpBuilder start = OpBuilder::atBlockBegin(&body);
    Value size = body.insertArgument(7u, index, loc);
    batch.replaceAllUsesWith(
        arith::IndexCastOp::create(start, loc, batch.getType(), size));
    body.eraseArgument(batch.getArgNumber());
  }
  auto function = func::FuncOp::create(
      builder, loc, kernel.getName(),
      builder.getFunctionType(body.getArgumentTypes(), {}));
  function.getBody().takeBody(kernel.getBody());
  kernel.erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  if (!operations.empty())
    registers = memref::AllocaOp::create(
        builder, loc, getRegistersType(builder.getContext()));
  if (usesLanes)
    emitWave();
  return function;
}

void KernelConverter::emitWave() {
  // x + size_x * (y + size_y * z)
  Value number = local[2];
  for (int dim : {1, 0}) {
    Value scaled =
        arith::MulIOp::create(builder, loc, number, constant(blockSize[dim]));
    number = arith::AddIOp::create(builder, loc, local[dim], scaled);
  }
  subgroup = arith::DivUIOp::create(builder, loc, number, constant(wave));
  lane = arith::RemUIOp::create(builder, loc, number, constant(wave));
}

Value KernelConverter::emitPart() {
  // The lane's bits, turned by one: parts of neighbors lie apart, so that
  // kernels cannot rest on who has what.
  builder.setInsertionPointAfterValue(lane);
  Value rest = arith::DivUIOp::create(builder, loc, lane, constant(2));
  Value last = arith::RemUIOp::create(builder, loc, lane, constant(2));
  Value half = arith::MulIOp::create(builder, loc, last, constant(wave / 2));
  return arith::AddIOp::create(builder, loc, rest, half);
}

void KernelConverter::convertBarrier(gpu::BarrierOp op) {
  builder.setInsertionPoint(op);
  func::CallOp::create(builder, loc, kBarrier, TypeRange(),
                       ValueRange{item, constant(barriers++)});
  op->erase();
}

/// `value`, a number or a vector, as a vector of registers of 32 bits.
static Value createRegisters(OpBuilder &builder, Location loc, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type) {
    type = VectorType::get({1}, value.getType());
    value = vector::BroadcastOp::create(builder, loc, type, value);
  }
  int64_t count =
      type.getNumElements() * getElementBits(type.getElementType()) / 32;
  return vector::BitCastOp::create(
      builder, loc, VectorType::get({count}, builder.getI32Type()), value);
}

void KernelConverter::convertMatrixOperation(Operation *op, int64_t operation) {
  int64_t place = 0;
  Value start;
  VectorType type;
  // A, B and C.
  for (Value matrix : op->getOperands().take_front(3)) {
    Value values = createRegisters(builder, loc, matrix);
    type = cast<VectorType>(values.getType());
    start = constant(place);
    vector::StoreOp::create(builder, loc, values, registers, start);
    place += type.getNumElements();
  }
  func::CallOp::create(builder, loc, kMultiply, TypeRange(),
                       ValueRange{item, constant(multiplications++),
                                  constant(operation), registers});
  // D is where C was.
  Value sums = vector::LoadOp::create(builder, loc, type, registers, start);
  replace(op, vector::BitCastOp::create(builder, loc,
                                        op->getResult(0).getType(), sums));
}

void KernelConverter::guard(Operation *op, StringRef check, Value buffer,
                            Value index, int64_t count) {
  if (!options.checks)
    return;
  builder.setInsertionPoint(op);
  SmallVector<Value> arguments{item, constant(numbers.at(buffer)), index,
                               constant(count)};
  Value answer = func::CallOp::create(builder, loc, check,
                                      builder.getIndexType(), arguments)
                     .getResult(0);
  Value allowed = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                        answer, constant(0));
  bool isLoad = op->getNumResults() == 1;
  auto branch = scf::IfOp::create(builder, loc, op->getResultTypes(), allowed,
                                  /*withElseRegion=*/isLoad);
  if (!isLoad) {
    op->moveBefore(branch.thenBlock()->getTerminator());
    return;
  }
  op->replaceAllUsesWith(branch);
  op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  builder.setInsertionPointAfter(op);
  scf::YieldOp::create(builder, loc, op->getResults());
  builder.setInsertionPointToStart(branch.elseBlock());
  Type type = branch.getResult(0).getType();
  Value zero =
      arith::ConstantOp::create(builder, loc, type, builder.getZeroAttr(type));
  scf::YieldOp::create(builder, loc, zero);
}

/// The elements of a buffer of `type` that one access to `vector` takes.
static int64_t countElements(VectorType vector, MemRefType type) {
  return isa<VectorType>(type.getElementType()) ? 1 : vector.getNumElements();
}

void KernelConverter::convertOp(Operation *op) {
  loc = op->getLoc();
  builder.setInsertionPoint(op);
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    replace(op, local[unsigned(id.getDimension())]);
  } else if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
    replace(op, group[unsigned(id.getDimension())]);
  } else if (auto size = dyn_cast<gpu::BlockDimOp>(op)) {
    replace(op, constant(blockSize[unsigned(size.getDimension())]));
  } else if (auto barrier = dyn_cast<gpu::BarrierOp>(op)) {
    convertBarrier(barrier);
  } else if (isa<amdgpu::SchedBarrierOp>(op)) {
    // A work-item's operations are executed one after the other anyway.
    op->erase();
  } else if (auto known = operationNumbers.find(op);
             known != operationNumbers.end()) {
    convertMatrixOperation(op, known->second);
  } else if (isa<gpu::SubgroupIdOp>(op)) {
    replace(op, subgroup);
  } else if (isa<gpu::LaneIdOp>(op)) {
    replace(op, lane);
  } else if (isa<gpu::ReturnOp>(op)) {
    func::ReturnOp::create(builder, loc);
    op->erase();
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    guard(op, kRead, load.getMemRef(), load.getIndices()[0], 1);
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    guard(op, kWrite, store.getMemRef(), store.getIndices()[0], 1);
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    guard(op, kRead, load.getBase(), load.getIndices()[0],
          countElements(load.getVectorType(), load.getMemRefType()));
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    guard(op, kWrite, store.getBase(), store.getIndices()[0],
          countElements(store.getVectorType(), store.getMemRefType()));
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Declares what kernels call at the start of `module`.
static void declareCalls(ModuleOp module, bool checks) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type index = builder.getIndexType();
  auto declare = [&](StringRef name, TypeRange inputs, TypeRange results) {
    func::FuncOp::create(builder, module.getLoc(), name,
                         builder.getFunctionType(inputs, results))
        .setPrivate();
  };
  declare(kBarrier, {index, index}, {});
  declare(kMultiply,
          {index, index, index, getRegistersType(module.getContext())}, {});
  if (!checks)
    return;
  declare(kRead, {index, index, index, index}, index);
  declare(kWrite, {index, index, index, index}, index);
}

static LogicalResult convert(gpu::GPUModuleOp source,
                             const ConvertGPUToHostPassOptions &options) {
  for (auto kernel : source.getOps<gpu::GPUFuncOp>())
    if (failed(checkKernel(kernel)))
      return failure();
  for (auto kernel :
       llvm::make_early_inc_range(source.getOps<gpu::GPUFuncOp>())) {
    kernel->moveBefore(source);
    KernelConverter(kernel, options).convert();
  }
  source.erase();
  return success();
}

namespace {
struct ConvertGPUToHostPass final
    : mlir::convoy::impl::ConvertGPUToHostPassBase<ConvertGPUToHostPass> {
  using Base::Base;

  void runOnOperation() override {
    auto modules = getOperation().getOps<gpu::GPUModuleOp>();
    if (modules.empty())
      return;
    for (auto module : llvm::make_early_inc_range(modules))
      if (failed(convert(module, {checks, pairwiseSums})))
        return signalPassFailure();
    declareCalls(getOperation(), checks);
  }
};
} // namespace
