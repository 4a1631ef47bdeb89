//===- VectorCosts.cpp - What vectors cost beside products ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/VectorCosts.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/KernelABI/PrepackedArguments.h"

using namespace mlir;
using namespace mlir::convoy;

static bool isLargerThan(RankedTensorType type, int64_t bytes) {
  return type.hasStaticShape() &&
         type.getNumElements() * getElementBytes(type.getElementType()) > bytes;
}

bool mlir::convoy::isBeyondL2(TargetAttr target, RankedTensorType type) {
  return isLargerThan(type, target.getL2Bytes());
}

bool mlir::convoy::isBeyondCaches(TargetAttr target, RankedTensorType type) {
  return isLargerThan(type, target.getLastLevelBytes());
}

RankedTensorType mlir::convoy::getSourceType(Value factor) {
  if (auto rows = factor.getDefiningOp<Im2colOp>())
    factor = rows.getInput();
  return cast<RankedTensorType>(factor.getType());
}

double mlir::convoy::getScatteredCycles(TargetAttr target, Value result,
                                        std::optional<int64_t> stride) {
  auto type = cast<RankedTensorType>(result.getType());
  int64_t elementBytes = getElementBytes(result);
  int64_t bytes = stride.value_or(0) * elementBytes;
  if (bytes < target.getCore().lineBytes || !isBeyondCaches(target, type))
    return kScatteredCycles;
  return bytes < target.getCore().pageBytes ? 2 * kScatteredCycles
                                            : 4 * kScatteredCycles;
}

double mlir::convoy::getPackCycles(TargetAttr target, Value factor,
                                   const LoopStrides &strides,
                                   unsigned laneLoop) {
  if (getPrepackedArgument(factor))
    return 0;
  int64_t bytes = getElementBytes(factor);
  std::optional<int64_t> stride = strides[laneLoop];
  double cycles =
      kPackElementCycles * double(target.getVectorBytes()) / double(bytes);
  if (stride == 1)
    cycles = kPackCycles;
  else if (stride && *stride <= kMostApart)
    cycles = kPackApartCycles;
  else if (llvm::is_contained(strides, 1))
    cycles = kPackTransposedCycles;
  if (isBeyondL2(target, getSourceType(factor)))
    cycles += kPackLineCycles * double(target.getVectorBytes()) /
              double(target.getCore().lineBytes);
  return cycles;
}
