//===- MatrixOps.cpp - Matrices that subgroups hold -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the reference of the gpu dialect and SPV_KHR_cooperative_matrix. Work-
// items of a subgroup must agree on all operands: they are made once for each
// subgroup, from what its number and the workgroup's tell.
//
//===----------------------------------------------------------------------===//

#include "MatrixOps.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

bool MatrixOps::isKnown(Operation *op) {
  return isa<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp,
             gpu::SubgroupMmaConstantMatrixOp, gpu::SubgroupMmaComputeOp,
             gpu::SubgroupMmaElementwiseOp>(op) ||
         findWaveProduct(op);
}

static gpu::MMAMatrixType getMatrixType(Value matrix) {
  return cast<gpu::MMAMatrixType>(matrix.getType());
}

/// The type of an element of `matrix` in memory, where integers have no sign.
static Type getStoredType(Value matrix) {
  Type type = getMatrixType(matrix).getElementType();
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                 : type;
}

RankedTensorType MatrixOps::getTensorType(Value matrix) const {
  SmallVector<int64_t> shape = {items.getNumSubgroups()};
  llvm::append_range(shape, getMatrixType(matrix).getShape());
  return RankedTensorType::get(shape, getStoredType(matrix));
}

LogicalResult MatrixOps::make(Operation *op, FirstObstacle &obstacle) {
  if (items.getNumSubgroups() == 0)
    return obstacle.undecided(
        op, "subgroups of a size that is not known, or that are not full");
  OpBuilder::InsertionGuard guard(builder);
  if (std::optional<WaveProduct> product = findWaveProduct(op))
    return multiply(*product, op, obstacle);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](gpu::SubgroupMmaLoadMatrixOp op) { return load(op, obstacle); })
      .Case(
          [&](gpu::SubgroupMmaStoreMatrixOp op) { return store(op, obstacle); })
      .Case([&](gpu::SubgroupMmaConstantMatrixOp op) {
        return fill(op, obstacle);
      })
      .Case(
          [&](gpu::SubgroupMmaComputeOp op) { return multiply(op, obstacle); })
      .Case([&](gpu::SubgroupMmaElementwiseOp op) {
        return applyToElements(op, obstacle);
      })
      .Default([&](Operation *op) {
        return obstacle.undecided(op, "an op whose meaning is not known");
      });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

FailureOr<MatrixOps::Places>
MatrixOps::enterElements(Operation *op, Value matrix, Value buffer,
                         ValueRange indices, int64_t leadDimension,
                         bool isTransposed, FirstObstacle &obstacle) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() != 1 || !type.getLayout().isIdentity() ||
      type.getElementType() != getStoredType(matrix) ||
      !uniform.contains(buffer))
    return obstacle.undecided(
        op, "a matrix in a buffer of other elements, or of several dimensions");
  Location loc = op->getLoc();
  Places places{items.enter(Agents::Subgroups), uniform.lookup(buffer), {}};
  IRMapping mapping(uniform);
  if (failed(items.find(indices[0], mapping)))
    return obstacle.undecided(op, "a place of a matrix that work-items of a "
                                  "subgroup may not agree on");
  llvm::append_range(places.inTensor,
                     enterLoop(getMatrixType(matrix).getShape(), loc, builder));
  Value row = places.inTensor[1], column = places.inTensor[2];
  Value outer = isTransposed ? column : row,
        inner = isTransposed ? row : column;
  Value distance = arith::ConstantIndexOp::create(builder, loc, leadDimension);
  Value line = arith::MulIOp::create(builder, loc, outer, distance);
  Value inMatrix = arith::AddIOp::create(builder, loc, line, inner);
  places.inBuffer =
      arith::AddIOp::create(builder, loc, mapping.lookup(indices[0]), inMatrix);
  return places;
}

