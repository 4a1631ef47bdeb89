//===- Poison.h - Marks of memory that nobody has written -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that a kernel must write is filled with poison beforehand: a NaN with
// a payload of our own in floating-point types, a fixed pattern in integer
// types. Reading it spoils the result; an element that still holds it was not
// written.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_POISON_H
#define CONVOY_RUNTIME_POISON_H

#include "convoy/Runtime/ScalarType.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace convoy {

/// The bits of a poisoned element of `type`, in its low scalarSize(type) bytes.
uint64_t poisonBits(ScalarType type);

/// Fills `bytes` with poisoned elements; a rest smaller than an element gets
/// the leading bytes of one.
void fillWithPoison(ScalarType type, std::span<std::byte> bytes);

/// Whether element `index` of the array at `data` holds poison.
bool isPoison(ScalarType type, const void *data, int64_t index);

/// The indices of the elements that hold poison, in order, the first `limit`.
/// In an integer type an element may hold the pattern as its true value.
std::vector<int64_t> findPoison(ScalarType type,
                                std::span<const std::byte> bytes, size_t limit);

/// While one lives, kernels that this thread calls on an x86 CPU find NaNs,
/// large numbers and zeros in vector and mask registers, others at each of
/// seven successive calls: one that reads a register that it never wrote does
/// not always have a zero there by chance.
class PoisonedRegisters {
public:
  PoisonedRegisters();
  ~PoisonedRegisters();
  PoisonedRegisters(const PoisonedRegisters &) = delete;
  PoisonedRegisters &operator=(const PoisonedRegisters &) = delete;

  /// Fills them, if one lives.
  static void fill();
};

} // namespace convoy

#endif // CONVOY_RUNTIME_POISON_H
