//===- ElementKernel.cpp - One work-item for each element -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementKernel.h"

#include "ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;

/// With as many work-items a GPU is busy. Further ones would go through what is
/// added for fewer elements each.
static constexpr int64_t kWantedItems = 4096;

int64_t mlir::convoy::countOwnParts(int64_t images, int64_t channels,
                                    int64_t size) {
  int64_t planes = channels * (ShapedType::isDynamic(images) ? 1 : images);
  int64_t parts =
      std::clamp<int64_t>(kWantedItems / std::max<int64_t>(planes, 1), 1, size);
  while (size % parts != 0)
    ++parts;
  return parts;
}

/// The number of the work-item among all; `isExact` where there is no more than
/// one for each of `count` elements.
static Value emitNumber(KernelBuilder &kernel, ElementCount count,
                        LaunchGrid &grid, bool &isExact) {
  int64_t groups = llvm::divideCeilSigned(count.number, kElementItems);
  int64_t groupsOfRow = std::min(groups, kMostGroups);
  OpBuilder &builder = kernel.getBuilder();
  Value rowNumber;
  if (count.isOfImage) {
    grid.sizes = {groupsOfRow, 1, 1};
    grid.groups = {count.number, groupsOfRow * kElementItems};
    isExact = false;
    rowNumber = kernel.getGroup(gpu::Dimension::z, ShapedType::kDynamic);
  } else {
    grid.sizes = {groupsOfRow, llvm::divideCeilSigned(groups, kMostGroups), 1};
    isExact = grid.sizes[0] * grid.sizes[1] * kElementItems == count.number;
    rowNumber = kernel.getGroup(gpu::Dimension::y, grid.sizes[1]);
  }
  Location loc = kernel.getLoc();
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value row = builder.createOrFold<arith::MulIOp>(loc, rowNumber,
                                                  constant(groupsOfRow));
  Value group = builder.createOrFold<arith::AddIOp>(
      loc, kernel.getGroup(gpu::Dimension::x, groupsOfRow), row);
  Value first =
      builder.createOrFold<arith::MulIOp>(loc, group, constant(kElementItems));
  return builder.createOrFold<arith::AddIOp>(
      loc, kernel.getItem(gpu::Dimension::x, kElementItems), first);
}

Value mlir::convoy::startElements(KernelBuilder &kernel, ElementCount count,
                                  LaunchGrid &grid) {
  bool isExact;
  Value number = emitNumber(kernel, count, grid, isExact);
  if (isExact)
    return number;
  OpBuilder &builder = kernel.getBuilder();
  Value bound =
      arith::ConstantIndexOp::create(builder, kernel.getLoc(), count.number);
  if (count.isOfImage)
    bound = builder.createOrFold<arith::MulIOp>(kernel.getLoc(),
                                                kernel.getBatch(), bound);
  Value isElement = arith::CmpIOp::create(
      builder, kernel.getLoc(), arith::CmpIPredicate::ult, number, bound);
  auto guard = scf::IfOp::create(builder, kernel.getLoc(), isElement);
  builder.setInsertionPointToStart(guard.thenBlock());
  return number;
}

void mlir::convoy::emitPosition(KernelBuilder &kernel, IndexSpace &space,
                                ArrayRef<int64_t> shape,
                                ArrayRef<AffineExpr> index, unsigned fast,
                                int64_t width, Value number) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    Value digit = number;
    if (dim > 0) {
      Value size = dim == fast && width > 1
                       ? constant(shape[dim] / width)
                       : space.materializeSize(builder, loc, shape[dim]);
      digit = builder.createOrFold<arith::RemUIOp>(loc, number, size);
      number = builder.createOrFold<arith::DivUIOp>(loc, number, size);
    }
    if (dim == fast)
      digit = builder.createOrFold<arith::MulIOp>(loc, digit, constant(width));
    space.setValue(index[dim], digit);
  }
}

OwnPart mlir::convoy::startOwnParts(KernelBuilder &kernel, IndexSpace &space,
                                    int64_t images, int64_t channels,
                                    int64_t size, ArrayRef<AffineExpr> index,
                                    LaunchGrid &grid) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  int64_t parts = countOwnParts(images, channels, size);
  auto items =
      RankedTensorType::get({images, channels, parts}, builder.getF32Type());
  Value number = startElements(kernel, ElementCount(items), grid);
  emitPosition(kernel, space, items.getShape(), index, /*fast=*/0, /*width=*/1,
               number);
  int64_t elements = size / parts;
  Value begin = scale(builder, loc, space.getValue(index.back()), elements);
  Value end = builder.createOrFold<arith::AddIOp>(
      loc, begin, arith::ConstantIndexOp::create(builder, loc, elements));
  return {begin, end};
}

