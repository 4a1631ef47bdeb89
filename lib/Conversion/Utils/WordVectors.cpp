//===- WordVectors.cpp - Vectors of words -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Utils/WordVectors.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;

bool mlir::convoy::isSplat(Value vector) {
  if (auto shuffle = vector.getDefiningOp<vector::ShuffleOp>())
    return llvm::all_equal(shuffle.getMask());
  return bool(vector.getDefiningOp<vector::BroadcastOp>());
}

Value mlir::convoy::castToParts(OpBuilder &builder, Location loc, Value vector,
                                const WordParts &parts) {
  int64_t words = cast<VectorType>(vector.getType()).getNumElements();
  auto type = VectorType::get({words * parts.count()}, parts.type);
  return vector::BitCastOp::create(builder, loc, type, vector);
}

Value mlir::convoy::takeHalves(OpBuilder &builder, Location loc, Value words,
                               const WordParts &parts, int64_t half,
                               int64_t lanes) {
  auto type = cast<VectorType>(words.getType());
  SmallVector<int64_t> places =
      llvm::to_vector(llvm::seq(type.getNumElements()));
  auto shuffle = words.getDefiningOp<vector::ShuffleOp>();
  auto broadcast = words.getDefiningOp<vector::BroadcastOp>();
  if (shuffle && isSplat(words) &&
      shuffle.getMask()[0] < shuffle.getV1VectorType().getNumElements()) {
    places.assign(shuffle.getMask().begin(), shuffle.getMask().end());
    words = shuffle.getV1();
  } else if (broadcast && !isa<VectorType>(broadcast.getSourceType())) {
    places.assign(places.size(), 0);
    words = vector::BroadcastOp::create(
        builder, loc, VectorType::get({1}, type.getElementType()),
        broadcast.getSource());
  }
  int64_t count = parts.count(), taken = count / 2;
  SmallVector<int64_t> mask;
  for (int64_t place : places)
    for (int64_t part = 0; part < taken; ++part)
      mask.push_back(place * count + half * taken + part);
  mask.resize(lanes * taken, vector::ShuffleOp::kPoisonIndex);
  Value whole = castToParts(builder, loc, words, parts);
  return vector::ShuffleOp::create(builder, loc, whole, whole, mask);
}

Value mlir::convoy::callDotInstruction(
    OpBuilder &builder, Location loc,
    const ::convoy::CPUDotInstruction &instruction, VectorType type,
    ValueRange operands) {
  int64_t bytes = 4 * type.getNumElements();
  return LLVM::CallIntrinsicOp::create(
             builder, loc, type,
             builder.getStringAttr(instruction.getIntrinsic(bytes)), operands)
      ->getResult(0);
}
