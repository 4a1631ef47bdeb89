//===- MatrixInstruction.h - Matrix instructions of GPUs --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MFMA and WMMA instructions compute, and which lane of a wave has which
// element in which register. Written down from AMD's documents and nothing
// else: the compiler has a table of its own, which this one checks. Who has
// which element of Vulkan's cooperative matrices is free.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_MATRIXINSTRUCTION_H
#define CONVOY_RUNTIME_LIB_MATRIXINSTRUCTION_H

#include "convoy/Runtime/ScalarType.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace convoy {

/// A bit of an element's place among those that one lane has, or of the lane's
/// number. Elements are counted from the lowest bits of the first register on.
enum class PlaceBit : uint8_t { E0, E1, E2, E3, L0, L1, L2, L3, L4, L5 };

/// The bits that make up an index, the lowest first.
struct IndexBits {
  constexpr IndexBits(std::initializer_list<PlaceBit> bits) {
    for (PlaceBit bit : bits)
      places[count++] = bit;
  }

  uint32_t extract(uint32_t lane, uint32_t element) const;

  std::array<PlaceBit, 6> places = {};
  uint8_t count = 0;
};

/// Where a wave has the elements of a matrix. Where a bit of the lane's number
/// is in no index, lanes that differ in it alone have the same elements.
struct FragmentMap {
  IndexBits row, column;

  /// How many elements a lane has.
  uint32_t countElements() const;
};

/// D = A * B + C, for A of m x k, B of k x n, C and D of m x n elements.
struct MatrixInstruction {
  enum class Family { MFMA, WMMA, Cooperative };

  Family family;
  uint32_t m, n, k;
  ScalarType element; ///< of A and B; C and D are f32, or i32 for integers
  /// Those that have it; of cooperative matrices the subgroups that hold them.
  std::array<std::string_view, 3> chips;
  FragmentMap a, sums; ///< of A; of C and D

  /// The place of B[k][j] is that of A[j][k].
  FragmentMap getB() const { return {a.column, a.row}; }
  /// Whether `chip` takes subnormal numbers for zeros, and gives none.
  bool flushesSubnormals(std::string_view chip) const;
  /// Registers of 32 bits that a lane has of A, and of B.
  uint32_t countFactorRegisters() const;
  /// And of C, and of D.
  uint32_t countSumRegisters() const { return sums.countElements(); }
};

/// A matrix instruction as a kernel has it.
struct MatrixOperation {
  MatrixInstruction::Family family;
  uint32_t m, n, k;
  ScalarType element;
  uint32_t factorRegisters; ///< of 32 bits that a lane has of A, and of B
  uint32_t sumRegisters;    ///< of C, and of D
  bool unsignedA = false, unsignedB = false;
  /// Whether products are added pair by pair in the place of one after the
  /// other: neither AMD nor Vulkan promises an order.
  bool pairwise = false;

  /// As in `mfma 16x16x4 f32`.
  std::string getName() const;
};

/// The instruction of `chip`, or of a subgroup, that `operation` is, or null.
const MatrixInstruction *findMatrixInstruction(const MatrixOperation &operation,
                                               std::string_view chip);

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_MATRIXINSTRUCTION_H
