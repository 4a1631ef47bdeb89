//===- GPUMatrixInstruction.cpp - Matrix instructions of GPUs ---*- C++ -*-===//
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
// Cooperative matrices: Vulkan's VK_KHR_cooperative_matrix and SPIR-V's
// SPV_KHR_cooperative_matrix. Devices list their shapes; those below are what
// NVIDIA's GPUs since Turing and AMD's since RDNA 3 have in common with others.
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/GPUMatrixInstruction.h"

#include <algorithm>

using namespace convoy;
using Op = GPUMatrixInstruction::Op;

/// Of CDNA: four groups of 16 lanes hold successive terms, and four successive
/// rows of the result.
static constexpr GPUMatrixInstruction getMfma(std::string_view name,
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
static constexpr GPUMatrixInstruction getReplicatedWmma(std::string_view name,
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
static constexpr GPUMatrixInstruction getWmma(std::string_view name,
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

/// Of Vulkan: a lane has an equal part of each matrix, wherever that is. More
/// terms take no more time.
static constexpr GPUMatrixInstruction getCooperative(std::string_view name,
                                                     int64_t wave,
                                                     ElementType operand,
                                                     int64_t terms) {
  constexpr int64_t lines = GPUMatrixInstruction::kLines;
  return {.name = name,
          .op = Op::Cooperative,
          .wave = wave,
          .operand = operand,
          .terms = terms,
          .operandElements = lines * terms / wave,
          .operandLine = {},
          .operandTerm = {},
          .resultElements = lines * lines / wave,
          .resultRow = {},
          .resultColumn = {},
          .speed = terms / 2};
}

static constexpr GPUMatrixInstruction kInstructions[] = {
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
    getWmma("wmma_i32_16x16x16_iu8_w32_gfx12", ElementType::I8, 8, 16),
    getCooperative("coop_f32_16x16x16_f16_w32", 32, ElementType::F16, 16),
    getCooperative("coop_f32_16x16x16_f16_w64", 64, ElementType::F16, 16),
    getCooperative("coop_f32_16x16x16_bf16_w32", 32, ElementType::BF16, 16),
    getCooperative("coop_f32_16x16x16_bf16_w64", 64, ElementType::BF16, 16),
    getCooperative("coop_i32_16x16x32_i8_w32", 32, ElementType::I8, 32),
    getCooperative("coop_i32_16x16x32_i8_w64", 64, ElementType::I8, 32),
    getCooperative("coop_i32_16x16x16_i8_w32", 32, ElementType::I8, 16),
    getCooperative("coop_i32_16x16x16_i8_w64", 64, ElementType::I8, 16)};

std::span<const GPUMatrixInstruction> convoy::getMatrixInstructions() {
  return kInstructions;
}

const GPUMatrixInstruction *
convoy::getMatrixInstruction(std::string_view name) {
  for (const GPUMatrixInstruction &instruction : kInstructions)
    if (instruction.name == name)
      return &instruction;
  return nullptr;
}

/// Whether `limits` offer the shape of `instruction` to subgroups of its size.
static bool isOffered(const VulkanLimits &limits,
                      const GPUMatrixInstruction &instruction) {
  // Vulkan 1.3 takes SPIR-V 1.6, and can be asked for a size of subgroups.
  if (instruction.op != Op::Cooperative ||
      instruction.wave != limits.subgroup || limits.minorVersion < 3)
    return false;
  if (instruction.operand == ElementType::F16)
    return limits.f16 && limits.storage16 && limits.matrix16x16x16F16;
  // Their bits are staged as those of f16.
  if (instruction.operand == ElementType::BF16)
    return limits.f16 && limits.storage16 && limits.i16 &&
           limits.matrix16x16x16BF16;
  return limits.i8 && limits.storage8 &&
         (instruction.terms == 32 ? limits.matrix16x16x32I8
                                  : limits.matrix16x16x16I8);
}

std::vector<std::string_view>
convoy::getCooperativeMatrices(const VulkanLimits &limits) {
  std::vector<std::string_view> names;
  const GPUMatrixInstruction *last = nullptr;
  for (const GPUMatrixInstruction &instruction : kInstructions) {
    if (!isOffered(limits, instruction) ||
        (last && last->operand == instruction.operand))
      continue;
    last = &instruction;
    names.push_back(instruction.name);
  }
  return names;
}

int64_t convoy::getOperandBytes(const GPUMatrixInstruction &instruction) {
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

int64_t convoy::getScratchBytes(const GPUMatrixInstruction &instruction) {
  constexpr int64_t sumBytes = 4;
  return instruction.op == Op::Cooperative
             ? GPUMatrixInstruction::kLines * kScratchLine * sumBytes
             : 0;
}

MatrixStage convoy::getMatrixStage(const GPUMatrixInstruction &instruction,
                                   int64_t terms) {
  constexpr int64_t vectorBytes = 16, vulkanLanes = 4, wordBytes = 4;
  bool isCooperative = instruction.op == Op::Cooperative;
  int64_t most = vectorBytes / getOperandBytes(instruction);
  MatrixStage stage;
  stage.terms =
      (terms + instruction.terms - 1) / instruction.terms * instruction.terms;
  int64_t count = 1; // instructions that a read is for
  while (!isCooperative && 2 * count * instruction.operandElements <= most &&
         stage.terms % (2 * count * instruction.terms) == 0)
    count *= 2;
  stage.readTerms = count * instruction.operandElements;
  stage.vectorTerms = isCooperative ? most : std::min(stage.readTerms, most);
  // A lane may read other terms than it is said to hold, if both operands'
  // lanes do: those of its part side by side.
  if (instruction.operandElements < instruction.terms)
    stage.firstTerm.high = stage.readTerms;
  int64_t vectors = (stage.terms + stage.vectorTerms - 1) / stage.vectorTerms;
  stage.lineElements = (vectors + 1 - vectors % 2) * stage.vectorTerms;
  stage.leastTerms =
      std::max<int64_t>(2, wordBytes / getOperandBytes(instruction));
  // Arrays have elements of one type.
  if (isCooperative)
    stage.vectorTerms = stage.leastTerms = vulkanLanes;
  return stage;
}
