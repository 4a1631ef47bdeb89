//===- MatrixPart.cpp - Cooperative matrices on the host --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixPart.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

static gpu::MMAMatrixType getMatrixType(Value matrix) {
  return cast<gpu::MMAMatrixType>(matrix.getType());
}

std::optional<MatrixPart> mlir::convoy::getMatrixPart(gpu::MMAMatrixType matrix,
                                                      int64_t wave) {
  ArrayRef<int64_t> shape = matrix.getShape();
  bool areColumns = matrix.getOperand() == "BOp";
  Type element = matrix.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(matrix.getContext(), integer.getWidth());
  // The elements of a part are accessed one by one.
  if (!canUnroll(shape))
    return std::nullopt;
  int64_t volume = shape[0] * shape[1];
  int64_t length = areColumns ? shape[0] : shape[1];
  if (!llvm::isPowerOf2_64(wave) || volume <= 0 || volume % wave != 0 ||
      length % (volume / wave) != 0)
    return std::nullopt;
  return MatrixPart{volume / wave, length, areColumns, element};
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// A matrix in memory.
struct MatrixAccess {
  gpu::MMAMatrixType matrix;
  Value buffer, first;
  int64_t distance;  ///< from a row to the next, or from a column
  bool isTransposed; ///< whether it is from a column

  MemRefType getBufferType() const {
    return cast<MemRefType>(buffer.getType());
  }
  /// The elements of the matrix that an element of the buffer holds.
  int64_t getLanes() const {
    auto vector = dyn_cast<VectorType>(getBufferType().getElementType());
    return vector ? vector.getNumElements() : 1;
  }
};
} // namespace

static MatrixAccess describe(gpu::SubgroupMmaLoadMatrixOp op) {
  return {getMatrixType(op.getRes()), op.getSrcMemref(), op.getIndices().back(),
          op.getLeadDimension().getSExtValue(),
          op.getTranspose().value_or(false)};
}

static MatrixAccess describe(gpu::SubgroupMmaStoreMatrixOp op) {
  return {getMatrixType(op.getSrc()), op.getDstMemref(), op.getIndices().back(),
          op.getLeadDimension().getSExtValue(),
          op.getTranspose().value_or(false)};
}

/// Elements of vectors hold parts of lines alone.
static bool canDivide(const MatrixAccess &access, int64_t wave) {
  std::optional<MatrixPart> part = getMatrixPart(access.matrix, wave);
  if (!part || getElementTypeOrSelf(access.getBufferType().getElementType()) !=
                   part->element)
    return false;
  int64_t lanes = access.getLanes();
  return lanes == 1 || (part->elements % lanes == 0 &&
                        access.isTransposed == part->areColumns);
}

static bool canDivide(gpu::SubgroupMmaElementwiseOp op, int64_t wave) {
  using enum gpu::MMAElementwiseOp;
  switch (op.getOpType()) {
  case ADDF:
  case MULF:
  case SUBF:
  case MAXF:
  case MINF:
  case DIVF:
  case ADDI:
  case MULI:
  case SUBI:
  case NEGATEF:
  case NEGATES:
    return getMatrixPart(getMatrixType(op.getRes()), wave).has_value();
  case EXTF:
    return getMatrixPart(getMatrixType(op.getRes()), wave) &&
           getMatrixPart(getMatrixType(op.getArgs()[0]), wave);
  // Of zero they may trap.
  case DIVS:
  case DIVU:
    return false;
  }
  llvm_unreachable("all ops are named");
}

bool mlir::convoy::canDivideMatrices(Operation *op, int64_t wave) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp>(
          [&](auto access) { return canDivide(describe(access), wave); })
      .Case([&](gpu::SubgroupMmaElementwiseOp elementwise) {
        return canDivide(elementwise, wave);
      })
      .Case([&](gpu::SubgroupMmaConstantMatrixOp constant) {
        return getMatrixPart(getMatrixType(constant.getRes()), wave)
            .has_value();
      })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

