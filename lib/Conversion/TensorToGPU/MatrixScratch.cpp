//===- MatrixScratch.cpp - Elements of cooperative matrices -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixScratch.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::GPUMatrixInstruction;
using ::convoy::kScratchLine;

static constexpr int64_t kLines = GPUMatrixInstruction::kLines;

Type mlir::convoy::getSharedType(const GPUMatrixInstruction &instruction,
                                 MLIRContext *context) {
  Type type = getMatrixTypes(instruction, context).operand;
  bool isCooperative = instruction.op == GPUMatrixInstruction::Op::Cooperative;
  return isCooperative && type.isBF16() ? Float16Type::get(context) : type;
}

gpu::MMAMatrixType
mlir::convoy::getCooperativeType(const GPUMatrixInstruction &instruction,
                                 MLIRContext *context, StringRef operand,
                                 bool isUnsigned) {
  Type element = operand == "COp" ? getMatrixTypes(instruction, context).result
                                  : getSharedType(instruction, context);
  // Of factors it is said here whether they are signed.
  if (element.isInteger(8))
    element = IntegerType::get(
        context, 8, isUnsigned ? IntegerType::Unsigned : IntegerType::Signed);
  int64_t rows = operand == "BOp" ? instruction.terms : kLines;
  int64_t columns = operand == "AOp" ? instruction.terms : kLines;
  return gpu::MMAMatrixType::get({rows, columns}, element, operand);
}

MatrixScratch::MatrixScratch(KernelBuilder &kernel, gpu::MMAMatrixType type,
                             int64_t subgroups, int64_t wave)
    : kernel(kernel), type(type), wave(wave),
      buffer(kernel.addWorkgroupBuffer(type.getElementType(),
                                       subgroups * kLines * kScratchLine)) {}

Value MatrixScratch::emitStart(OpBuilder &builder) {
  return scale(builder, kernel.getLoc(), kernel.getSubgroup(),
               kLines * kScratchLine);
}

SmallVector<MatrixScratch::Place>
MatrixScratch::emitPlaces(OpBuilder &builder) {
  Location loc = kernel.getLoc();
  constexpr int64_t groups = kLines / kVectorLanes;
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Place> places;
  for (int64_t first = 0; first < kLines * groups; first += wave) {
    Value number = builder.createOrFold<arith::AddIOp>(loc, kernel.getLane(),
                                                       constant(first));
    places.push_back(
        {builder.createOrFold<arith::DivUIOp>(loc, number, constant(groups)),
         builder.createOrFold<arith::RemUIOp>(loc, number, constant(groups))});
  }
  return places;
}

SmallVector<Value> MatrixScratch::emitAddresses(OpBuilder &builder) {
  Location loc = kernel.getLoc();
  Value start = emitStart(builder);
  return llvm::map_to_vector(emitPlaces(builder), [&](const Place &place) {
    Value inLine = builder.createOrFold<arith::AddIOp>(
        loc, scale(builder, loc, place.row, kScratchLine),
        scale(builder, loc, place.group, kVectorLanes));
    return builder.createOrFold<arith::AddIOp>(loc, start, inLine);
  });
}

void MatrixScratch::emitBarrierOfLast(OpBuilder &builder) {
  if (isUsed)
    gpu::BarrierOp::create(builder, kernel.getLoc());
  isUsed = true;
}

SmallVector<Value> MatrixScratch::emitRuns(OpBuilder &builder, Value matrix) {
  Location loc = kernel.getLoc();
  emitBarrierOfLast(builder);
  gpu::SubgroupMmaStoreMatrixOp::create(
      builder, loc, matrix, buffer, ValueRange{emitStart(builder)},
      builder.getIndexAttr(kScratchLine), /*transpose=*/UnitAttr());
  gpu::BarrierOp::create(builder, loc);
  auto vector = VectorType::get({kVectorLanes}, type.getElementType());
  return llvm::map_to_vector(
      emitAddresses(builder), [&](Value address) -> Value {
        return vector::LoadOp::create(builder, loc, vector, buffer, address);
      });
}

Value MatrixScratch::emitMatrix(OpBuilder &builder, ArrayRef<Value> runs) {
  Location loc = kernel.getLoc();
  emitBarrierOfLast(builder);
  for (auto [address, run] : llvm::zip_equal(emitAddresses(builder), runs))
    vector::StoreOp::create(builder, loc, run, buffer, address);
  gpu::BarrierOp::create(builder, loc);
  return gpu::SubgroupMmaLoadMatrixOp::create(
      builder, loc, type, buffer, ValueRange{emitStart(builder)},
      builder.getIndexAttr(kScratchLine), /*transpose=*/UnitAttr());
}
