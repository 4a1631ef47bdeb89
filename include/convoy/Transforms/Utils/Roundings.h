//===- Roundings.h - Roundings by their types -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_ROUNDINGS_H
#define CONVOY_TRANSFORMS_UTILS_ROUNDINGS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"

#include <cstdint>

namespace mlir::convoy {

/// How many roundings there are in each floating-point type.
class Roundings {
public:
  Roundings() = default;
  /// `number` roundings in `type`.
  Roundings(Type type, uint64_t number) { counts[type] = number; }

  bool isNone() const;
  /// Whether all are in types that errors have bounds for: f64, f32, f16, bf16.
  bool haveBounds() const;
  /// Adds `others`, this many times.
  void add(const Roundings &others, uint64_t times = 1);
  /// Takes the larger count of each type.
  void takeMost(const Roundings &others);
  /// A dictionary with a count for the name of each type.
  DictionaryAttr toAttribute(MLIRContext *context) const;

private:
  // Saturated, as counts are multiplied with those of loops.
  llvm::SmallMapVector<Type, uint64_t, 2> counts;
};

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_ROUNDINGS_H
