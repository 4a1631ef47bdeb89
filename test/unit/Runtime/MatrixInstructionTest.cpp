//===- MatrixInstructionTest.cpp - Tests of matrix instructions -----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixInstruction.h"

#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <string>

using namespace convoy;
using enum MatrixInstruction::Family;

namespace {
struct MatrixLayout {
  const char *chip;
  MatrixInstruction::Family family;
  uint32_t m, n, k;
  ScalarType element;
  /// Elements and the registers, lanes and bits that they are in.
  const char *places;
};
} // namespace

/// What AMD's Matrix Instruction Calculator 1.3.2 prints for --get-register of
/// CDNA2, CDNA3, RDNA3 and RDNA4, the latter two for --wavefront 32. On RDNA3
/// elements of A and B are in two lanes.
static constexpr MatrixLayout Layouts[] = {
    {"gfx90a", MFMA, 32, 32, 2, ScalarType::F32,
     "A[0][1] = v0{32}; A[31][0] = v0{31}; A[1][1] = v0{33}; "
     "A[17][0] = v0{17}; A[5][1] = v0{37}; A[26][1] = v0{58}; "
     "A[7][1] = v0{39}; B[0][31] = v0{31}; B[1][0] = v0{32}; "
     "B[1][16] = v0{48}; B[0][8] = v0{8}; D[0][31] = v0{31}; "
     "D[31][0] = v15{32}; D[1][16] = v1{16}; D[17][8] = v9{8}; "
     "D[5][24] = v1{56}; D[26][1] = v14{1}; D[7][6] = v3{38}"},
    {"gfx90a", MFMA, 16, 16, 4, ScalarType::F32,
     "A[0][3] = v0{48}; A[15][0] = v0{15}; A[1][2] = v0{33}; "
     "A[9][1] = v0{25}; A[5][3] = v0{53}; A[10][1] = v0{26}; "
     "A[7][3] = v0{55}; B[0][15] = v0{15}; B[3][0] = v0{48}; "
     "B[1][8] = v0{24}; B[3][4] = v0{52}; D[0][15] = v0{15}; "
     "D[15][0] = v3{48}; D[1][8] = v1{8}; D[9][4] = v1{36}; "
     "D[5][12] = v1{28}; D[10][1] = v2{33}; D[7][6] = v3{22}"},
    {"gfx90a", MFMA, 32, 32, 8, ScalarType::F16,
     "A[0][7] = v1{32}.[31:16]; A[31][0] = v0{31}.[15:0]; "
     "A[1][4] = v0{33}.[15:0]; A[17][2] = v1{17}.[15:0]; "
     "A[5][6] = v1{37}.[15:0]; A[26][1] = v0{26}.[31:16]; "
     "A[7][6] = v1{39}.[15:0]; B[0][31] = v0{31}.[15:0]; "
     "B[7][0] = v1{32}.[31:16]; B[1][16] = v0{16}.[31:16]; "
     "B[5][8] = v0{40}.[31:16]; D[0][31] = v0{31}; D[31][0] = v15{32}; "
     "D[1][16] = v1{16}; D[17][8] = v9{8}; D[5][24] = v1{56}; "
     "D[26][1] = v14{1}; D[7][6] = v3{38}"},
    {"gfx90a", MFMA, 16, 16, 16, ScalarType::F16,
     "A[0][15] = v1{48}.[31:16]; A[15][0] = v0{15}.[15:0]; "
     "A[1][8] = v0{33}.[15:0]; A[9][4] = v0{25}.[15:0]; "
     "A[5][12] = v0{53}.[15:0]; A[10][1] = v0{10}.[31:16]; "
     "A[7][6] = v1{23}.[15:0]; B[0][15] = v0{15}.[15:0]; "
     "B[15][0] = v1{48}.[31:16]; B[1][8] = v0{8}.[31:16]; "
     "B[9][4] = v0{36}.[31:16]; D[0][15] = v0{15}; D[15][0] = v3{48}; "
     "D[1][8] = v1{8}; D[9][4] = v1{36}; D[5][12] = v1{28}; "
     "D[10][1] = v2{33}; D[7][6] = v3{22}"},
    {"gfx90a", MFMA, 32, 32, 8, ScalarType::BF16,
     "A[0][7] = v1{32}.[31:16]; A[31][0] = v0{31}.[15:0]; "
     "A[1][4] = v0{33}.[15:0]; A[17][2] = v1{17}.[15:0]; "
     "A[5][6] = v1{37}.[15:0]; A[26][1] = v0{26}.[31:16]; "
     "A[7][6] = v1{39}.[15:0]; B[0][31] = v0{31}.[15:0]; "
     "B[7][0] = v1{32}.[31:16]; B[1][16] = v0{16}.[31:16]; "
     "B[5][8] = v0{40}.[31:16]; D[0][31] = v0{31}; D[31][0] = v15{32}; "
     "D[1][16] = v1{16}; D[17][8] = v9{8}; D[5][24] = v1{56}; "
     "D[26][1] = v14{1}; D[7][6] = v3{38}"},
    {"gfx90a", MFMA, 16, 16, 16, ScalarType::BF16,
     "A[0][15] = v1{48}.[31:16]; A[15][0] = v0{15}.[15:0]; "
     "A[1][8] = v0{33}.[15:0]; A[9][4] = v0{25}.[15:0]; "
     "A[5][12] = v0{53}.[15:0]; A[10][1] = v0{10}.[31:16]; "
     "A[7][6] = v1{23}.[15:0]; B[0][15] = v0{15}.[15:0]; "
     "B[15][0] = v1{48}.[31:16]; B[1][8] = v0{8}.[31:16]; "
     "B[9][4] = v0{36}.[31:16]; D[0][15] = v0{15}; D[15][0] = v3{48}; "
     "D[1][8] = v1{8}; D[9][4] = v1{36}; D[5][12] = v1{28}; "
     "D[10][1] = v2{33}; D[7][6] = v3{22}"},
    {"gfx90a", MFMA, 32, 32, 8, ScalarType::I8,
     "A[0][7] = v0{32}.[31:24]; A[31][0] = v0{31}.[7:0]; "
     "A[1][4] = v0{33}.[7:0]; A[17][2] = v0{17}.[23:16]; "
     "A[5][6] = v0{37}.[23:16]; A[26][1] = v0{26}.[15:8]; "
     "A[7][6] = v0{39}.[23:16]; B[0][31] = v0{31}.[7:0]; "
     "B[7][0] = v0{32}.[31:24]; B[1][16] = v0{16}.[15:8]; "
     "B[5][8] = v0{40}.[15:8]; D[0][31] = v0{31}; D[31][0] = v15{32}; "
     "D[1][16] = v1{16}; D[17][8] = v9{8}; D[5][24] = v1{56}; "
     "D[26][1] = v14{1}; D[7][6] = v3{38}"},
    {"gfx90a", MFMA, 16, 16, 16, ScalarType::I8,
     "A[0][15] = v0{48}.[31:24]; A[15][0] = v0{15}.[7:0]; "
     "A[1][8] = v0{33}.[7:0]; A[9][4] = v0{25}.[7:0]; "
     "A[5][12] = v0{53}.[7:0]; A[10][1] = v0{10}.[15:8]; "
     "A[7][6] = v0{23}.[23:16]; B[0][15] = v0{15}.[7:0]; "
     "B[15][0] = v0{48}.[31:24]; B[1][8] = v0{8}.[15:8]; "
     "B[9][4] = v0{36}.[15:8]; D[0][15] = v0{15}; D[15][0] = v3{48}; "
     "D[1][8] = v1{8}; D[9][4] = v1{36}; D[5][12] = v1{28}; "
     "D[10][1] = v2{33}; D[7][6] = v3{22}"},
    {"gfx942", MFMA, 32, 32, 2, ScalarType::F32,
     "A[0][1] = v0{32}; A[31][0] = v0{31}; A[1][1] = v0{33}; "
     "A[17][0] = v0{17}; A[5][1] = v0{37}; A[26][1] = v0{58}; "
     "A[7][1] = v0{39}; B[0][31] = v0{31}; B[1][0] = v0{32}; "
     "B[1][16] = v0{48}; B[0][8] = v0{8}; D[0][31] = v0{31}; "
     "D[31][0] = v15{32}; D[1][16] = v1{16}; D[17][8] = v9{8}; "
     "D[5][24] = v1{56}; D[26][1] = v14{1}; D[7][6] = v3{38}"},
    {"gfx942", MFMA, 16, 16, 4, ScalarType::F32,
     "A[0][3] = v0{48}; A[15][0] = v0{15}; A[1][2] = v0{33}; "
     "A[9][1] = v0{25}; A[5][3] = v0{53}; A[10][1] = v0{26}; "
     "A[7][3] = v0{55}; B[0][15] = v0{15}; B[3][0] = v0{48}; "
     "B[1][8] = v0{24}; B[3][4] = v0{52}; D[0][15] = v0{15}; "
     "D[15][0] = v3{48}; D[1][8] = v1{8}; D[9][4] = v1{36}; "
     "D[5][12] = v1{28}; D[10][1] = v2{33}; D[7][6] = v3{22}"},
    {"gfx942", MFMA, 32, 32, 8, ScalarType::F16,
     "A[0][7] = v1{32}.[31:16]; A[31][0] = v0{31}.[15:0]; "
     "A[1][4] = v0{33}.[15:0]; A[17][2] = v1{17}.[15:0]; "
     "A[5][6] = v1{37}.[15:0]; A[26][1] = v0{26}.[31:16]; "
     "A[7][6] = v1{39}.[15:0]; B[0][31] = v0{31}.[15:0]; "
     "B[7][0] = v1{32}.[31:16]; B[1][16] = v0{16}.[31:16]; "
     "B[5][8] = v0{40}.[31:16]; D[0][31] = v0{31}; D[31][0] = v15{32}; "
     "D[1][16] = v1{16}; D[17][8] = v9{8}; D[5][24] = v1{56}; "
     "D[26][1] = v14{1}; D[7][6] = v3{38}"},
    {"gfx942", MFMA, 16, 16, 16, ScalarType::F16,
     "A[0][15] = v1{48}.[31:16]; A[15][0] = v0{15}.[15:0]; "
     "A[1][8] = v0{33}.[15:0]; A[9][4] = v0{25}.[15:0]; "
     "A[5][12] = v0{53}.[15:0]; A[10][1] = v0{10}.[31:16]; "
     "A[7][6] = v1{23}.[15:0]; B[0][15] = v0{15}.[15:0]; "
     "B[15][0] = v1{48}.[31:16]; B[1][8] = v0{8}.[31:16]; "
     "B[9][4] = v0{36}.[31:16]; D[0][15] = v0{15}; D[15][0] = v3{48}; "
     "D[1][8] = v1{8}; D[9][4] = v1{36}; D[5][12] = v1{28}; "
     "D[10][1] = v2{33}; D[7][6] = v3{22}"},
    {"gfx942", MFMA, 32, 32, 8, ScalarType::BF16,
     "A[0][7] = v1{32}.[31:16]; A[31][0] = v0{31}.[15:0]; "
     "A[1][4] = v0{33}.[15:0]; A[17][2] = v1{17}.[15:0]; "
     "A[5][6] = v1{37}.[15:0]; A[26][1] = v0{26}.[31:16]; "
     "A[7][6] = v1{39}.[15:0]; B[0][31] = v0{31}.[15:0]; "
     "B[7][0] = v1{32}.[31:16]; B[1][16] = v0{16}.[31:16]; "
     "B[5][8] = v0{40}.[31:16]; D[0][31] = v0{31}; D[31][0] = v15{32}; "
     "D[1][16] = v1{16}; D[17][8] = v9{8}; D[5][24] = v1{56}; "
     "D[26][1] = v14{1}; D[7][6] = v3{38}"},
    {"gfx942", MFMA, 16, 16, 16, ScalarType::BF16,
     "A[0][15] = v1{48}.[31:16]; A[15][0] = v0{15}.[15:0]; "
     "A[1][8] = v0{33}.[15:0]; A[9][4] = v0{25}.[15:0]; "
     "A[5][12] = v0{53}.[15:0]; A[10][1] = v0{10}.[31:16]; "
     "A[7][6] = v1{23}.[15:0]; B[0][15] = v0{15}.[15:0]; "
     "B[15][0] = v1{48}.[31:16]; B[1][8] = v0{8}.[31:16]; "
     "B[9][4] = v0{36}.[31:16]; D[0][15] = v0{15}; D[15][0] = v3{48}; "
     "D[1][8] = v1{8}; D[9][4] = v1{36}; D[5][12] = v1{28}; "
     "D[10][1] = v2{33}; D[7][6] = v3{22}"},
    {"gfx942", MFMA, 32, 32, 16, ScalarType::I8,
     "A[0][15] = v1{32}.[31:24]; A[31][0] = v0{31}.[7:0]; "
     "A[1][8] = v0{33}.[7:0]; A[17][4] = v1{17}.[7:0]; "
     "A[5][12] = v1{37}.[7:0]; A[26][1] = v0{26}.[15:8]; "
     "A[7][6] = v1{7}.[23:16]; B[0][31] = v0{31}.[7:0]; "
     "B[15][0] = v1{32}.[31:24]; B[1][16] = v0{16}.[15:8]; "
     "B[9][8] = v0{40}.[15:8]; D[0][31] = v0{31}; D[31][0] = v15{32}; "
     "D[1][16] = v1{16}; D[17][8] = v9{8}; D[5][24] = v1{56}; "
     "D[26][1] = v14{1}; D[7][6] = v3{38}"},
    {"gfx942", MFMA, 16, 16, 32, ScalarType::I8,
     "A[0][31] = v1{48}.[31:24]; A[15][0] = v0{15}.[7:0]; "
     "A[1][16] = v0{33}.[7:0]; A[9][8] = v0{25}.[7:0]; "
     "A[5][24] = v0{53}.[7:0]; A[10][1] = v0{10}.[15:8]; "
     "A[7][6] = v1{7}.[23:16]; B[0][15] = v0{15}.[7:0]; "
     "B[31][0] = v1{48}.[31:24]; B[1][8] = v0{8}.[15:8]; "
     "B[17][4] = v0{36}.[15:8]; D[0][15] = v0{15}; D[15][0] = v3{48}; "
     "D[1][8] = v1{8}; D[9][4] = v1{36}; D[5][12] = v1{28}; "
     "D[10][1] = v2{33}; D[7][6] = v3{22}"},
    {"gfx1100", WMMA, 16, 16, 16, ScalarType::F16,
     "A[0][15] = v7{0}.[31:16]; A[0][15] = v7{16}.[31:16]; "
     "A[15][0] = v0{15}.[15:0]; A[15][0] = v0{31}.[15:0]; "
     "A[1][8] = v4{1}.[15:0]; A[1][8] = v4{17}.[15:0]; "
     "A[9][4] = v2{9}.[15:0]; A[9][4] = v2{25}.[15:0]; "
     "B[0][15] = v0{15}.[15:0]; B[0][15] = v0{31}.[15:0]; "
     "B[15][0] = v7{0}.[31:16]; B[15][0] = v7{16}.[31:16]; "
     "D[0][15] = v0{15}; D[15][0] = v7{16}; D[1][8] = v0{24}; "
     "D[9][4] = v4{20}; D[5][12] = v2{28}; D[10][1] = v5{1}; "
     "D[7][6] = v3{22}"},
    {"gfx1100", WMMA, 16, 16, 16, ScalarType::BF16,
     "A[0][15] = v7{0}.[31:16]; A[0][15] = v7{16}.[31:16]; "
     "A[15][0] = v0{15}.[15:0]; A[15][0] = v0{31}.[15:0]; "
     "A[1][8] = v4{1}.[15:0]; A[1][8] = v4{17}.[15:0]; "
     "A[9][4] = v2{9}.[15:0]; A[9][4] = v2{25}.[15:0]; "
     "B[0][15] = v0{15}.[15:0]; B[0][15] = v0{31}.[15:0]; "
     "B[15][0] = v7{0}.[31:16]; B[15][0] = v7{16}.[31:16]; "
     "D[0][15] = v0{15}; D[15][0] = v7{16}; D[1][8] = v0{24}; "
     "D[9][4] = v4{20}; D[5][12] = v2{28}; D[10][1] = v5{1}; "
     "D[7][6] = v3{22}"},
    {"gfx1100", WMMA, 16, 16, 16, ScalarType::I8,
     "A[0][15] = v3{0}.[31:24]; A[0][15] = v3{16}.[31:24]; "
     "A[15][0] = v0{15}.[7:0]; A[15][0] = v0{31}.[7:0]; "
     "A[1][8] = v2{1}.[7:0]; A[1][8] = v2{17}.[7:0]; "
     "A[9][4] = v1{9}.[7:0]; A[9][4] = v1{25}.[7:0]; "
     "B[0][15] = v0{15}.[7:0]; B[0][15] = v0{31}.[7:0]; "
     "B[15][0] = v3{0}.[31:24]; B[15][0] = v3{16}.[31:24]; "
     "D[0][15] = v0{15}; D[15][0] = v7{16}; D[1][8] = v0{24}; "
     "D[9][4] = v4{20}; D[5][12] = v2{28}; D[10][1] = v5{1}; "
     "D[7][6] = v3{22}"},
    {"gfx1201", WMMA, 16, 16, 16, ScalarType::F16,
     "A[0][15] = v3{16}.[31:16]; A[15][0] = v0{15}.[15:0]; "
     "A[1][8] = v2{1}.[15:0]; A[9][4] = v0{25}.[15:0]; "
     "A[5][12] = v2{21}.[15:0]; A[10][1] = v0{10}.[31:16]; "
     "A[7][6] = v1{23}.[15:0]; B[0][15] = v0{15}.[15:0]; "
     "B[15][0] = v3{16}.[31:16]; B[1][8] = v0{8}.[31:16]; "
     "B[9][4] = v2{4}.[31:16]; D[0][15] = v0{15}; D[15][0] = v7{16}; "
     "D[1][8] = v1{8}; D[9][4] = v1{20}; D[5][12] = v5{12}; "
     "D[10][1] = v2{17}; D[7][6] = v7{6}"},
    {"gfx1201", WMMA, 16, 16, 16, ScalarType::BF16,
     "A[0][15] = v3{16}.[31:16]; A[15][0] = v0{15}.[15:0]; "
     "A[1][8] = v2{1}.[15:0]; A[9][4] = v0{25}.[15:0]; "
     "A[5][12] = v2{21}.[15:0]; A[10][1] = v0{10}.[31:16]; "
     "A[7][6] = v1{23}.[15:0]; B[0][15] = v0{15}.[15:0]; "
     "B[15][0] = v3{16}.[31:16]; B[1][8] = v0{8}.[31:16]; "
     "B[9][4] = v2{4}.[31:16]; D[0][15] = v0{15}; D[15][0] = v7{16}; "
     "D[1][8] = v1{8}; D[9][4] = v1{20}; D[5][12] = v5{12}; "
     "D[10][1] = v2{17}; D[7][6] = v7{6}"},
    {"gfx1201", WMMA, 16, 16, 16, ScalarType::I8,
     "A[0][15] = v1{16}.[31:24]; A[15][0] = v0{15}.[7:0]; "
     "A[1][8] = v0{17}.[7:0]; A[9][4] = v1{9}.[7:0]; "
     "A[5][12] = v1{21}.[7:0]; A[10][1] = v0{10}.[15:8]; "
     "A[7][6] = v1{7}.[23:16]; B[0][15] = v0{15}.[7:0]; "
     "B[15][0] = v1{16}.[31:24]; B[1][8] = v0{8}.[15:8]; "
     "B[9][4] = v0{20}.[15:8]; D[0][15] = v0{15}; D[15][0] = v7{16}; "
     "D[1][8] = v1{8}; D[9][4] = v1{20}; D[5][12] = v5{12}; "
     "D[10][1] = v2{17}; D[7][6] = v7{6}"}};

