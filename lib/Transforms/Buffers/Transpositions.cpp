//===- Transpositions.cpp - Blocks that are transposed ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transpositions.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::convoy;

Type mlir::convoy::getBitsType(Type type) {
  unsigned width = getElementBits(type);
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

/// `vector` with `size` elements: the first ones, and any.
static Value resize(OpBuilder &builder, Location loc, Value vector,
                    int64_t size) {
  int64_t oldSize = cast<VectorType>(vector.getType()).getDimSize(0);
  if (oldSize == size)
    return vector;
  SmallVector<int64_t> mask(size, -1);
  for (int64_t lane = 0; lane < std::min(size, oldSize); ++lane)
    mask[lane] = lane;
  return vector::ShuffleOp::create(builder, loc, vector, vector, mask);
}

/// The mask for `part` of a row of `buffer`; null if it takes none. It has no
/// more lanes than it takes: long vectors cross more cache lines.
static TypedValue<VectorType> createMask(OpBuilder &builder, Location loc,
                                         Value buffer, const RowPart &part) {
  if (!part.hasMasks || llvm::isPowerOf2_64(uint64_t(part.size)) ||
      getElementBits(getElementTypeOrSelf(buffer.getType())) < 32)
    return {};
  auto lanes = int64_t(llvm::PowerOf2Ceil(uint64_t(part.size)));
  return vector::ConstantMaskOp::create(
      builder, loc, VectorType::get({lanes}, builder.getI1Type()),
      ArrayRef<int64_t>{part.size});
}

Value mlir::convoy::loadRow(OpBuilder &builder, Location loc, Value buffer,
                            ValueRange address, const RowPart &part) {
  Type element = getElementTypeOrSelf(buffer.getType());
  if (TypedValue<VectorType> mask = createMask(builder, loc, buffer, part)) {
    VectorType type = VectorType::get(mask.getType().getShape(), element);
    Value none = ub::PoisonOp::create(builder, loc, type);
    Value read = vector::MaskedLoadOp::create(builder, loc, type, buffer,
                                              address, mask, none);
    return resize(builder, loc, read, part.lanes);
  }
  Value vector = vector::LoadOp::create(
      builder, loc, VectorType::get({part.size}, element), buffer, address);
  vector = castElements(builder, loc, vector, getBitsType(element));
  return resize(builder, loc, vector, part.lanes);
}

void mlir::convoy::storeRow(OpBuilder &builder, Location loc, Value vector,
                            Value buffer, ValueRange address,
                            const RowPart &part) {
  TypedValue<VectorType> mask = createMask(builder, loc, buffer, part);
  vector = resize(builder, loc, vector,
                  mask ? mask.getType().getDimSize(0) : part.size);
  if (mask)
    vector::MaskedStoreOp::create(builder, loc, buffer, address, mask, vector);
  else
    vector::StoreOp::create(builder, loc, vector, buffer, address);
}

/// Bits that unpack instructions and shuffles of their parts keep together.
static constexpr int64_t kPieceBits = 128;

namespace {
/// The lanes that one round takes from a pair of rows, for the lower and the
/// higher of the two.
struct PairMasks {
  SmallVector<int64_t> low, high;
};
} // namespace

/// The masks for rows of `size` lanes that are `half` rows apart. In pieces of
/// `piece` lanes, runs of `half` lanes are interleaved; longer runs are whole
/// pieces, of which the even and the odd are collected.
static PairMasks getPairMasks(int64_t size, int64_t piece, int64_t half) {
  PairMasks masks;
  auto append = [](SmallVector<int64_t> &mask, int64_t begin, int64_t length) {
    llvm::append_range(mask, llvm::seq(begin, begin + length));
  };
  if (half < piece) {
    for (int64_t base = 0; base < size; base += piece)
      for (int64_t lane = base; lane < base + piece / 2; lane += half)
        for (int64_t row : {lane, size + lane}) {
          append(masks.low, row, half);
          append(masks.high, row + piece / 2, half);
        }
    return masks;
  }
  for (int64_t base = 0; base < 2 * size; base += 2 * piece) {
    append(masks.low, base, piece);
    append(masks.high, base + piece, piece);
  }
  return masks;
}

/// A round for each bit of a row's number brings that bit to its place in the
/// lane's number, and a bit of the lane's number in its stead. Within pieces
/// that is the highest that is left, so that their bits end in reversed order.
SmallVector<Value> mlir::convoy::transposeRows(OpBuilder &builder, Location loc,
                                               SmallVector<Value> rows) {
  int64_t size = rows.size();
  int64_t width = getElementBits(getElementTypeOrSelf(rows[0].getType()));
  int64_t piece = std::min(
      size,
      int64_t(llvm::bit_floor(uint64_t(std::max(kPieceBits / width, 1L)))));
  for (int64_t half = 1; half < size; half *= 2) {
    PairMasks masks = getPairMasks(size, piece, half);
    for (int64_t row = 0; row < size; ++row) {
      if (row & half)
        continue;
      Value first = rows[row], second = rows[row + half];
      rows[row] =
          vector::ShuffleOp::create(builder, loc, first, second, masks.low);
      rows[row + half] =
          vector::ShuffleOp::create(builder, loc, first, second, masks.high);
    }
  }
  SmallVector<Value> columns(size);
  for (auto [number, row] : llvm::enumerate(rows)) {
    int64_t column = number / piece * piece;
    for (int64_t bit = 1; bit < piece; bit *= 2)
      if (number & bit)
        column += piece / (2 * bit);
    columns[column] = row;
  }
  return columns;
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
  RowPart whole{block.lanes, block.lanes, /*hasMasks=*/false};
  Type element = getElementTypeOrSelf(destination.getType());
  SmallVector<Value> rows;
  for (int64_t row = 0; row < block.lanes; ++row)
    rows.push_back(
        loadRow(builder, loc, source, index(row * block.readStride), whole));
  for (auto [row, value] :
       llvm::enumerate(transposeRows(builder, loc, std::move(rows))))
    storeRow(builder, loc, castElements(builder, loc, value, element),
             destination, index(row * block.writtenStride), whole);
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
  // What is prefetched may lie behind it.
  MemRefType read = getPartType(cast<MemRefType>(source.getType()),
                                last * block.readStride + block.lanes);
  MemRefType written = getPartType(cast<MemRefType>(destination.getType()),
                                   last * block.writtenStride + block.lanes);
  func::FuncOp function = get(loc, block, read, written);
  func::CallOp::create(
      builder, loc, function,
      ValueRange{getPart(builder, loc, source, from, read),
                 getPart(builder, loc, destination, to, written)});
}
