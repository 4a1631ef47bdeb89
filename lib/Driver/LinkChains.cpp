//===- LinkChains.cpp - Chains as kernels -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackConstants.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Driver/Chains.h"
#include "convoy/Support/MemoryPlan.h"
#include "convoy/Transforms/KernelABI/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;

using Kind = ChainOperand::Kind;

static int64_t getBytes(RankedTensorType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

namespace {
/// Adds chains to a module with kernels.
class ChainLinker {
public:
  ChainLinker(ModuleOp module, ChainModule &chains)
      : module(module), chains(chains), builder(module.getContext()),
        loc(module.getLoc()), i32(builder.getI32Type()),
        i64(builder.getI64Type()),
        pointerType(LLVM::LLVMPointerType::get(module.getContext())) {
    for (const KernelInterface &kernel : getKernelInterfaces(module))
      kernels.try_emplace(kernel.name, kernel);
  }

  LogicalResult link();

private:
  /// A constant by its number, and what packs it.
  using ConstantKey = std::pair<std::string, unsigned>;

  /// The key of what `kernel` reads as its argument `number`.
  ConstantKey getKey(const KernelInterface &kernel, unsigned number,
                     const ChainOperand &operand) const {
    return {kernel.arguments[number].packer, operand.number};
  }
  /// Packs constants, and writes them as data.
  LogicalResult addConstants();
  /// Takes note of the constants that `step` reads; an error where it packs
  /// something else.
  LogicalResult collectConstants(const Chain &chain, const ChainStep &step);
  /// Gives values, and the workspaces of steps, their places.
  void plan(Chain &chain);
  void declareKernel(const KernelInterface &kernel);
  /// Writes the function, as `convoy-wrap-kernels` takes it.
  void build(const Chain &chain);
  /// The type of such a function.
  LLVM::LLVMFunctionType getBodyType(const Chain &chain);
  /// Lets the steps of `chain` call kernels on pointers to its arguments and to
  /// the workspace.
  void buildCalls(const Chain &chain, ArrayRef<Value> arguments,
                  Value workspace);
  /// Gives chains their interface, and moves all into the module.
  LogicalResult moveIntoModule();
  Value getPlace(Value workspace, int64_t offset);

  ModuleOp module;
  ChainModule &chains;
  OpBuilder builder;
  Location loc;
  Type i32, i64;
  LLVM::LLVMPointerType pointerType;
  llvm::StringMap<KernelInterface> kernels;
  std::map<ConstantKey, LLVM::GlobalOp> globals;
  /// What is added, beside the kernels, which it declares.
  OwningOpRef<ModuleOp> added;
};
} // namespace

LogicalResult ChainLinker::collectConstants(const Chain &chain,
                                            const ChainStep &step) {
  const KernelInterface &kernel = kernels.at(step.kernel);
  for (auto [number, operand] : llvm::enumerate(step.operands)) {
    if (operand.kind == Kind::Constant)
      globals.try_emplace(getKey(kernel, number, operand));
    else if (!kernel.arguments[number].packer.empty())
      return module.emitError()
             << "expected a constant for '" << kernel.arguments[number].name
             << "' of '" << step.kernel << "' in '" << chain.name
             << "', since it is packed once";
  }
  return success();
}

LogicalResult ChainLinker::addConstants() {
  SmallVector<PackedConstant> constants;
  for (auto &[key, global] : globals)
    constants.push_back({key.first, chains.constants[key.second]});
  FailureOr<std::vector<AsmResourceBlob>> blobs =
      packConstants(module, constants);
  if (failed(blobs))
    return failure();
  builder.setInsertionPointToEnd(added->getBody());
  for (auto [number, entry] : llvm::enumerate(globals)) {
    std::string name = "convoy.constant" + std::to_string(number);
    AsmResourceBlob &blob = (*blobs)[number];
    // As a filter of which no tap meets an element; MLIR divides by the size.
    if (blob.getData().empty())
      blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(ArrayRef<char>{0},
                                                           kWorkspaceAlignment);
    int64_t bytes = blob.getData().size();
    auto type = RankedTensorType::get(bytes, builder.getI8Type());
    auto elements = DenseResourceElementsAttr::get(type, name, std::move(blob));
    entry.second = LLVM::GlobalOp::create(
        builder, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes),
        /*isConstant=*/true, LLVM::Linkage::Internal, name, elements,
        /*alignment=*/kWorkspaceAlignment);
  }
  return success();
}