static const MatrixInstruction *find(const MatrixLayout &layout) {
  MatrixOperation operation = {.family = layout.family,
                               .m = layout.m,
                               .n = layout.n,
                               .k = layout.k,
                               .element = layout.element,
                               .factorRegisters = 0,
                               .sumRegisters = 0};
  return findMatrixInstruction(operation, layout.chip);
}

static uint32_t toNumber(const std::ssub_match &digits) {
  return digits.matched ? static_cast<uint32_t>(std::stoul(digits)) : 0;
}

TEST(MatrixInstructionTest, PlacesAreThoseOfTheCalculator) {
  const std::regex place("([ABD])\\[(\\d+)\\]\\[(\\d+)\\] = v(\\d+)\\{(\\d+)\\}"
                         "(?:\\.\\[\\d+:(\\d+)\\])?(; |$)");
  for (const MatrixLayout &layout : Layouts) {
    const MatrixInstruction *instruction = find(layout);
    ASSERT_NE(instruction, nullptr) << layout.chip << layout.places;
    std::string text = layout.places;
    size_t read = 0;
    for (std::sregex_iterator it(text.begin(), text.end(), place), end;
         it != end; ++it) {
      const std::smatch &match = *it;
      bool isSum = match[1] == "D";
      FragmentMap map = isSum             ? instruction->sums
                        : match[1] == "A" ? instruction->a
                                          : instruction->getB();
      auto bits = isSum ? 32 : uint32_t(scalarSize(layout.element)) * 8;
      uint32_t lane = toNumber(match[5]);
      uint32_t element =
          toNumber(match[4]) * (32 / bits) + toNumber(match[6]) / bits;
      EXPECT_EQ(map.row.extract(lane, element), toNumber(match[2]))
          << layout.chip << ' ' << match.str();
      EXPECT_EQ(map.column.extract(lane, element), toNumber(match[3]))
          << layout.chip << ' ' << match.str();
      read += static_cast<size_t>(match.length());
    }
    EXPECT_EQ(read, text.size()) << text;
  }
}

