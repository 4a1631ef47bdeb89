//===- Transpositions.cpp - Blocks that are transposed ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transpositions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::convoy;

Type mlir::convoy::getBitsType(Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  return isa<FloatType>(type) && width < 32
             ? IntegerType::get(type.getContext(), width)
             : type;
}

Value mlir::convoy::castElements(OpBuilder &builder, Location loc, Value vector,
                                 Type element) {
  auto type = cast<VectorType>(vector.getType());
  if (element == type.getElementType())
    return vector;
  return vector::BitCastOp::create(builder, loc, type.clone(element), vector);
}

/// Each round interleaves row i with row i + half: it moves the highest bit of
/// the row's number to the lowest of the lane's, and the highest of the lane's
/// to the lowest of the row's. After as many rounds as bits, row and lane have
/// changed places.
SmallVector<Value> mlir::convoy::transposeRows(OpBuilder &builder, Location loc,
                                               SmallVector<Value> rows) {
  int64_t size = rows.size(), half = size / 2;
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < half; ++lane) {
    low.append({lane, size + lane});
    high.append({half + lane, size + half + lane});
  }
  for (int64_t round = size; round > 1; round /= 2) {
    SmallVector<Value> next;
    for (int64_t row = 0; row < half; ++row)
      for (ArrayRef<int64_t> mask : {ArrayRef(low), ArrayRef(high)})
        next.push_back(vector::ShuffleOp::create(builder, loc, rows[row],
                                                 rows[row + half], mask));
    rows = std::move(next);
  }
  return rows;
}

/// The type of `length` elements somewhere in a buffer of `type`.
static MemRefType getPartType(MemRefType type, int64_t length) {
  return MemRefType::get(
      {length}, type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, {1}));
}

/// The part of `buffer` from `address` on that `type` describes.
static Value getPart(OpBuilder &builder, Location loc, Value buffer,
                     ArrayRef<Value> address, MemRefType type) {
  auto [strides, offset] =
      cast<MemRefType>(buffer.getType()).getStridesAndOffset();
  auto whole = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  SmallVector<OpFoldResult> operands(address);
  operands.push_back(whole.getOffset());
  AffineExpr sum = builder.getAffineDimExpr(address.size());
  for (auto [dim, stride] : llvm::enumerate(strides))
    sum = sum + builder.getAffineDimExpr(dim) * stride;
  OpFoldResult start = affine::makeComposedFoldedAffineApply(
      builder, loc, AffineMap::get(operands.size(), 0, sum), operands);
  OpFoldResult length = builder.getIndexAttr(type.getNumElements());
  return memref::ReinterpretCastOp::create(
      builder, loc, type, whole.getBaseBuffer(), start,
      ArrayRef<OpFoldResult>{length},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

/// Fills `function`, which takes the parts of both buffers.
static void buildBody(func::FuncOp function, const TransposedBlock &block) {
  OpBuilder builder = OpBuilder::atBlockBegin(function.addEntryBlock());
  Location loc = function.getLoc();
  Value source = function.getArgument(0), destination = function.getArgument(1);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  for (int64_t row = 0; block.ahead != 0 && row < block.lanes; ++row)
    memref::PrefetchOp::create(builder, loc, source,
                               index(row * block.readStride + block.ahead),
                               /*isWrite=*/false, /*localityHint=*/3,
                               /*isDataCache=*/true);
  Type element = getElementTypeOrSelf(source.getType());
  auto type = VectorType::get({block.lanes}, element);
  SmallVector<Value> rows;
  for (int64_t row = 0; row < block.lanes; ++row)
    rows.push_back(
        castElements(builder, loc,
                     vector::LoadOp::create(builder, loc, type, source,
                                            index(row * block.readStride)),
                     getBitsType(element)));
  for (auto [row, value] :
       llvm::enumerate(transposeRows(builder, loc, std::move(rows))))
    vector::StoreOp::create(
        builder, loc,
        castElements(builder, loc, value,
                     getElementTypeOrSelf(destination.getType())),
        destination, index(row * block.writtenStride));
  func::ReturnOp::create(builder, loc);
}

func::FuncOp Transpositions::get(Location loc, const TransposedBlock &block,
                                 MemRefType source, MemRefType destination) {
  func::FuncOp &function = functions[{
      block.lanes, block.readStride, block.writtenStride, block.ahead,
      source.getAsOpaquePointer(), destination.getAsOpaquePointer()}];
  if (function)
    return function;
  MLIRContext *context = module.getContext();
  function = func::FuncOp::create(
      loc, "transpose", FunctionType::get(context, {source, destination}, {}));
  function.setPrivate();
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  function->setAttr(
      "passthrough",
      ArrayAttr::get(context, StringAttr::get(context, "noinline")));
  SymbolTable(module).insert(function);
  buildBody(function, block);
  return function;
}

void Transpositions::call(OpBuilder &builder, Location loc,
                          const TransposedBlock &block, Value source,
                          ArrayRef<Value> from, Value destination,
                          ArrayRef<Value> to) {
  int64_t last = block.lanes - 1;
  MemRefType read =
      getPartType(cast<MemRefType>(source.getType()),
                  last * block.readStride + block.lanes + block.ahead);
  MemRefType written = getPartType(cast<MemRefType>(destination.getType()),
                                   last * block.writtenStride + block.lanes);
  func::FuncOp function = get(loc, block, read, written);
  func::CallOp::create(
      builder, loc, function,
      ValueRange{getPart(builder, loc, source, from, read),
                 getPart(builder, loc, destination, to, written)});
}
