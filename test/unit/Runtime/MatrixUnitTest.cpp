//===- MatrixUnitTest.cpp - Tests of executed matrix instructions ---------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixUnit.h"

#include "convoy/Runtime/SmallFloat.h"

#include <bit>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

using namespace convoy;
using enum MatrixInstruction::Family;

namespace {
/// The registers of a wave, and a unit that changes them.
class Wave {
public:
  Wave(MatrixOperation operation, const char *chip, uint32_t lanes)
      : instruction(*findMatrixInstruction(operation, chip)),
        operation(complete(operation, instruction)),
        unit(this->operation, instruction, chip, lanes),
        registers(lanes,
                  std::vector<uint32_t>(2 * this->operation.factorRegisters +
                                        this->operation.sumRegisters)) {
    for (std::vector<uint32_t> &lane : registers)
      pointers.push_back(lane.data());
  }

  using Element = std::function<uint32_t(uint32_t row, uint32_t column)>;

  void setA(const Element &element) { set(instruction.a, 0, width(), element); }
  void setB(const Element &element) {
    set(instruction.getB(), operation.factorRegisters, width(), element);
  }
  void setC(const Element &element) {
    set(instruction.sums, 2 * operation.factorRegisters, 32, element);
  }
  uint32_t getD(uint32_t row, uint32_t column) const {
    uint32_t result = 0;
    visit(instruction.sums,
          [&](uint32_t lane, uint32_t element, uint32_t i, uint32_t j) {
            if (i == row && j == column)
              result = registers[lane][2 * operation.factorRegisters + element];
          });
    return result;
  }
  std::optional<ReplicaFault> multiply() const {
    return unit.multiply(pointers);
  }

  std::vector<std::vector<uint32_t>> &getRegisters() { return registers; }

private:
  static MatrixOperation complete(MatrixOperation operation,
                                  const MatrixInstruction &instruction) {
    operation.factorRegisters = instruction.countFactorRegisters();
    operation.sumRegisters = instruction.countSumRegisters();
    return operation;
  }
  uint32_t width() const {
    return static_cast<uint32_t>(scalarSize(operation.element)) * 8;
  }
  template <typename Visitor>
  void visit(const FragmentMap &map, Visitor visitor) const {
    for (uint32_t lane = 0; lane < registers.size(); ++lane)
      for (uint32_t element = 0; element < map.countElements(); ++element)
        visitor(lane, element, map.row.extract(lane, element),
                map.column.extract(lane, element));
  }
  void set(const FragmentMap &map, uint32_t first, uint32_t bits,
           const Element &value) {
    visit(map, [&](uint32_t lane, uint32_t element, uint32_t i, uint32_t j) {
      uint32_t place = element * bits;
      uint64_t mask = ((uint64_t(1) << bits) - 1) << place % 32;
      uint32_t &word = registers[lane][first + place / 32];
      word = static_cast<uint32_t>(
          (word & ~mask) | (uint64_t(value(i, j)) << place % 32 & mask));
    });
  }

