//===- CPUDotInstruction.h - Dot products of CPUs ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_CPUDOTINSTRUCTION_H
#define CONVOY_SUPPORT_CPUDOTINSTRUCTION_H

#include <cstdint>
#include <span>
#include <string_view>

namespace convoy {

/// An instruction of a CPU for vectors of words: the product of two words is
/// the sum of the products of their parts, of f32 or of i32. One for words of
/// 32 bits multiplies those of two vectors that have the same place. One for
/// words of 64 bits multiplies matrices: each of two words with each of two
/// others. One for tiles, AMX's registers of up to 16 rows of 64 bytes,
/// multiplies matrices of words of 32 bits: each row of one with each column of
/// the other.
struct CPUDotInstruction {
  enum class Part { I8, I16, BF16 };

  /// The extension that has it, and its mnemonic.
  std::string_view name;
  Part part;
  int wordBits = 32;
  /// Of integers: the first factor's parts, and the second's.
  bool aUnsigned = false, bUnsigned = false;
  /// Whether it adds the products to a sum, its first operand.
  bool adds = true;
  /// Of floats: products and sums, else to nearest.
  bool roundsToOdd = false;
  /// LLVM's intrinsics for results of 8, 16, 32 and 64 bytes.
  std::string_view intrinsics[4] = {};
  /// LLVM's intrinsic for tiles, given by their numbers; empty for vectors.
  std::string_view tileIntrinsic = {};

  /// That for a result of so many bytes, empty where there is none.
  std::string_view getIntrinsic(int64_t bytes) const;
};

/// The most rows of a tile, words of a row, and tiles.
inline constexpr int kTileRows = 16, kTileWords = 16, kTiles = 8;

/// The instruction `name`, or null for one that is not known.
const CPUDotInstruction *getDotInstruction(std::string_view name);

/// All of them.
std::span<const CPUDotInstruction> getDotInstructions();

} // namespace convoy

#endif // CONVOY_SUPPORT_CPUDOTINSTRUCTION_H
