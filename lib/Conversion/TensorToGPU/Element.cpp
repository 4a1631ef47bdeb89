//===- Element.cpp - How elements of tensors come about ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// What is inlined
//===----------------------------------------------------------------------===//

/// Whether `use` reads elements, one for each that its owner computes, and so
/// can take them as they are computed.
static bool readsElementwise(OpOperand &use) {
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner()))
    return use == insert.getSourceMutable();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
    return use == insert.getSourceMutable();
  auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!generic)
    return false;
  if (generic.getNumReductionLoops() > 0)
    return generic.isDpsInit(&use);
  return generic.getMatchingIndexingMap(&use).isPermutation();
}

/// Whether `use` reads elements, in any number and order.
static bool readsElements(OpOperand &use) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
    return use == insert.getSourceMutable();
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner()))
    return use == insert.getSourceMutable();
  return isa<linalg::LinalgOp, tensor::ExtractSliceOp, tensor::PadOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp, Im2colOp>(
      use.getOwner());
}

bool mlir::convoy::isInMemory(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return isInMemory(op->getOperand(0));
  return !op || isa<LaunchOp, bufferization::ToTensorOp, tensor::EmptyOp>(op);
}

bool mlir::convoy::isInlined(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::EmptyOp, arith::ConstantOp>(op))
    return true;
  if (isa<tensor::PadOp, tensor::SplatOp, linalg::FillOp, Im2colOp>(op))
    return llvm::all_of(value.getUses(), readsElements);
  return isa<linalg::GenericOp>(op) && value.hasOneUse() &&
         readsElementwise(*value.use_begin());
}

//===----------------------------------------------------------------------===//
// Where elements come from
//===----------------------------------------------------------------------===//

AffineExpr mlir::convoy::getAddress(ShapedType type,
                                    ArrayRef<AffineExpr> index) {
  AffineExpr address = getAffineConstantExpr(0, type.getContext());
  AffineExpr batch = getAffineSymbolExpr(0, type.getContext());
  for (auto [size, position] : llvm::zip_equal(type.getShape(), index))
    address = (ShapedType::isDynamic(size) ? address * batch : address * size) +
              position;
  return address;
}

ArrayRef<Element> Element::getOperands() const {
  return ArrayRef(parts).drop_back(captured.size());
}

void mlir::convoy::appendAddresses(const Element &element,
                                   SmallVectorImpl<AffineExpr> &addresses) {
  if (element.kind == Element::Kind::Load)
    addresses.push_back(element.address);
  for (const Element &part : element.parts)
    appendAddresses(part, addresses);
}
