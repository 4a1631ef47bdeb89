//===- MatrixOperation.cpp - Matrix instructions on the host ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixOperation.h"

#include "MatrixPart.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
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
                          *factors, *sums, unsignedA, unsignedB, pairwise}};
}

/// The product of cooperative matrices that waves of `wave` work-items hold in
/// equal parts.
static std::optional<MatrixOperation> describe(gpu::SubgroupMmaComputeOp op,
                                               int64_t wave, bool pairwise) {
  auto typeOf = [](Value value) {
    return cast<gpu::MMAMatrixType>(value.getType());
  };
  gpu::MMAMatrixType a = typeOf(op.getOpA()), b = typeOf(op.getOpB()),
                     c = typeOf(op.getOpC());
  std::optional<MatrixPart> partA = getMatrixPart(a, wave),
                            partB = getMatrixPart(b, wave),
                            sums = getMatrixPart(c, wave);
  if (!partA || !partB || !sums || op.getATranspose() || op.getBTranspose() ||
      partA->element != partB->element || partA->elements != partB->elements)
    return std::nullopt;
  Type factor = op->hasAttr(kBF16FactorsAttrName)
                    ? BFloat16Type::get(op.getContext())
                    : partA->element;
  std::optional<int64_t> element = getElement(factor);
  bool isInteger = partA->element.isInteger();
  if (!element ||
      !(isInteger ? sums->element.isInteger(32) : sums->element.isF32()))
    return std::nullopt;
  auto isUnsigned = [](gpu::MMAMatrixType matrix) {
    return matrix.getElementType().isUnsignedInteger();
  };
  return MatrixOperation{{2, a.getShape()[0], b.getShape()[1], a.getShape()[1],
                          *element, *countRegisters(partA->getType()),
                          *countRegisters(sums->getType()), isUnsigned(a),
                          isUnsigned(b), pairwise}};
}

std::optional<MatrixOperation>
mlir::convoy::getMatrixOperation(Operation *op, int64_t wave, bool pairwise) {
  if (auto product = dyn_cast<gpu::SubgroupMmaComputeOp>(op))
    return describe(product, wave, pairwise);
  if (auto mfma = dyn_cast<amdgpu::MFMAOp>(op))
    return describe(mfma, /*family=*/0, /*unsignedA=*/false,
                    /*unsignedB=*/false, pairwise);
  if (auto wmma = dyn_cast<amdgpu::WMMAOp>(op))
    return describe(wmma, /*family=*/1, wmma.getUnsignedA(),
                    wmma.getUnsignedB(), pairwise);
  return std::nullopt;
}