void mlir::convoy::emitAddition(KernelBuilder &kernel, Value address,
                                Value share) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  Value before =
      memref::LoadOp::create(builder, loc, kernel.getOutput(), address);
  Value sum = arith::AddFOp::create(builder, loc, before, share);
  memref::StoreOp::create(builder, loc, sum, kernel.getOutput(), address);
}

SliceAttr ElementStore::getWritten() const {
  auto written = cast<RankedTensorType>(source.getType()).getShape();
  auto whole = cast<RankedTensorType>(target.getType()).getShape();
  SmallVector<int64_t> sizes;
  bool isWhole = true;
  for (unsigned dim = 0; dim < offsets.size(); ++dim) {
    int64_t size = 1;
    if (!dropped[dim]) {
      size = written.front();
      written = written.drop_front();
    }
    isWhole &= size == whole[dim];
    sizes.push_back(ShapedType::isDynamic(size) ? SliceAttr::kBatch : size);
  }
  if (isWhole)
    return {};
  Builder builder(target.getContext());
  return SliceAttr::get(target.getContext(),
                        builder.getDenseI64ArrayAttr(offsets),
                        builder.getDenseI64ArrayAttr(sizes),
                        builder.getDenseI64ArrayAttr(strides));
}

AffineExpr mlir::convoy::getTargetAddress(const IndexSpace &space,
                                          const ElementStore &store,
                                          ArrayRef<AffineExpr> index) {
  SmallVector<AffineExpr> target;
  for (unsigned dim = 0; dim < store.offsets.size(); ++dim) {
    AffineExpr position = space.getConstant(store.offsets[dim]);
    if (!store.dropped[dim]) {
      position = position + index.front() * store.strides[dim];
      index = index.drop_front();
    }
    target.push_back(position);
  }
  return getAddress(cast<ShapedType>(store.target.getType()), target);
}

FailureOr<Value> mlir::convoy::buildElementKernel(OpBuilder &host,
                                                  gpu::GPUModuleOp module,
                                                  StringRef name,
                                                  const ElementStore &store) {
  auto type = cast<RankedTensorType>(store.source.getType());
  Location loc = store.source.getLoc();
  ElementCount count(type);
  if (count.number == 0)
    return store.target;
  IndexSpace space(module.getContext());
  SmallVector<AffineExpr> index =
      llvm::map_to_vector(type.getShape(), [&](int64_t size) {
        return space.add(space.getIndices(size));
      });
  FailureOr<Element> element = resolveElement(space, store.source, index);
  if (failed(element))
    return failure();
  AffineExpr address = getTargetAddress(space, store, index);

  KernelBuilder kernel(module, name, loc, store.target);
  space.setKernel(kernel);
  OpBuilder &builder = kernel.getBuilder();
  // What was there before is read where it is written; the rest of the tensor
  // is another operand.
  auto getBuffer = [&](Value base, AffineExpr from) {
    return base == store.target && from == address ? kernel.getOutput()
                                                   : kernel.getInput(base);
  };
  ElementEmitter emitter(space, getBuffer);
  unsigned fast = 0;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (size != 1)
      fast = dim;
  bool isVector = type.getRank() > 0 && !type.isDynamicDim(fast) &&
                  type.getDimSize(fast) % kVectorLanes == 0 &&
                  space.isContiguous(address, index[fast], kVectorLanes) &&
                  emitter.isVector(*element, index[fast], kVectorLanes);
  int64_t width = isVector ? kVectorLanes : 1;
  LaunchGrid grid;
  count.number /= width;
  Value number = startElements(kernel, count, grid);
  emitPosition(kernel, space, type.getShape(), index, fast, width, number);
  emitter.store(
      builder, loc,
      isVector ? emitter.emitVector(builder, loc, *element, index[fast], width)
               : emitter.emit(builder, loc, *element),
      kernel.getOutput(), address);
  return kernel.finish(host, {kElementItems, 1, 1}, grid, store.getWritten())
      .getResults()[0];
}

void mlir::convoy::buildCopyKernel(OpBuilder &host, gpu::GPUModuleOp module,
                                   StringRef name, Location loc, Value source,
                                   Value target) {
  ElementCount count(cast<ShapedType>(source.getType()));
  if (count.number == 0)
    return;
  KernelBuilder kernel(module, name, loc, target);
  LaunchGrid grid;
  Value number = startElements(kernel, count, grid);
  OpBuilder &builder = kernel.getBuilder();
  Value element =
      memref::LoadOp::create(builder, loc, kernel.getInput(source), number);
  memref::StoreOp::create(builder, loc, element, kernel.getOutput(), number);
  kernel.finish(host, {kElementItems, 1, 1}, grid, /*written=*/{});
}
