//===- HostArray.h - A dense array in host memory ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of a tensor: type, shape and elements in row-major order.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_HOSTARRAY_H
#define CONVOY_RUNTIME_HOSTARRAY_H

#include "convoy/Runtime/ScalarType.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace convoy {

/// Product of the sizes in `shape`, each of which is at least 0, or nothing
/// where an array of that shape and `type` has more bytes than int64 can count.
std::optional<int64_t> checkedElementCount(ScalarType type,
                                           std::span<const int64_t> shape);

/// A dense array in row-major order; a scalar has the empty shape.
struct HostArray {
  ScalarType type = ScalarType::F32;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;

  HostArray() = default;
  /// An array of zeros. The shape is one that checkedElementCount accepts.
  HostArray(ScalarType type, std::vector<int64_t> shape);

  int64_t elementCount() const;
  void *data() { return bytes.data(); }
  const void *data() const { return bytes.data(); }
  double at(int64_t index) const { return loadDouble(type, data(), index); }
  void set(int64_t index, double value) {
    storeDouble(type, data(), index, value);
  }
};

} // namespace convoy

#endif // CONVOY_RUNTIME_HOSTARRAY_H
