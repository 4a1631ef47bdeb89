//===- TileConfigs.cpp - Shapes of AMX's tiles ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of a configuration is that of LDTILECFG, in the "Intel 64 and
// IA-32 Architectures Software Developer's Manual", volume 2.
//
//===----------------------------------------------------------------------===//

#include "TileConfigs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;

Block *mlir::convoy::getStackBlock(Operation *op) {
  Operation *scope = op->getParentOp();
  while (isa<scf::ForOp, scf::IfOp, scf::ExecuteRegionOp>(scope))
    scope = scope->getParentOp();
  return &scope->getRegion(0).front();
}

Value mlir::convoy::createPointer(OpBuilder &builder, Location loc,
                                  Value memref, ValueRange indices) {
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  int64_t bytes =
      cast<MemRefType>(memref.getType()).getElementTypeBitWidth() / 8;
  Value place = metadata.getOffset();
  for (auto [index, stride] : llvm::zip_equal(indices, metadata.getStrides())) {
    Value distance = arith::MulIOp::create(builder, loc, index, stride);
    place = arith::AddIOp::create(builder, loc, place, distance);
  }
  Value size = arith::ConstantIndexOp::create(builder, loc, bytes);
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, loc, metadata.getBaseBuffer());
  Value address = arith::AddIOp::create(
      builder, loc, start, arith::MulIOp::create(builder, loc, place, size));
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), number);
}

/// `config` as LDTILECFG reads it: the palette, the bytes of a row of each tile
/// from byte 16 on, and its rows from byte 48 on.
static DenseElementsAttr toBytes(OpBuilder &builder, const TileConfig &config) {
  std::array<int8_t, 64> bytes = {};
  bytes[0] = 1;
  for (auto [number, tile] : llvm::enumerate(config.tiles)) {
    bytes[16 + 2 * number] = int8_t(tile.rowBytes & 0xff);
    bytes[17 + 2 * number] = int8_t(tile.rowBytes >> 8);
    bytes[48 + number] = int8_t(tile.rows);
  }
  return DenseElementsAttr::get(VectorType::get({64}, builder.getI8Type()),
                                ArrayRef<int8_t>(bytes));
}

static bool isLoop(Operation *op) { return isa<scf::ForOp, scf::IfOp>(op); }

DenseMap<Operation *, std::optional<TileConfig>>
TileConfigs::getScopes() const {
  DenseMap<Operation *, std::optional<TileConfig>> scopes;
  for (const User &user : users) {
    // What a thread runs loads and releases its own, the first thread, too.
    bool isOfThread = false;
    for (Operation *scope = user.first->getParentOp();
         !isa<FunctionOpInterface>(scope); scope = scope->getParentOp()) {
      isOfThread |= !isLoop(scope);
      auto [entry, isNew] = scopes.try_emplace(scope, user.config);
      if (isOfThread || (!isNew && entry->second != user.config))
        entry->second = std::nullopt;
    }
  }
  return scopes;
}

void TileConfigs::load(OpBuilder &builder) const {
  DenseMap<Operation *, std::optional<TileConfig>> scopes = getScopes();
  DenseSet<Operation *> loaded;
  for (auto [op, last, config] : users) {
    while (isLoop(op->getParentOp()) && scopes.lookup(op->getParentOp()))
      op = last = op->getParentOp();
    if (!loaded.insert(op).second)
      continue;
    Location loc = op->getLoc();
    builder.setInsertionPointToStart(getStackBlock(op));
    Value memory = memref::AllocaOp::create(
        builder, loc, MemRefType::get({64}, builder.getI8Type()),
        builder.getI64IntegerAttr(64));
    builder.setInsertionPoint(op);
    Value bytes =
        arith::ConstantOp::create(builder, loc, toBytes(builder, config));
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    vector::StoreOp::create(builder, loc, bytes, memory, zero);
    LLVM::CallIntrinsicOp::create(builder, loc,
                                  builder.getStringAttr("llvm.x86.ldtilecfg"),
                                  createPointer(builder, loc, memory, zero));
    builder.setInsertionPointAfter(last);
    LLVM::CallIntrinsicOp::create(builder, loc,
                                  builder.getStringAttr("llvm.x86.tilerelease"),
                                  ValueRange());
  }
}
