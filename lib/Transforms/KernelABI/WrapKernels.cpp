//===- WrapKernels.cpp - The C interface of kernels -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/KernelABI/Passes.h"
#include "convoy/Transforms/Utils/LoopAnnotation.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_WRAPKERNELSPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Builds the C function around one kernel's body.
class KernelWrapper {
public:
  KernelWrapper(LLVM::LLVMFuncOp body, const KernelInterface &interface)
      : body(body), interface(interface), builder(body), loc(body.getLoc()),
        pointerType(LLVM::LLVMPointerType::get(body.getContext())),
        i64(builder.getI64Type()) {}

  void wrap() {
    LLVM::LLVMFuncOp wrapper = createFunction();
    hideBody();
    Block *entry = wrapper.addEntryBlock(builder);
    builder.setInsertionPointToStart(entry);
    checkPointers(wrapper);
    checkSizes(wrapper);
    callBody(wrapper);
  }

private:
  /// Number of arguments before the workspace.
  unsigned getNumArguments() const { return interface.arguments.size(); }

  /// The type that a caller in C passes: that of a pointer, a scalar's, or i16
  /// for the bits of a float that C has no type for.
  Type getCType(const KernelArgument &argument);
  LLVM::LLVMFuncOp createFunction();
  void hideBody();
  /// Returns early where a pointer is null or not aligned.
  void checkPointers(LLVM::LLVMFuncOp wrapper);
  /// Returns early where sizes are negative or contradict each other.
  void checkSizes(LLVM::LLVMFuncOp wrapper);
  void returnIf(Value condition, KernelStatus status);
  void callBody(LLVM::LLVMFuncOp wrapper);
  /// Appends a scalar in the type in which the body takes it.
  void appendScalar(SmallVectorImpl<Value> &operands, Value scalar);
  /// Appends pointer, offset, sizes and strides of a dense buffer.
  void appendBuffer(SmallVectorImpl<Value> &operands, Value pointer,
                    ArrayRef<Value> sizes);
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, i64, value);
  }

  LLVM::LLVMFuncOp body;
  const KernelInterface &interface;
  OpBuilder builder;
  Location loc;
  Type pointerType;
  Type i64;
};
} // namespace

Type KernelWrapper::getCType(const KernelArgument &argument) {
  if (isa<RankedTensorType>(argument.type))
    return pointerType;
  if (argument.type.isF16() || argument.type.isBF16())
    return builder.getI16Type();
  return argument.type;
}

LLVM::LLVMFuncOp KernelWrapper::createFunction() {
  SmallVector<Type> inputs;
  for (const KernelArgument &argument : interface.arguments)
    inputs.push_back(getCType(argument));
  inputs.push_back(pointerType);
  inputs.append(interface.getSizes().size(), i64);
  auto wrapper = LLVM::LLVMFuncOp::create(
      builder, loc, interface.name,
      LLVM::LLVMFunctionType::get(builder.getI32Type(), inputs));
  for (auto [number, type] : llvm::enumerate(inputs))
    if (type == pointerType)
      wrapper.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(),
                         builder.getUnitAttr());
  for (StringRef name : {kArgumentsAttrName, kWorkspaceAttrName})
    if (Attribute attribute = body->getAttr(name))
      wrapper->setAttr(name, attribute);
  return wrapper;
}

void KernelWrapper::hideBody() {
  body.setName(interface.name + ".body");
  body.setLinkage(LLVM::Linkage::Internal);
  body.setAlwaysInline(true);
  body->removeAttr(kArgumentsAttrName);
  body->removeAttr(kWorkspaceAttrName);
}

void KernelWrapper::returnIf(Value condition, KernelStatus status) {
  Block *block = builder.getInsertionBlock();
  Block *next = block->splitBlock(builder.getInsertionPoint());
  Block *fail = builder.createBlock(next);
  Value code = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                        int64_t(status));
  LLVM::ReturnOp::create(builder, loc, code);
  builder.setInsertionPointToEnd(block);
  LLVM::CondBrOp::create(builder, loc, condition, fail, next);
  builder.setInsertionPointToStart(next);
}

