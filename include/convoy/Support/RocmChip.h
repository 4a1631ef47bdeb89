//===- RocmChip.h - What AMD's GPUs have ------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_ROCMCHIP_H
#define CONVOY_SUPPORT_ROCMCHIP_H

#include <cstdint>
#include <span>
#include <string_view>

namespace convoy {

/// A chip that kernels are compiled for, and what one workgroup has of it.
struct RocmChip {
  /// As in LLVM's -mcpu.
  std::string_view name;
  /// Work-items that run in step.
  int64_t wave;
  /// Bytes of LDS, the memory of a workgroup.
  int64_t workgroupBytes;
  int64_t workgroupItems = 1024;
  /// Registers of 32 bits that a work-item can have (with those for matrices,
  /// where they are apart), and those of a whole wave.
  int64_t vgprs, sgprs;
  /// Compute units of the largest GPU that has it; of those of two chips, of
  /// one.
  int64_t computeUnits;
  /// Names of its instructions for matrices, at most one for a type.
  std::span<const std::string_view> matrixInstructions;
};

/// All chips: CDNA 2, 3 and 4, then RDNA 3 and 4.
std::span<const RocmChip> getRocmChips();

/// The chip `name`, or null for one that is not known.
const RocmChip *getRocmChip(std::string_view name);

/// `gfx90a, gfx942, gfx950, gfx1100 or gfx1201`, for messages.
std::string_view getRocmChipNames();

} // namespace convoy

#endif // CONVOY_SUPPORT_ROCMCHIP_H
