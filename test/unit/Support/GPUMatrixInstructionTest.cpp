//===- GPUMatrixInstructionTest.cpp - Fragments and lanes ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/GPUMatrixInstruction.h"

#include "convoy/Support/RocmChip.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace convoy;

namespace {

/// A line and a term of an operand, or a row and a column of the result.
using Place = std::pair<int64_t, int64_t>;

/// How many elements of lanes each place of an operand is held by.
std::map<Place, int64_t> countOperand(const GPUMatrixInstruction &instruction) {
  std::map<Place, int64_t> places;
  for (int64_t lane = 0; lane < instruction.wave; ++lane)
    for (int64_t number = 0; number < instruction.operandElements; ++number)
      ++places[{instruction.operandLine.at(lane, number),
                instruction.operandTerm.at(lane, number)}];
  return places;
}

std::map<Place, int64_t> countResult(const GPUMatrixInstruction &instruction) {
  std::map<Place, int64_t> places;
  for (int64_t lane = 0; lane < instruction.wave; ++lane)
    for (int64_t number = 0; number < instruction.resultElements; ++number)
      ++places[{instruction.resultRow.at(lane, number),
                instruction.resultColumn.at(lane, number)}];
  return places;
}

/// All places of a matrix of `rows` x `columns`, each held `copies` times.
std::map<Place, int64_t> getAll(int64_t rows, int64_t columns, int64_t copies) {
  std::map<Place, int64_t> places;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      places[{row, column}] = copies;
  return places;
}

TEST(GPUMatrixInstruction, LanesHoldEachElement) {
  for (const GPUMatrixInstruction &instruction : getMatrixInstructions()) {
    SCOPED_TRACE(instruction.name);
    if (instruction.op == GPUMatrixInstruction::Op::Cooperative)
      continue; // nobody says which
    // RDNA 3 holds operands twice.
    bool isReplicated =
        instruction.name.starts_with("wmma") &&
        instruction.name.find("gfx12") == std::string_view::npos;
    EXPECT_EQ(countOperand(instruction),
              getAll(GPUMatrixInstruction::kLines, instruction.terms,
                     isReplicated ? 2 : 1));
    EXPECT_EQ(
        countResult(instruction),
        getAll(GPUMatrixInstruction::kLines, GPUMatrixInstruction::kLines, 1));
  }
}

Place getTermOf(const char *name, int64_t lane, int64_t number) {
  const GPUMatrixInstruction &instruction = *getMatrixInstruction(name);
  return {instruction.operandLine.at(lane, number),
          instruction.operandTerm.at(lane, number)};
}

Place getResultOf(const char *name, int64_t lane, int64_t number) {
  const GPUMatrixInstruction &instruction = *getMatrixInstruction(name);
  return {instruction.resultRow.at(lane, number),
          instruction.resultColumn.at(lane, number)};
}

// Single places as the documents name them.
TEST(GPUMatrixInstruction, LanesAreThoseOfTheDocuments) {
  EXPECT_EQ(getTermOf("mfma_f32_16x16x4f32", 37, 0), Place(5, 2));
  EXPECT_EQ(getTermOf("mfma_f32_16x16x16f16", 37, 3), Place(5, 11));
  EXPECT_EQ(getTermOf("mfma_i32_16x16x32_i8", 63, 7), Place(15, 31));
  EXPECT_EQ(getTermOf("mfma_f32_16x16x32_bf16", 16, 1), Place(0, 9));
  EXPECT_EQ(getResultOf("mfma_f32_16x16x16f16", 37, 3), Place(11, 5));
  EXPECT_EQ(getTermOf("wmma_f32_16x16x16_f16_w32", 21, 13), Place(5, 13));
  EXPECT_EQ(getResultOf("wmma_f32_16x16x16_f16_w32", 21, 3), Place(7, 5));
  EXPECT_EQ(getTermOf("wmma_f32_16x16x16_f16_w32_gfx12", 21, 3), Place(5, 7));
  EXPECT_EQ(getTermOf("wmma_f32_16x16x16_f16_w32_gfx12", 21, 4), Place(5, 12));
  EXPECT_EQ(getTermOf("wmma_i32_16x16x16_iu8_w32_gfx12", 21, 4), Place(5, 12));
  EXPECT_EQ(getResultOf("wmma_f32_16x16x16_f16_w32_gfx12", 21, 3),
            Place(11, 5));
}

TEST(GPUMatrixInstruction, ChipsHaveOneForAType) {
  for (const RocmChip &chip : getRocmChips()) {
    SCOPED_TRACE(chip.name);
    std::set<ElementType> types;
    for (std::string_view name : chip.matrixInstructions) {
      SCOPED_TRACE(name);
      const GPUMatrixInstruction *instruction = getMatrixInstruction(name);
      ASSERT_TRUE(instruction);
      EXPECT_EQ(instruction->wave, chip.wave);
      EXPECT_TRUE(types.insert(instruction->operand).second);
    }
    EXPECT_EQ(types.contains(ElementType::F32), chip.wave == 64);
    EXPECT_EQ(types.size(), chip.wave == 64 ? 4u : 3u);
  }
  EXPECT_EQ(getMatrixInstruction("mfma_f32_4x4x4"), nullptr);
}

/// What lanes read for one read's instructions: for each of them the terms of
/// line 0, which must meet all that the stage has, once each.
std::multiset<int64_t> getTermsRead(const GPUMatrixInstruction &instruction,
                                    const MatrixStage &stage) {
  std::multiset<int64_t> terms;
  int64_t span = stage.getInstructions(instruction) * instruction.terms;
  for (int64_t first = 0; first < stage.terms; first += span)
    for (int64_t lane = 0; lane < instruction.wave; ++lane)
      if (instruction.operandLine.at(lane, 0) == 0)
        for (int64_t number = 0; number < stage.readTerms; ++number)
          terms.insert(first + stage.firstTerm.at(lane, 0) + number);
  return terms;
}

TEST(MatrixStage, LanesReadEachTerm) {
  for (const GPUMatrixInstruction &instruction : getMatrixInstructions())
    for (int64_t size : {1, 3, 16, 21, 32, 48, 64, 128}) {
      if (instruction.op == GPUMatrixInstruction::Op::Cooperative)
        continue;
      SCOPED_TRACE(std::string(instruction.name) + " " + std::to_string(size));
      MatrixStage stage = getMatrixStage(instruction, size);
      EXPECT_GE(stage.terms, size);
      EXPECT_LT(stage.terms, size + instruction.terms);
      EXPECT_GE(stage.lineElements, stage.terms);
      int64_t copies = countOperand(instruction).begin()->second;
      std::multiset<int64_t> expected;
      for (int64_t term = 0; term < stage.terms; ++term)
        for (int64_t copy = 0; copy < copies; ++copy)
          expected.insert(term);
      EXPECT_EQ(getTermsRead(instruction, stage), expected);
    }
}

// Of cooperative matrices lines begin at multiples of 16 bytes, and one matrix
// is read at a time.
TEST(MatrixStage, CooperativeMatricesAreAligned) {
  for (const GPUMatrixInstruction &instruction : getMatrixInstructions())
    for (int64_t size : {1, 3, 16, 21, 32, 48, 64, 128}) {
      if (instruction.op != GPUMatrixInstruction::Op::Cooperative)
        continue;
      SCOPED_TRACE(std::string(instruction.name) + " " + std::to_string(size));
      MatrixStage stage = getMatrixStage(instruction, size);
      EXPECT_GE(stage.terms, size);
      EXPECT_EQ(stage.terms % instruction.terms, 0);
      EXPECT_GE(stage.lineElements, stage.terms);
      int64_t bytes = stage.lineElements * getOperandBytes(instruction);
      EXPECT_EQ(bytes % 32, 16);
      EXPECT_EQ(stage.getInstructions(instruction), 1);
      EXPECT_EQ(stage.vectorTerms, 4);
    }
}

TEST(GPUMatrixInstruction, NamedProfilesHaveTheirOwn) {
  using Names = std::vector<std::string_view>;
  auto get = [](std::string_view profile) {
    return getCooperativeMatrices(getVulkanProfile(profile)->limits);
  };
  EXPECT_EQ(get("nvidia"),
            (Names{"coop_f32_16x16x16_f16_w32", "coop_f32_16x16x16_bf16_w32",
                   "coop_i32_16x16x32_i8_w32"}));
  EXPECT_EQ(get("amd"),
            (Names{"coop_f32_16x16x16_f16_w64", "coop_i32_16x16x16_i8_w64"}));
  EXPECT_EQ(get("lavapipe"), Names());
  EXPECT_EQ(get("generic"), Names());
  // All are taken at once, and given one by one.
  EXPECT_EQ(get("nvidia-matrix"), Names());
  EXPECT_EQ(get("nvidia-matrix+matrix16x16x16_i8"),
            Names{"coop_i32_16x16x16_i8_w32"});
  EXPECT_EQ(get("nvidia-matrix16x16x16_f16-matrix16x16x32_i8"),
            Names{"coop_f32_16x16x16_bf16_w32"});
  EXPECT_FALSE(getVulkanProfile("generic+matrix"));
}

TEST(GPUMatrixInstruction, ProfilesOfferCooperativeMatrices) {
  using Names = std::vector<std::string_view>;
  VulkanLimits limits;
  EXPECT_EQ(getCooperativeMatrices(limits), Names());
  limits.matrix16x16x16F16 = limits.matrix16x16x16I8 = true;
  // Without the types themselves there are none.
  EXPECT_EQ(getCooperativeMatrices(limits), Names());
  limits.f16 = limits.storage16 = limits.i8 = limits.storage8 = true;
  // Nor are there before Vulkan 1.3.
  EXPECT_EQ(getCooperativeMatrices(limits), Names());
  limits.minorVersion = 3;
  EXPECT_EQ(getCooperativeMatrices(limits),
            (Names{"coop_f32_16x16x16_f16_w32", "coop_i32_16x16x16_i8_w32"}));
  limits.matrix16x16x32I8 = true;
  EXPECT_EQ(getCooperativeMatrices(limits),
            (Names{"coop_f32_16x16x16_f16_w32", "coop_i32_16x16x32_i8_w32"}));
  limits.matrix16x16x16BF16 = true;
  EXPECT_EQ(getCooperativeMatrices(limits).size(), 2u);
  limits.i16 = true;
  EXPECT_EQ(getCooperativeMatrices(limits),
            (Names{"coop_f32_16x16x16_f16_w32", "coop_f32_16x16x16_bf16_w32",
                   "coop_i32_16x16x32_i8_w32"}));
  limits.matrix16x16x16BF16 = false;
  limits.subgroup = 64;
  EXPECT_EQ(getCooperativeMatrices(limits),
            (Names{"coop_f32_16x16x16_f16_w64", "coop_i32_16x16x32_i8_w64"}));
  limits.subgroup = 8;
  EXPECT_EQ(getCooperativeMatrices(limits), Names());
}

// Lanes that take a turn together are as many as the 32 banks of 4 bytes serve,
// and each bank serves one of them (or several that read the same).
TEST(MatrixStage, ReadsMeetNoBankTwice) {
  for (const GPUMatrixInstruction &instruction : getMatrixInstructions())
    for (int64_t size : {16, 32, 48, 64, 128}) {
      if (instruction.op == GPUMatrixInstruction::Op::Cooperative)
        continue;
      SCOPED_TRACE(std::string(instruction.name) + " " + std::to_string(size));
      MatrixStage stage = getMatrixStage(instruction, size);
      int64_t element = getOperandBytes(instruction);
      int64_t bytes = stage.vectorTerms * element;
      int64_t together = std::min<int64_t>(128 / bytes, 16);
      std::map<int64_t, std::set<int64_t>> banks;
      for (int64_t lane = 0; lane < together; ++lane)
        for (int64_t byte = 0; byte < bytes; byte += 4) {
          int64_t address =
              (instruction.operandLine.at(lane, 0) * stage.lineElements +
               stage.firstTerm.at(lane, 0)) *
                  element +
              byte;
          banks[address / 4 % 32].insert(address / 4);
        }
      for (const auto &[bank, words] : banks)
        EXPECT_EQ(words.size(), 1u) << "bank " << bank;
    }
}

} // namespace
