//===- RocmMatrixInstruction.cpp - AMD's matrix instructions ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From AMD's "Instruction Set Architecture" reference guides: "AMD Instinct
// MI200", "AMD Instinct MI300" and "AMD Instinct CDNA4", each in its chapter
// "Matrix Arithmetic Instructions"; "RDNA3" and "RDNA4", each in "Wave Matrix
// Multiply Accumulate (WMMA)". The lanes are also what AMD's matrix instruction
// calculator prints (github.com/ROCm/amd_matrix_instruction_calculator).
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/RocmMatrixInstruction.h"

#include <algorithm>

using namespace convoy;
using Op = RocmMatrixInstruction::Op;

/// Of CDNA: four groups of 16 lanes hold successive terms, and four successive
/// rows of the result.
static constexpr RocmMatrixInstruction getMfma(std::string_view name,
                                               ElementType operand,
                                               int64_t terms, int64_t speed) {
  int64_t elements = terms / 4;
  return {.name = name,
          .op = Op::Mfma,
          .wave = 64,
          .operand = operand,
          .terms = terms,
          .operandElements = elements,
          .operandLine = {.low = 1},
          .operandTerm = {.high = elements, .step = 1},
          .resultElements = 4,
          .resultRow = {.high = 4, .step = 1},
          .resultColumn = {.low = 1},
          .speed = speed};
}

/// Of RDNA 3: both halves of a wave hold all terms, and every other row of the
/// result.
static constexpr RocmMatrixInstruction getReplicatedWmma(std::string_view name,
                                                         ElementType operand) {
  return {.name = name,
          .op = Op::Wmma,
          .wave = 32,
          .operand = operand,
          .terms = 16,
          .operandElements = 16,
          .operandLine = {.low = 1},
          .operandTerm = {.step = 1},
          .resultElements = 8,
          .resultRow = {.high = 1, .step = 2},
          .resultColumn = {.low = 1},
          .speed = 4};
}

/// Of RDNA 4: each half of a wave holds half of the terms, in runs of `run`,
/// and half of the rows.
static constexpr RocmMatrixInstruction getWmma(std::string_view name,
                                               ElementType operand, int64_t run,
                                               int64_t speed) {
  return {
      .name = name,
      .op = Op::Wmma,
      .wave = 32,
      .operand = operand,
      .terms = 16,
      .operandElements = 8,
      .operandLine = {.low = 1},
      .operandTerm = {.high = run, .step = 1, .run = run, .runStep = 2 * run},
      .resultElements = 8,
      .resultRow = {.high = 8, .step = 1},
      .resultColumn = {.low = 1},
      .speed = speed};
}

static constexpr RocmMatrixInstruction kInstructions[] = {
    getMfma("mfma_f32_16x16x4f32", ElementType::F32, 4, 2),
    getMfma("mfma_f32_16x16x16f16", ElementType::F16, 16, 8),
    getMfma("mfma_f32_16x16x16bf16_1k", ElementType::BF16, 16, 8),
    getMfma("mfma_i32_16x16x16i8", ElementType::I8, 16, 8),
    getMfma("mfma_i32_16x16x32_i8", ElementType::I8, 32, 32),
    getMfma("mfma_f32_16x16x32_f16", ElementType::F16, 32, 32),
    getMfma("mfma_f32_16x16x32_bf16", ElementType::BF16, 32, 32),
    getMfma("mfma_i32_16x16x64_i8", ElementType::I8, 64, 64),
    getReplicatedWmma("wmma_f32_16x16x16_f16_w32", ElementType::F16),
    getReplicatedWmma("wmma_f32_16x16x16_bf16_w32", ElementType::BF16),
    getReplicatedWmma("wmma_i32_16x16x16_iu8_w32", ElementType::I8),
    getWmma("wmma_f32_16x16x16_f16_w32_gfx12", ElementType::F16, 4, 8),
    getWmma("wmma_f32_16x16x16_bf16_w32_gfx12", ElementType::BF16, 4, 8),
    getWmma("wmma_i32_16x16x16_iu8_w32_gfx12", ElementType::I8, 8, 16)};

std::span<const RocmMatrixInstruction> convoy::getMatrixInstructions() {
  return kInstructions;
}

const RocmMatrixInstruction *
convoy::getMatrixInstruction(std::string_view name) {
  for (const RocmMatrixInstruction &instruction : kInstructions)
    if (instruction.name == name)
      return &instruction;
  return nullptr;
}

int64_t convoy::getOperandBytes(const RocmMatrixInstruction &instruction) {
  switch (instruction.operand) {
  case ElementType::F64:
    return 8;
  case ElementType::F32:
    return 4;
  case ElementType::F16:
  case ElementType::BF16:
    return 2;
  case ElementType::I8:
    return 1;
  }
  return 0;
}

MatrixStage convoy::getMatrixStage(const RocmMatrixInstruction &instruction,
                                   int64_t terms) {
  constexpr int64_t vectorBytes = 16;
  int64_t most = vectorBytes / getOperandBytes(instruction);
  MatrixStage stage;
  stage.terms =
      (terms + instruction.terms - 1) / instruction.terms * instruction.terms;
  int64_t count = 1; // instructions that a read is for
  while (2 * count * instruction.operandElements <= most &&
         stage.terms % (2 * count * instruction.terms) == 0)
    count *= 2;
  stage.readTerms = count * instruction.operandElements;
  stage.vectorTerms = std::min(stage.readTerms, most);
  // A lane may read other terms than it is said to hold, if both operands'
  // lanes do: those of its part side by side.
  if (instruction.operandElements < instruction.terms)
    stage.firstTerm.high = stage.readTerms;
  int64_t vectors = (stage.terms + stage.vectorTerms - 1) / stage.vectorTerms;
  stage.lineElements = (vectors + 1 - vectors % 2) * stage.vectorTerms;
  return stage;
}
