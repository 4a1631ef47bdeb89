//===- MatrixInstruction.cpp - Matrix instructions of AMD's GPUs ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixInstruction.h"

#include <algorithm>

using namespace convoy;
using enum PlaceBit;
using enum MatrixInstruction::Family;
using Chips = std::array<std::string_view, 3>;

//===----------------------------------------------------------------------===//
// What AMD's documents say
//===----------------------------------------------------------------------===//
//
// Sources: AMD Matrix Instruction Calculator 1.3.2 (github.com/ROCm/
// amd_matrix_instruction_calculator), "Matrix element to register mapping with
// no modifiers" of --detail-instruction, for CDNA2, CDNA3, RDNA3 and RDNA4
// (waves of 32); "AMD Instinct MI200" and "MI300 Instruction Set Architecture",
// chapters on matrix arithmetic instructions; "RDNA3" and "RDNA4 Instruction
// Set Architecture", sections on wave matrix multiply accumulate (WMMA). What
// MI200 flushes: MIOpen's documentation, "MI200 matrix fused multiply-add
// (MFMA) behavior specifics". The instructions that gfx950 shares with gfx942
// are taken to have the same places; those with twice the steps (the calculator
// has none of them) to have a lane's steps side by side, as all of MFMA.
//
//===----------------------------------------------------------------------===//

/// C and D of MFMA: four rows of a lane lie side by side.
static constexpr FragmentMap Sums16 = {{E0, E1, L4, L5}, {L0, L1, L2, L3}};
static constexpr FragmentMap Sums32 = {{E0, E1, L5, E2, E3},
                                       {L0, L1, L2, L3, L4}};
/// Of WMMA: the rows of half a wave are every other one, or side by side.
static constexpr FragmentMap SumsRdna3 = {{L4, E0, E1, E2}, {L0, L1, L2, L3}};
static constexpr FragmentMap SumsRdna4 = {{E0, E1, E2, L4}, {L0, L1, L2, L3}};

/// A: a row of each lane; the steps of a lane lie side by side, but those of
/// RDNA4's 16-bit types in two parts.
static constexpr FragmentMap A32x2 = {{L0, L1, L2, L3, L4}, {L5}};
static constexpr FragmentMap A32x8 = {{L0, L1, L2, L3, L4}, {E0, E1, L5}};
static constexpr FragmentMap A32x16 = {{L0, L1, L2, L3, L4}, {E0, E1, E2, L5}};
static constexpr FragmentMap A16x4 = {{L0, L1, L2, L3}, {L4, L5}};
static constexpr FragmentMap A16x16 = {{L0, L1, L2, L3}, {E0, E1, L4, L5}};
static constexpr FragmentMap A16x32 = {{L0, L1, L2, L3}, {E0, E1, E2, L4, L5}};
static constexpr FragmentMap A16x64 = {{L0, L1, L2, L3},
                                       {E0, E1, E2, E3, L4, L5}};
static constexpr FragmentMap ARdna3 = {{L0, L1, L2, L3}, {E0, E1, E2, E3}};
static constexpr FragmentMap ARdna4 = {{L0, L1, L2, L3}, {E0, E1, L4, E2}};
static constexpr FragmentMap ARdna4I8 = {{L0, L1, L2, L3}, {E0, E1, E2, L4}};

/// Parts of successive elements, line by line: 8 or 16 in subgroups of 32 and 4
/// or 8 in those of 64, of lines of 16 and of 32. Their numbers are those of
/// lanes with the bits turned by one.
static constexpr FragmentMap Part8of16 = {{L2, L3, L4, L0}, {E0, E1, E2, L1}};
static constexpr FragmentMap Part4of16 = {{L3, L4, L5, L0}, {E0, E1, L1, L2}};
static constexpr FragmentMap Part16of32 = {{L2, L3, L4, L0},
                                           {E0, E1, E2, E3, L1}};
static constexpr FragmentMap Part8of32 = {{L3, L4, L5, L0},
                                          {E0, E1, E2, L1, L2}};

static constexpr Chips Cdna2 = {"gfx90a"};
static constexpr Chips Cdna3 = {"gfx942", "gfx950"};
static constexpr Chips Cdna4 = {"gfx950"};
static constexpr Chips Cdna = {"gfx90a", "gfx942", "gfx950"};
static constexpr Chips Rdna3 = {"gfx1100"};
static constexpr Chips Rdna4 = {"gfx1201"};
static constexpr Chips Subgroup32 = {"subgroups of 32"};
static constexpr Chips Subgroup64 = {"subgroups of 64"};

static constexpr auto F32 = ScalarType::F32;
static constexpr auto F16 = ScalarType::F16;
static constexpr auto BF16 = ScalarType::BF16;
static constexpr auto I8 = ScalarType::I8;

