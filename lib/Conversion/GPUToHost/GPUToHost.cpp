//===- GPUToHost.cpp - Converts kernels to functions of the host *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixOperation.h"

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
#include "llvm/ADT/TypeSwitch.h"

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
// Checks of what is taken
//===----------------------------------------------------------------------===//

/// The batch that `kernel` takes after its buffers, or null.
static BlockArgument getBatch(gpu::GPUFuncOp kernel) {
  return takesBatch(kernel.getArgumentTypes())
             ? kernel.getArgument(kernel.getNumArguments() - 1)
             : BlockArgument();
}

/// Whether a buffer may have such elements: numbers, or vectors of them with no
/// gaps in memory.
static bool isElement(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return type.isIntOrFloat();
  return !vector.isScalable() && vector.getRank() == 1 &&
         llvm::isPowerOf2_64(vector.getNumElements()) &&
         vector.getElementType().isIntOrFloat() &&
         getElementBits(vector.getElementType()) % 8 == 0;
}

/// Whether all elements of `buffer` can be named by one number, and whether
/// there are as many of a workgroup's as the kernel says.
static LogicalResult checkBuffer(gpu::GPUFuncOp kernel, BlockArgument buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  bool isWorkgroups = buffer.getArgNumber() >= kernel.getNumArguments();
  if (type && (type.hasStaticShape() || !isWorkgroups) && type.getRank() == 1 &&
      type.getLayout().isIdentity() && isElement(type.getElementType()))
    return success();
  return kernel.emitError()
         << "expected flat buffers" << (isWorkgroups ? " of static size" : "")
         << " in kernel " << kernel.getName() << ", but got "
         << buffer.getType();
}

/// Whether `op` accesses one of the kernel's own buffers.
static bool accessesBuffer(gpu::GPUFuncOp kernel, Operation *op) {
  Value buffer = TypeSwitch<Operation *, Value>(op)
                     .Case<memref::LoadOp, memref::StoreOp>(
                         [](auto access) { return access.getMemRef(); })
                     .Case<vector::LoadOp, vector::StoreOp>(
                         [](auto access) { return access.getBase(); })
                     .Default(Value());
  auto argument = dyn_cast_or_null<BlockArgument>(buffer);
  return argument && argument.getOwner() == &kernel.getBody().front();
}

static LogicalResult checkOp(gpu::GPUFuncOp kernel, Operation *op) {
  if (op == kernel || accessesBuffer(kernel, op) ||
      isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::BarrierOp,
          gpu::ReturnOp, amdgpu::SchedBarrierOp>(op) ||
      getMatrixOperation(op, /*pairwise=*/false))
    return success();
  bool usesBuffer =
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>);
  if (!usesBuffer && !isa_and_present<gpu::GPUDialect, amdgpu::AMDGPUDialect>(
                         op->getDialect()))
    return success();
  return op->emitError() << "cannot be executed on the host";
}

static LogicalResult check(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  if (!size || size->size() != 3)
    return kernel.emitError()
           << "expected known_block_size on kernel " << kernel.getName();
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (argument != getBatch(kernel) && failed(checkBuffer(kernel, argument)))
      return failure();
  WalkResult result = kernel.walk(
      [&](Operation *op) { return WalkResult(checkOp(kernel, op)); });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static MemRefType getHostType(MemRefType buffer) {
  MemRefType type = getLargestType(buffer);
  return MemRefType::get(type.getShape(), type.getElementType());
}

namespace {
/// Converts one kernel, which `check` has taken.
class KernelConverter {
public:
  KernelConverter(gpu::GPUFuncOp kernel,
                  const ConvertGPUToHostPassOptions &options)
      : kernel(kernel), options(options), builder(kernel), loc(kernel.getLoc()),
        blockSize(*kernel.getKnownBlockSize()) {}

  void convert() {
    collectOperations();
    createLayout();
    func::FuncOp function = createFunction();
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
  void convertMatrixOperation(Operation *op, const MatrixOperation &operation);
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
  Value item;
  SmallVector<Value> group, local;  ///< ids along x, y, z
  DenseMap<Value, int64_t> numbers; ///< of buffers
  int64_t barriers = 0;
  /// What matrix instructions compute, each once.
  SmallVector<std::array<int64_t, 10>> operations;
  int64_t multiplications = 0;
  Value registers; ///< those that matrix instructions take
};
} // namespace

void KernelConverter::collectOperations() {
  kernel.walk([&](Operation *op) {
    std::optional<MatrixOperation> operation =
        getMatrixOperation(op, options.pairwiseSums);
    if (operation && !llvm::is_contained(operations, operation->numbers))
      operations.push_back(operation->numbers);
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
  if (!operations.empty()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.getBody().front());
    registers = memref::AllocaOp::create(
        builder, loc, getRegistersType(builder.getContext()));
  }
  return function;
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

void KernelConverter::convertMatrixOperation(Operation *op,
                                             const MatrixOperation &operation) {
  int64_t place = 0;
  Value start;
  VectorType type;
  for (Value matrix : {operation.a, operation.b, operation.c}) {
    Value values = createRegisters(builder, loc, matrix);
    type = cast<VectorType>(values.getType());
    start = constant(place);
    vector::StoreOp::create(builder, loc, values, registers, start);
    place += type.getNumElements();
  }
  int64_t number =
      llvm::find(operations, operation.numbers) - operations.begin();
  func::CallOp::create(builder, loc, kMultiply, TypeRange(),
                       ValueRange{item, constant(multiplications++),
                                  constant(number), registers});
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
  } else if (auto operation = getMatrixOperation(op, options.pairwiseSums)) {
    convertMatrixOperation(op, *operation);
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
    if (failed(check(kernel)))
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
