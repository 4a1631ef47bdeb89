//===- MatrixTile.cpp - Tiles for matrix instructions -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/MatrixTile.h"
#include "convoy/Transforms/Utils/Choices.h"

#include "convoy/Transforms/Utils/SumOfProducts.h"
#include "convoy/Transforms/Utils/WorkgroupSides.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::GPUMatrixInstruction;
using ::convoy::MatrixStage;

/// Reads of a step by one work-item that have a condition each, for which there
/// are few registers: those of single elements, and all where some terms are
/// none.
static constexpr int64_t kMostConditions = 12;
/// Vectors of a work-item with WMMA: of 16 bytes, so that with addresses (some
/// 200 registers in all) a SIMD of RDNA, which has 1536 for each lane of a
/// wave, holds 6 waves or 7.
static constexpr int64_t kWmmaVectors = 36;
/// Workgroups that a unit should have memory for, so that others compute while
/// one waits: of CDNA, whose units have 64 KiB, as many as there are registers
/// for. RDNA's workgroups have the memory of two units, and those of Vulkan may
/// use a half of it at most.
static constexpr int64_t kOverlappedGroups = 2;
static constexpr int64_t kOverlappedMfma = 4;

/// Whether `instruction` multiplies factors with or without a sign, as
/// `unsignedFactors` says of each: those of RDNA take any, devices of Vulkan
/// list those with signs, or without, on both sides.
static bool takesSigns(const GPUMatrixInstruction &instruction,
                       std::array<bool, 2> unsignedFactors) {
  switch (instruction.op) {
  case GPUMatrixInstruction::Op::Wmma:
    return true;
  case GPUMatrixInstruction::Op::Cooperative:
    return unsignedFactors[0] == unsignedFactors[1];
  case GPUMatrixInstruction::Op::Mfma:
    return !unsignedFactors[0] && !unsignedFactors[1];
  }
  llvm_unreachable("all kinds are named");
}

const GPUMatrixInstruction *
mlir::convoy::findMatrixInstruction(TargetAttr target,
                                    linalg::GenericOp contraction) {
  Type left = getElementTypeOrSelf(contraction.getInputs()[0].getType());
  Type right = getElementTypeOrSelf(contraction.getInputs()[1].getType());
  Type result = getElementTypeOrSelf(contraction.getOutputs()[0].getType());
  if (left != right || !isSumOfProducts(contraction))
    return nullptr;
  const GPUMatrixInstruction *instruction =
      target.getMatrixInstruction(left, result);
  return instruction &&
                 takesSigns(*instruction, areFactorsUnsigned(contraction))
             ? instruction
             : nullptr;
}

std::string mlir::convoy::explainNoMatrix(TargetAttr target,
                                          linalg::GenericOp contraction) {
  if (!target.getMatrix())
    return "";
  Type left = getElementTypeOrSelf(contraction.getInputs()[0].getType());
  Type right = getElementTypeOrSelf(contraction.getInputs()[1].getType());
  Type result = getElementTypeOrSelf(contraction.getOutputs()[0].getType());
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (const GPUMatrixInstruction *instruction =
          findMatrixInstruction(target, contraction))
    stream << "no tile for " << instruction->name
           << getWords(Choice::MatrixSlower);
  else if (!isSumOfProducts(contraction))
    stream << getWords(Choice::MoreThanProducts);
  else if (left != right || target.getMatrixInstruction(left, result))
    stream << getWords(Choice::FactorsDiffer);
  else
    stream << getWords(Choice::NoMatrix) << left << " with sums in " << result;
  return text;
}

/// Whether several elements of a factor are read at once: they lie side by side
/// along a loop, and all others keep them aligned.
static bool isReadByVectors(linalg::GenericOp contraction,
                            const LoopStrides &strides,
                            const WorkgroupTile &tile) {
  SmallVector<int64_t> extents = contraction.getStaticLoopRanges();
  bool isContiguous = false;
  for (auto [loop, stride] : llvm::enumerate(strides)) {
    if (extents[loop] == 1)
      continue;
    if (!isContiguous && stride == 1 && !ShapedType::isDynamic(extents[loop]) &&
        extents[loop] % kVectorLanes == 0 &&
        tile.sizes[loop] % kVectorLanes == 0)
      isContiguous = true;
    else if (stride.value_or(1) % kVectorLanes != 0)
      return false;
  }
  return isContiguous;
}

