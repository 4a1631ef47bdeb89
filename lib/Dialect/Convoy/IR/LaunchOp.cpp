//===- LaunchOp.cpp - Checks and effects of launches ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/KernelSignature.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;

bool SliceAttr::contains(int64_t dim, int64_t index) const {
  int64_t size = getSizes()[dim];
  int64_t place = index - getOffsets()[dim], stride = getStrides()[dim];
  return place >= 0 && place % stride == 0 &&
         (size == kBatch || place / stride < size);
}

LogicalResult SliceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                DenseI64ArrayAttr offsets,
                                DenseI64ArrayAttr sizes,
                                DenseI64ArrayAttr strides) {
  if (offsets.size() != sizes.size() || strides.size() != sizes.size())
    return emitError() << "expected as many offsets, sizes and strides, but "
                          "got "
                       << offsets.size() << ", " << sizes.size() << " and "
                       << strides.size();
  for (auto [offset, size, stride] : llvm::zip_equal(
           offsets.asArrayRef(), sizes.asArrayRef(), strides.asArrayRef()))
    if (offset < 0 || (size < 1 && size != kBatch) || stride < 1)
      return emitError() << "expected an offset from 0 on, a positive size or "
                         << kBatch << " and a positive stride, but got "
                         << offset << ", " << size << " and " << stride;
  return success();
}

/// Checks that a launch writes elements that its init has (C5).
static LogicalResult verifyWritten(LaunchOp op, SliceAttr written) {
  if (op.getInits().size() != 1)
    return op.emitOpError() << "expected one init that a slice is written of, "
                               "but got "
                            << op.getInits().size();
  // Passes make it of what upstream's ops hold, strides of 0 among them.
  if (failed(SliceAttr::verify([&] { return op.emitOpError(); },
                               written.getOffsets(), written.getSizes(),
                               written.getStrides())))
    return failure();
  auto type = cast<ShapedType>(op.getInits().front().getType());
  if (written.getRank() != type.getRank())
    return op.emitOpError()
           << "expected a slice of " << type.getRank()
           << " dimensions, as the init has, but got " << written.getRank();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t offset = written.getOffsets()[dim], size = written.getSizes()[dim];
    int64_t stride = written.getStrides()[dim];
    bool isBatch = size == SliceAttr::kBatch;
    bool isInside =
        type.isDynamicDim(dim)
            ? isBatch && offset == 0 && stride == 1
            : !isBatch && offset < type.getDimSize(dim) &&
                  size - 1 <= (type.getDimSize(dim) - 1 - offset) / stride;
    if (!isInside)
      return op.emitOpError()
             << "expected a slice of " << type << ", but got " << written;
  }
  return success();
}

LogicalResult LaunchOp::verify() {
  ArrayRef<int64_t> grid = getGrid();
  if (grid.size() != 3 ||
      llvm::any_of(grid, [](int64_t size) { return size < 1; }))
    return emitOpError() << "expected three positive sizes of the grid, but "
                            "got ["
                         << grid << "]";
  if (std::optional<ArrayRef<int64_t>> groups = getGroups();
      groups &&
      (groups->size() != 2 || groups->front() < 1 || groups->back() < 1))
    return emitOpError() << "expected two positive numbers of groups, but got ["
                         << *groups << "]";
  if (getGroups() && !getBatch())
    return emitOpError("expected a batch, on which the grid depends");
  for (Value operand : getBuffers()) {
    auto buffer = dyn_cast<MemRefType>(operand.getType());
    if (buffer && !buffer.getLayout().isIdentity())
      return emitOpError() << "expected buffers without gaps, but got "
                           << buffer;
    auto type = cast<ShapedType>(operand.getType());
    if (type.getNumDynamicDims() > (getBatch() ? 1 : 0))
      return emitOpError() << "expected operands of static shape"
                           << (getBatch() ? " but for the batch" : "")
                           << ", but got " << operand.getType();
  }
  if (std::optional<SliceAttr> written = getWrites())
    return verifyWritten(*this, *written);
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(*this, getKernelAttr()));
  if (!kernel)
    return emitOpError() << "expected a kernel, but " << getKernel()
                         << " is none";
  if (takesBatch(kernel.getArgumentTypes()) && !getBatch())
    return emitOpError("expected a batch, which the kernel takes");
  TypeRange arguments = getBufferTypes(kernel.getArgumentTypes());
  if (arguments.size() != getBuffers().size())
    return emitOpError() << "expected " << arguments.size()
                         << " operands, as the kernel has, but got "
                         << getBuffers().size();
  for (auto [argument, operand] :
       llvm::zip_equal(arguments, getBuffers().getTypes())) {
    MemRefType flat = getFlatType(cast<ShapedType>(operand));
    if (argument != flat)
      return emitOpError() << "expected a kernel that takes " << flat << " for "
                           << operand << ", but got " << argument;
  }
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