namespace {
/// An op that is to be divided, and the part that it makes or stores.
struct Division {
  Operation *op;
  MatrixPart part;
  std::optional<MatrixAccess> access; ///< of loads and stores
};

/// Divides the ops of a function. Matrices are vectors already.
class MatrixDivider {
public:
  explicit MatrixDivider(Value part)
      : builder(part.getContext()), loc(part.getLoc()), number(part) {}

  void divide(const Division &division);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value left, Value right) {
    return arith::AddIOp::create(builder, loc, left, right);
  }
  Value multiply(Value value, int64_t factor) {
    return arith::MulIOp::create(builder, loc, value, constant(factor));
  }
  /// Where the part's elements lie: one place for each element of the buffer,
  /// or the first alone where all lie side by side.
  SmallVector<Value> emitPlaces(const MatrixAccess &access,
                                const MatrixPart &part);
  Value emitLoad(const MatrixAccess &access, const MatrixPart &part);
  void emitStore(const MatrixAccess &access, const MatrixPart &part,
                 Value source);
  Value emitElementwise(gpu::SubgroupMmaElementwiseOp op, VectorType type);

  OpBuilder builder;
  Location loc;
  Value number; ///< of the part
};
} // namespace

SmallVector<Value> MatrixDivider::emitPlaces(const MatrixAccess &access,
                                             const MatrixPart &part) {
  int64_t parts = part.lineLength / part.elements; // of a line
  Value line = arith::DivUIOp::create(builder, loc, number, constant(parts));
  Value inLine =
      multiply(arith::RemUIOp::create(builder, loc, number, constant(parts)),
               part.elements);
  SmallVector<Value> places;
  if (access.isTransposed != part.areColumns) {
    // Lines lie side by side, and their elements apart.
    for (int64_t next = 0; next < part.elements; ++next)
      places.push_back(
          add(add(access.first, line),
              multiply(add(inLine, constant(next)), access.distance)));
    return places;
  }
  int64_t lanes = access.getLanes();
  Value first =
      add(add(access.first, multiply(line, access.distance)),
          arith::DivUIOp::create(builder, loc, inLine, constant(lanes)));
  if (lanes == 1)
    return {first};
  for (int64_t next = 0; next < part.elements / lanes; ++next)
    places.push_back(add(first, constant(next)));
  return places;
}

Value MatrixDivider::emitLoad(const MatrixAccess &access,
                              const MatrixPart &part) {
  SmallVector<Value> places = emitPlaces(access, part);
  if (places.size() == 1 && access.getLanes() == 1)
    return vector::LoadOp::create(builder, loc, part.getType(), access.buffer,
                                  places);
  SmallVector<Value> elements;
  for (Value place : places) {
    Value read = memref::LoadOp::create(builder, loc, access.buffer, place);
    if (!isa<VectorType>(read.getType())) {
      elements.push_back(read);
      continue;
    }
    for (int64_t next = 0; next < access.getLanes(); ++next)
      elements.push_back(vector::ExtractOp::create(builder, loc, read, next));
  }
  return vector::FromElementsOp::create(builder, loc, part.getType(), elements);
}

void MatrixDivider::emitStore(const MatrixAccess &access,
                              const MatrixPart &part, Value source) {
  SmallVector<Value> places = emitPlaces(access, part);
  int64_t lanes = access.getLanes();
  if (places.size() == 1 && lanes == 1) {
    vector::StoreOp::create(builder, loc, source, access.buffer, places);
    return;
  }
  for (auto [number, place] : llvm::enumerate(places)) {
    int64_t first = int64_t(number) * lanes;
    Value taken;
    if (isa<VectorType>(access.getBufferType().getElementType()))
      taken = vector::ExtractStridedSliceOp::create(
          builder, loc, source, ArrayRef<int64_t>{first},
          ArrayRef<int64_t>{lanes}, ArrayRef<int64_t>{1});
    else
      taken = vector::ExtractOp::create(builder, loc, source, first);
    memref::StoreOp::create(builder, loc, taken, access.buffer, place);
  }
}