bool mlir::convoy::fitsRegisters(TargetAttr target,
                                 linalg::GenericOp contraction,
                                 ArrayRef<LoopStrides> strides,
                                 const WorkgroupTile &tile,
                                 const MatrixStage &stage) {
  int64_t elementBytes = ::convoy::getOperandBytes(*tile.matrix);
  auto count = [&](int64_t bytes) {
    return llvm::divideCeilSigned(bytes, target.getVectorBytes());
  };
  int64_t lanes = tile.itemLanes / GPUMatrixInstruction::kLines;
  int64_t rows = tile.itemRows / GPUMatrixInstruction::kLines;
  int64_t vectors = lanes * rows * count(tile.matrix->resultElements * 4) +
                    (lanes + rows) * count(stage.readTerms * elementBytes);
  unsigned laneFactor = strides[0][tile.laneLoop] != 0 ? 0 : 1;
  SmallVector<int64_t> extents = contraction.getStaticLoopRanges();
  bool areAllTerms = stage.terms == tile.terms;
  for (unsigned loop = contraction.getNumParallelLoops(); loop < extents.size();
       ++loop)
    areAllTerms &= ShapedType::isDynamic(extents[loop])
                       ? tile.sizes[loop] == 1
                       : extents[loop] % tile.sizes[loop] == 0;
  int64_t conditions = 0;
  for (unsigned factor : {0, 1}) {
    int64_t lines = factor == laneFactor ? tile.lanes : tile.rows;
    int64_t staged =
        llvm::divideCeilSigned(lines * stage.terms, tile.getItems());
    if (isReadByVectors(contraction, strides[factor], tile)) {
      vectors += count(staged * elementBytes);
      if (!areAllTerms)
        conditions += llvm::divideCeilSigned(staged, kVectorLanes);
    } else {
      vectors += count(staged * 4);
      conditions += staged;
    }
  }
  int64_t most = tile.matrix->op == GPUMatrixInstruction::Op::Wmma
                     ? std::max(kWmmaVectors, target.getRegisters())
                     : target.getRegisters();
  return vectors <= most && conditions <= kMostConditions;
}

int64_t mlir::convoy::countWorkgroups(TargetAttr target,
                                      const WorkgroupTile &tile,
                                      const MatrixStage &stage) {
  int64_t bytes = tile.buffers * (tile.lanes + tile.rows) * stage.lineElements *
                      ::convoy::getOperandBytes(*tile.matrix) +
                  tile.getItems() / tile.matrix->wave *
                      ::convoy::getScratchBytes(*tile.matrix);
  return target.getWorkgroupBytes() / bytes;
}

int64_t mlir::convoy::chooseBuffers(TargetAttr target,
                                    linalg::GenericOp contraction,
                                    WorkgroupTile tile,
                                    const MatrixStage &stage) {
  SmallVector<int64_t> extents = contraction.getStaticLoopRanges();
  bool hasSteps = false;
  for (unsigned loop = contraction.getNumParallelLoops(); loop < extents.size();
       ++loop)
    hasSteps |= extents[loop] != tile.sizes[loop];
  int64_t groups = tile.matrix->op == GPUMatrixInstruction::Op::Mfma
                       ? kOverlappedMfma
                       : kOverlappedGroups;
  int64_t enough =
      std::min(countWorkgroups(target, tile, stage) * tile.getItems(),
               groups * kMatrixItems);
  tile.buffers = 2;
  bool isEnough =
      countWorkgroups(target, tile, stage) * tile.getItems() >= enough;
  return hasSteps && isEnough ? 2 : 1;
}
