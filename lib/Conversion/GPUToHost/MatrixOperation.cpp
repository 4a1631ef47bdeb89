//===- MatrixOperation.cpp - Matrix instructions on the host ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixOperation.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::convoy;

/// `convoy_simulated_element`.
static std::optional<int64_t> getElement(Type type) {
  if (type.isF32())
    return 0;
  if (type.isF16())
    return 1;
  if (type.isBF16())
    return 2;
  if (type.isSignlessInteger(8))
    return 3;
  return std::nullopt;
}

/// How many registers of 32 bits a work-item has of a matrix.
static std::optional<int64_t> countRegisters(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  int64_t bits = (vector ? vector.getNumElements() : 1) *
                 int64_t(getElementBits(getElementTypeOrSelf(type)));
  if (bits % 32)
    return std::nullopt;
  return bits / 32;
}

static bool hasModifiers(amdgpu::MFMAOp op) {
  return op.getBlocks() != 1 || op.getCbsz() || op.getAbid() ||
         op.getBlgp() != amdgpu::MFMAPermB::none || op.getReducePrecision() ||
         op.getNegateA() || op.getNegateB() || op.getNegateC();
}

static bool hasModifiers(amdgpu::WMMAOp op) {
  return op.getSubwordOffset() || op.getClamp();
}

template <typename OpTy>
static std::optional<MatrixOperation> describe(OpTy op, int64_t family,
                                               bool unsignedA, bool unsignedB,
                                               bool pairwise) {
  Type factor = op.getSourceA().getType(), sum = op.getDestC().getType();
  std::optional<int64_t> element = getElement(getElementTypeOrSelf(factor));
  if (hasModifiers(op) || op.getSourceB().getType() != factor || !element)
    return std::nullopt;
  Type sumElement = getElementTypeOrSelf(sum);
  bool isInteger = getElementTypeOrSelf(factor).isInteger();
  if (isInteger ? !sumElement.isSignlessInteger(32) : !sumElement.isF32())
    return std::nullopt;
  std::optional<int64_t> factors = countRegisters(factor);
  std::optional<int64_t> sums = countRegisters(sum);
  if (!factors || !sums ||
      2 * *factors + *sums > MatrixOperation::kMaxRegisters)
    return std::nullopt;
  return MatrixOperation{{family, op.getM(), op.getN(), op.getK(), *element,
                          *factors, *sums, unsignedA, unsignedB, pairwise},
                         op.getSourceA(),
                         op.getSourceB(),
                         op.getDestC()};
}

std::optional<MatrixOperation> mlir::convoy::getMatrixOperation(Operation *op,
                                                                bool pairwise) {
  if (auto mfma = dyn_cast<amdgpu::MFMAOp>(op))
    return describe(mfma, /*family=*/0, /*unsignedA=*/false,
                    /*unsignedB=*/false, pairwise);
  if (auto wmma = dyn_cast<amdgpu::WMMAOp>(op))
    return describe(wmma, /*family=*/1, wmma.getUnsignedA(),
                    wmma.getUnsignedB(), pairwise);
  return std::nullopt;
}