void KernelWrapper::checkPointers(LLVM::LLVMFuncOp wrapper) {
  struct Check {
    Value pointer;
    int64_t alignment;
  };
  SmallVector<Check> checks;
  for (auto [number, argument] : llvm::enumerate(interface.arguments))
    if (auto tensor = dyn_cast<RankedTensorType>(argument.type))
      checks.push_back({wrapper.getArgument(number),
                        getElementBytes(tensor.getElementType())});
  if (interface.workspaceBytes != 0)
    checks.push_back(
        {wrapper.getArgument(getNumArguments()), kWorkspaceAlignment});

  Value anyNull, anyMisaligned;
  auto combine = [&](Value &all, Value one) {
    all = all ? LLVM::OrOp::create(builder, loc, all, one).getResult() : one;
  };
  Value zero = constant(0);
  for (const Check &check : checks) {
    Value address = LLVM::PtrToIntOp::create(builder, loc, i64, check.pointer);
    combine(anyNull, LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                          address, zero));
    Value low = LLVM::AndOp::create(builder, loc, address,
                                    constant(check.alignment - 1));
    combine(
        anyMisaligned,
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, low, zero));
  }
  if (anyNull)
    returnIf(anyNull, kKernelNullPointer);
  if (anyMisaligned)
    returnIf(anyMisaligned, kKernelMisaligned);
}

void KernelWrapper::checkSizes(LLVM::LLVMFuncOp wrapper) {
  ValueRange sizes = wrapper.getArguments().drop_front(getNumArguments() + 1);
  if (sizes.empty())
    return;
  Value all = sizes[0];
  for (Value size : sizes.drop_front())
    all = LLVM::OrOp::create(builder, loc, all, size);
  returnIf(LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::slt, all,
                                constant(0)),
           kKernelWrongSizes);
  auto checks = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      body, builder.getStringAttr(getSizeCheckName(interface.name)));
  if (!checks)
    return;
  checks.setLinkage(LLVM::Linkage::Internal);
  Value agree = LLVM::CallOp::create(builder, loc, checks, sizes).getResult();
  Value no = LLVM::ConstantOp::create(builder, loc, builder.getI1Type(), 0);
  returnIf(
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, agree, no),
      kKernelWrongSizes);
}

void KernelWrapper::appendScalar(SmallVectorImpl<Value> &operands,
                                 Value scalar) {
  Type type = body.getArgumentTypes()[operands.size()];
  if (scalar.getType() != type)
    scalar = LLVM::BitcastOp::create(builder, loc, type, scalar);
  operands.push_back(scalar);
}

void KernelWrapper::appendBuffer(SmallVectorImpl<Value> &operands,
                                 Value pointer, ArrayRef<Value> sizes) {
  operands.append({pointer, pointer, constant(0)});
  operands.append(sizes.begin(), sizes.end());
  SmallVector<Value> strides(sizes.size());
  Value stride = constant(1);
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = LLVM::MulOp::create(builder, loc, stride, sizes[dim]);
  }
  operands.append(strides);
}

void KernelWrapper::callBody(LLVM::LLVMFuncOp wrapper) {
  SmallVector<Value> operands;
  unsigned nextSize = getNumArguments() + 1;
  for (auto [number, argument] : llvm::enumerate(interface.arguments)) {
    auto tensor = dyn_cast<RankedTensorType>(argument.type);
    if (!tensor) {
      appendScalar(operands, wrapper.getArgument(number));
      continue;
    }
    SmallVector<Value> sizes =
        llvm::map_to_vector(tensor.getShape(), [&](int64_t size) -> Value {
          return ShapedType::isDynamic(size) ? wrapper.getArgument(nextSize++)
                                             : constant(size);
        });
    appendBuffer(operands, wrapper.getArgument(number), sizes);
  }
  // Nothing reads the size of the workspace.
  Value workspaceSize = constant(interface.workspaceBytes.value_or(0));
  appendBuffer(operands, wrapper.getArgument(getNumArguments()), workspaceSize);
  LLVM::CallOp::create(builder, loc, body, operands);
  Value ok = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                      int64_t(kKernelOk));
  LLVM::ReturnOp::create(builder, loc, ok);
}

/// Upstream's conversions hand what a loop says to LLVM down to its branch, but
/// not as what the branch says.
static void annotateLoop(LLVM::BrOp branch) {
  if (auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(
          branch->removeAttr(kLoopAnnotationAttrName)))
    branch.setLoopAnnotationAttr(annotation);
}

namespace {
struct WrapKernelsPass final
    : mlir::convoy::impl::WrapKernelsPassBase<WrapKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk(annotateLoop);
    for (auto body : llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (std::optional<KernelInterface> interface = getKernelInterface(body))
        KernelWrapper(body, *interface).wrap();
  }
};
} // namespace