static constexpr MatrixInstruction Instructions[] = {
    // v_mfma_f32_32x32x2_f32, v_mfma_f32_16x16x4_f32
    {MFMA, 32, 32, 2, F32, Cdna, A32x2, Sums32},
    {MFMA, 16, 16, 4, F32, Cdna, A16x4, Sums16},
    // v_mfma_f32_32x32x8_f16, v_mfma_f32_16x16x16_f16
    {MFMA, 32, 32, 8, F16, Cdna, A32x8, Sums32},
    {MFMA, 16, 16, 16, F16, Cdna, A16x16, Sums16},
    // v_mfma_f32_32x32x8_bf16, v_mfma_f32_16x16x16_bf16; on CDNA2 .._bf16_1k
    {MFMA, 32, 32, 8, BF16, Cdna, A32x8, Sums32},
    {MFMA, 16, 16, 16, BF16, Cdna, A16x16, Sums16},
    // v_mfma_i32_32x32x8i8, v_mfma_i32_16x16x16i8
    {MFMA, 32, 32, 8, I8, Cdna2, A32x8, Sums32},
    {MFMA, 16, 16, 16, I8, Cdna2, A16x16, Sums16},
    // v_mfma_i32_32x32x16_i8, v_mfma_i32_16x16x32_i8
    {MFMA, 32, 32, 16, I8, Cdna3, A32x16, Sums32},
    {MFMA, 16, 16, 32, I8, Cdna3, A16x32, Sums16},
    // v_mfma_f32_16x16x32_f16, v_mfma_f32_16x16x32_bf16,
    // v_mfma_i32_16x16x64_i8
    {MFMA, 16, 16, 32, F16, Cdna4, A16x32, Sums16},
    {MFMA, 16, 16, 32, BF16, Cdna4, A16x32, Sums16},
    {MFMA, 16, 16, 64, I8, Cdna4, A16x64, Sums16},
    // v_wmma_f32_16x16x16_f16, v_wmma_f32_16x16x16_bf16,
    // v_wmma_i32_16x16x16_iu8
    {WMMA, 16, 16, 16, F16, Rdna3, ARdna3, SumsRdna3},
    {WMMA, 16, 16, 16, BF16, Rdna3, ARdna3, SumsRdna3},
    {WMMA, 16, 16, 16, I8, Rdna3, ARdna3, SumsRdna3},
    {WMMA, 16, 16, 16, F16, Rdna4, ARdna4, SumsRdna4},
    {WMMA, 16, 16, 16, BF16, Rdna4, ARdna4, SumsRdna4},
    {WMMA, 16, 16, 16, I8, Rdna4, ARdna4I8, SumsRdna4},
    // OpCooperativeMatrixMulAddKHR
    {Cooperative, 16, 16, 16, F16, Subgroup32, Part8of16, Part8of16},
    {Cooperative, 16, 16, 16, F16, Subgroup64, Part4of16, Part4of16},
    {Cooperative, 16, 16, 16, BF16, Subgroup32, Part8of16, Part8of16},
    {Cooperative, 16, 16, 16, BF16, Subgroup64, Part4of16, Part4of16},
    {Cooperative, 16, 16, 16, I8, Subgroup32, Part8of16, Part8of16},
    {Cooperative, 16, 16, 16, I8, Subgroup64, Part4of16, Part4of16},
    {Cooperative, 16, 16, 32, I8, Subgroup32, Part16of32, Part8of16},
    {Cooperative, 16, 16, 32, I8, Subgroup64, Part8of32, Part4of16}};

/// CDNA2 flushes those of 16 bits, and the sums of their products.
bool MatrixInstruction::flushesSubnormals(std::string_view chip) const {
  return chip == "gfx90a" && (element == F16 || element == BF16);
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

static bool isOfLane(PlaceBit bit) { return bit >= L0; }

uint32_t IndexBits::extract(uint32_t lane, uint32_t element) const {
  uint32_t index = 0;
  for (uint8_t bit = 0; bit < count; ++bit) {
    PlaceBit place = places[bit];
    uint32_t value = isOfLane(place)
                         ? lane >> (uint32_t(place) - uint32_t(L0))
                         : element >> (uint32_t(place) - uint32_t(E0));
    index |= (value & 1) << bit;
  }
  return index;
}

uint32_t FragmentMap::countElements() const {
  uint32_t elements = 1;
  for (const IndexBits *index : {&row, &column})
    for (uint8_t bit = 0; bit < index->count; ++bit)
      if (!isOfLane(index->places[bit]))
        elements *= 2;
  return elements;
}

std::string MatrixOperation::getName() const {
  constexpr std::string_view Names[] = {"mfma", "wmma", "cooperative"};
  return std::string(Names[static_cast<size_t>(family)]) + ' ' +
         std::to_string(m) + 'x' + std::to_string(n) + 'x' + std::to_string(k) +
         ' ' + std::string(scalarTypeName(element));
}

const MatrixInstruction *
convoy::findMatrixInstruction(const MatrixOperation &operation,
                              std::string_view chip) {
  auto found = std::find_if(std::begin(Instructions), std::end(Instructions),
                            [&](const MatrixInstruction &instruction) {
                              return instruction.family == operation.family &&
                                     instruction.m == operation.m &&
                                     instruction.n == operation.n &&
                                     instruction.k == operation.k &&
                                     instruction.element == operation.element &&
                                     std::find(instruction.chips.begin(),
                                               instruction.chips.end(),
                                               chip) != instruction.chips.end();
                            });
  return found == std::end(Instructions) ? nullptr : found;
}

uint32_t MatrixInstruction::countFactorRegisters() const {
  return a.countElements() * static_cast<uint32_t>(scalarSize(element)) / 4;
}
