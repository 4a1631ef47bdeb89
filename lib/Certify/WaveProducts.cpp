//===- WaveProducts.cpp - Matrix instructions of AMD's GPUs -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From AMD's "Instruction Set Architecture" reference guides, not from the
// tables that kernels are made by: of CDNA "Matrix Arithmetic Instructions"
// (V_MFMA of one block of 16 x 16), of RDNA 3 "Wave Matrix Multiply Accumulate"
// (in waves of 32).
//
//===----------------------------------------------------------------------===//

#include "WaveProducts.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Elements of a lane, if these are of `type`.
static int64_t getNumElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// Whether products of `factor` are added up as `sum`.
static bool areTypesKnown(Type factor, Type sum) {
  factor = getElementTypeOrSelf(factor);
  sum = getElementTypeOrSelf(sum);
  if (factor.isSignlessInteger(8))
    return sum.isSignlessInteger(32);
  return sum.isF32() && (factor.isF32() || factor.isF16() || factor.isBF16());
}

/// Lanes of V_MFMA hold successive terms; those 16 apart the next ones, and the
/// next four rows of the result.
static std::optional<WaveProduct> find(amdgpu::MFMAOp op) {
  bool isPlain = op.getM() == 16 && op.getN() == 16 && op.getBlocks() == 1 &&
                 !op.getCbsz() && !op.getAbid() &&
                 op.getBlgp() == amdgpu::MFMAPermB::none &&
                 !op.getReducePrecision() && !op.getNegateA() &&
                 !op.getNegateB() && !op.getNegateC();
  int64_t terms = op.getK();
  WaveProduct product{op.getSourceA(),
                      op.getSourceB(),
                      op.getDestC(),
                      op.getDestD(),
                      /*lanes=*/64,
                      {terms / 4, /*isLaneLow=*/false, terms},
                      {4, /*isLaneLow=*/false, 16},
                      /*isReplicated=*/false,
                      /*isUnsignedA=*/false,
                      /*isUnsignedB=*/false};
  return isPlain ? std::optional(product) : std::nullopt;
}

/// Lanes of RDNA 3's V_WMMA hold all terms, those 16 apart the same; of the
/// result the latter hold the odd rows. Those of RDNA 4's hold half of the
/// terms, and of the result the latter hold the rows from 8 on. Which terms a
/// lane has does not matter, since lanes have the same of both factors.
static std::optional<WaveProduct> find(amdgpu::WMMAOp op) {
  bool isPlain = op.getM() == 16 && op.getN() == 16 && op.getK() == 16 &&
                 !op.getSubwordOffset() && !op.getClamp();
  bool isReplicated = getNumElements(op.getSourceA().getType()) == 16;
  WaveProduct product{op.getSourceA(),
                      op.getSourceB(),
                      op.getDestC(),
                      op.getDestD(),
                      /*lanes=*/32,
                      {isReplicated ? 16 : 8, /*isLaneLow=*/false, 16},
                      {isReplicated ? 2 : 8, isReplicated, 16},
                      isReplicated,
                      op.getUnsignedA(),
                      op.getUnsignedB()};
  return isPlain ? std::optional(product) : std::nullopt;
}

std::optional<WaveProduct> certify::findWaveProduct(Operation *op) {
  std::optional<WaveProduct> product;
  if (auto mfma = dyn_cast<amdgpu::MFMAOp>(op))
    product = find(mfma);
  else if (auto wmma = dyn_cast<amdgpu::WMMAOp>(op))
    product = find(wmma);
  if (!product)
    return std::nullopt;
  Type factor = product->a.getType(), sum = product->c.getType();
  bool isKnown = product->b.getType() == factor && areTypesKnown(factor, sum) &&
                 getNumElements(factor) == product->factor.getElements() &&
                 getNumElements(sum) == product->sum.getElements();
  return isKnown ? product : std::nullopt;
}