void ChainLinker::plan(Chain &chain) {
  std::vector<::convoy::PlannedBuffer> buffers;
  for (const ChainValue &value : chain.values)
    buffers.push_back({getBytes(value.type), value.first, value.last});
  for (auto [number, step] : llvm::enumerate(chain.steps)) {
    // Sizes are static.
    step.workspaceBytes = kernels.at(step.kernel).workspaceBytes.value_or(0);
    buffers.push_back({step.workspaceBytes, number, number});
  }
  ::convoy::MemoryPlan plan =
      ::convoy::planMemory(buffers, kWorkspaceAlignment);
  auto offset = plan.offsets.begin();
  for (ChainValue &value : chain.values)
    value.offset = *offset++;
  for (ChainStep &step : chain.steps)
    step.workspaceOffset = *offset++;
  chain.workspaceBytes = plan.bytes;
}

void ChainLinker::declareKernel(const KernelInterface &kernel) {
  // Its arguments and the workspace.
  SmallVector<Type> types(kernel.arguments.size() + 1, pointerType);
  builder.setInsertionPointToStart(added->getBody());
  LLVM::LLVMFuncOp::create(builder, loc, kernel.name,
                           LLVM::LLVMFunctionType::get(i32, types));
}

Value ChainLinker::getPlace(Value workspace, int64_t offset) {
  Value bytes = LLVM::ConstantOp::create(builder, loc, i64, offset);
  return LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(),
                             workspace, bytes);
}

/// How many arguments a dense buffer of that rank is: its pointer twice, an
/// offset, sizes and strides.
static unsigned countParts(int64_t rank) { return 3 + 2 * rank; }

LLVM::LLVMFunctionType ChainLinker::getBodyType(const Chain &chain) {
  SmallVector<Type> types;
  auto addBuffer = [&](int64_t rank) {
    types.append(2, pointerType);
    types.append(countParts(rank) - 2, i64);
  };
  for (const KernelArgument &argument : chain.arguments)
    addBuffer(cast<RankedTensorType>(argument.type).getRank());
  addBuffer(/*rank=*/1); // The workspace.
  return LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), types);
}

void ChainLinker::buildCalls(const Chain &chain, ArrayRef<Value> arguments,
                             Value workspace) {
  for (const ChainStep &step : chain.steps) {
    const KernelInterface &kernel = kernels.at(step.kernel);
    SmallVector<Value> operands;
    for (auto [number, operand] : llvm::enumerate(step.operands)) {
      switch (operand.kind) {
      case Kind::Argument:
        operands.push_back(arguments[operand.number]);
        break;
      case Kind::Value:
        operands.push_back(
            getPlace(workspace, chain.values[operand.number].offset));
        break;
      case Kind::Constant:
        operands.push_back(LLVM::AddressOfOp::create(
            builder, loc, globals.at(getKey(kernel, number, operand))));
        break;
      }
    }
    operands.push_back(getPlace(workspace, step.workspaceOffset));
    auto call = LLVM::CallOp::create(builder, loc, i32, step.kernel, operands);
    // The kernels are there, whoever calls them.
    call.setNoInline(true);
  }
}

void ChainLinker::build(const Chain &chain) {
  MLIRContext *context = module.getContext();
  builder.setInsertionPointToEnd(added->getBody());
  auto body =
      LLVM::LLVMFuncOp::create(builder, loc, chain.name, getBodyType(chain));
  body->setAttr(kArgumentsAttrName, toAttribute(context, chain.arguments));
  body->setAttr(kWorkspaceAttrName,
                builder.getI64IntegerAttr(chain.workspaceBytes));
  builder.setInsertionPointToStart(body.addEntryBlock(builder));
  SmallVector<Value> arguments;
  unsigned next = 0;
  for (const KernelArgument &argument : chain.arguments) {
    arguments.push_back(body.getArgument(next));
    next += countParts(cast<RankedTensorType>(argument.type).getRank());
  }
  buildCalls(chain, arguments, body.getArgument(next));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

LogicalResult ChainLinker::moveIntoModule() {
  PassManager passes(module.getContext());
  passes.addPass(createWrapKernelsPass());
  if (failed(passes.run(*added)))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(*added->getBody())) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (function && function.isDeclaration())
      continue;
    op.moveBefore(module.getBody(), module.getBody()->end());
  }
  return success();
}

LogicalResult ChainLinker::link() {
  added = ModuleOp::create(loc);
  for (Chain &chain : chains.chains) {
    // Kernels that pack were not there when the chain was read.
    if (module.lookupSymbol(chain.name))
      return module.emitError() << "expected another name for the chain '"
                                << chain.name << "', which a kernel has";
    for (ChainStep &step : chain.steps)
      if (failed(collectConstants(chain, step)))
        return failure();
    plan(chain);
  }
  for (const auto &entry : kernels)
    declareKernel(entry.second);
  if (failed(addConstants()))
    return failure();
  for (const Chain &chain : chains.chains)
    build(chain);
  return moveIntoModule();
}

LogicalResult mlir::convoy::linkChains(ModuleOp module, ChainModule &chains) {
  return ChainLinker(module, chains).link();
}
