//===- RocmChip.cpp - What AMD's GPUs have ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/RocmChip.h"

using namespace convoy;

static constexpr RocmChip kChips[] = {{.name = "gfx90a",
                                       .wave = 64,
                                       .workgroupBytes = 65536,
                                       .vgprs = 512,
                                       .sgprs = 102},
                                      {.name = "gfx942",
                                       .wave = 64,
                                       .workgroupBytes = 65536,
                                       .vgprs = 512,
                                       .sgprs = 102},
                                      {.name = "gfx950",
                                       .wave = 64,
                                       .workgroupBytes = 163840,
                                       .vgprs = 512,
                                       .sgprs = 102},
                                      {.name = "gfx1100",
                                       .wave = 32,
                                       .workgroupBytes = 65536,
                                       .vgprs = 256,
                                       .sgprs = 106},
                                      {.name = "gfx1201",
                                       .wave = 32,
                                       .workgroupBytes = 65536,
                                       .vgprs = 256,
                                       .sgprs = 106}};

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