Value MatrixDivider::emitElementwise(gpu::SubgroupMmaElementwiseOp op,
                                     VectorType type) {
  using enum gpu::MMAElementwiseOp;
  ValueRange args = op.getArgs();
  auto emit = [&]<typename OpTy>(std::in_place_type_t<OpTy>) -> Value {
    return OpTy::create(builder, loc, args[0], args[1]);
  };
  switch (op.getOpType()) {
  case ADDF:
    return emit(std::in_place_type<arith::AddFOp>);
  case MULF:
    return emit(std::in_place_type<arith::MulFOp>);
  case SUBF:
    return emit(std::in_place_type<arith::SubFOp>);
  case MAXF:
    return emit(std::in_place_type<arith::MaximumFOp>);
  case MINF:
    return emit(std::in_place_type<arith::MinimumFOp>);
  case DIVF:
    return emit(std::in_place_type<arith::DivFOp>);
  case ADDI:
    return emit(std::in_place_type<arith::AddIOp>);
  case MULI:
    return emit(std::in_place_type<arith::MulIOp>);
  case SUBI:
    return emit(std::in_place_type<arith::SubIOp>);
  case NEGATEF:
    return arith::NegFOp::create(builder, loc, args[0]);
  case NEGATES: {
    Value zero = arith::ConstantOp::create(builder, loc, type,
                                           builder.getZeroAttr(type));
    return arith::SubIOp::create(builder, loc, zero, args[0]);
  }
  case EXTF:
    return arith::ExtFOp::create(builder, loc, type, args[0]);
  case DIVS:
  case DIVU:
    break;
  }
  llvm_unreachable("canDivideMatrices takes no other");
}

void MatrixDivider::divide(const Division &division) {
  auto [op, part, access] = division;
  loc = op->getLoc();
  builder.setInsertionPoint(op);
  Value result;
  if (isa<gpu::SubgroupMmaLoadMatrixOp>(op))
    result = emitLoad(*access, part);
  else if (isa<gpu::SubgroupMmaStoreMatrixOp>(op))
    emitStore(*access, part, op->getOperand(0));
  else if (auto elementwise = dyn_cast<gpu::SubgroupMmaElementwiseOp>(op))
    result = emitElementwise(elementwise, part.getType());
  else
    result = vector::BroadcastOp::create(builder, loc, part.getType(),
                                         op->getOperand(0));
  if (result)
    op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// What there is to divide in `function`, where matrices still are matrices.
static SmallVector<Division> collectDivisions(func::FuncOp function,
                                              int64_t wave) {
  SmallVector<Division> divisions;
  auto add = [&](Operation *op, Value matrix,
                 std::optional<MatrixAccess> access = std::nullopt) {
    divisions.push_back(
        {op, *getMatrixPart(getMatrixType(matrix), wave), access});
  };
  function.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](gpu::SubgroupMmaLoadMatrixOp load) {
          add(op, load.getRes(), describe(load));
        })
        .Case([&](gpu::SubgroupMmaStoreMatrixOp store) {
          add(op, store.getSrc(), describe(store));
        })
        .Case<gpu::SubgroupMmaElementwiseOp, gpu::SubgroupMmaConstantMatrixOp>(
            [&](auto make) { add(op, make.getRes()); });
  });
  return divisions;
}

void mlir::convoy::divideMatrices(func::FuncOp function, Value part,
                                  int64_t wave) {
  SmallVector<Division> divisions = collectDivisions(function, wave);
  auto retype = [&](Value value) {
    if (auto type = dyn_cast<gpu::MMAMatrixType>(value.getType()))
      value.setType(getMatrixPart(type, wave)->getType());
  };
  function.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), retype);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), retype);
  });
  MatrixDivider divider(part);
  for (const Division &division : divisions)
    divider.divide(division);
}