LogicalResult MatrixOps::load(gpu::SubgroupMmaLoadMatrixOp op,
                              FirstObstacle &obstacle) {
  Location loc = op.getLoc();
  RankedTensorType type = getTensorType(op.getRes());
  Value elements = memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()));
  OpBuilder::InsertPoint outside = builder.saveInsertionPoint();
  FailureOr<Places> places =
      enterElements(op, op.getRes(), op.getSrcMemref(), op.getIndices(),
                    op.getLeadDimension().getSExtValue(),
                    op.getTranspose().value_or(false), obstacle);
  if (failed(places))
    return failure();
  Value element =
      memref::LoadOp::create(builder, loc, places->buffer, places->inBuffer);
  memref::StoreOp::create(builder, loc, element, elements, places->inTensor);
  builder.restoreInsertionPoint(outside);
  map(op.getRes(),
      bufferization::ToTensorOp::create(builder, loc, type, elements,
                                        /*restrict=*/true));
  return success();
}

LogicalResult MatrixOps::store(gpu::SubgroupMmaStoreMatrixOp op,
                               FirstObstacle &obstacle) {
  Location loc = op.getLoc();
  FailureOr<Places> places =
      enterElements(op, op.getSrc(), op.getDstMemref(), op.getIndices(),
                    op.getLeadDimension().getSExtValue(),
                    op.getTranspose().value_or(false), obstacle);
  if (failed(places))
    return failure();
  Value element = tensor::ExtractOp::create(builder, loc, lookup(op.getSrc()),
                                            places->inTensor);
  memref::StoreOp::create(builder, loc, element, places->buffer,
                          places->inBuffer);
  return success();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

LogicalResult MatrixOps::fill(gpu::SubgroupMmaConstantMatrixOp op,
                              FirstObstacle &obstacle) {
  RankedTensorType type = getTensorType(op.getRes());
  Value number = uniform.lookupOrNull(op.getValue());
  if (!number || number.getType() != type.getElementType())
    return obstacle.undecided(
        op, "a number that work-items of a subgroup may not agree on");
  map(op.getRes(), tensor::SplatOp::create(builder, op.getLoc(), number, type));
  return success();
}

/// `factor`, an element of a matrix whose type in IR is `type`, as a number of
/// the type of sums; null if that is none of what factors are.
static Value widen(OpBuilder &builder, Location loc, Value factor, Type type,
                   bool isBF16, Type sum) {
  if (isBF16) {
    if (!type.isF16())
      return {};
    type = builder.getBF16Type();
    factor = arith::BitcastOp::create(builder, loc, type, factor);
  }
  if (sum.isF32() && type.isF32())
    return factor;
  if (sum.isF32() && (type.isF16() || type.isBF16()))
    return arith::ExtFOp::create(builder, loc, sum, factor);
  if (sum.isInteger(32) && type.isSignedInteger(8))
    return arith::ExtSIOp::create(builder, loc, sum, factor);
  if (sum.isInteger(32) && type.isUnsignedInteger(8))
    return arith::ExtUIOp::create(builder, loc, sum, factor);
  return {};
}

Value MatrixOps::emitProduct(Location loc, ArrayRef<Value> operands,
                             const FactorTypes &types) {
  Value init = operands[2];
  Type sum = cast<RankedTensorType>(init.getType()).getElementType();
  AffineExpr subgroup, row, column, term;
  bindDims(builder.getContext(), subgroup, row, column, term);
  auto getMap = [&](AffineExpr first, AffineExpr second) {
    return AffineMap::get(4, 0, {subgroup, first, second},
                          builder.getContext());
  };
  using utils::IteratorType;
  SmallVector<IteratorType> loops(3, IteratorType::parallel);
  loops.push_back(IteratorType::reduction);
  bool isKnown = true;
  auto product = linalg::GenericOp::create(
      builder, loc, init.getType(), operands.take_front(2), init,
      ArrayRef{getMap(row, term), getMap(term, column), getMap(row, column)},
      loops, [&](OpBuilder &inBody, Location loc, ValueRange elements) {
        Value a = widen(inBody, loc, elements[0], types.a, types.isBF16, sum);
        Value b = widen(inBody, loc, elements[1], types.b, types.isBF16, sum);
        isKnown = a && b;
        Value next = elements[2];
        if (isKnown && isa<FloatType>(sum)) {
          Value one = arith::MulFOp::create(inBody, loc, a, b);
          next = arith::AddFOp::create(inBody, loc, next, one);
        } else if (isKnown) {
          Value one = arith::MulIOp::create(inBody, loc, a, b);
          next = arith::AddIOp::create(inBody, loc, next, one);
        }
        linalg::YieldOp::create(inBody, loc, next);
      });
  return isKnown ? product.getResult(0) : Value();
}

LogicalResult MatrixOps::multiply(gpu::SubgroupMmaComputeOp op,
                                  FirstObstacle &obstacle) {
  FactorTypes types{getMatrixType(op.getOpA()).getElementType(),
                    getMatrixType(op.getOpB()).getElementType(),
                    op->hasAttr(kBF16FactorsAttrName)};
  Value product = emitProduct(
      op.getLoc(),
      {lookup(op.getOpA()), lookup(op.getOpB()), lookup(op.getOpC())}, types);
  if (!product || op.getATranspose() || op.getBTranspose())
    return obstacle.undecided(op, "a product of matrices of other types than "
                                  "those of which sums are f32 or i32");
  map(op.getRes(), product);
  return success();
}

/// Whether `kind` is of numbers with a point, not of integers.
static bool isOfFloats(gpu::MMAElementwiseOp kind) {
  using Kind = gpu::MMAElementwiseOp;
  return !llvm::is_contained({Kind::ADDI, Kind::SUBI, Kind::MULI, Kind::DIVS,
                              Kind::DIVU, Kind::NEGATES},
                             kind);
}

/// What `kind` makes of one operand; null if it is not known.
static Value emitUnary(OpBuilder &builder, Location loc,
                       gpu::MMAElementwiseOp kind, Value operand,
                       RankedTensorType type) {
  if (kind == gpu::MMAElementwiseOp::EXTF)
    return arith::ExtFOp::areCastCompatible(operand.getType(), type)
               ? arith::ExtFOp::create(builder, loc, type, operand)
               : Value();
  if (operand.getType() != type)
    return {};
  if (kind == gpu::MMAElementwiseOp::NEGATEF)
    return arith::NegFOp::create(builder, loc, operand);
  if (kind != gpu::MMAElementwiseOp::NEGATES)
    return {};
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return arith::SubIOp::create(builder, loc, zero, operand);
}

/// The same of two operands of one type, which is that of the result.
/// Quotients of integers, which may have no value, are not known.
static Value emitBinary(OpBuilder &builder, Location loc,
                        gpu::MMAElementwiseOp kind, Value lhs, Value rhs) {
  switch (kind) {
  case gpu::MMAElementwiseOp::ADDF:
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  case gpu::MMAElementwiseOp::SUBF:
    return arith::SubFOp::create(builder, loc, lhs, rhs);
  case gpu::MMAElementwiseOp::MULF:
    return arith::MulFOp::create(builder, loc, lhs, rhs);
  case gpu::MMAElementwiseOp::DIVF:
    return arith::DivFOp::create(builder, loc, lhs, rhs);
  case gpu::MMAElementwiseOp::MAXF:
    return arith::MaximumFOp::create(builder, loc, lhs, rhs);
  case gpu::MMAElementwiseOp::MINF:
    return arith::MinimumFOp::create(builder, loc, lhs, rhs);
  case gpu::MMAElementwiseOp::ADDI:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case gpu::MMAElementwiseOp::SUBI:
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  case gpu::MMAElementwiseOp::MULI:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  default:
    return {};
  }
}

LogicalResult MatrixOps::applyToElements(gpu::SubgroupMmaElementwiseOp op,
                                         FirstObstacle &obstacle) {
  RankedTensorType type = getTensorType(op.getRes());
  SmallVector<Value> operands = llvm::map_to_vector(
      op.getArgs(), [&](Value matrix) { return lookup(matrix); });
  Value result;
  bool isOfItsType =
      isOfFloats(op.getOpType()) == isa<FloatType>(type.getElementType());
  if (isOfItsType && operands.size() == 1)
    result = emitUnary(builder, op.getLoc(), op.getOpType(), operands[0], type);
  else if (isOfItsType && operands.size() == 2 &&
           operands[0].getType() == type && operands[1].getType() == type)
    result = emitBinary(builder, op.getLoc(), op.getOpType(), operands[0],
                        operands[1]);
  if (!result)
    return obstacle.undecided(
        op, "an op on elements of matrices whose meaning is not known");
  map(op.getRes(), result);
  return success();
}
