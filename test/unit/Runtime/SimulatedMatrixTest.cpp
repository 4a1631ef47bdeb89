//===- SimulatedMatrixTest.cpp - Tests of matrix instructions -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix instructions as the work-items of simulated GPUs come to them.
//
//===----------------------------------------------------------------------===//

#include "SimulatedDeviceFixture.h"

#include <algorithm>
#include <array>

using namespace convoy;

using SimulatedMatrixTest = SimulatedDeviceTest;

/// A layout of `rows` times 8 work-items, with `wmma 16x16x16 i8`.
static std::vector<int64_t> getMatrixLayout(int64_t rows,
                                            int64_t factorRegisters) {
  std::vector<int64_t> numbers = {1, 8, rows, 1, 0, 2, 1, 64, 4, 128, 2, 32, 4};
  numbers.insert(numbers.end(),
                 {1, CONVOY_SIMULATED_WMMA, 16, 16, 16, CONVOY_SIMULATED_I8,
                  factorRegisters, 8, 0, 0, 0});
  return numbers;
}

static int64_t getNumber(const Work &work) { return work.y * 8 + work.x; }

TEST_F(SimulatedMatrixTest, WavesMultiplyByThemselves) {
  // Three waves, each with other numbers: A is all 1, B all w + 1, C is 1000.
  layout = getMatrixLayout(12, 2);
  body = [](const Work &work) {
    int32_t wave = int32_t(getNumber(work)) / 32;
    int32_t b = (wave + 1) * 0x01010101;
    std::array<int32_t, 12> registers = {0x01010101, 0x01010101, b, b};
    std::fill(registers.begin() + 4, registers.end(), 1000);
    for (int32_t step = 1; step <= 3; ++step) {
      convoy_simulated_multiply(work.item, 0, 0,
                                reinterpret_cast<uint32_t *>(registers.data()));
      for (size_t place = 4; place < 12; ++place)
        EXPECT_EQ(registers[place], 1000 + step * 16 * (wave + 1));
    }
  };
  open("rocm-sim:gfx1201");
  expectOk(run(body));
}

/// Multiplies zeros at `place`.
static void multiply(const Work &work, int64_t place,
                     std::array<uint32_t, 16> registers = {}) {
  convoy_simulated_multiply(work.item, place, 0, registers.data());
}

TEST_F(SimulatedMatrixTest, DivergentMatrixInstructions) {
  layout = getMatrixLayout(8, 4);
  open("rocm-sim:gfx1100");
  expectOk(run([](const Work &work) {
    // A whole wave may come alone.
    if (work.y < 4)
      multiply(work, 1);
  }));
  expectWrong(
      [](const Work &work) {
        if (getNumber(work) != 45)
          multiply(work, 3);
      },
      "work-item (0, 4, 0) of workgroup (0, 0, 0) waits at matrix instruction "
      "3, but work-item (5, 5, 0) has ended");
  expectWrong(
      [](const Work &work) { multiply(work, work.y == 7 ? 2 : 0); },
      "work-item (0, 4, 0) of workgroup (0, 0, 0) waits at matrix instruction "
      "0, but work-item (0, 7, 0) waits at matrix instruction 2");
  expectWrong(
      [](const Work &work) {
        if (work.y == 1)
          work.barrier(0);
        else
          multiply(work, 0);
      },
      "work-item (0, 0, 0) of workgroup (0, 0, 0) waits at matrix instruction "
      "0, but work-item (0, 1, 0) waits at barrier 0");
  expectOk(run([](const Work &work) {
    multiply(work, 0);
    work.barrier(0);
    multiply(work, 1);
  }));
}

TEST_F(SimulatedMatrixTest, HalvesOfWavesHaveTheSameElements) {
  layout = getMatrixLayout(8, 4);
  open("rocm-sim:gfx1100");
  expectWrong(
      [](const Work &work) {
        std::array<uint32_t, 16> registers = {};
        registers[5] = getNumber(work) == 53;
        multiply(work, 6, registers);
      },
      "work-item (5, 6, 0) of workgroup (0, 0, 0) gives matrix instruction 6 "
      "other elements of B than work-item (5, 4, 0), expected the same");
}

TEST_F(SimulatedMatrixTest, ChipsHaveMatrixInstructions) {
  layout = getMatrixLayout(8, 4);
  expectRefused("there is no wmma 16x16x16 i8 on gfx942");
  open("rocm-sim:gfx1201");
  expectRefused("expected 2 registers of a work-item for A of wmma 16x16x16 i8 "
                "on gfx1201, but got 4");
  open("rocm-sim:gfx1100");
  Kernel kernel;
  expectOk(load(kernel));
  layout[20] = 4;
  expectRefused("expected 8 registers of a work-item for C of wmma 16x16x16 i8 "
                "on gfx1100, but got 4");
  layout[20] = 8;
  layout[2] = 5;
  expectRefused("expected whole waves of 32 work-items for wmma 16x16x16 i8 on "
                "gfx1100, but got 40");
}

TEST_F(SimulatedMatrixTest, MatrixInstructionsFlushOnCdna2) {
  layout = getMatrixLayout(8, 2);
  layout[14] = CONVOY_SIMULATED_MFMA;
  layout[18] = CONVOY_SIMULATED_F16;
  layout[20] = 4;
  for (const char *chip : {"gfx90a", "gfx942"}) {
    open(std::string("rocm-sim:") + chip);
    Kernel kernel;
    expectOk(load(kernel));
    TargetArithmetic arithmetic;
    expectOk(kernel.arithmetic(arithmetic));
    EXPECT_EQ(arithmetic.flushesSubnormals, chip == std::string("gfx90a"));
  }
}