TEST(MatrixInstructionTest, WavesHaveAllElements) {
  for (const MatrixLayout &layout : Layouts) {
    const MatrixInstruction &instruction = *find(layout);
    bool isWmma = layout.family == WMMA;
    uint32_t lanes = isWmma ? 32 : 64;
    uint32_t copies = std::string(layout.chip) == "gfx1100" ? 2 : 1;
    auto check = [&](const FragmentMap &map, uint32_t rows, uint32_t columns,
                     uint32_t expected) {
      std::map<std::pair<uint32_t, uint32_t>, uint32_t> counts;
      for (uint32_t lane = 0; lane < lanes; ++lane)
        for (uint32_t element = 0; element < map.countElements(); ++element)
          ++counts[{map.row.extract(lane, element),
                    map.column.extract(lane, element)}];
      EXPECT_EQ(counts.size(), rows * columns) << layout.chip;
      for (const auto &[place, count] : counts) {
        EXPECT_LT(place.first, rows);
        EXPECT_LT(place.second, columns);
        EXPECT_EQ(count, expected);
      }
    };
    check(instruction.a, layout.m, layout.k, copies);
    check(instruction.getB(), layout.k, layout.n, copies);
    check(instruction.sums, layout.m, layout.n, 1);
  }
}

TEST(MatrixInstructionTest, ChipsHaveTheirOwn) {
  auto has = [](const char *chip, MatrixInstruction::Family family, uint32_t m,
                uint32_t k, ScalarType element) {
    return find({chip, family, m, m, k, element, ""}) != nullptr;
  };
  // Bytes: twice as many steps from CDNA3 on.
  EXPECT_TRUE(has("gfx90a", MFMA, 16, 16, ScalarType::I8));
  EXPECT_FALSE(has("gfx90a", MFMA, 16, 32, ScalarType::I8));
  EXPECT_FALSE(has("gfx942", MFMA, 16, 16, ScalarType::I8));
  EXPECT_TRUE(has("gfx950", MFMA, 16, 32, ScalarType::I8));
  EXPECT_TRUE(has("gfx950", MFMA, 32, 8, ScalarType::BF16));
  // Twice as many again on CDNA4.
  EXPECT_TRUE(has("gfx950", MFMA, 16, 32, ScalarType::F16));
  EXPECT_TRUE(has("gfx950", MFMA, 16, 64, ScalarType::I8));
  EXPECT_FALSE(has("gfx942", MFMA, 16, 64, ScalarType::I8));
  EXPECT_FALSE(has("gfx942", MFMA, 16, 32, ScalarType::BF16));
  EXPECT_FALSE(has("gfx942", WMMA, 16, 16, ScalarType::F16));
  EXPECT_FALSE(has("gfx1100", MFMA, 16, 16, ScalarType::F16));
  EXPECT_FALSE(has("gfx1201", MFMA, 16, 4, ScalarType::F32));
  EXPECT_FALSE(has("gfx942", MFMA, 16, 8, ScalarType::F16));
}

TEST(MatrixInstructionTest, Cdna2FlushesTypesOf16Bits) {
  auto flushes = [](const char *chip, ScalarType element, uint32_t k) {
    return find({chip, MFMA, 16, 16, k, element, ""})->flushesSubnormals(chip);
  };
  EXPECT_TRUE(flushes("gfx90a", ScalarType::F16, 16));
  EXPECT_TRUE(flushes("gfx90a", ScalarType::BF16, 16));
  EXPECT_FALSE(flushes("gfx90a", ScalarType::F32, 4));
  EXPECT_FALSE(flushes("gfx942", ScalarType::F16, 16));
}