  const MatrixInstruction &instruction;
  MatrixOperation operation;
  MatrixUnit unit;
  std::vector<std::vector<uint32_t>> registers;
  std::vector<uint32_t *> pointers;
};

uint32_t toBits(float value) { return std::bit_cast<uint32_t>(value); }
float toFloat(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t zero(uint32_t, uint32_t) { return 0; }

constexpr MatrixOperation Mfma16x4 = {MFMA, 16, 16, 4, ScalarType::F32, 0, 0};
constexpr MatrixOperation Mfma16x16 = {MFMA, 16, 16, 16, ScalarType::F16, 0, 0};
constexpr MatrixOperation Wmma = {WMMA, 16, 16, 16, ScalarType::I8, 0, 0};
} // namespace

TEST(MatrixUnitTest, MultipliesAndAdds) {
  for (bool pairwise : {false, true}) {
    MatrixOperation operation = {MFMA, 32, 32, 8, ScalarType::BF16, 0, 0};
    operation.pairwise = pairwise;
    Wave wave(operation, "gfx942", 64);
    auto a = [](uint32_t i, uint32_t k) { return int(3 * i + k) % 11 - 5; };
    auto b = [](uint32_t k, uint32_t j) { return int(5 * j + 7 * k) % 13 - 6; };
    auto c = [](uint32_t i, uint32_t j) { return int(i) - 2 * int(j); };
    wave.setA([&](uint32_t i, uint32_t k) { return toBFloat16Bits(a(i, k)); });
    wave.setB([&](uint32_t k, uint32_t j) { return toBFloat16Bits(b(k, j)); });
    wave.setC([&](uint32_t i, uint32_t j) { return toBits(float(c(i, j))); });
    EXPECT_FALSE(wave.multiply());
    for (uint32_t i = 0; i < 32; ++i)
      for (uint32_t j = 0; j < 32; ++j) {
        int sum = c(i, j);
        for (uint32_t k = 0; k < 8; ++k)
          sum += a(i, k) * b(k, j);
        EXPECT_EQ(toFloat(wave.getD(i, j)), float(sum)) << i << ' ' << j;
      }
  }
}

TEST(MatrixUnitTest, AddsInEitherOrder) {
  // 1 + (2^-24 + 2^-24) loses nothing; (1 + 2^-24) + 2^-24 loses both.
  for (bool pairwise : {false, true}) {
    MatrixOperation operation = Mfma16x4;
    operation.pairwise = pairwise;
    Wave wave(operation, "gfx90a", 64);
    wave.setA([](uint32_t, uint32_t) { return toBits(0x1p-24f); });
    wave.setB([](uint32_t, uint32_t j) { return toBits(j == 9 ? 1.0f : 0); });
    wave.setC([](uint32_t, uint32_t) { return toBits(1.0f); });
    EXPECT_FALSE(wave.multiply());
    EXPECT_EQ(toFloat(wave.getD(5, 9)), pairwise ? 1 + 0x1p-22f : 1.0f);
    EXPECT_EQ(toFloat(wave.getD(5, 8)), 1.0f);
  }
}

TEST(MatrixUnitTest, FlushesOnCdna2) {
  constexpr uint32_t Smallest = 1, Negative = 0x8001;
  for (const char *chip : {"gfx90a", "gfx942"}) {
    Wave wave(Mfma16x16, chip, 64);
    auto large = static_cast<uint32_t>(toFloat16Bits(0x1p10));
    wave.setA([&](uint32_t i, uint32_t k) {
      return k ? 0 : i == 3 ? Smallest : i == 4 ? Negative : large;
    });
    wave.setB([&](uint32_t k, uint32_t) { return k ? 0 : large; });
    wave.setC([](uint32_t i, uint32_t) { return i == 7 ? 1u : 0u; });
    EXPECT_FALSE(wave.multiply());
    bool flushes = chip == std::string_view("gfx90a");
    EXPECT_EQ(toFloat(wave.getD(2, 6)), 0x1p20f);
    EXPECT_EQ(toFloat(wave.getD(3, 6)), flushes ? 0 : 0x1p-14f);
    EXPECT_EQ(toFloat(wave.getD(4, 6)), flushes ? 0 : -0x1p-14f);
    // What is added, and what comes out.
    wave.setA(zero);
    wave.setC([](uint32_t i, uint32_t) { return i == 7 ? 1u : 0u; });
    EXPECT_FALSE(wave.multiply());
    EXPECT_EQ(wave.getD(7, 0), flushes ? 0u : 1u);
  }
}

TEST(MatrixUnitTest, BytesAreSignedOrNot) {
  for (const char *chip : {"gfx1100", "gfx1201"})
    for (int unsignedOnes = 0; unsignedOnes < 4; ++unsignedOnes) {
      MatrixOperation operation = Wmma;
      operation.unsignedA = unsignedOnes & 1;
      operation.unsignedB = unsignedOnes & 2;
      Wave wave(operation, chip, 32);
      wave.setA([](uint32_t i, uint32_t) { return i == 2 ? 0xfe : 3; });
      wave.setB([](uint32_t, uint32_t j) { return j == 5 ? 0x80 : 2; });
      wave.setC([](uint32_t, uint32_t) { return uint32_t(-7); });
      EXPECT_FALSE(wave.multiply());
      int32_t a = operation.unsignedA ? 254 : -2;
      int32_t b = operation.unsignedB ? 128 : -128;
      EXPECT_EQ(int32_t(wave.getD(2, 5)), 16 * a * b - 7);
      EXPECT_EQ(int32_t(wave.getD(2, 4)), 16 * a * 2 - 7);
      EXPECT_EQ(int32_t(wave.getD(1, 5)), 16 * 3 * b - 7);
    }
}

TEST(MatrixUnitTest, IntegersWrapAround) {
  Wave wave(Wmma, "gfx1201", 32);
  wave.setA([](uint32_t, uint32_t) { return 127; });
  wave.setB([](uint32_t, uint32_t) { return 127; });
  wave.setC([](uint32_t, uint32_t) { return 0x7fffffff; });
  EXPECT_FALSE(wave.multiply());
  EXPECT_EQ(wave.getD(8, 15), 0x7fffffffu + 16 * 127 * 127);
}

TEST(MatrixUnitTest, HalvesOfRdna3MustAgree) {
  Wave wave(Wmma, "gfx1100", 32);
  EXPECT_FALSE(wave.multiply());
  // B is in the registers 4 to 7.
  wave.getRegisters()[21][7] = 0x01000000;
  std::optional<ReplicaFault> fault = wave.multiply();
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->lane, 21u);
  EXPECT_EQ(fault->other, 5u);
  EXPECT_EQ(fault->matrix, 'B');
  wave.getRegisters()[0][2] = 1;
  EXPECT_EQ(wave.multiply()->matrix, 'A');
  EXPECT_EQ(wave.multiply()->lane, 16u);
}
