//===- MatrixUnit.h - Executes matrix instructions --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_MATRIXUNIT_H
#define CONVOY_RUNTIME_LIB_MATRIXUNIT_H

#include "MatrixInstruction.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace convoy {

/// Lanes that should have the same elements and do not.
struct ReplicaFault {
  uint32_t lane, other;
  char matrix; ///< 'A' or 'B'
};

/// Executes one operation of a kernel on one chip.
class MatrixUnit {
public:
  /// Each lane of a wave has the registers of A, then those of B, then those of
  /// C.
  using Lanes = std::span<uint32_t *const>;

  /// `instruction` is what findMatrixInstruction has found on `chip`, which
  /// runs `wave` lanes in step.
  MatrixUnit(const MatrixOperation &operation,
             const MatrixInstruction &instruction, std::string_view chip,
             uint32_t wave);

  /// Whether it takes subnormal numbers for zeros, and gives none.
  bool flushesSubnormals() const { return flushes; }

  /// Puts D in the place of C. Where there is a fault nothing is done.
  std::optional<ReplicaFault> multiply(Lanes lanes) const;

private:
  /// Where a wave's elements are in a matrix of row-major order.
  struct Fragment {
    uint32_t elements;             ///< of a lane
    std::vector<uint32_t> indices; ///< lane by lane, element by element
    /// Lanes with the elements of another one, and that one.
    std::vector<std::pair<uint32_t, uint32_t>> replicas;
  };
  static Fragment makeFragment(const FragmentMap &map, uint32_t columns,
                               uint32_t lanes);

  /// The `count` elements of A or B, which are in the registers from `first`
  /// on.
  template <typename T>
  std::vector<T> gather(const Fragment &fragment, Lanes lanes, uint32_t first,
                        uint32_t count, bool isUnsigned) const;
  std::optional<ReplicaFault> findReplica(const Fragment &fragment, char matrix,
                                          Lanes lanes, uint32_t first) const;
  template <typename T>
  void multiplyAs(Lanes lanes) const;

  MatrixOperation operation;
  bool flushes;
  Fragment a, b, sums;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_MATRIXUNIT_H
