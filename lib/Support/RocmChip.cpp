//===- RocmChip.cpp - What AMD's GPUs have ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/RocmChip.h"

using namespace convoy;

static constexpr std::string_view
    kCdna2Matrix[] = {"mfma_f32_16x16x4f32", "mfma_f32_16x16x16f16",
                      "mfma_f32_16x16x16bf16_1k", "mfma_i32_16x16x16i8"},
    kCdna3Matrix[] = {"mfma_f32_16x16x4f32", "mfma_f32_16x16x16f16",
                      "mfma_f32_16x16x16bf16_1k", "mfma_i32_16x16x32_i8"},
    kCdna4Matrix[] = {"mfma_f32_16x16x4f32", "mfma_f32_16x16x32_f16",
                      "mfma_f32_16x16x32_bf16", "mfma_i32_16x16x64_i8"},
    kRdna3Matrix[] = {"wmma_f32_16x16x16_f16_w32", "wmma_f32_16x16x16_bf16_w32",
                      "wmma_i32_16x16x16_iu8_w32"},
    kRdna4Matrix[] = {"wmma_f32_16x16x16_f16_w32_gfx12",
                      "wmma_f32_16x16x16_bf16_w32_gfx12",
                      "wmma_i32_16x16x16_iu8_w32_gfx12"};

static constexpr RocmChip kChips[] = {{.name = "gfx90a",
                                       .wave = 64,
                                       .workgroupBytes = 65536,
                                       .vgprs = 512,
                                       .sgprs = 102,
                                       .computeUnits = 110,
                                       .matrixInstructions = kCdna2Matrix},
                                      {.name = "gfx942",
                                       .wave = 64,
                                       .workgroupBytes = 65536,
                                       .vgprs = 512,
                                       .sgprs = 102,
                                       .computeUnits = 304,
                                       .matrixInstructions = kCdna3Matrix},
                                      {.name = "gfx950",
                                       .wave = 64,
                                       .workgroupBytes = 163840,
                                       .vgprs = 512,
                                       .sgprs = 102,
                                       .computeUnits = 256,
                                       .matrixInstructions = kCdna4Matrix},
                                      {.name = "gfx1100",
                                       .wave = 32,
                                       .workgroupBytes = 65536,
                                       .vgprs = 256,
                                       .sgprs = 106,
                                       .computeUnits = 96,
                                       .matrixInstructions = kRdna3Matrix},
                                      {.name = "gfx1201",
                                       .wave = 32,
                                       .workgroupBytes = 65536,
                                       .vgprs = 256,
                                       .sgprs = 106,
                                       .computeUnits = 64,
                                       .matrixInstructions = kRdna4Matrix}};

std::span<const RocmChip> convoy::getRocmChips() { return kChips; }

const RocmChip *convoy::getRocmChip(std::string_view name) {
  for (const RocmChip &chip : kChips)
    if (chip.name == name)
      return &chip;
  return nullptr;
}

std::string_view convoy::getRocmChipNames() {
  return "gfx90a, gfx942, gfx950, gfx1100 or gfx1201";
}
